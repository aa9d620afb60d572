// SPDX-License-Identifier: GPL-2.0

//! The device flags and their names.

use core::fmt;

/// A set of device flags. The bits are those shown by `OK: flags=0x...`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flags(u32);

impl Flags {
    /// Random IPv4 source addresses.
    pub const IPSRC_RND: Self = Self(0x0_0002);
    /// Random IPv4 destination addresses.
    pub const IPDST_RND: Self = Self(0x0_0004);
    /// Random packet sizes.
    pub const TXSIZE_RND: Self = Self(0x0_0008);
    /// Random UDP source ports.
    pub const UDPSRC_RND: Self = Self(0x0_0010);
    /// Random UDP destination ports.
    pub const UDPDST_RND: Self = Self(0x0_0020);
    /// Fill in the UDP checksum.
    pub const UDPCSUM: Self = Self(0x0_0040);
    /// Leave the time stamp fields zero.
    pub const NO_TIMESTAMP: Self = Self(0x0_0080);
    /// Random transmit queue within the queue map.
    pub const QUEUE_MAP_RND: Self = Self(0x0_0200);
    /// The transmit queue is the number of the CPU.
    pub const QUEUE_MAP_CPU: Self = Self(0x0_0400);
    /// Keep a reference to sent packets, so that they can be sent again.
    pub const SHARED: Self = Self(0x4_0000);

    /// Every flag there is, in the order of its bit, which is the order it is shown in.
    pub const NAMES: &'static [(&'static str, Flags)] = &[
        ("IPSRC_RND", Self::IPSRC_RND),
        ("IPDST_RND", Self::IPDST_RND),
        ("TXSIZE_RND", Self::TXSIZE_RND),
        ("UDPSRC_RND", Self::UDPSRC_RND),
        ("UDPDST_RND", Self::UDPDST_RND),
        ("UDPCSUM", Self::UDPCSUM),
        ("NO_TIMESTAMP", Self::NO_TIMESTAMP),
        ("QUEUE_MAP_RND", Self::QUEUE_MAP_RND),
        ("QUEUE_MAP_CPU", Self::QUEUE_MAP_CPU),
        ("SHARED", Self::SHARED),
    ];

    /// The flag of that name; names are case-sensitive.
    pub fn by_name(name: &[u8]) -> Option<Flags> {
        Self::NAMES
            .iter()
            .find(|(known, _)| known.as_bytes() == name)
            .map(|&(_, flag)| flag)
    }

    /// Whether any of the flags of `other` is set.
    #[inline]
    pub const fn has(self, other: Flags) -> bool {
        self.0 & other.0 != 0
    }

    /// Sets the flags of `other`.
    pub fn set(&mut self, other: Flags) {
        self.0 |= other.0;
    }

    /// Clears the flags of `other`.
    pub fn clear(&mut self, other: Flags) {
        self.0 &= !other.0;
    }

    /// The names of the set flags.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        Self::NAMES
            .iter()
            .filter(move |(_, flag)| self.has(*flag))
            .map(|&(name, _)| name)
    }
}

impl fmt::LowerHex for Flags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::LowerHex::fmt(&self.0, f)
    }
}
