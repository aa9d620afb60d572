// SPDX-License-Identifier: GPL-2.0
//! The parts of the `rpktgen` command, as a library so that tests reach each one.
//!
//! One call walks: [`args`] (what was typed becomes what is valid) -> [`command`] (one file a
//! subcommand) -> [`tree`] (where the generator's files are) -> [`snapshot`] (all of them read)
//! -> [`text`] (what each says) -> [`report`] (table, lines or JSON).
//!
//! Nothing but [`system`] touches files below `/proc` and `/sys`.

// Whatever a user or a kernel says ends in a message, not in a backtrace.
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic
    )
)]

pub mod args;
pub mod command;
pub mod error;
pub mod report;
pub mod signals;
pub mod snapshot;
pub mod system;
pub mod text;
pub mod tree;
