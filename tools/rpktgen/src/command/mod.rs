// SPDX-License-Identifier: GPL-2.0
//! The subcommands, one file each.

mod control;
mod start;
mod status;

use std::time::Duration;

use crate::args::{Args, Command};
use crate::error::{Error, Kind, Result};
use crate::tree::Tree;

/// Workers look for requests ten times a second; there is nothing to learn in less.
const TICK: Duration = Duration::from_millis(100);

/// A worker that paces with long delays answers late. One that takes longer than this hangs.
const PATIENCE: Duration = Duration::from_secs(10);

/// Does what `args` say.
pub fn run(args: &Args) -> Result<()> {
    match args.command {
        Command::Status(format) => status::run(args, format),
        Command::Start(format) => start::run(args, format),
        Command::Stop(format) => control::stop(args, format),
        Command::Reset => control::reset(args),
    }
}

/// All trees that `args` mean.
fn trees(args: &Args) -> Result<Vec<Tree>> {
    let system = args.system.as_ref();
    match &args.tree {
        Some(path) => Ok(vec![Tree::open(system, path)?]),
        None => Tree::find_all(system),
    }
}

/// The tree to change: the one that is named, or the only one there is. Never a guess.
fn one_tree(args: &Args) -> Result<Tree> {
    let mut trees = trees(args)?;
    match (trees.pop(), trees.is_empty()) {
        (Some(tree), true) => Ok(tree),
        (last, _) => {
            let names = trees.iter().chain(&last);
            let names: Vec<_> = names.map(|t| t.path().display().to_string()).collect();
            Err(Error::new(
                Kind::Usage,
                format!(
                    "several generators are loaded: say which with --proc ({})",
                    names.join(" or ")
                ),
            ))
        }
    }
}
