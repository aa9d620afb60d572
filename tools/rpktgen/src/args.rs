// SPDX-License-Identifier: GPL-2.0
//! The command line: [`LowArgs`] is what was typed, [`Args`] what can be done.

use std::io::{self, IsTerminal, Write};
use std::path::{self, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::error::ErrorKind;
use clap::Parser;

use crate::error::{Error, Kind};
use crate::report::style::Style;
use crate::report::Format;
use crate::system::{Host, System};

/// Show and control the Linux packet generator
///
/// Works with rpktgen and with the kernel's pktgen: both have the same files, /proc/net/pktgen.
#[derive(Debug, Parser)]
#[command(
    version,
    // One line an option is enough to remind, a page is enough to learn.
    after_help = "Examples:
  rpktgen status              what is configured, what runs, what came out
  rpktgen status --json | jq '.trees[].threads[].devices[] | {name, state}'
  rpktgen start               run all devices to their end; ^C stops them
  rpktgen stop                stop a run started elsewhere
  rpktgen reset               remove all devices
  rpktgen status --proc /proc/net/rpktgen   one of several generators

Exit status: 0 done, 1 a run or an access failed, 2 wrong usage, 3 not permitted,
4 module or device missing."
)]
struct LowArgs {
    #[command(subcommand)]
    command: LowCommand,

    /// Directory of the generator [default: those found below /proc/net]
    #[arg(long, value_name = "DIR", global = true)]
    proc: Option<PathBuf>,

    /// Directory that stands for /, for tests
    #[arg(
        long,
        value_name = "DIR",
        global = true,
        hide = true,
        default_value = "/"
    )]
    root: PathBuf,
}

#[derive(Debug, clap::Subcommand)]
enum LowCommand {
    /// Show threads, devices, settings, counters and results
    ///
    /// A table on a terminal, tab-separated lines in a pipe.
    #[command(after_help = "Examples:
  rpktgen status
  rpktgen status --json | jq '[.trees[].threads[].devices[].result.summary.pps // 0] | add'
  rpktgen status | cut -f 3,4,8     # device, state, packets per second
  sudo rpktgen status --proc /proc/net/pktgen")]
    Status(LowReport),

    /// Run all devices and wait for them
    ///
    /// Ends when every device has sent its count, or was stopped. ^C (SIGINT, SIGTERM, SIGHUP)
    /// stops the run and shows what was done; once more ends at once.
    #[command(after_help = "Examples:
  rpktgen start
  timeout --signal=INT 10 rpktgen start --json > run.json

Fails (status 1) if a device had errors, sent nothing, or fell short of its count.")]
    Start(LowReport),

    /// Stop all devices and wait until they have
    Stop(LowReport),

    /// Remove all devices, running or not
    Reset,
}

#[derive(Debug, clap::Args)]
struct LowReport {
    /// Print JSON, described by schemas/rpktgen.status-1.schema.json
    #[arg(long)]
    json: bool,
}

/// A command line that makes sense.
pub struct Args {
    /// What to do.
    pub command: Command,
    /// The tree to use; all or the only one if none is named.
    pub tree: Option<PathBuf>,
    /// The kernel to talk to.
    pub system: Arc<dyn System>,
}

/// What to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Show what is.
    Status(Format),
    /// Run what is configured.
    Start(Format),
    /// Stop what runs.
    Stop(Format),
    /// Remove what is configured.
    Reset,
}

/// The end of a command line that asks for help or makes no sense.
#[derive(Debug)]
pub enum Early {
    /// From the parser of options.
    Clap(clap::Error),
    /// From what comes after it.
    Invalid(Error),
}

/// Reads the command line of this process.
pub fn from_command_line() -> Result<Args, Early> {
    LowArgs::try_parse().map_err(Early::Clap)?.validate()
}

impl LowArgs {
    fn validate(self) -> Result<Args, Early> {
        let tree = match self.proc {
            Some(dir) => Some(path::absolute(&dir).map_err(|e| {
                Early::Invalid(Error::new(
                    Kind::Usage,
                    format!("--proc takes a directory, not \"{}\": {e}", dir.display()),
                ))
            })?),
            None => None,
        };
        Ok(Args {
            command: match self.command {
                LowCommand::Status(report) => Command::Status(report.format()),
                LowCommand::Start(report) => Command::Start(report.format()),
                LowCommand::Stop(report) => Command::Stop(report.format()),
                LowCommand::Reset => Command::Reset,
            },
            tree,
            system: Arc::new(Host::new(self.root)),
        })
    }
}

impl LowReport {
    fn format(&self) -> Format {
        if self.json {
            Format::Json
        } else if io::stdout().is_terminal() {
            Format::Table(Style::from_environment())
        } else {
            Format::Lines
        }
    }
}

impl Early {
    /// Says what there is to say; the status to end with.
    pub fn print(self) -> ExitCode {
        match self {
            Early::Clap(e) if !e.use_stderr() => {
                // Help or version. A reader that has seen enough is no error.
                let _ = e.print();
                ExitCode::SUCCESS
            }
            Early::Clap(e) => {
                let _ = writeln!(io::stderr(), "rpktgen: {}", one_line(&e));
                ExitCode::from(Kind::Usage as u8)
            }
            Early::Invalid(e) => {
                let _ = writeln!(io::stderr(), "rpktgen: {e}");
                e.exit_code()
            }
        }
    }
}

/// The parser's message without its decoration: what is wrong, a tip if it has one, what to do.
fn one_line(error: &clap::Error) -> String {
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return "what shall it do? See \"rpktgen --help\"".to_owned();
    }
    let text = error.render().to_string();
    let mut parts: Vec<String> = Vec::new();
    for (i, paragraph) in text.split("\n\n").enumerate() {
        let line = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
        if i == 0 {
            parts.push(line.trim_start_matches("error: ").to_owned());
        } else if let Some(tip) = line.strip_prefix("tip: ") {
            parts.push(tip.to_owned());
        }
    }
    parts.push("see \"rpktgen --help\"".to_owned());
    parts.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn parse(line: &str) -> Result<Args, Early> {
        LowArgs::try_parse_from(line.split(' '))
            .map_err(Early::Clap)?
            .validate()
    }

    #[test]
    fn definition_is_consistent() {
        LowArgs::command().debug_assert();
    }

    #[test]
    fn accepted() {
        let args = parse("rpktgen status --json --proc /proc/net/x").unwrap_or_else(|_| panic!());
        assert_eq!(args.command, Command::Status(Format::Json));
        assert_eq!(args.tree, Some(PathBuf::from("/proc/net/x")));
        let args = parse("rpktgen --proc x reset").unwrap_or_else(|_| panic!());
        assert_eq!(args.command, Command::Reset);
        assert!(args.tree.is_some_and(|t| t.is_absolute()));
    }

    #[test]
    fn refused_in_one_line() {
        let table = [
            ("rpktgen", "what shall it do?"),
            ("rpktgen statu", "unrecognized subcommand 'statu'"),
            ("rpktgen status --jsn", "unexpected argument '--jsn'"),
            (
                "rpktgen status --proc",
                "a value is required for '--proc <DIR>'",
            ),
            ("rpktgen reset --json", "unexpected argument '--json'"),
            (
                "rpktgen status --proc ",
                "a value is required for '--proc <DIR>'",
            ),
        ];
        for (line, message) in table {
            let text = match parse(line) {
                Err(Early::Clap(e)) => one_line(&e),
                Err(Early::Invalid(e)) => e.to_string(),
                Ok(_) => panic!("accepted: {line}"),
            };
            assert!(text.starts_with(message), "{line}: {text}");
            assert!(!text.contains('\n'), "{line}: {text}");
        }
    }
}
