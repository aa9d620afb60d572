// SPDX-License-Identifier: GPL-2.0

//! What the commands of a device configure.

use crate::flags::Flags;
use crate::imix::Imix;
use crate::tags::{Labels, Vlan};
use crate::text::Buffer;

/// The smallest size a command stores: Ethernet, IPv4 and UDP headers.
pub const MIN_PKT_SIZE: u32 = 14 + 20 + 8;
/// The largest size a command stores: every length field of the packet still holds it.
pub const MAX_PKT_SIZE: u32 = 65535;
/// The largest burst: it bounds how long the transmit queue stays locked.
pub const MAX_BURST: u32 = 65535;
/// The delay that means "never transmit".
pub const DELAY_NEVER: u64 = u64::MAX;

/// A rate that holds for packets or bits, whatever the burst.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rate {
    /// None: the delay holds.
    None,
    /// Packets a second.
    Packets(u64),
    /// Bits a second on the wire: with preamble, FCS and gap.
    Bits(u64),
}

/// How packets leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The driver's transmit function, past the qdisc.
    StartXmit,
    /// Into the receive path, as if the packets arrived at the net device.
    NetifReceive,
    /// Through the qdisc.
    QueueXmit,
}

/// What a fresh device takes from the module parameters.
#[derive(Clone, Copy, Debug)]
pub struct Defaults {
    /// Packets to send; 0 is unlimited.
    pub count: u64,
    /// Gap between sends in nanoseconds.
    pub delay_ns: u64,
    /// Sends of each packet; 0 where the net device cannot share packets.
    pub clone_skb: i32,
}

/// An IPv4 address as it was written, and its value.
#[derive(Clone, Copy, Debug)]
pub struct Ipv4Text {
    /// The text, which is shown again; empty if unset, an address otherwise.
    pub text: Buffer<31>,
    /// The address in host byte order.
    pub addr: u32,
}

impl Ipv4Text {
    const fn new() -> Self {
        Self {
            text: Buffer::new(),
            addr: 0,
        }
    }
}

/// The configuration of a device: what the `Params:` block shows.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// Packets to send; 0 is unlimited.
    pub count: u64,
    /// Gap between sends in nanoseconds; [`DELAY_NEVER`] stops sending.
    pub delay_ns: u64,
    /// The rate; with one, the delay is 0.
    pub rate: Rate,
    /// Sends of each packet; 0 and 1 are the same.
    pub clone_skb: i32,
    /// Copies sent in one go; at least 1.
    pub burst: u32,
    /// How packets leave.
    pub mode: Mode,
    /// Flags.
    pub flags: Flags,
    /// Smallest packet in bytes without FCS; 0 lets the start of a run choose.
    pub min_pkt_size: u32,
    /// Largest packet in bytes without FCS.
    pub max_pkt_size: u32,
    /// Sizes in given proportions; they hold where the size does not vary in its range.
    pub imix: Imix,
    /// Page fragments wanted; none if not positive.
    pub frags: i32,
    /// Flows at a time; 0 is no flows.
    pub flows: u32,
    /// Packets of a flow.
    pub flowlen: u32,
    /// Security parameter index of the association to use; 0 finds it by the addresses.
    pub spi: u32,
    /// NUMA node to take memory from with the flag NODE; `None` is the worker's.
    pub node: Option<u32>,
    /// Lowest IPv4 source; with an empty text the start of a run takes the net device's address.
    pub src_min: Ipv4Text,
    /// Highest IPv4 source.
    pub src_max: Ipv4Text,
    /// Lowest IPv4 destination.
    pub dst_min: Ipv4Text,
    /// Highest IPv4 destination.
    pub dst_max: Ipv4Text,
    /// IPv6 source.
    pub src6: [u8; 16],
    /// IPv6 destination.
    pub dst6: [u8; 16],
    /// Bits that random IPv6 destinations have; all zero means no random ones.
    pub dst6_min: [u8; 16],
    /// Bits that random IPv6 destinations may have.
    pub dst6_max: [u8; 16],
    /// Source MAC; all zero means the net device's.
    pub src_mac: [u8; 6],
    /// Destination MAC.
    pub dst_mac: [u8; 6],
    /// How many source MACs there are.
    pub src_mac_count: u32,
    /// How many destination MACs there are.
    pub dst_mac_count: u32,
    /// Lowest UDP source port.
    pub udp_src_min: u16,
    /// End of the UDP source ports; not used itself.
    pub udp_src_max: u16,
    /// Lowest UDP destination port.
    pub udp_dst_min: u16,
    /// End of the UDP destination ports; not used itself.
    pub udp_dst_max: u16,
    /// First transmit queue.
    pub queue_map_min: u16,
    /// Last transmit queue.
    pub queue_map_max: u16,
    /// Priority of the packet buffer.
    pub skb_priority: u32,
    /// MPLS label stack.
    pub mpls: Labels,
    /// VLAN tag, the inner one of two.
    pub vlan: Vlan,
    /// Outer VLAN tag.
    pub svlan: Vlan,
    /// IPv4 type of service.
    pub tos: u8,
    /// IPv6 traffic class.
    pub traffic_class: u8,
}

impl Config {
    /// Has a delay hold, and no rate.
    pub(crate) fn set_delay(&mut self, delay_ns: u64) {
        self.delay_ns = delay_ns;
        self.rate = Rate::None;
    }

    /// Has a rate hold, and no delay.
    pub(crate) fn set_rate(&mut self, rate: Rate) {
        self.delay_ns = 0;
        self.rate = rate;
    }

    /// Removes both VLAN tags.
    pub(crate) fn vlans_off(&mut self) {
        self.vlan.on = false;
        self.svlan.on = false;
    }

    /// The configuration of a fresh device. 9 is the discard port (RFC 863).
    pub const fn new(defaults: &Defaults) -> Self {
        Self {
            count: defaults.count,
            delay_ns: defaults.delay_ns,
            rate: Rate::None,
            clone_skb: defaults.clone_skb,
            burst: 1,
            mode: Mode::StartXmit,
            flags: Flags::SHARED,
            min_pkt_size: 0,
            max_pkt_size: 0,
            imix: Imix::NONE,
            frags: 0,
            flows: 0,
            flowlen: 0,
            spi: 0,
            node: None,
            src_min: Ipv4Text::new(),
            src_max: Ipv4Text::new(),
            dst_min: Ipv4Text::new(),
            dst_max: Ipv4Text::new(),
            src6: [0; 16],
            dst6: [0; 16],
            dst6_min: [0; 16],
            dst6_max: [0; 16],
            src_mac: [0; 6],
            dst_mac: [0; 6],
            src_mac_count: 0,
            dst_mac_count: 0,
            udp_src_min: 9,
            udp_src_max: 9,
            udp_dst_min: 9,
            udp_dst_max: 9,
            queue_map_min: 0,
            queue_map_max: 0,
            skb_priority: 0,
            mpls: Labels::NONE,
            vlan: Vlan::OFF,
            svlan: Vlan::OFF,
            tos: 0,
            traffic_class: 0,
        }
    }
}
