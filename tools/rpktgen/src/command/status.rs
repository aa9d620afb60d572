// SPDX-License-Identifier: GPL-2.0
//! `rpktgen status`

use std::io::{self, Write};

use crate::args::Args;
use crate::error::{Error, Kind, Result};
use crate::report::{self, Format};
use crate::snapshot::TreeStatus;

/// Shows every tree. What could not be read is said on standard error, after what could.
pub(super) fn run(args: &Args, format: Format) -> Result<()> {
    let mut report = Vec::new();
    let trees = super::trees(args)?;
    let single = trees.len() == 1;
    for tree in trees {
        match TreeStatus::read(args.system.as_ref(), &tree) {
            Ok(status) => report.push(status),
            // One of several was unloaded since it was found.
            Err(e) if e.kind() == Kind::Missing && !single => {}
            Err(e) => return Err(e),
        }
    }
    report::print(&format.render(&report)?)?;

    // Each in a line, the gravest last: main prints that one and ends with its status.
    let mut errors: Vec<_> = report
        .into_iter()
        .flat_map(TreeStatus::into_errors)
        .collect();
    errors.sort_by_key(Error::kind);
    let last = errors.pop();
    for error in errors {
        let _ = writeln!(io::stderr(), "rpktgen: {error}");
    }
    last.map_or(Ok(()), Err)
}
