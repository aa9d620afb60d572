// SPDX-License-Identifier: GPL-2.0

//! The slots of a run's flows.

use kernel::prelude::*;
use rpktgen_core::flow::{Flow, Flows, Key};

/// Slots for the flows of one run; they cost memory only while it lasts.
pub(crate) struct Slots {
    flows: KVVec<Flow>,
}

impl Slots {
    /// No slots: every packet begins a flow.
    pub(crate) const NONE: Self = Self {
        flows: KVVec::new(),
    };

    /// Fresh slots. May sleep.
    ///
    /// # Errors
    ///
    /// `ENOMEM`.
    pub(crate) fn new(key: &Key) -> Result<Self> {
        // CAST: at most 65536.
        let flows = KVVec::from_elem(Flow::default(), key.slots as usize, GFP_KERNEL)?;
        Ok(Self { flows })
    }
}

impl Flows for Slots {
    #[inline]
    fn slot(&mut self, index: u32) -> Option<&mut Flow> {
        // CAST: 32 bits fit into an address.
        self.flows.get_mut(index as usize)
    }

    fn secure(&mut self, _index: u32, _saddr: u32, _daddr: u32) -> u16 {
        0
    }
}
