// SPDX-License-Identifier: GPL-2.0

//! A configuration compiled for one run: decided once, followed for every packet.

use crate::config::{Config, Mode};
use crate::flags::Flags;
use crate::flow::{Key, Walk};
use crate::imix::Mix;
use crate::pacing::Spacing;
use crate::run::StartFacts;
use crate::tags::BOTTOM_OF_STACK;
use crate::vary::{Macs, Masks, Ports, Queues, Span};

/// What a run does. Fields that do not vary are `None`, so that nothing is spent on them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub(crate) count: u64,
    pub(crate) spacing: Spacing,
    pub(crate) mode: Mode,
    /// The flag SHARED.
    pub(crate) flagged: bool,
    /// A reference is kept to what is sent.
    pub(crate) shared: bool,
    pub(crate) burst: u32,
    pub(crate) clone_skb: u32,
    pub(crate) timestamps: bool,
    pub(crate) priority: u32,
    pub(crate) src_mac: Option<Macs>,
    pub(crate) dst_mac: Option<Macs>,
    pub(crate) mpls: bool,
    pub(crate) vlan: bool,
    pub(crate) svlan: bool,
    pub(crate) udp_src: Option<Ports>,
    pub(crate) udp_dst: Option<Ports>,
    pub(crate) saddr: Option<Span>,
    pub(crate) daddr: Option<Span>,
    pub(crate) daddr6: Option<Masks>,
    pub(crate) pkt_size: Option<Span>,
    pub(crate) imix: Option<Mix>,
    /// Frames have different lengths.
    pub(crate) len_varies: bool,
    pub(crate) flows: Option<Walk>,
    pub(crate) flow_key: Key,
    /// Page fragments wanted.
    pub(crate) frags: u32,
    pub(crate) memory: Memory,
    pub(crate) queues: Queues,
    /// Transmit queues of the net device; at least 1.
    pub(crate) num_queues: u16,
    pub(crate) ipv6: bool,
}

/// Where the memory of packets comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Whether buffers are to be from the node, too, not just what the allocator of the net
    /// device's buffers gives.
    pub bound: bool,
    /// The NUMA node; `None` is the worker's.
    pub node: Option<u32>,
}

impl Plan {
    /// Whether IPsec was asked for where there is none.
    pub(crate) fn ipsec_impossible(&self) -> bool {
        self.flow_key.secured && self.ipv6
    }

    /// Whether tags or labels vary, which the configuration shows.
    pub(crate) fn tags_vary(&self) -> bool {
        self.mpls || self.vlan || self.svlan
    }

    pub(crate) fn new(c: &Config, facts: &StartFacts, queue: u16) -> Self {
        let random = |flag| c.flags.has(flag);
        let ipv6 = c.flags.has(Flags::IPV6);
        let ipv4_span = |min, max, flag| Span::new(min, max, random(flag)).filter(|_| !ipv6);
        let redrawn = |entry: &u32| entry & BOTTOM_OF_STACK != 0;
        let flagged = c.flags.has(Flags::SHARED);
        // Several sends of one buffer: never through a qdisc, which may still have it queued,
        // nor on a net device that does not allow it. Commands refuse both, but the mode may
        // have changed since.
        let (burst, clone_skb) = match c.mode {
            _ if !flagged => (1, 0),
            Mode::NetifReceive => (c.burst, 0),
            Mode::StartXmit if facts.tx_sharing => (c.burst, c.clone_skb),
            Mode::StartXmit | Mode::QueueXmit => (1, 0),
        };
        // What is sent is kept where a driver allows it, or to be copied for each reception of a
        // burst. The stack may push headers on a buffer, which it must then have alone.
        let shared = flagged
            && match c.mode {
                Mode::StartXmit => facts.tx_sharing,
                Mode::NetifReceive => burst > 1,
                Mode::QueueXmit => false,
            };
        let pkt_size = Span::new(c.min_pkt_size, c.max_pkt_size, random(Flags::TXSIZE_RND));
        let imix = Mix::new(&c.imix).filter(|_| pkt_size.is_none());
        let flow_key = Key {
            slots: c.flows,
            secured: secured(c),
            spi: c.spi,
            daddrs: (c.dst_min.addr, c.dst_max.addr),
        };
        let bound = c.flags.has(Flags::NODE);
        Self {
            count: c.count,
            spacing: Spacing::new(c.delay_ns, c.rate),
            mode: c.mode,
            flagged,
            shared,
            burst: burst.max(1),
            clone_skb: u32::try_from(clone_skb).unwrap_or(0),
            timestamps: !c.flags.has(Flags::NO_TIMESTAMP),
            priority: c.skb_priority,
            src_mac: Macs::new(
                src_mac(c, facts),
                c.src_mac_count,
                random(Flags::MACSRC_RND),
            ),
            dst_mac: Macs::new(c.dst_mac, c.dst_mac_count, random(Flags::MACDST_RND)),
            mpls: random(Flags::MPLS_RND) && c.mpls.entries().iter().any(redrawn),
            vlan: random(Flags::VID_RND) && c.vlan.on,
            svlan: random(Flags::SVID_RND) && c.svlan.on,
            udp_src: Ports::new(c.udp_src_min, c.udp_src_max, random(Flags::UDPSRC_RND)),
            udp_dst: Ports::new(c.udp_dst_min, c.udp_dst_max, random(Flags::UDPDST_RND)),
            saddr: ipv4_span(c.src_min.addr, c.src_max.addr, Flags::IPSRC_RND),
            daddr: ipv4_span(c.dst_min.addr, c.dst_max.addr, Flags::IPDST_RND),
            daddr6: Masks::new(c.dst6_min, c.dst6_max).filter(|_| ipv6),
            pkt_size,
            imix,
            len_varies: pkt_size.is_some() || imix.is_some() || flow_key.secured,
            flows: Walk::new(c.flows, c.flowlen, c.flags.has(Flags::FLOW_SEQ)),
            flow_key,
            frags: u32::try_from(c.frags).unwrap_or(0),
            memory: Memory {
                bound,
                node: c.node.filter(|_| bound),
            },
            ipv6,
            queues: queues(c, facts, queue),
            num_queues: facts.real_num_tx_queues.max(1),
        }
    }
}

/// Whether packets are transformed by IPsec: only those of flows are.
pub(crate) fn secured(c: &Config) -> bool {
    c.flags.has(Flags::IPSEC) && c.flows != 0
}

/// The source MAC that frames start from: the net device's unless one is configured.
pub(crate) fn src_mac(c: &Config, facts: &StartFacts) -> [u8; 6] {
    if c.src_mac == [0; 6] {
        facts.dev_mac
    } else {
        c.src_mac
    }
}

/// How the transmit queue is found; `queue` is the current one.
fn queues(c: &Config, facts: &StartFacts, queue: u16) -> Queues {
    let (min, max) = (c.queue_map_min, c.queue_map_max);
    if c.flags.has(Flags::QUEUE_MAP_CPU) {
        Queues::Fixed(facts.cpu)
    } else if min > max {
        Queues::Fixed(queue)
    } else if min == max {
        Queues::Fixed(min)
    } else if c.flags.has(Flags::QUEUE_MAP_RND) {
        Queues::Random { min, max }
    } else {
        Queues::Sequence { min, max }
    }
}
