// SPDX-License-Identifier: GPL-2.0
//! `rpktgen stop` and `rpktgen reset`: the kernel takes the request, this waits for the effect.

use std::thread;
use std::time::Instant;

use super::{PATIENCE, TICK};
use crate::args::Args;
use crate::error::{Error, Kind, Result};
use crate::report::{self, Format};
use crate::snapshot::{DeviceStatus, State, TreeStatus};
use crate::system::System;
use crate::text::result::Phase;
use crate::tree::{Control, Tree};

/// Stops what runs, waits until nothing does, shows the results.
pub(super) fn stop(args: &Args, format: Format) -> Result<()> {
    let tree = super::one_tree(args)?;
    let system = args.system.as_ref();
    // A device that does not run any more, but has no summary yet, has not stopped either.
    let after = repeat(system, &tree, Control::Stop, "still running", |device| {
        device.state == State::Running || device.phase() == Some(Phase::Starting)
    })?;
    report::print(&format.render(&[after])?)
}

/// Removes every device, waits until they are gone, says how many there were.
pub(super) fn reset(args: &Args) -> Result<()> {
    let tree = super::one_tree(args)?;
    let system = args.system.as_ref();
    let before = TreeStatus::read_workers(system, &tree)?.devices().count();
    repeat(system, &tree, Control::Reset, "still there", |_| true)?;
    let devices = if before == 1 { "device" } else { "devices" };
    report::print(&format!(
        "{}: {before} {devices} removed\n",
        tree.path().display()
    ))
}

/// Writes `command` until no device is `left`: a worker can lose a request that comes while a
/// start is on its way.
fn repeat(
    system: &dyn System,
    tree: &Tree,
    command: Control,
    what: &str,
    left: fn(&DeviceStatus) -> bool,
) -> Result<TreeStatus> {
    let begin = Instant::now();
    loop {
        tree.control(system, command)?;
        let status = TreeStatus::read(system, tree)?;
        let names: Vec<_> = status
            .devices()
            .filter(|(_, device)| left(device))
            .map(|(_, device)| device.name.as_str())
            .collect();
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
