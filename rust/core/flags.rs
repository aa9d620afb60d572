// SPDX-License-Identifier: GPL-2.0

//! The device flags and their names.

use core::fmt;

/// A set of device flags. The bits are those shown by `OK: flags=0x...`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flags(u32);

impl Flags {
    /// Build IPv6. Commands that set an IPv6 address set it; the `flag` command only clears it.
    pub const IPV6: Self = Self(0x0_0001);
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
    /// Random labels in the MPLS entries that have the bottom-of-stack bit.
    pub const MPLS_RND: Self = Self(0x0_0100);
    /// Random transmit queue within the queue map.
    pub const QUEUE_MAP_RND: Self = Self(0x0_0200);
    /// The transmit queue is the number of the CPU.
    pub const QUEUE_MAP_CPU: Self = Self(0x0_0400);
    /// Flows one after the other; without it at random.
    pub const FLOW_SEQ: Self = Self(0x0_0800);
    /// IPsec transformation of the packets of flows.
    pub const IPSEC: Self = Self(0x0_1000);
    /// Random offset from the source MAC.
    pub const MACSRC_RND: Self = Self(0x0_2000);
    /// Random offset from the destination MAC.
    pub const MACDST_RND: Self = Self(0x0_4000);
    /// Random identifier of the (inner) VLAN tag.
    pub const VID_RND: Self = Self(0x0_8000);
    /// Random identifier of the outer VLAN tag.
    pub const SVID_RND: Self = Self(0x1_0000);
    /// Memory of the configured NUMA node.
    pub const NODE: Self = Self(0x2_0000);
    /// Keep a reference to sent packets, so that they can be sent again.
    pub const SHARED: Self = Self(0x4_0000);

    /// Every flag there is, in the order of its bit, which is the order it is shown in.
    pub const NAMES: &'static [(&'static str, Flags)] = &[
        ("IPV6", Self::IPV6),
        ("IPSRC_RND", Self::IPSRC_RND),
        ("IPDST_RND", Self::IPDST_RND),
        ("TXSIZE_RND", Self::TXSIZE_RND),
        ("UDPSRC_RND", Self::UDPSRC_RND),
        ("UDPDST_RND", Self::UDPDST_RND),
        ("UDPCSUM", Self::UDPCSUM),
        ("NO_TIMESTAMP", Self::NO_TIMESTAMP),
        ("MPLS_RND", Self::MPLS_RND),
        ("QUEUE_MAP_RND", Self::QUEUE_MAP_RND),
        ("QUEUE_MAP_CPU", Self::QUEUE_MAP_CPU),
        ("FLOW_SEQ", Self::FLOW_SEQ),
        ("IPSEC", Self::IPSEC),
        ("MACSRC_RND", Self::MACSRC_RND),
        ("MACDST_RND", Self::MACDST_RND),
        ("VID_RND", Self::VID_RND),
        ("SVID_RND", Self::SVID_RND),
        ("NODE", Self::NODE),
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
}

impl fmt::LowerHex for Flags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::LowerHex::fmt(&self.0, f)
    }
}
