// SPDX-License-Identifier: GPL-2.0

//! What runs do to a device, one packet at a time: the order in which fields vary and random
//! numbers are drawn, and the frame that comes of it.

use rpktgen_core::run::{Random, StartFacts};

use crate::addresses;
use crate::model::{Flow, Mode, Model, Range, Tag};
use crate::naive::{Csum, Naive};

/// A packet as it is handed over.
#[derive(Debug, PartialEq, Eq)]
pub struct Packet {
    /// All bytes of the frame.
    pub frame: Vec<u8>,
    /// The lengths of its page fragments, which hold the end of it.
    pub fragments: Vec<u32>,
    pub queue: u16,
    pub priority: u32,
    pub l2_len: u16,
    pub l4_offset: u16,
    pub protocol: u16,
    pub csum_partial: bool,
    pub secured: Option<u32>,
}

/// How a run sends, as far as it depends on the configuration.
#[derive(Debug, PartialEq, Eq)]
pub struct Sending {
    pub burst: u32,
    pub clone_skb: u32,
    /// Whether a reference to what is sent is kept.
    pub kept: bool,
    pub timestamps: bool,
    /// Where memory comes from, if that is said.
    pub node: Option<Option<u32>>,
    pub complete: bool,
    pub impossible: bool,
}

/// What IPsec adds to the packets of a flow: here, anything that depends on all there is.
pub fn header_len(index: u32, saddr: u32, daddr: u32) -> u16 {
    (u64::from(index) + 3 * u64::from(saddr) + 7 * u64::from(daddr)) as u16 % 53
}

impl Model {
    pub fn clear_counters(&mut self) {
        self.sofar = 0;
        self.tx_bytes = 0;
        self.errors = 0;
        self.idle_ns = 0;
        self.seq_num = 1;
        self.imix_counts = [0; 20];
    }

    pub fn start(&mut self, facts: &StartFacts) {
        let last_queue = facts.real_num_tx_queues.max(1) - 1;
        for queue in [&mut self.queue.min, &mut self.queue.max] {
            if *queue > last_queue {
                *queue = last_queue;
            }
        }
        if self.size.min == 0 {
            self.size.min = self.headers() as u64;
        }
        if self.size.min > self.size.max {
            self.size.max = self.size.min;
        }
        if self.flag("IPV6") && self.saddr6 == [0; 16] {
            if let Some(addr) = facts.link_local6 {
                self.saddr6 = addr;
            }
        }
        for end in [&mut self.src.min, &mut self.src.max] {
            end.addr = addresses::ipv4(&end.text).unwrap_or(0);
        }
        if self.src.min.text.is_empty() {
            let own = facts.ifa_local.map_or(0, u32::from_be_bytes);
            self.src.min.addr = own;
            self.src.max.addr = own;
        }
        self.cur_size = self.size.min;
        self.src_mac_offset = 0;
        self.dst_mac_offset = 0;
        self.saddr = self.src.min.addr;
        self.daddr = self.dst.min.addr;
        self.cur_udp_src = self.udp_src.min;
        self.cur_udp_dst = self.udp_dst.min;
        self.flows_begun = 0;
        self.clear_counters();
        self.started_ns = facts.now_ns;
        self.result = b"Starting".to_vec();
        self.running = true;

        self.queue_cursor = u64::from(self.queue.min);
        self.flow_key = None;
        self.commands_end();
        self.imix_entry = 0;
        self.last_len = self.frame_len(0);
    }

    /// Commands were written: flows that are not made of the same any more begin anew.
    pub fn commands_end(&mut self) {
        let secured = self.flag("IPSEC") && self.flows != 0;
        let (min, max) = (self.dst.min.addr, self.dst.max.addr);
        let key = Some((self.flows, secured, self.spi, min, max));
        if self.flow_key != key {
            self.flow_key = key;
            self.flow_cursor = 0;
            self.slots.clear();
        }
    }

    /// Bytes of Ethernet header, tags and labels.
    fn l2_len(&self) -> usize {
        let tags = usize::from(self.vlan.on) + usize::from(self.svlan.on);
        14 + 4 * (tags + self.mpls.len())
    }

    fn l4_offset(&self) -> usize {
        self.l2_len() + if self.flag("IPV6") { 40 } else { 20 }
    }

    /// Bytes of all headers.
    fn headers(&self) -> usize {
        self.l4_offset() + 8 + 16
    }

    /// The length of a frame that IPsec adds so much to.
    fn frame_len(&self, added: u16) -> usize {
        let size = (self.cur_size as usize).saturating_sub(usize::from(added));
        size.max(self.headers())
    }

    pub fn sending(&self, facts: &StartFacts) -> Sending {
        let shared = self.flag("SHARED");
        let (burst, clone_skb) = match self.mode {
            Mode::StartXmit if shared && facts.tx_sharing => (self.burst, self.clone_skb),
            Mode::NetifReceive if shared => (self.burst, 0),
            _ => (1, 0),
        };
        let kept = match self.mode {
            Mode::StartXmit => facts.tx_sharing,
            Mode::NetifReceive => burst > 1,
            Mode::QueueXmit => false,
        };
        let node = self.node.map(|node| node as u32);
        Sending {
            burst: burst as u32,
            clone_skb: clone_skb as u32,
            kept: shared && kept,
            timestamps: !self.flag("NO_TIMESTAMP"),
            node: self.flag("NODE").then_some(node),
            complete: self.count != 0 && self.sofar >= self.count,
            impossible: self.flag("IPSEC") && self.flows != 0 && self.flag("IPV6"),
        }
    }

    /// Builds the next packet.
    pub fn packet(
        &mut self,
        facts: &StartFacts,
        rng: &mut impl Random,
        wall: (u32, u32),
    ) -> Packet {
        let ipv6 = self.flag("IPV6");
        let flow = (self.flows > 0).then(|| self.pick_flow(rng));

        let base = match self.src_mac {
            [0, 0, 0, 0, 0, 0] => facts.dev_mac,
            mac => mac,
        };
        let random = self.flag("MACSRC_RND");
        let src_mac = mac(
            base,
            self.src_mac_count,
            &mut self.src_mac_offset,
            random,
            rng,
        );
        let random = self.flag("MACDST_RND");
        let offset = &mut self.dst_mac_offset;
        let dst_mac = mac(self.dst_mac, self.dst_mac_count, offset, random, rng);

        self.vary_tags(rng);
        let random = self.flag("UDPSRC_RND");
        self.cur_udp_src = port(self.udp_src, self.cur_udp_src, random, rng);
        let random = self.flag("UDPDST_RND");
        self.cur_udp_dst = port(self.udp_dst, self.cur_udp_dst, random, rng);
        if ipv6 {
            self.vary_ipv6(rng);
        } else {
            self.vary_ipv4(flow, rng);
        }
        self.vary_size(rng);
        self.vary_queue(facts, rng);

        let mut added = 0;
        if let Some(index) = flow {
            let flow = self.slots.entry(index).or_default();
            flow.packets += 1;
            added = flow.begun.map_or(0, |(_, header)| header);
        }
        let len = self.frame_len(added);
        let frame = Naive {
            dst_mac,
            src_mac,
            tags: self.tags(),
            tos: if ipv6 { self.traffic_class } else { self.tos },
            id: self.ip_id,
            saddr: match ipv6 {
                true => self.saddr6.to_vec(),
                false => self.saddr.to_be_bytes().to_vec(),
            },
            daddr: match ipv6 {
                true => self.daddr6.to_vec(),
                false => self.daddr.to_be_bytes().to_vec(),
            },
            ports: (self.cur_udp_src, self.cur_udp_dst),
            csum: self.checksum(facts),
            seq: self.seq_num,
            wall: match self.flag("NO_TIMESTAMP") {
                true => (0, 0),
                false => wall,
            },
            len,
        };
        if !ipv6 {
            self.ip_id = self.ip_id.wrapping_add(1);
        }
        let protocol = self.tags();
        Packet {
            frame: frame.frame(),
            fragments: self.fragments(len - self.headers(), facts),
            queue: self.cur_queue,
            priority: self.skb_priority as u32,
            l2_len: self.l2_len() as u16,
            l4_offset: self.l4_offset() as u16,
            protocol: u16::from_be_bytes([protocol[0], protocol[1]]),
            csum_partial: self.checksum(facts) == Csum::Partial,
            secured: flow
                .filter(|_| self.flag("IPSEC"))
                .map(|index| index as u32),
        }
    }

    fn pick_flow(&mut self, rng: &mut impl Random) -> u64 {
        if self.flag("FLOW_SEQ") {
            let flow = self.slots.entry(self.flow_cursor).or_default();
            if flow.packets >= self.flowlen {
                *flow = Flow::default();
                self.flow_cursor += 1;
                if self.flow_cursor >= self.flows {
                    self.flow_cursor = 0;
                }
            }
        } else {
            self.flow_cursor = u64::from(rng.below(self.flows as u32));
            let flow = self.slots.entry(self.flow_cursor).or_default();
            if flow.packets > self.flowlen {
                *flow = Flow::default();
            }
        }
        self.flow_cursor
    }

    fn vary_tags(&mut self, rng: &mut impl Random) {
        if self.flag("MPLS_RND") {
            for entry in &mut self.mpls {
                if *entry & 0x100 != 0 {
                    *entry = (rng.u32() & 0xffff_f000) | (*entry & 0xfff);
                }
            }
        }
        if self.flag("VID_RND") && self.vlan.on {
            self.vlan.id = rng.below(4096) as u16;
        }
        if self.flag("SVID_RND") && self.svlan.on {
            self.svlan.id = rng.below(4096) as u16;
        }
    }

    fn vary_ipv4(&mut self, flow: Option<u64>, rng: &mut impl Random) {
        let range = Range {
            min: u64::from(self.src.min.addr),
            max: u64::from(self.src.max.addr),
        };
        let random = self.flag("IPSRC_RND");
        self.saddr = number(range, self.saddr.into(), random, rng) as u32;

        let begun = flow.and_then(|index| self.slots.entry(index).or_default().begun);
        if let Some((daddr, _)) = begun {
            self.daddr = daddr;
            return;
        }
        let range = Range {
            min: u64::from(self.dst.min.addr),
            max: u64::from(self.dst.max.addr),
        };
        let random = self.flag("IPDST_RND");
        self.daddr = number(range, self.daddr.into(), random, rng) as u32;
        if range.min < range.max && random {
            // A range of nothing but these must not take for ever.
            let mut redraws = 0;
            while redraws < 64 && !sendable(self.daddr) {
                self.daddr = number(range, 0, true, rng) as u32;
                redraws += 1;
            }
        }
        if let Some(index) = flow {
            let header = match self.flag("IPSEC") {
                true => header_len(index as u32, self.saddr, self.daddr),
                false => 0,
            };
            self.slots.entry(index).or_default().begun = Some((self.daddr, header));
            self.flows_begun = self.flows_begun.wrapping_add(1);
        }
    }

    fn vary_ipv6(&mut self, rng: &mut impl Random) {
        if self.dst6_mask.min == [0; 16] {
            return;
        }
        // Without bits that may be set, the ones that must be are the address.
        let max = match self.dst6_mask.max {
            [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] => self.dst6_mask.min,
            max => max,
        };
        for word in 0..4 {
            let random = rng.u32().to_be_bytes();
            for (at, random) in (4 * word..).zip(random) {
                self.daddr6[at] = (random | self.dst6_mask.min[at]) & max[at];
            }
        }
    }

    fn vary_size(&mut self, rng: &mut impl Random) {
        if self.size.min < self.size.max {
            let random = self.flag("TXSIZE_RND");
            self.cur_size = number(self.size, self.cur_size, random, rng);
            return;
        }
        if self.imix.is_empty() {
            return;
        }
        let total: u64 = self.imix.iter().map(|(_, weight)| weight).sum();
        let mut drawn = match u32::try_from(total) {
            Ok(total) => u64::from(rng.below(total)),
            // A fraction of 64 bits, high half first.
            Err(_) => {
                let high = u128::from(rng.u32()) << 32;
                let fraction = high + u128::from(rng.u32());
                ((fraction * u128::from(total)) >> 64) as u64
            }
        };
        for (entry, (size, weight)) in self.imix.iter().enumerate() {
            if drawn < *weight {
                self.imix_entry = entry;
                self.cur_size = *size;
                return;
            }
            drawn -= weight;
        }
        unreachable!("more was drawn than there is");
    }

    fn vary_queue(&mut self, facts: &StartFacts, rng: &mut impl Random) {
        let (min, max) = (u64::from(self.queue.min), u64::from(self.queue.max));
        let queue = if self.flag("QUEUE_MAP_CPU") {
            u64::from(facts.cpu)
        } else if min > max {
            u64::from(self.cur_queue)
        } else if min == max {
            min
        } else if self.flag("QUEUE_MAP_RND") {
            min + u64::from(rng.below((max - min + 1) as u32))
        } else {
            if self.queue_cursor < min || self.queue_cursor > max {
                self.queue_cursor = min;
            }
            self.queue_cursor += 1;
            self.queue_cursor - 1
        };
        self.cur_queue = (queue % u64::from(facts.real_num_tx_queues.max(1))) as u16;
    }

    /// Everything from the first Ethernet type to the network header.
    fn tags(&self) -> Vec<u8> {
        let network = if self.flag("IPV6") { 0x86ddu16 } else { 0x0800 };
        let mut tags = Vec::new();
        if let Some((last, others)) = self.mpls.split_last() {
            tags.extend(0x8847u16.to_be_bytes());
            for entry in others {
                tags.extend((entry & !0x100).to_be_bytes());
            }
            tags.extend((last | 0x100).to_be_bytes());
            return tags;
        }
        for tag in [self.svlan, self.vlan] {
            if tag.on {
                tags.extend(0x8100u16.to_be_bytes());
                tags.extend(tci(tag).to_be_bytes());
            }
        }
        tags.extend(network.to_be_bytes());
        tags
    }

    fn checksum(&self, facts: &StartFacts) -> Csum {
        let offload = match self.flag("IPV6") {
            true => facts.csum_ipv6,
            false => facts.csum_ipv4,
        };
        match self.flag("UDPCSUM") {
            false => Csum::None,
            // What IPsec transforms must be complete.
            true if offload && !(self.flag("IPSEC") && self.flows != 0) => Csum::Partial,
            true => Csum::Full,
        }
    }

    /// The lengths of the fragments that a payload is put into.
    fn fragments(&self, payload: usize, facts: &StartFacts) -> Vec<u32> {
        let page = facts.page_size as usize;
        let count = (self.frags as usize)
            .min(usize::from(facts.max_frags))
            .min(payload);
        let mut left = payload.min(count * page);
        let mut fragments = Vec::new();
        for number in 1..=count {
            let length = if number < count {
                payload.min(count * page) / count
            } else {
                left.min(page)
            };
            fragments.push(length as u32);
            left -= length;
        }
        fragments
    }

    /// `n` copies of a packet were sent.
    pub fn sent(&mut self, n: u32, len: usize) {
        self.sofar += u64::from(n);
        self.seq_num = self.seq_num.wrapping_add(n);
        self.tx_bytes += u64::from(n) * len as u64;
        self.last_len = len;
        if !self.imix.is_empty() && self.size.min >= self.size.max {
            self.imix_counts[self.imix_entry] += u64::from(n);
        }
    }

    /// The run ends.
    pub fn finish(&mut self, frags: i32, facts: &StartFacts, now_ns: u64, why: &str) {
        let elapsed_ns = u128::from(now_ns.saturating_sub(self.started_ns));
        let per_second = |number: u128| number * 1_000_000_000 / elapsed_ns.max(1);
        let cut = |number: u128| u64::try_from(number).unwrap_or(u64::MAX);
        let pps = cut(per_second(self.sofar.into()));
        let len = self.last_len as u128;
        let bps = if u128::from(self.sofar) * len == u128::from(self.tx_bytes) {
            cut(u128::from(pps) * 8 * len)
        } else {
            cut(per_second(u128::from(self.tx_bytes) * 8))
        };
        let elapsed = elapsed_ns / 1000;
        let idle = self.idle_ns / 1000;
        let busy = elapsed_ns.saturating_sub(self.idle_ns.into()) / 1000;
        self.result = format!(
            "OK: {elapsed}(c{busy}+d{idle}) usec, {} ({len}byte,{frags}frags)\n  {pps}pps {}Mb/sec ({bps}bps) errors: {}\n  ended: {why}",
            self.sofar,
            bps / 1_000_000,
            self.errors
        )
        .into_bytes();
        if self.sending(facts).impossible {
            self.result = b"ERROR: flag IPSEC is for IPv4: clear it, or IPV6".to_vec();
        }
        self.stopped_ns = now_ns;
        self.running = false;
    }
}

fn tci(tag: Tag) -> u16 {
    tag.priority * 0x2000 + tag.cfi * 0x1000 + tag.id
}

/// Not loopback, multicast, broadcast or null.
fn sendable(addr: u32) -> bool {
    let first = addr >> 24;
    first != 127 && !(224..240).contains(&first) && addr != 0 && addr != 0xffff_ffff
}

fn mac(
    base: [u8; 6],
    count: u32,
    offset: &mut u32,
    random: bool,
    rng: &mut impl Random,
) -> [u8; 6] {
    if count <= 1 {
        return base;
    }
    let mut add = if random {
        rng.below(count)
    } else {
        let add = *offset;
        *offset = if add >= count - 1 { 0 } else { add + 1 };
        add
    };
    // With carry, but not into the first byte.
    let mut mac = base;
    let mut carry = 0;
    for byte in mac[1..].iter_mut().rev() {
        let sum = u32::from(*byte) + (add & 0xff) + carry;
        *byte = sum as u8;
        carry = sum >> 8;
        add >>= 8;
    }
    mac
}

/// A port: the upper end is not used.
fn port(range: Range<u16>, current: u16, random: bool, rng: &mut impl Random) -> u16 {
    if range.min >= range.max {
        return current;
    }
    if random {
        return range.min + rng.below(u32::from(range.max - range.min)) as u16;
    }
    if current >= range.max - 1 {
        return range.min;
    }
    current + 1
}

/// An address or a size: the upper end is used in sequence only.
fn number(range: Range<u64>, current: u64, random: bool, rng: &mut impl Random) -> u64 {
    if range.min >= range.max {
        return current;
    }
    if random {
        return range.min + u64::from(rng.below((range.max - range.min) as u32));
    }
    if current >= range.max {
        return range.min;
    }
    current + 1
}
