// SPDX-License-Identifier: GPL-2.0

//! A device: what it is configured to, and how far it is.

use std::collections::HashMap;

/// Names and bits of the flags, in the order they are shown.
pub const FLAGS: &[(&str, u32)] = &[
    ("IPV6", 0x1),
    ("IPSRC_RND", 0x2),
    ("IPDST_RND", 0x4),
    ("TXSIZE_RND", 0x8),
    ("UDPSRC_RND", 0x10),
    ("UDPDST_RND", 0x20),
    ("UDPCSUM", 0x40),
    ("NO_TIMESTAMP", 0x80),
    ("MPLS_RND", 0x100),
    ("QUEUE_MAP_RND", 0x200),
    ("QUEUE_MAP_CPU", 0x400),
    ("FLOW_SEQ", 0x800),
    ("IPSEC", 0x1000),
    ("MACSRC_RND", 0x2000),
    ("MACDST_RND", 0x4000),
    ("VID_RND", 0x8000),
    ("SVID_RND", 0x1_0000),
    ("NODE", 0x2_0000),
    ("SHARED", 0x4_0000),
];

/// What the net device and the kernel can do.
#[derive(Clone, Copy, Debug)]
pub struct Host {
    pub sharing: bool,
    pub ipsec: bool,
}

/// How many NUMA nodes the oracle's machine has.
pub const NODES: u64 = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    StartXmit,
    NetifReceive,
    QueueXmit,
}

#[derive(Clone, Copy, Debug)]
pub struct Tag {
    pub on: bool,
    pub id: u16,
    pub priority: u16,
    pub cfi: u16,
}

/// An IPv4 address as it was written, and what it stands for.
#[derive(Clone, Debug, Default)]
pub struct Ipv4 {
    pub text: Vec<u8>,
    pub addr: u32,
}

/// A range of numbers: its lower and its upper end.
#[derive(Clone, Copy, Debug, Default)]
pub struct Range<T> {
    pub min: T,
    pub max: T,
}

/// The slot of a flow.
#[derive(Clone, Copy, Debug, Default)]
pub struct Flow {
    pub packets: u64,
    /// Its destination, and what IPsec adds to its packets, once it has begun.
    pub begun: Option<(u32, u16)>,
}

/// A device. Values that packets advance are here only once, as in the text of its file.
#[derive(Clone, Debug)]
pub struct Model {
    pub host: Host,

    pub count: u64,
    pub delay: u64,
    /// The line for `pps` or `bps`.
    pub shown_rate: Option<String>,
    pub clone_skb: u64,
    pub burst: u64,
    pub mode: Mode,
    pub flags: u32,
    pub size: Range<u64>,
    pub imix: Vec<(u64, u64)>,
    pub frags: u64,
    pub flows: u64,
    pub flowlen: u64,
    pub spi: u64,
    pub node: Option<u64>,
    pub src: Range<Ipv4>,
    pub dst: Range<Ipv4>,
    pub src6: [u8; 16],
    pub dst6: [u8; 16],
    pub dst6_mask: Range<[u8; 16]>,
    pub src_mac: [u8; 6],
    pub dst_mac: [u8; 6],
    pub src_mac_count: u32,
    pub dst_mac_count: u32,
    pub udp_src: Range<u16>,
    pub udp_dst: Range<u16>,
    pub queue: Range<u16>,
    pub skb_priority: u64,
    pub mpls: Vec<u32>,
    pub vlan: Tag,
    pub svlan: Tag,
    pub tos: u8,
    pub traffic_class: u8,

    pub saddr: u32,
    pub daddr: u32,
    pub saddr6: [u8; 16],
    pub daddr6: [u8; 16],
    pub cur_udp_src: u16,
    pub cur_udp_dst: u16,
    pub cur_size: u64,
    pub cur_queue: u16,
    pub src_mac_offset: u32,
    pub dst_mac_offset: u32,
    pub ip_id: u16,
    pub flows_begun: u32,

    pub sofar: u64,
    pub tx_bytes: u64,
    pub errors: u64,
    pub idle_ns: u64,
    pub seq_num: u32,
    pub imix_counts: [u64; 20],

    pub result: Vec<u8>,
    pub started_ns: u64,
    pub stopped_ns: u64,
    pub running: bool,

    /// Of the run: the flows, the one in turn, what they are made of.
    pub slots: HashMap<u64, Flow>,
    pub flow_cursor: u64,
    pub flow_key: Option<(u64, bool, u64, u32, u32)>,
    pub queue_cursor: u64,
    pub imix_entry: usize,
    pub last_len: usize,
    pub debug: u32,
}

impl Model {
    pub fn fresh(host: Host) -> Self {
        let off = Tag {
            on: false,
            id: 0,
            priority: 0,
            cfi: 0,
        };
        let discard = Range { min: 9, max: 9 };
        Self {
            host,
            count: 1000,
            delay: 0,
            shown_rate: None,
            clone_skb: 0,
            burst: 1,
            mode: Mode::StartXmit,
            flags: 0x4_0000,
            size: Range::default(),
            imix: Vec::new(),
            frags: 0,
            flows: 0,
            flowlen: 0,
            spi: 0,
            node: None,
            src: Range::default(),
            dst: Range::default(),
            src6: [0; 16],
            dst6: [0; 16],
            dst6_mask: Range::default(),
            src_mac: [0; 6],
            dst_mac: [0; 6],
            src_mac_count: 0,
            dst_mac_count: 0,
            udp_src: discard,
            udp_dst: discard,
            queue: Range::default(),
            skb_priority: 0,
            mpls: Vec::new(),
            vlan: off,
            svlan: off,
            tos: 0,
            traffic_class: 0,
            saddr: 0,
            daddr: 0,
            saddr6: [0; 16],
            daddr6: [0; 16],
            cur_udp_src: 0,
            cur_udp_dst: 0,
            cur_size: 0,
            cur_queue: 0,
            src_mac_offset: 0,
            dst_mac_offset: 0,
            ip_id: 0,
            flows_begun: 0,
            sofar: 0,
            tx_bytes: 0,
            errors: 0,
            idle_ns: 0,
            seq_num: 0,
            imix_counts: [0; 20],
            result: Vec::new(),
            started_ns: 0,
            stopped_ns: 0,
            running: false,
            slots: HashMap::new(),
            flow_cursor: 0,
            flow_key: None,
            queue_cursor: 0,
            imix_entry: 0,
            last_len: 0,
            debug: 0,
        }
    }

    /// Whether the flag of that name is set.
    pub fn flag(&self, name: &str) -> bool {
        let flag = FLAGS.iter().find(|(known, _)| *known == name);
        flag.is_some_and(|(_, bit)| self.flags & bit != 0)
    }

    pub fn set_flag(&mut self, name: &str) {
        let flag = FLAGS.iter().find(|(known, _)| *known == name);
        self.flags |= flag.map_or(0, |(_, bit)| *bit);
    }

    /// What every sequence of commands keeps to.
    pub fn check_invariants(&self) {
        for size in [self.size.min, self.size.max] {
            assert!(size == 0 || (42..=65535).contains(&size));
        }
        assert!(self.imix.len() <= 20 && self.mpls.len() <= 16);
        assert!(self
            .imix
            .iter()
            .all(|(size, weight)| (42..=65535).contains(size) && *weight > 0));
        assert!((1..=65535).contains(&self.burst));
        assert!(self.clone_skb <= i32::MAX as u64);
        assert!(self.flows <= 65536);
        assert!(!self.vlan.on || self.mpls.is_empty());
        assert!(self.vlan.on || !self.svlan.on);
        for tag in [self.vlan, self.svlan] {
            assert!(tag.id < 4096 && tag.priority < 8 && tag.cfi < 2);
        }
    }
}
