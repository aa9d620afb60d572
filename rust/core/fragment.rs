// SPDX-License-Identifier: GPL-2.0

//! How the end of a payload is put into page fragments.

use crate::run::StartFacts;

/// The fragments of a packet: `count` of them, all of `each` bytes but the last one of `last`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Split {
    /// How many there are.
    pub count: u16,
    /// Bytes of each but the last.
    pub each: u32,
    /// Bytes of the last.
    pub last: u32,
}

impl Split {
    /// Splits `payload` bytes, which are zeros, into up to `wanted` fragments.
    ///
    /// Fragments have a byte and a page at least and at most; what does not fit into them stays
    /// with the headers.
    #[inline]
    pub(crate) fn new(payload: usize, wanted: u32, facts: &StartFacts) -> Self {
        if wanted == 0 || payload == 0 {
            return Self::default();
        }
        Self::with(payload, wanted, facts)
    }

    fn with(payload: usize, wanted: u32, facts: &StartFacts) -> Self {
        let payload = u32::try_from(payload).unwrap_or(u32::MAX);
        let count = wanted.min(payload).min(facts.max_frags.into());
        let payload = payload.min(count.saturating_mul(facts.page_size));
        let each = payload.checked_div(count).unwrap_or(0);
        let before = each.wrapping_mul(count.saturating_sub(1));
        Self {
            // At most `max_frags`.
            count: count as u16,
            each,
            last: payload.saturating_sub(before).min(facts.page_size),
        }
    }

    /// Bytes in fragments.
    #[inline]
    pub fn total(&self) -> usize {
        let before = self.each.wrapping_mul(self.count.saturating_sub(1).into());
        before.wrapping_add(self.last) as usize
    }

    /// The length of each fragment.
    pub fn lengths(&self) -> impl Iterator<Item = u32> {
        let Self { count, each, last } = *self;
        (1..=count).map(move |number| if number == count { last } else { each })
    }
}
