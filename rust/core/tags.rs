// SPDX-License-Identifier: GPL-2.0

//! VLAN tags (IEEE 802.1Q) and MPLS label stacks (RFC 3032) between Ethernet and IP headers.
//!
//! A frame has either tags or labels; commands see to that.

/// A VLAN tag. Priority and CFI outlive switching the tag off.
#[derive(Clone, Copy, Debug)]
pub struct Vlan {
    /// Whether frames carry the tag.
    pub on: bool,
    /// Identifier, 12 bits.
    pub id: u16,
    /// Priority, 3 bits.
    pub priority: u8,
    /// Canonical format indicator, 1 bit.
    pub cfi: u8,
}

impl Vlan {
    /// No tag.
    pub const OFF: Self = Self {
        on: false,
        id: 0,
        priority: 0,
        cfi: 0,
    };

    /// The tag control information: priority, CFI and identifier.
    #[inline]
    pub const fn tci(&self) -> u16 {
        ((self.priority as u16) << 13) | ((self.cfi as u16) << 12) | self.id
    }
}

/// The most entries of a label stack.
pub const MAX_LABELS: usize = 16;

/// The bottom-of-stack bit of a label stack entry.
pub const BOTTOM_OF_STACK: u32 = 0x100;

/// The label bits of a label stack entry.
const LABEL: u32 = 0xffff_f000;

/// A label stack. Entries are whole: label, traffic class, bottom of stack, time to live.
#[derive(Clone, Copy, Debug)]
pub struct Labels {
    entries: [u32; MAX_LABELS],
    len: usize,
}

impl Labels {
    /// No label.
    pub const NONE: Self = Self {
        entries: [0; MAX_LABELS],
        len: 0,
    };

    /// The entries, outermost first, as they were configured.
    #[inline]
    pub fn entries(&self) -> &[u32] {
        self.entries.get(..self.len).unwrap_or(&self.entries)
    }

    /// Whether there is no label.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether there is no room for another label.
    pub fn is_full(&self) -> bool {
        self.len == MAX_LABELS
    }

    /// Adds an entry below the others, if there is room.
    pub fn push(&mut self, entry: u32) {
        if let Some(free) = self.entries.get_mut(self.len) {
            *free = entry;
            self.len = self.len.saturating_add(1);
        }
    }

    /// Draws new labels for the entries that have the bottom-of-stack bit; their other bits stay.
    #[inline]
    pub fn randomise(&mut self, mut random: impl FnMut() -> u32) {
        for entry in self.entries.iter_mut().take(self.len) {
            if *entry & BOTTOM_OF_STACK != 0 {
                *entry = (random() & LABEL) | (*entry & !LABEL);
            }
        }
    }

    /// The entries as they are sent: the last one, and no other, is the bottom of the stack.
    #[inline]
    pub fn wire(&self) -> impl Iterator<Item = u32> + '_ {
        let last = self.len.wrapping_sub(1);
        self.entries()
            .iter()
            .enumerate()
            .map(move |(position, entry)| {
                if position == last {
                    entry | BOTTOM_OF_STACK
                } else {
                    entry & !BOTTOM_OF_STACK
                }
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    #[test]
    fn tci() {
        let vlan = Vlan {
            on: true,
            id: 0x123,
            priority: 5,
            cfi: 1,
        };
        assert_eq!(vlan.tci(), 0xb123);
    }

    #[test]
    fn labels() {
        let mut labels = Labels::NONE;
        assert!(labels.is_empty());
        for entry in 1..=20u32 {
            assert_eq!(labels.is_full(), entry > 16);
            labels.push(entry);
        }
        assert_eq!(labels.entries().len(), 16);
        let wire: Vec<u32> = labels.wire().collect();
        assert_eq!(wire[..15], labels.entries()[..15]);
        assert_eq!(wire[15], 0x110);
    }

    #[test]
    fn random_labels() {
        let mut labels = Labels::NONE;
        labels.push(0x0000_1101);
        labels.push(0x0000_1001);
        labels.randomise(|| 0xabcd_efff);
        assert_eq!(labels.entries(), [0xabcd_e101, 0x0000_1001]);
        // Only the wire clears the bit, so that the label is drawn again.
        let wire: Vec<u32> = labels.wire().collect();
        assert_eq!(wire, [0xabcd_e001, 0x0000_1101]);
    }
}
