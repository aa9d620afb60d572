// SPDX-License-Identifier: GPL-2.0

//! When the next packet is due.

use crate::config::DELAY_NEVER;

/// The most that lateness is made up for, in nanoseconds. A short stall keeps the rate; after a
/// long one the worker does not send everything it missed back to back.
const CATCH_UP_NS: u64 = 100_000_000;

/// When the next packet is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// At once.
    None,
    /// At that monotonic time in nanoseconds.
    At(u64),
    /// Never, until the configuration changes.
    Never,
}

/// Spaces sends by a delay.
#[derive(Clone, Copy, Debug)]
pub struct Pacer {
    next_tx_ns: u64,
}

impl Pacer {
    /// The first packet is due at once.
    pub const fn new(now_ns: u64) -> Self {
        Self { next_tx_ns: now_ns }
    }

    /// When the next packet is due.
    #[inline]
    pub const fn pace(&self, delay_ns: u64) -> Pace {
        match delay_ns {
            0 => Pace::None,
            DELAY_NEVER => Pace::Never,
            _ => Pace::At(self.next_tx_ns),
        }
    }

    /// The packet that was due is about to be sent: the next one is due `delay_ns` after the
    /// time that one was *due*, so that lateness does not add up.
    #[inline]
    pub fn paced(&mut self, delay_ns: u64, now_ns: u64) {
        self.next_tx_ns = self
            .next_tx_ns
            .saturating_add(delay_ns)
            .max(now_ns.saturating_sub(CATCH_UP_NS));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_delays() {
        let pacer = Pacer::new(5);
        assert_eq!(pacer.pace(0), Pace::None);
        assert_eq!(pacer.pace(1), Pace::At(5));
        assert_eq!(pacer.pace(DELAY_NEVER), Pace::Never);
    }

    #[test]
    fn lateness_is_made_up_within_bounds() {
        let mut pacer = Pacer::new(1_000);
        pacer.paced(100, 1_090);
        assert_eq!(pacer.pace(100), Pace::At(1_100));
        pacer.paced(100, 5_000);
        assert_eq!(pacer.pace(100), Pace::At(1_200));
        pacer.paced(100, 10_000_000_000);
        assert_eq!(pacer.pace(100), Pace::At(9_900_000_000));
        pacer.paced(u64::MAX - 1, 10_000_000_000);
        assert_eq!(pacer.pace(100), Pace::At(u64::MAX));
    }
}
