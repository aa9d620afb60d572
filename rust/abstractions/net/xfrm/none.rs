// SPDX-License-Identifier: GPL-2.0

//! What takes the place of `xfrm` in a kernel without IPsec, or without the function of its that is
//! there for packet generators only: associations that cannot exist.

use super::{Device, Net, SkBuff};
use kernel::prelude::*;

/// No association.
pub(crate) enum State {}

/// No reason why one that exists cannot be used.
pub(crate) enum Unfit {}

impl Unfit {
    pub(crate) fn reason(self) -> &'static str {
        match self {}
    }
}

impl State {
    /// Whether the kernel offers what this file is about.
    pub(crate) const AVAILABLE: bool = false;

    pub(crate) fn by_spi(_net: &Net, _spi: u32) -> Result<Option<Self>, Unfit> {
        Ok(None)
    }

    pub(crate) fn between(_net: &Net, _saddr: u32, _daddr: u32) -> Result<Option<Self>, Unfit> {
        Ok(None)
    }

    pub(crate) fn is_valid(&self) -> bool {
        match *self {}
    }

    pub(crate) fn header_len(&self) -> u16 {
        match *self {}
    }
}

impl SkBuff {
    pub(crate) fn transform(self, state: &State, _device: &Device, _l2_len: u16) -> Result<Self> {
        match *state {}
    }
}
