// SPDX-License-Identifier: GPL-2.0

//! The figures of a finished run.

use core::fmt;

use crate::device::Counters;

const NS_PER_SEC: u64 = 1_000_000_000;
const NS_PER_USEC: u64 = 1_000;

/// `a * b / divisor` with a product of 128 bits; saturates, and takes a divisor of 0 for 1.
///
/// The kernel links no 128-bit division, so this is long division bit by bit. It runs once a run.
pub fn mul_div(a: u64, b: u64, divisor: u64) -> u64 {
    let divisor = divisor.max(1);
    let (mut high, mut low) = widening_mul(a, b);
    if high >= divisor {
        return u64::MAX;
    }
    // `high` is the remainder so far and stays below the divisor; quotient bits enter `low` as
    // dividend bits leave it.
    for _ in 0..u64::BITS {
        let carry = high >> 63 != 0;
        high = (high << 1) | (low >> 63);
        low <<= 1;
        if carry || high >= divisor {
            high = high.wrapping_sub(divisor);
            low |= 1;
        }
    }
    low
}

/// The product's high and low 64 bits.
pub(crate) const fn widening_mul(a: u64, b: u64) -> (u64, u64) {
    const LOW: u64 = 0xffff_ffff;
    let (a_high, a_low) = (a >> 32, a & LOW);
    let (b_high, b_low) = (b >> 32, b & LOW);
    let low = a_low.wrapping_mul(b_low);
    let cross = a_high.wrapping_mul(b_low).wrapping_add(low >> 32);
    let middle = a_low.wrapping_mul(b_high).wrapping_add(cross & LOW);
    let high = a_high
        .wrapping_mul(b_high)
        .wrapping_add(cross >> 32)
        .wrapping_add(middle >> 32);
    (high, (middle << 32) | (low & LOW))
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// As many packets were sent as configured.
    Complete,
    /// Someone stopped it.
    Stopped,
    /// The net device is down.
    Down,
    /// The net device has no carrier.
    NoCarrier,
    /// The CPU of the worker is gone.
    CpuGone,
    /// The device was removed from the generator.
    Removed,
}

impl End {
    const fn text(self) -> &'static str {
        match self {
            Self::Complete => "count reached",
            Self::Stopped => "stopped",
            Self::Down => "netdev down",
            Self::NoCarrier => "no carrier",
            Self::CpuGone => "CPU offline",
            Self::Removed => "device removed",
        }
    }
}

/// A finished run, shown as its summary: the two lines of the reference, and one that says how the
/// run ended.
#[derive(Clone, Copy, Debug)]
pub struct Summary {
    /// What the run counted.
    pub counters: Counters,
    /// From start to stop, in nanoseconds.
    pub elapsed_ns: u64,
    /// Length of the last frame in bytes.
    pub frame_len: usize,
    /// Page fragments of the packet held when the run ended; -1 if none was held.
    pub frags: i32,
    /// How it ended.
    pub end: End,
}

impl Summary {
    /// Packets per second, over the whole time.
    pub fn pps(&self) -> u64 {
        mul_div(self.counters.sofar, NS_PER_SEC, self.elapsed_ns)
    }

    /// Bits per second. From the packets per second where all frames were as long as the last,
    /// so that the figures shown follow from each other.
    pub fn bps(&self) -> u64 {
        let Counters {
            sofar, tx_bytes, ..
        } = self.counters;
        let len = self.frame_len as u64;
        if sofar.checked_mul(len) == Some(tx_bytes) {
            return self.pps().saturating_mul(8).saturating_mul(len);
        }
        mul_div(tx_bytes.saturating_mul(8), NS_PER_SEC, self.elapsed_ns)
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counters {
            sofar,
            errors,
            idle_ns,
            ..
        } = self.counters;
        let total = self.elapsed_ns / NS_PER_USEC;
        let busy = self.elapsed_ns.saturating_sub(idle_ns) / NS_PER_USEC;
        let idle = idle_ns / NS_PER_USEC;
        let Self {
            frame_len, frags, ..
        } = self;
        let (pps, bps) = (self.pps(), self.bps());
        let mbps = bps / 1_000_000;
        writeln!(
            f,
            "OK: {total}(c{busy}+d{idle}) usec, {sofar} ({frame_len}byte,{frags}frags)"
        )?;
        writeln!(f, "  {pps}pps {mbps}Mb/sec ({bps}bps) errors: {errors}")?;
        write!(f, "  ended: {}", self.end.text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn mul_div_agrees_with_128_bits() {
        let values = [
            0,
            1,
            2,
            999,
            NS_PER_SEC,
            18_446_744_073,
            18_446_744_074,
            1 << 32,
            (1 << 32) - 1,
            1 << 63,
            u64::MAX - 1,
            u64::MAX,
        ];
        for a in values {
            for b in values {
                for divisor in values {
                    let exact = u128::from(a) * u128::from(b) / u128::from(divisor.max(1));
                    let want = u64::try_from(exact).unwrap_or(u64::MAX);
                    assert_eq!(mul_div(a, b, divisor), want, "{a} * {b} / {divisor}");
                }
            }
        }
    }

    #[test]
    fn texts() {
        for (sofar, elapsed_ns, idle_ns, errors, frags, want) in [
            (
                100_000,
                15_430_012,
                25_000,
                0,
                0,
                "OK: 15430(c15405+d25) usec, 100000 (60byte,0frags)\n  \
                 6480876pps 3110Mb/sec (3110820480bps) errors: 0",
            ),
            // Nothing sent, no time passed.
            (
                0,
                0,
                0,
                0,
                -1,
                "OK: 0(c0+d0) usec, 0 (60byte,-1frags)\n  0pps 0Mb/sec (0bps) errors: 0",
            ),
            // No time passed: as if it were one nanosecond.
            (
                7,
                0,
                0,
                0,
                0,
                "OK: 0(c0+d0) usec, 7 (60byte,0frags)\n  \
                 7000000000pps 3360000Mb/sec (3360000000000bps) errors: 0",
            ),
            // sofar * 10^9 needs more than 64 bits.
            (
                20_000_000_000,
                2_000_000_000_000,
                0,
                3,
                0,
                "OK: 2000000000(c2000000000+d0) usec, 20000000000 (60byte,0frags)\n  \
                 10000000pps 4800Mb/sec (4800000000bps) errors: 3",
            ),
            // More idle than time: no busy time.
            (
                1,
                1_000_000,
                2_000_000,
                0,
                0,
                "OK: 1000(c0+d2000) usec, 1 (60byte,0frags)\n  \
                 1000pps 0Mb/sec (480000bps) errors: 0",
            ),
        ] {
            let summary = Summary {
                counters: Counters {
                    sofar,
                    idle_ns,
                    errors,
                    tx_bytes: sofar * 60,
                    ..Counters::CLEARED
                },
                elapsed_ns,
                frame_len: 60,
                frags,
                end: End::Complete,
            };
            for (end, why) in [
                (End::Complete, "count reached"),
                (End::NoCarrier, "no carrier"),
            ] {
                let want = std::format!("{want}\n  ended: {why}");
                assert_eq!(Summary { end, ..summary }.to_string(), want);
            }
        }
    }
}
