// SPDX-License-Identifier: GPL-2.0

//! The slots of a run's flows, and the security associations of those that have one.

use crate::{
    abstractions::{
        memory::Table,
        net::{Device, SkBuff},
    },
    ipsec::{Associations, Refusal},
};
use kernel::prelude::*;
use rpktgen_core::flow::{Flow, Flows, Key};

/// Slots for the flows of one run; they cost memory only while it lasts.
pub(crate) struct Slots {
    flows: Table<Flow>,
    associations: Option<Associations>,
    spi: u32,
}

impl Slots {
    /// No slots: every packet begins a flow.
    pub(crate) const NONE: Self = Self {
        flows: Table::EMPTY,
        associations: None,
        spi: 0,
    };

    /// Fresh slots. May sleep.
    ///
    /// # Errors
    ///
    /// `ENOMEM`.
    pub(crate) fn new(key: &Key) -> Result<Self> {
        // CAST: at most 65536.
        let count = key.slots as usize;
        Ok(Self {
            flows: Table::new(count, Flow::default).ok_or(ENOMEM)?,
            associations: if key.secured {
                Some(Associations::new(count)?)
            } else {
                None
            },
            spi: key.spi,
        })
    }

    /// The slots of flows that leave through `device`.
    #[inline]
    pub(crate) fn through<'a>(&'a mut self, device: &'a Device) -> Through<'a> {
        Through {
            slots: self,
            device,
        }
    }

    /// Transforms a packet of the flow in slot `index`, which is to leave through `device`, if the
    /// flow has a security association. Where it is refused, it is gone.
    pub(crate) fn transform(
        &self,
        index: u32,
        skb: SkBuff,
        device: &Device,
        l2_len: u16,
    ) -> Result<SkBuff, Refusal> {
        match &self.associations {
            // CAST: 32 bits fit into an address.
            Some(associations) => associations.apply(index as usize, skb, device, l2_len),
            None => Ok(skb),
        }
    }
}

/// Slots, and the device in whose namespace their associations are looked for. It is asked for the
/// namespace when a flow begins, not for each packet.
pub(crate) struct Through<'a> {
    slots: &'a mut Slots,
    device: &'a Device,
}

impl Flows for Through<'_> {
    #[inline]
    fn slot(&mut self, index: u32) -> Option<&mut Flow> {
        // CAST: 32 bits fit into an address.
        self.slots.flows.get_mut(index as usize)
    }

    fn secure(&mut self, index: u32, saddr: u32, daddr: u32) -> u16 {
        let Slots {
            associations, spi, ..
        } = &mut *self.slots;
        associations.as_mut().map_or(0, |associations| {
            // CAST: as above.
            associations.header_len(self.device.net(), index as usize, *spi, saddr, daddr)
        })
    }
}
