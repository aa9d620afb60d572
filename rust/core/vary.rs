// SPDX-License-Identifier: GPL-2.0

//! The ranges that fields of successive packets walk through.
//!
//! | item | sequential | random | first sequential value |
//! |---|---|---|---|
//! | UDP port | min ..= max - 1 | min ..= max - 1 | min + 1 |
//! | IPv4 address, size | min ..= max | min ..= max - 1 | min + 1 |
//! | MAC offset | 0 ..= count - 1 | 0 ..= count - 1 | 0 |
//! | transmit queue | min ..= max | min ..= max | min |
//!
//! A sequential field is advanced before it is used, and a run begins with the minimum, hence
//! min + 1. MAC offsets are used before they are advanced, and a run's first packet leaves by the
//! first queue.

use crate::run::Random;

/// UDP ports: the upper end is never used.
#[derive(Clone, Copy, Debug)]
pub struct Ports {
    min: u16,
    max: u16,
    random: bool,
}

impl Ports {
    /// The range, unless it holds one value only.
    pub fn new(min: u16, max: u16, random: bool) -> Option<Self> {
        (min < max).then_some(Self { min, max, random })
    }

    /// The port after `current`.
    #[inline]
    pub fn next(&self, current: u16, rng: &mut impl Random) -> u16 {
        if self.random {
            let width = self.max.wrapping_sub(self.min);
            // The draw is below a 16-bit width.
            return self.min.wrapping_add(rng.below(u32::from(width)) as u16);
        }
        match current.checked_add(1) {
            Some(next) if next < self.max => next,
            _ => self.min,
        }
    }
}

/// IPv4 addresses or sizes: the upper end is used in sequence, but not drawn at random.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    min: u32,
    max: u32,
    random: bool,
}

/// How often an address that nobody may send to is drawn anew. A range that holds nothing else
/// must not keep the worker for ever.
const REDRAWS: usize = 64;

impl Span {
    /// The range, unless it holds one value only.
    pub fn new(min: u32, max: u32, random: bool) -> Option<Self> {
        (min < max).then_some(Self { min, max, random })
    }

    #[inline]
    fn draw(&self, rng: &mut impl Random) -> u32 {
        self.min
            .wrapping_add(rng.below(self.max.wrapping_sub(self.min)))
    }

    /// The value after `current`.
    #[inline]
    pub fn next(&self, current: u32, rng: &mut impl Random) -> u32 {
        if self.random {
            return self.draw(rng);
        }
        // Compared before it is advanced: a range may end with 255.255.255.255.
        if current < self.max {
            current.wrapping_add(1)
        } else {
            self.min
        }
    }

    /// The destination address after `current`: random ones avoid loopback, multicast, broadcast
    /// and the null address.
    #[inline]
    pub fn next_destination(&self, current: u32, rng: &mut impl Random) -> u32 {
        let mut next = self.next(current, rng);
        if self.random {
            for _ in 0..REDRAWS {
                if is_unicast(next) {
                    break;
                }
                next = self.draw(rng);
            }
        }
        next
    }
}

/// Whether an IPv4 address in host byte order is neither loopback (127/8), multicast (224/4),
/// the limited broadcast nor null.
#[inline]
const fn is_unicast(addr: u32) -> bool {
    addr >> 24 != 127 && addr >> 28 != 0xe && addr != u32::MAX && addr != 0
}

/// MAC addresses that differ in their last five bytes.
#[derive(Clone, Copy, Debug)]
pub struct Macs {
    base: [u8; 6],
    count: u32,
    random: bool,
}

impl Macs {
    /// The addresses from `base` on, unless there is one only.
    pub fn new(base: [u8; 6], count: u32, random: bool) -> Option<Self> {
        (count > 1).then_some(Self {
            base,
            count,
            random,
        })
    }

    /// The next address; `cursor` is the offset that a sequence continues with.
    #[inline]
    pub fn next(&self, cursor: &mut u32, rng: &mut impl Random) -> [u8; 6] {
        if self.random {
            return self.at(rng.below(self.count));
        }
        let offset = *cursor;
        *cursor = match offset.checked_add(1) {
            Some(next) if next < self.count => next,
            _ => 0,
        };
        self.at(offset)
    }

    /// The address at an offset. A carry does not reach the first byte.
    #[inline]
    fn at(&self, offset: u32) -> [u8; 6] {
        let [first, a, b, c, d, e] = self.base;
        let last = u64::from_be_bytes([0, 0, 0, a, b, c, d, e]);
        let [.., a, b, c, d, e] = last.wrapping_add(u64::from(offset)).to_be_bytes();
        [first, a, b, c, d, e]
    }
}

/// The bits that a random IPv6 destination must and may have.
#[derive(Clone, Copy, Debug)]
pub struct Masks {
    must: [u8; 16],
    may: [u8; 16],
}

impl Masks {
    /// The masks, unless there are no bits that addresses must have. Without bits that they may
    /// have, the first are the address.
    pub fn new(must: [u8; 16], may: [u8; 16]) -> Option<Self> {
        let may = if may == [0; 16] { must } else { may };
        (must != [0; 16]).then_some(Self { must, may })
    }

    /// A random address.
    #[inline]
    pub fn next(&self, rng: &mut impl Random) -> [u8; 16] {
        let mut addr = [0; 16];
        for word in addr.chunks_exact_mut(4) {
            for (to, random) in word.iter_mut().zip(rng.u32().to_be_bytes()) {
                *to = random;
            }
        }
        for (to, (must, may)) in addr.iter_mut().zip(self.must.iter().zip(&self.may)) {
            *to = (*to | must) & may;
        }
        addr
    }
}

/// How the transmit queue of a packet is found.
#[derive(Clone, Copy, Debug)]
pub enum Queues {
    /// Always the same one.
    Fixed(u16),
    /// One after the other, both ends included.
    Sequence {
        /// First queue.
        min: u16,
        /// Last queue.
        max: u16,
    },
    /// At random, both ends included.
    Random {
        /// First queue.
        min: u16,
        /// Last queue.
        max: u16,
    },
}

impl Queues {
    /// The next queue; `cursor` is the one a sequence continues with.
    #[inline]
    pub fn next(&self, cursor: &mut u16, rng: &mut impl Random) -> u16 {
        match *self {
            Self::Fixed(queue) => queue,
            Self::Sequence { min, max } => {
                let queue = if (min..=max).contains(cursor) {
                    *cursor
                } else {
                    min
                };
                *cursor = queue.checked_add(1).unwrap_or(min);
                queue
            }
            Self::Random { min, max } => {
                let width = u32::from(max.saturating_sub(min)).wrapping_add(1);
                // The draw is at most max - min.
                min.wrapping_add(rng.below(width) as u16)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    /// Draws the lowest and the highest value in turn, so that both ends of a range show.
    #[derive(Default)]
    struct Ends(bool);

    impl Random for Ends {
        fn u32(&mut self) -> u32 {
            self.below(u32::MAX)
        }
        fn below(&mut self, n: u32) -> u32 {
            assert_ne!(n, 0);
            self.0 = !self.0;
            if self.0 {
                0
            } else {
                n - 1
            }
        }
    }

    fn walk<T: Copy>(first: T, mut next: impl FnMut(T) -> T) -> Vec<T> {
        let mut current = first;
        (0..5)
            .map(|_| {
                current = next(current);
                current
            })
            .collect()
    }

    #[test]
    fn ports() {
        let rng = &mut Ends::default();
        for (min, max, random, want) in [
            (9, 12, false, [10, 11, 9, 10, 11]),
            (9, 10, false, [9, 9, 9, 9, 9]),
            (65533, 65535, false, [65534, 65533, 65534, 65533, 65534]),
            (9, 109, true, [9, 108, 9, 108, 9]),
        ] {
            let ports = Ports::new(min, max, random).unwrap();
            assert_eq!(walk(min, |port| ports.next(port, rng)), want);
        }
        assert!(Ports::new(9, 9, true).is_none());
        assert!(Ports::new(10, 9, true).is_none());
        // A current port set by a command may lie outside.
        assert_eq!(Ports::new(9, 12, false).unwrap().next(65535, rng), 9);
    }

    #[test]
    fn spans() {
        let rng = &mut Ends::default();
        for (min, max, random, want) in [
            (60, 62, false, [61, 62, 60, 61, 62]),
            (60, 62, true, [60, 61, 60, 61, 60]),
            (
                0xffff_fffe,
                0xffff_ffff,
                false,
                [
                    0xffff_ffff,
                    0xffff_fffe,
                    0xffff_ffff,
                    0xffff_fffe,
                    0xffff_ffff,
                ],
            ),
        ] {
            let span = Span::new(min, max, random).unwrap();
            assert_eq!(walk(min, |value| span.next(value, rng)), want);
        }
        assert!(Span::new(5, 5, false).is_none());
    }

    #[test]
    fn destinations_avoid_what_nobody_may_send_to() {
        let rng = &mut Ends::default();
        // 126.255.255.255 or 127.0.0.0: the second is never used.
        let span = Span::new(0x7eff_ffff, 0x7f00_0001, true).unwrap();
        assert_eq!(
            walk(0, |addr| span.next_destination(addr, rng)),
            [0x7eff_ffff; 5]
        );
        // Nothing but multicast: an end all the same.
        let span = Span::new(0xe000_0000, 0xe000_00ff, true).unwrap();
        assert_eq!(span.next_destination(0, rng) >> 24, 0xe0);
        for (addr, unicast) in [
            (0, false),
            (1, true),
            (0x7f00_0001, false),
            (0x8000_0000, true),
            (0xdfff_ffff, true),
            (0xe000_0000, false),
            (0xefff_ffff, false),
            (0xf000_0000, true),
            (0xffff_ffff, false),
        ] {
            assert_eq!(is_unicast(addr), unicast, "{addr:#x}");
        }
        // In sequence nothing is left out.
        let span = Span::new(0x7eff_ffff, 0x7f00_0001, false).unwrap();
        assert_eq!(span.next_destination(0x7eff_ffff, rng), 0x7f00_0000);
    }

    #[test]
    fn macs() {
        let rng = &mut Ends::default();
        let base = [0x02, 0xff, 0xff, 0xff, 0xff, 0xfe];
        let mut cursor = 0;
        let mut draw = |macs: Macs, n: usize| {
            (0..n)
                .map(|_| {
                    macs.next(&mut cursor, rng)[1..]
                        .iter()
                        .fold(0, |v, b| (v << 8) | u64::from(*b))
                })
                .collect::<Vec<_>>()
        };
        let macs = Macs::new(base, 3, false).unwrap();
        let want = [0xff_ffff_fffe, 0xff_ffff_ffff, 0, 0xff_ffff_fffe];
        assert_eq!(draw(macs, 4), want);
        let macs = Macs::new(base, 3, true).unwrap();
        assert_eq!(draw(macs, 3), [0xff_ffff_fffe, 0, 0xff_ffff_fffe]);
        let macs = Macs::new([2, 0, 0, 0, 0, 0], u32::MAX, true).unwrap();
        assert_eq!(draw(macs, 2), [0xffff_fffe, 0]);
        assert!(Macs::new(base, 1, false).is_none());
        // An offset that is left over from a larger count.
        let macs = Macs::new(base, 3, false).unwrap();
        let mut cursor = 7;
        macs.next(&mut cursor, rng);
        assert_eq!(cursor, 0);
    }

    #[test]
    fn masks() {
        let rng = &mut Ends::default();
        assert!(Masks::new([0; 16], [0xff; 16]).is_none());
        let mut must = [0; 16];
        let mut may = [0; 16];
        (must[0], may[0]) = (0xfd, 0xfd);
        (must[15], may[15]) = (0x01, 0x0f);
        let masks = Masks::new(must, may).unwrap();
        // The last word is drawn as all ones, the first as zero.
        assert_eq!(masks.next(rng)[0], 0xfd);
        assert_eq!(masks.next(rng)[15], 0x0f);
        for may in [must, [0; 16]] {
            let pinned = Masks::new(must, may).unwrap();
            assert_eq!(pinned.next(rng), must);
        }
    }

    #[test]
    fn queues() {
        for (queues, cursor, want) in [
            (Queues::Fixed(7), 0, [7; 5]),
            (Queues::Sequence { min: 3, max: 3 }, 3, [3; 5]),
            (Queues::Sequence { min: 2, max: 4 }, 2, [2, 3, 4, 2, 3]),
            (Queues::Sequence { min: 2, max: 4 }, 9, [2, 3, 4, 2, 3]),
            (
                Queues::Sequence {
                    min: 65534,
                    max: 65535,
                },
                65535,
                [65535, 65534, 65535, 65534, 65535],
            ),
            (Queues::Random { min: 2, max: 4 }, 0, [2, 4, 2, 4, 2]),
            (
                Queues::Random { min: 0, max: 65535 },
                0,
                [0, 65535, 0, 65535, 0],
            ),
        ] {
            let rng = &mut Ends::default();
            let mut cursor = cursor;
            assert_eq!(walk(0, |_| queues.next(&mut cursor, rng)), want);
        }
    }
}
