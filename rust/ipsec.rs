// SPDX-License-Identifier: GPL-2.0

//! The IPsec side of flows: which security association the packets of each one go through.
//!
//! ```text
//!               flow begins: looked up
//!   Empty --+---------------------------> Usable
//!           |  there is none: Empty          |  deleted, and the flow begins again:
//!           |                                |  looked up; stays if there is no other
//!           +-> Unfit: there is one that     v
//!               cannot be used            Usable
//! ```
//!
//! A packet leaves as it is where there is no association. Where there is or was one, it leaves
//! transformed or not at all.

use crate::abstractions::{
    memory::Table,
    net::{ratelimit, Device, Net, SkBuff, State},
};
use kernel::prelude::*;

/// Whether the kernel offers it.
pub(crate) const AVAILABLE: bool = State::AVAILABLE;

/// The associations of the flows of one run. Dropping them gives all back.
pub(crate) struct Associations {
    slots: Table<Slot>,
    /// The user has been told of one that cannot be used.
    told: bool,
}

/// That of one flow, and what it was looked up by.
struct Slot {
    key: Key,
    found: Found,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Key {
    spi: u32,
    /// Source and destination; both 0 when it is looked up by the SPI.
    addresses: (u32, u32),
}

enum Found {
    Empty,
    Unfit(&'static str),
    Usable(State),
}

impl Associations {
    /// None yet, for that many flows. May sleep.
    ///
    /// # Errors
    ///
    /// `ENOMEM`.
    pub(crate) fn new(flows: usize) -> Result<Self> {
        let empty = || Slot {
            key: Key {
                spi: 0,
                addresses: (0, 0),
            },
            found: Found::Empty,
        };
        let slots = Table::new(flows, empty).ok_or(ENOMEM)?;
        Ok(Self { slots, told: false })
    }

    /// A flow begins: looks up its association in `net`, by `spi` or, where that is 0, by its
    /// addresses in host order. One that it has and that is still good stays. Any context.
    ///
    /// Returns the bytes that will come before each packet of the flow; 0 without association.
    pub(crate) fn header_len(
        &mut self,
        net: &Net,
        flow: usize,
        spi: u32,
        saddr: u32,
        daddr: u32,
    ) -> u16 {
        let Some(slot) = self.slots.get_mut(flow) else {
            return 0;
        };
        let addresses = if spi == 0 { (saddr, daddr) } else { (0, 0) };
        let key = Key { spi, addresses };
        if slot.key != key {
            slot.key = key;
            slot.found = Found::Empty;
        }
        if !matches!(&slot.found, Found::Usable(state) if state.is_valid()) {
            let found = if spi == 0 {
                State::between(net, saddr, daddr)
            } else {
                State::by_spi(net, spi)
            };
            match found {
                Ok(Some(state)) => slot.found = Found::Usable(state),
                // One that is gone stays: its flow's packets do not become readable on the way.
                Ok(None) if matches!(slot.found, Found::Usable(_)) => {}
                Ok(None) => slot.found = Found::Empty,
                Err(unfit) => {
                    let reason = unfit.reason();
                    slot.found = Found::Unfit(reason);
                    if !self.told && ratelimit() {
                        self.told = true;
                        tell(spi, saddr, daddr, reason);
                    }
                }
            }
        }
        match &slot.found {
            Found::Usable(state) => state.header_len(),
            Found::Empty | Found::Unfit(_) => 0,
        }
    }

    /// Transforms a packet of a flow, whose IPv4 header is at `l2_len`. Any context.
    ///
    /// Without association the packet comes back as it is. Where it is refused, it is gone.
    pub(crate) fn apply(
        &self,
        flow: usize,
        skb: SkBuff,
        device: &Device,
        l2_len: u16,
    ) -> Result<SkBuff, Refusal> {
        match self.slots.get(flow).map(|slot| &slot.found) {
            None | Some(Found::Empty) => Ok(skb),
            Some(Found::Unfit(reason)) => Err(Refusal::Unfit(reason)),
            Some(Found::Usable(state)) => skb
                .transform(state, device, l2_len)
                .map_err(Refusal::Failed),
        }
    }
}

/// Why a packet was not transformed.
pub(crate) enum Refusal {
    /// Its flow's association cannot be used, for that reason.
    Unfit(&'static str),
    /// As [`SkBuff::transform`] says.
    Failed(Error),
}

/// Tells the user of an association that cannot be used.
#[cold]
fn tell(spi: u32, saddr: u32, daddr: u32, reason: &str) {
    if spi == 0 {
        let [a, b, c, d] = saddr.to_be_bytes();
        let [e, f, g, h] = daddr.to_be_bytes();
        pr_warn!(
            "security association from {a}.{b}.{c}.{d} to {e}.{f}.{g}.{h} cannot be used: {reason}\n"
        );
    } else {
        pr_warn!("security association with SPI {spi:#x} cannot be used: {reason}\n");
    }
}
