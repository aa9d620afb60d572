// SPDX-License-Identifier: GPL-2.0

//! The write grammar of the three kinds of file.

use crate::device::Device;
use crate::{Error, Result};

/// What `pgctrl` understands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// Run every device of every thread.
    Start,
    /// Stop every device.
    Stop,
    /// Remove every device.
    Reset,
}

/// Parses a write to `pgctrl`.
pub fn control(_input: &[u8]) -> Result<Control> {
    Err(Error::Invalid)
}

/// What a thread file understands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thread<'a> {
    /// Add a device of that name.
    AddDevice(&'a [u8]),
    /// Remove every device of the thread.
    RemoveAll,
    /// Accepted, without effect.
    MaxBeforeSoftirq,
}

/// Parses a write to a thread file.
pub fn thread(_input: &[u8]) -> Result<Thread<'_>> {
    Err(Error::Invalid)
}

/// What a command must know of the net device.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// Whether the net device can send one packet buffer several times (`IFF_TX_SKB_SHARING`).
    pub tx_sharing: bool,
}

/// Carries out a write to a device file and sets `device.result`.
pub fn device(_input: &[u8], _device: &mut Device, _facts: &Facts, _strict: bool) -> Result {
    Err(Error::Invalid)
}
