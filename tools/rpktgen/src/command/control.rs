// SPDX-License-Identifier: GPL-2.0
//! `rpktgen stop` and `rpktgen reset`: the kernel takes the request, this waits for the effect.

use std::thread;
use std::time::Instant;

use super::{PATIENCE, TICK};
use crate::args::Args;
use crate::error::{Error, Kind, Result};
use crate::report::{self, Format};
use crate::snapshot::TreeStatus;
use crate::system::System;
use crate::tree::{Control, Tree};

/// Stops what runs, waits until nothing does, shows the results.
pub(super) fn stop(args: &Args, format: Format) -> Result<()> {
    let tree = super::one_tree(args)?;
    let system = args.system.as_ref();
    tree.control(system, Control::Stop)?;
    let after = wait(system, &tree, "still running", |status| {
        status.running().iter().map(ToString::to_string).collect()
    })?;
    report::print(&format.render(&[after])?)
}

/// Removes every device, waits until they are gone, says how many there were.
pub(super) fn reset(args: &Args) -> Result<()> {
    let tree = super::one_tree(args)?;
    let system = args.system.as_ref();
    let before = TreeStatus::read_workers(system, &tree)?.devices().count();
    tree.control(system, Control::Reset)?;
    wait(system, &tree, "still there", |status| {
        status.devices().map(|(_, d)| d.name.clone()).collect()
    })?;
    let devices = if before == 1 { "device" } else { "devices" };
    report::print(&format!(
        "{}: {before} {devices} removed\n",
        tree.path().display()
    ))
}

/// Reads `tree` until `left` finds nothing any more.
fn wait(
    system: &dyn System,
    tree: &Tree,
    what: &str,
    left: fn(&TreeStatus) -> Vec<String>,
) -> Result<TreeStatus> {
    let begin = Instant::now();
    loop {
        let status = TreeStatus::read(system, tree)?;
        let names = left(&status);
        if names.is_empty() {
            // An unreadable worker may hide a device: then nobody can say that it worked.
            return match status.problems.is_empty() {
                true => Ok(status),
                false => Err(status
                    .into_errors()
                    .next()
                    .unwrap_or_else(|| Error::new(Kind::Failed, "cannot read all workers"))),
            };
        }
        if begin.elapsed() > PATIENCE {
            return Err(Error::new(
                Kind::Failed,
                format!(
                    "{what} after {} s in {}: {}; see the kernel log (dmesg)",
                    PATIENCE.as_secs(),
                    tree.path().display(),
                    names.join(", ")
                ),
            ));
        }
        thread::sleep(TICK);
    }
}
