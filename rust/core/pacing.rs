// SPDX-License-Identifier: GPL-2.0

//! When the next packet is due.
//!
//! There are two ways to space packets. A *delay* is the gap between two sends, however many
//! packets a send is, as the reference has it. A *rate* holds for packets or bits, whatever the
//! burst and the size: each packet uses up its share of time, to the fraction of a nanosecond.

use crate::config::{Rate, DELAY_NEVER};
use crate::stats::widening_mul;

/// The most that lateness is made up for, in nanoseconds. A short stall keeps the rate; after a
/// long one the worker does not send everything it missed back to back.
const CATCH_UP_NS: u64 = 100_000_000;

const NS_PER_SEC: u64 = 1_000_000_000;

/// Bytes that a frame takes on an Ethernet link beside its own: preamble and start of frame (8),
/// frame check sequence (4), the gap to the next frame (12); IEEE 802.3.
const WIRE_OVERHEAD: usize = 8 + 4 + 12;
/// The shortest frame on an Ethernet link, without the frame check sequence: devices pad to it.
const WIRE_MIN: usize = 60;

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

/// How a run spaces its packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spacing {
    /// Not at all.
    None,
    /// Nothing is sent.
    Never,
    /// Nanoseconds between two sends.
    Delay(u64),
    /// Time for each packet, in 2^-32 nanoseconds.
    Packet(u64),
    /// Time for each bit, in 2^-32 nanoseconds.
    Bit(u64),
}

impl Spacing {
    pub(crate) fn new(delay_ns: u64, rate: Rate) -> Self {
        // A share keeps 32 bits at least up to 10^9 a second, and 29 at 10^10.
        let share = |per_second: u64| (NS_PER_SEC << 32).checked_div(per_second);
        let spacing = match rate {
            Rate::Packets(pps) => share(pps).map(Self::Packet),
            Rate::Bits(bps) => share(bps).map(Self::Bit),
            Rate::None => None,
        };
        spacing.unwrap_or(match delay_ns {
            0 => Self::None,
            DELAY_NEVER => Self::Never,
            _ => Self::Delay(delay_ns),
        })
    }
}

/// Spaces packets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pacer {
    next_tx_ns: u64,
    /// The fraction of it, in 2^-32 nanoseconds.
    fraction: u32,
}

impl Pacer {
    /// The first packet is due at once.
    pub(crate) const fn new(now_ns: u64) -> Self {
        Self {
            next_tx_ns: now_ns,
            fraction: 0,
        }
    }

    /// When the next packet is due.
    #[inline]
    pub(crate) const fn pace(&self, spacing: Spacing) -> Pace {
        match spacing {
            Spacing::None => Pace::None,
            Spacing::Never => Pace::Never,
            _ => Pace::At(self.next_tx_ns),
        }
    }

    /// When a send is due that was not made, or not to its end: at once, but for what a rate says.
    #[inline]
    pub(crate) const fn again(&self, spacing: Spacing) -> Pace {
        match spacing {
            Spacing::Delay(_) => Pace::None,
            _ => self.pace(spacing),
        }
    }

    /// When a run is over whose last packet has been sent: the share of time that a packet uses
    /// up belongs to the run, so that its figures are those asked for.
    #[inline]
    pub(crate) const fn end(&self, spacing: Spacing) -> u64 {
        match spacing {
            Spacing::Packet(_) | Spacing::Bit(_) => self.next_tx_ns,
            _ => 0,
        }
    }

    /// A send that was due is about to be made. With a delay, the next one is due that much after
    /// this one *was* due, so that lateness does not add up; but for what is too much of it.
    #[inline]
    pub(crate) fn paced(&mut self, spacing: Spacing, now_ns: u64) {
        if let Spacing::Delay(delay_ns) = spacing {
            self.next_tx_ns = self.next_tx_ns.saturating_add(delay_ns);
        }
        self.next_tx_ns = self.next_tx_ns.max(now_ns.saturating_sub(CATCH_UP_NS));
    }

    /// `n` packets of `len` bytes were sent, or lost in the attempt.
    #[inline]
    pub(crate) fn sent(&mut self, spacing: Spacing, n: u32, len: usize) {
        let (amount, share) = match spacing {
            Spacing::Packet(share) => (u64::from(n), share),
            Spacing::Bit(share) => {
                let bytes = len.max(WIRE_MIN).wrapping_add(WIRE_OVERHEAD) as u64;
                (u64::from(n).wrapping_mul(bytes).wrapping_mul(8), share)
            }
            _ => return,
        };
        let (high, low) = widening_mul(amount, share);
        let (fraction, carry) = self.fraction.overflowing_add(low as u32);
        self.fraction = fraction;
        let ns = (high << 32) | (low >> 32);
        self.next_tx_ns = self
            .next_tx_ns
            .saturating_add(ns)
            .saturating_add(u64::from(carry));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_delays() {
        let pace = |delay_ns| Pacer::new(7).pace(Spacing::new(delay_ns, Rate::None));
        assert_eq!(pace(0), Pace::None);
        assert_eq!(pace(DELAY_NEVER), Pace::Never);
        assert_eq!(pace(1), Pace::At(7));
    }

    #[test]
    fn lateness_is_made_up_within_bounds() {
        let spacing = Spacing::Delay(1_000);
        let mut pacer = Pacer::new(0);
        pacer.paced(spacing, 5_500);
        assert_eq!(pacer.pace(spacing), Pace::At(1_000));
        let late = CATCH_UP_NS + 12_345;
        pacer.paced(spacing, late);
        assert_eq!(pacer.pace(spacing), Pace::At(12_345));
        // A rate forgets what is older, too.
        let spacing = Spacing::new(0, Rate::Packets(1));
        let mut pacer = Pacer::new(0);
        pacer.paced(spacing, late);
        assert_eq!(pacer.pace(spacing), Pace::At(12_345));
    }

    #[test]
    fn tries_keep_to_a_rate() {
        let mut pacer = Pacer::new(5);
        let rate = Spacing::new(0, Rate::Packets(1_000));
        assert_eq!(pacer.again(rate), Pace::At(5));
        pacer.sent(rate, 3, 60);
        assert_eq!(pacer.again(rate), Pace::At(3_000_005));
        assert_eq!(pacer.again(Spacing::Delay(7)), Pace::None);
        assert_eq!(pacer.again(Spacing::Never), Pace::Never);
    }

    /// What was asked for is what there is, to less than a nanosecond in a second.
    #[test]
    fn rates_are_exact() {
        for pps in [1, 3, 10, 7_000_000, 9_999_999, 14_880_952, 148_809_523] {
            for burst in [1, 7, 64] {
                let spacing = Spacing::new(0, Rate::Packets(pps));
                let mut pacer = Pacer::new(0);
                let mut packets = 0;
                while packets < pps.min(2_000_000) {
                    pacer.sent(spacing, burst, 60);
                    packets += u64::from(burst);
                }
                let exact = u128::from(packets) * u128::from(NS_PER_SEC) / u128::from(pps);
                let end = u128::from(pacer.end(spacing));
                assert!(
                    end.abs_diff(exact) <= 1,
                    "{pps} pps, burst {burst}: {end}, {exact}"
                );
            }
        }
    }

    #[test]
    fn bits_are_those_on_the_wire() {
        for (bps, n, len, ns) in [
            (1_000_000_000, 1, 60, 672),
            (1_000_000_000, 1, 42, 672),
            (1_000_000_000, 1, 1514, 12_304),
            (10_000_000_000, 10, 60, 672),
            (1_000, 65_535, 65_535, 34_371_272_520_000_000),
        ] {
            let spacing = Spacing::new(0, Rate::Bits(bps));
            let mut pacer = Pacer::new(0);
            pacer.sent(spacing, n, len);
            let end = pacer.end(spacing);
            // The share of a bit has 32 bits of fraction.
            assert!(
                end.abs_diff(ns) <= 1 + ns / 1_000_000_000,
                "{bps} {n} {len}: {end}"
            );
        }
    }

    #[test]
    fn delays_do_not_look_at_packets() {
        let spacing = Spacing::Delay(1_000);
        let mut pacer = Pacer::new(5);
        pacer.sent(spacing, 64, 1_514);
        assert_eq!(pacer.pace(spacing), Pace::At(5));
        assert_eq!(pacer.end(spacing), 0);
    }
}
