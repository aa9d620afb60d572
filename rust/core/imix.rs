// SPDX-License-Identifier: GPL-2.0

//! Packet sizes in given proportions, as in an Internet mix.

use crate::run::Random;
use crate::stats::widening_mul;

/// The most sizes of a mix.
pub const MAX_ENTRIES: usize = 20;

/// A size and how often it is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// Bytes without FCS.
    pub size: u32,
    /// Share of the packets, in proportion to the other weights; not 0.
    pub weight: u64,
}

/// The sizes of a mix, in the order they were given.
#[derive(Clone, Copy, Debug)]
pub struct Imix {
    entries: [Entry; MAX_ENTRIES],
    len: usize,
}

impl Imix {
    /// No mix: sizes follow from the size commands.
    pub const NONE: Self = Self {
        entries: [Entry { size: 0, weight: 0 }; MAX_ENTRIES],
        len: 0,
    };

    /// The entries.
    pub fn entries(&self) -> &[Entry] {
        self.entries.get(..self.len).unwrap_or(&self.entries)
    }

    /// Whether there is no mix.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether there is no room for another entry.
    pub fn is_full(&self) -> bool {
        self.len == MAX_ENTRIES
    }

    /// Adds an entry, if there is room.
    pub fn push(&mut self, entry: Entry) {
        if let Some(free) = self.entries.get_mut(self.len) {
            *free = entry;
            self.len = self.len.saturating_add(1);
        }
    }
}

/// A mix made ready for drawing from it.
///
/// An entry's share is exactly its weight's. The reference has a table of 100 places and rounds
/// the shares to whole percents.
#[derive(Clone, Copy, Debug)]
pub struct Mix {
    /// Sizes, and the sum of the weights up to and with each.
    steps: [(u32, u64); MAX_ENTRIES],
    len: usize,
    total: u64,
}

impl Mix {
    /// The mix, unless it has no entries.
    pub fn new(imix: &Imix) -> Option<Self> {
        let mut steps = [(0, 0); MAX_ENTRIES];
        let mut total: u64 = 0;
        for (step, entry) in steps.iter_mut().zip(imix.entries()) {
            // Twenty numbers of ten digits.
            total = total.wrapping_add(entry.weight);
            *step = (entry.size, total);
        }
        (total != 0).then_some(Self {
            steps,
            len: imix.len,
            total,
        })
    }

    /// A size at random, and the number of its entry.
    #[inline]
    pub fn next(&self, rng: &mut impl Random) -> (usize, u32) {
        let drawn = below(self.total, rng);
        let mut index = 0usize;
        for (size, upto) in self.steps.iter().take(self.len) {
            if drawn < *upto {
                return (index, *size);
            }
            index = index.wrapping_add(1);
        }
        // Not reached: what is drawn is below the last sum.
        (0, 0)
    }
}

/// A uniform number below `n`. Above 32 bits some come up more often than others, by one part in
/// 2^64 / `n`, which no run is long enough to show.
#[inline]
fn below(n: u64, rng: &mut impl Random) -> u64 {
    match u32::try_from(n) {
        Ok(n) => u64::from(rng.below(n)),
        Err(_) => {
            let drawn = (u64::from(rng.u32()) << 32) | u64::from(rng.u32());
            widening_mul(drawn, n).0
        }
    }
}

/// How many packets of each entry's size were sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally([u64; MAX_ENTRIES]);

impl Tally {
    /// None yet.
    pub const NONE: Self = Self([0; MAX_ENTRIES]);

    /// Counts `n` packets of that entry.
    #[inline]
    pub fn add(&mut self, index: usize, n: u32) {
        if let Some(count) = self.0.get_mut(index) {
            *count = count.wrapping_add(u64::from(n));
        }
    }

    /// The counts, one for each entry there can be.
    pub fn counts(&self) -> impl Iterator<Item = u64> + '_ {
        self.0.iter().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{vec, vec::Vec};

    /// Gives numbers from a list.
    struct Given(Vec<u32>);

    impl Random for Given {
        fn u32(&mut self) -> u32 {
            self.0.remove(0)
        }
        fn below(&mut self, n: u32) -> u32 {
            let drawn = self.u32();
            assert!(drawn < n);
            drawn
        }
    }

    fn mix(entries: &[(u32, u64)]) -> Option<Mix> {
        let mut imix = Imix::NONE;
        for &(size, weight) in entries {
            imix.push(Entry { size, weight });
        }
        Mix::new(&imix)
    }

    #[test]
    fn every_number_has_its_entry() {
        assert!(mix(&[]).is_none());
        let mix = mix(&[(64, 7), (576, 4), (1500, 1)]).unwrap();
        let drawn: Vec<_> = (0..12).map(|n| mix.next(&mut Given(vec![n])).0).collect();
        assert_eq!(drawn, [0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2]);
        assert_eq!(mix.next(&mut Given(vec![11])), (2, 1500));
    }

    /// Where the reference's whole percents are 0.
    #[test]
    fn rare_sizes() {
        let mix = mix(&[(60, 1), (61, 1), (62, 1000)]).unwrap();
        for (drawn, entry) in [(0, 0), (1, 1), (2, 2), (1001, 2)] {
            assert_eq!(mix.next(&mut Given(vec![drawn])).0, entry);
        }
    }

    #[test]
    fn large_weights() {
        let mix = mix(&[(60, 9_999_999_999), (61, 9_999_999_999)]).unwrap();
        for (high, low, entry) in [
            (0, 0, 0),
            (0x7fff_ffff, u32::MAX, 0),
            (0x8000_0000, 0, 1),
            (u32::MAX, u32::MAX, 1),
        ] {
            assert_eq!(mix.next(&mut Given(vec![high, low])).0, entry);
        }
    }

    #[test]
    fn no_more_than_there_is_room_for() {
        let mut imix = Imix::NONE;
        for size in 0..30 {
            assert_eq!(imix.is_full(), size >= 20);
            imix.push(Entry { size, weight: 1 });
        }
        assert_eq!(imix.entries().len(), 20);
        let mut tally = Tally::NONE;
        tally.add(19, 5);
        tally.add(20, 5);
        assert_eq!(tally.counts().sum::<u64>(), 5);
    }
}
