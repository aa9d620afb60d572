// SPDX-License-Identifier: GPL-2.0

//! The oracle of the fuzz targets: the procfs interface once more, written from its
//! specification as naively as possible.
//!
//! The core parses by tables, plans runs ahead, keeps headers as templates and checksums as
//! partial sums. Here a device is one [`model::Model`]: each command changes it
//! ([`interpret`]), each packet advances it ([`packets`]), each text is put together from it
//! ([`text`]). Nothing but the frame builder is shared with the core's tests, and nothing with
//! the core but its traits. [`check`] plays the same to both and compares all that can be seen.

pub mod addresses;
pub mod check;
pub mod grammar;
pub mod interpret;
pub mod model;
#[allow(clippy::new_without_default)] // The tests want `new`.
#[path = "../../tests/common/naive.rs"]
pub mod naive;
pub mod packets;
pub mod suggest;
pub mod text;

/// The net device's address, unless the input says otherwise.
pub const DEV_MAC: [u8; 6] = [0x02, 0x00, 0x5e, 0x10, 0x00, 0x01];
