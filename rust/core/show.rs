// SPDX-License-Identifier: GPL-2.0

//! The read texts of the three kinds of file.

use core::fmt;

use crate::device::Device;
use crate::text::Text;

/// The interface version that `pgctrl` shows.
pub const VERSION: &str = "2.75";

/// The text of `pgctrl`.
pub fn control(w: &mut impl fmt::Write) -> fmt::Result {
    writeln!(
        w,
        "Packet Generator for packet performance testing. Version: {VERSION}"
    )
}

/// The text of a thread file.
pub fn thread<'a>(
    _w: &mut impl fmt::Write,
    _running: impl Iterator<Item = &'a str>,
    _stopped: impl Iterator<Item = &'a str>,
    _result: &Text,
) -> fmt::Result {
    Ok(())
}

/// The text of a device file.
pub fn device(
    _w: &mut impl fmt::Write,
    _device: &Device,
    _name: &str,
    _dev_mac: [u8; 6],
    _now_ns: u64,
) -> fmt::Result {
    Ok(())
}
