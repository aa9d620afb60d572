// SPDX-License-Identifier: GPL-2.0

//! The part of rpktgen that knows no kernel: the command grammar, the configuration, the layout
//! of a packet, the order in which its fields vary, pacing, and the texts of the procfs files.
//!
//! Memory, time and randomness come in as arguments. Nothing here allocates, sleeps, locks or
//! panics, so that the same sources are linked into the module and run in tests on the host.
//!
//! A packet's way through the crate: [`command`] parses what was written into [`config`], held
//! in a [`device`]; [`run`] turns it into a plan when a run starts, lets the fields [`vary`] and
//! fills frames by [`packet`]; [`stats`] and [`show`] turn the outcome into text.

#![no_std]
#![forbid(unsafe_code)]
#![warn(missing_docs, unreachable_pub, rust_2018_idioms)]

#[cfg(test)]
extern crate std;

pub mod addr;
pub mod checksum;
pub mod command;
pub mod config;
pub mod device;
mod effect;
pub mod error;
pub mod flags;
pub mod flow;
pub mod fragment;
pub mod imix;
pub mod pacing;
pub mod packet;
mod plan;
pub mod run;
pub mod scan;
pub mod show;
pub mod stats;
pub mod tags;
pub mod text;
pub mod vary;

pub use error::{Error, Result};
