// SPDX-License-Identifier: GPL-2.0
//! `rpktgen`: the packet generator's command line.

use std::io::{self, Write};
use std::process::ExitCode;

use rpktgen_cli::{args, command};

fn main() -> ExitCode {
    let args = match args::from_command_line() {
        Ok(args) => args,
        Err(early) => return early.print(),
    };
    match command::run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Not eprintln!: it panics when standard error is closed.
            let _ = writeln!(io::stderr(), "rpktgen: {error}");
            error.exit_code()
        }
    }
}
