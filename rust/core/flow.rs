// SPDX-License-Identifier: GPL-2.0

//! Flows: packets that share a destination, in turn or at random.
//!
//! ```text
//!            first packet                    flowlen packets
//!   fresh ----------------> begun: its own  -----------------> fresh
//!                           destination, its
//!                           security association
//! ```
//!
//! The slots are the caller's memory; all are fresh when a run starts, and when what a flow is
//! made of changes.

use crate::run::Random;

/// The most flows at a time.
pub const MAX_FLOWS: u32 = 65536;

/// The slot of a flow. The default is a fresh one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Flow {
    /// Packets since it began.
    packets: u32,
    /// Its IPv4 destination, host byte order.
    daddr: u32,
    /// Bytes that its security association adds in front of a packet.
    header_len: u16,
    begun: bool,
}

/// The slots of a run's flows.
pub trait Flows {
    /// The slot of that number, if there is memory for it.
    fn slot(&mut self, index: u32) -> Option<&mut Flow>;

    /// Looks for the security association of the flow in that slot, which sends from `saddr` to
    /// `daddr` (host byte order). Returns the bytes it adds in front of a packet: 0 without one.
    fn secure(&mut self, index: u32, saddr: u32, daddr: u32) -> u16;
}

/// Slots without security associations.
impl Flows for [Flow] {
    fn slot(&mut self, index: u32) -> Option<&mut Flow> {
        self.get_mut(index as usize)
    }

    fn secure(&mut self, _index: u32, _saddr: u32, _daddr: u32) -> u16 {
        0
    }
}

/// What flows are made of. Slots made for another key are not to be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// How many slots there are; 0 without flows.
    pub slots: u32,
    /// Whether packets are transformed by IPsec.
    pub secured: bool,
    /// The security parameter index to look for; 0 looks for the addresses.
    pub spi: u32,
    /// The range of destinations.
    pub(crate) daddrs: (u32, u32),
}

/// How the flow of a packet is found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walk {
    slots: u32,
    flowlen: u32,
    sequential: bool,
}

impl Walk {
    /// The walk, unless there are no flows.
    pub(crate) fn new(slots: u32, flowlen: u32, sequential: bool) -> Option<Self> {
        (slots != 0).then_some(Self {
            slots,
            flowlen,
            sequential,
        })
    }

    /// How many packets a round of all flows takes.
    pub(crate) fn round(&self) -> u32 {
        self.slots.saturating_mul(self.flowlen.max(1))
    }

    /// The slot of the next packet; `cursor` is that of the one before. In sequence a flow has
    /// its packets back to back and then the next one begins; at random it has one more.
    #[inline]
    pub(crate) fn next(
        &self,
        cursor: &mut u32,
        flows: &mut (impl Flows + ?Sized),
        rng: &mut impl Random,
    ) -> u32 {
        if self.sequential {
            if let Some(flow) = flows.slot(*cursor) {
                if flow.packets >= self.flowlen {
                    flow.end();
                    *cursor = match cursor.checked_add(1) {
                        Some(next) if next < self.slots => next,
                        _ => 0,
                    };
                }
            }
        } else {
            *cursor = rng.below(self.slots);
            if let Some(flow) = flows.slot(*cursor) {
                if flow.packets > self.flowlen {
                    flow.end();
                }
            }
        }
        *cursor
    }
}

impl Flow {
    fn end(&mut self) {
        *self = Self::default();
    }

    /// Its destination, once it has begun.
    #[inline]
    pub(crate) fn daddr(&self) -> Option<u32> {
        self.begun.then_some(self.daddr)
    }

    /// Begins it.
    #[inline]
    pub(crate) fn begin(&mut self, daddr: u32, header_len: u16) {
        self.begun = true;
        self.daddr = daddr;
        self.header_len = header_len;
    }

    /// Counts a packet. Returns what its security association adds to it.
    #[inline]
    pub(crate) fn count(&mut self) -> u16 {
        self.packets = self.packets.saturating_add(1);
        self.header_len
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    struct Always(u32);

    impl Random for Always {
        fn u32(&mut self) -> u32 {
            self.0
        }
        fn below(&mut self, n: u32) -> u32 {
            self.0 % n
        }
    }

    fn walk(slots: u32, flowlen: u32, sequential: bool, packets: usize) -> Vec<(u32, bool)> {
        let walk = Walk::new(slots, flowlen, sequential).unwrap();
        let mut flows = [Flow::default(); 4];
        let mut cursor = 0;
        (0..packets)
            .map(|_| {
                let index = walk.next(&mut cursor, &mut flows[..], &mut Always(1));
                let flow = &mut flows[index as usize];
                let fresh = flow.daddr().is_none();
                flow.begin(7, 0);
                flow.count();
                (index, fresh)
            })
            .collect()
    }

    #[test]
    fn in_sequence() {
        let want = [(0, true), (0, false), (1, true), (1, false), (0, true)];
        assert_eq!(walk(2, 2, true, 5), want);
        // No length is a length of one, from the second slot on.
        assert_eq!(
            walk(3, 0, true, 4),
            [(1, true), (2, true), (0, true), (1, true)]
        );
        assert!(Walk::new(0, 2, true).is_none());
    }

    #[test]
    fn at_random() {
        let want = [(1, true), (1, false), (1, false), (1, true)];
        assert_eq!(walk(2, 2, false, 4), want);
    }

    #[test]
    fn slots_that_are_not_there() {
        let walk = Walk::new(9, 1, true).unwrap();
        let mut cursor = 8;
        let flows = &mut [Flow::default(); 4][..];
        assert_eq!(walk.next(&mut cursor, flows, &mut Always(0)), 8);
    }
}
