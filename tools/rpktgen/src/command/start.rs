// SPDX-License-Identifier: GPL-2.0
//! `rpktgen start`
//!
//! The write that starts a run blocks until the run ends, so a thread of its own makes it:
//!
//! ```text
//!   main                                  writer
//!   ----                                  ------
//!   nothing runs? something configured?
//!   spawn --------------------------->    write "start"
//!   wait for the writer or a signal         (blocked in the kernel)
//!   signal: write "stop", repeat            ...
//!   <----------------------------- done   the kernel returns
//!   wait until nothing runs
//!   print, judge
//! ```
//!
//! "stop" is repeated until the run has ended: one that arrives before the workers have seen
//! "start" is lost, or forgotten for the start. The kernel ends the write early when a signal hits
//! the writer; waiting for the devices themselves covers that, too.

use std::collections::HashMap;
use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use super::{PATIENCE, TICK};
use crate::args::Args;
use crate::error::{Error, Kind, Result};
use crate::report::{self, Format};
use crate::signals::Interrupt;
use crate::snapshot::{DeviceStatus, TreeStatus};
use crate::system::System;
use crate::text::result::Phase;
use crate::tree::{Control, Tree};

/// Longest time for which a worker may not have seen a request yet, with some reserve: they look
/// every 100 ms, the kernel itself waits 125 ms.
const HANDSHAKE: Duration = Duration::from_millis(300);

/// A device stops before its summary is written; a moment later it is there.
const SUMMARY: Duration = Duration::from_secs(2);

/// Runs what is configured, shows the results, and fails if the run did.
pub(super) fn run(args: &Args, format: Format) -> Result<()> {
    let tree = super::one_tree(args)?;
    let interrupt = Interrupt::install()
        .map_err(|e| Error::new(Kind::Failed, format!("cannot catch signals: {e}")))?;
    let before = TreeStatus::read_workers(args.system.as_ref(), &tree)?;
    let before = ready(before, &tree)?;
    if io::stderr().is_terminal() {
        let _ = writeln!(
            io::stderr(),
            "rpktgen: running {} in {}; ^C stops the run",
            names(&before),
            tree.path().display()
        );
    }
    let mut after = drive(&args.system, &tree, &interrupt)?;
    // The banner, for the report only: the run itself was fine without.
    if let Ok(full) = TreeStatus::read(args.system.as_ref(), &tree) {
        after = full;
    }
    let verdict = judge(&before, &after, interrupt.is_raised());
    report::print(&format.render(&[after])?)?;
    verdict
}

/// What each device's start instant was before the run.
type Before = HashMap<String, Option<u64>>;

/// The devices, or their number where they are many.
fn names(before: &Before) -> String {
    if before.len() > 4 {
        return format!("{} devices", before.len());
    }
    let mut names: Vec<_> = before.keys().map(|name| report::visible(name)).collect();
    names.sort();
    names.join(", ")
}

/// A run needs devices, all of them idle: starting again would wipe the counters of those that run.
fn ready(status: TreeStatus, tree: &Tree) -> Result<Before> {
    let dir = tree.path().display();
    let running = status.running();
    if !running.is_empty() {
        return Err(Error::new(
            Kind::Failed,
            format!(
                "already running in {dir}: {}; stop it first (rpktgen stop)",
                running.join(", ")
            ),
        ));
    }
    let started = |d: &DeviceStatus| d.current.as_ref().and_then(|c| c.started_us);
    let before: Before = status
        .devices()
        .map(|(_, d)| (d.name.clone(), started(d)))
        .collect();
    if let Some(error) = status.into_errors().next() {
        return Err(error);
    }
    if before.is_empty() {
        return Err(Error::new(
            Kind::Missing,
            format!(
                "no device is configured in {dir}: add one \
                 (echo add_device eth0@0 > {dir}/kpktgend_0)"
            ),
        ));
    }
    Ok(before)
}

/// Starts, waits for the end, passes an interrupt on as a stop.
fn drive(system: &Arc<dyn System>, tree: &Tree, interrupt: &Interrupt) -> Result<TreeStatus> {
    let writer = spawn_writer(system.clone(), tree.clone())?;
    let mut written_at = None;
    let mut stopping_since = None;
    loop {
        if written_at.is_some() {
            thread::sleep(TICK);
        } else {
            match writer.recv_timeout(TICK) {
                Ok(result) => {
                    result?;
                    written_at = Some(Instant::now());
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Error::new(
                        Kind::Failed,
                        "the thread that starts the run died",
                    ));
                }
            }
        }
        if interrupt.is_raised() {
            stopping_since.get_or_insert_with(Instant::now);
            tree.control(system.as_ref(), Control::Stop)?;
        }
        if let Some(written) = written_at {
            let status = TreeStatus::read_workers(system.as_ref(), tree)?;
            let handshake = stopping_since.is_none_or(|since: Instant| since.elapsed() > HANDSHAKE);
            let summaries = written.elapsed() > SUMMARY
                || !status
                    .devices()
                    .any(|(_, d)| d.phase() == Some(Phase::Starting));
            if status.running().is_empty() && handshake && summaries {
                return Ok(status);
            }
        }
        if stopping_since.is_some_and(|since| since.elapsed() > PATIENCE) {
            return Err(Error::new(
                Kind::Failed,
                format!(
                    "still running {} s after stop in {}; see the kernel log (dmesg)",
                    PATIENCE.as_secs(),
                    tree.path().display()
                ),
            ));
        }
    }
}

fn spawn_writer(system: Arc<dyn System>, tree: Tree) -> Result<Receiver<Result<()>>> {
    let (sender, receiver) = mpsc::channel();
    thread::Builder::new()
        .name("start".to_owned())
        .spawn(move || {
            // Nobody listens any more if the main thread gave up.
            let _ = sender.send(tree.control(system.as_ref(), Control::Start));
        })
        .map_err(|e| Error::new(Kind::Failed, format!("cannot create a thread: {e}")))?;
    Ok(receiver)
}

/// Did every device do what it was asked? All that did not are named in one line.
fn judge(before: &Before, after: &TreeStatus, interrupted: bool) -> Result<()> {
    let mut failures = Vec::new();
    for (_, device) in after.devices() {
        let started = before.get(&device.name).copied().flatten();
        if let Some(failure) = failure(device, started, interrupted) {
            failures.push(format!("{} {failure}", device.name));
        }
    }
    let gone = before
        .keys()
        .filter(|name| !after.devices().any(|(_, d)| &d.name == *name));
    failures.extend(gone.map(|name| format!("{name} went away")));
    failures.sort();
    if failures.is_empty() {
        return Ok(());
    }
    Err(Error::new(
        Kind::Failed,
        format!("the run failed: {}", failures.join("; ")),
    ))
}

/// What is wrong with the run of `device`, whose counters began at `before` the last time.
fn failure(device: &DeviceStatus, before: Option<u64>, interrupted: bool) -> Option<String> {
    let (Some(params), Some(current), Some(result)) =
        (&device.params, &device.current, &device.result)
    else {
        return Some("cannot be read".to_owned());
    };
    if current.started_us.is_some() && current.started_us == before {
        return (!interrupted).then(|| format!("did not start: {}", one_line(&result.text)));
    }
    let Some(summary) = &result.summary else {
        return Some(format!("has no summary: {}", one_line(&result.text)));
    };
    let (packets, count) = (summary.packets, params.count.unwrap_or(0));
    if summary.errors > 0 {
        return Some(format!(
            "had {} errors beside {packets} packets",
            summary.errors
        ));
    }
    // A signal excuses what was stopped, not what had ended by itself.
    let short = !interrupted && (packets == 0 || packets < count);
    if !short && !summary.broke_off() {
        return None;
    }
    let sent = match (packets, count) {
        (0, _) => "sent nothing".to_owned(),
        (_, 0) => format!("sent {packets} packets"),
        _ => format!("sent {packets} of {count} packets"),
    };
    match &summary.ended {
        Some(why) => Some(format!("{sent}: {why}")),
        None if packets == 0 => Some(format!("{sent}: is its link up?")),
        None => Some(sent),
    }
}

fn one_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

#[cfg(test)]
mod tests;
