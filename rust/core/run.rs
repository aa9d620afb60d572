// SPDX-License-Identifier: GPL-2.0

//! The side of a pktgen device that its worker owns while a run lasts.
//!
//! ```text
//!             Run::start                          Run::finish
//!   stopped ------------> running: next, write, --------------> stopped
//!   (Device only)         sent ... per packet,                  (Device only,
//!                         sync between two sends                 summary)
//! ```
//!
//! A [`Run`] is private to its worker: nothing is locked and nothing atomic per packet.
//! [`Run::sync`] exchanges with the [`Device`] that commands and readers see.

use crate::addr;
pub use crate::config::Mode;
use crate::device::{Counters, Current, Device, Touched};
use crate::flags::Flags;
use crate::flow::{Flows, Key};
use crate::fragment::Split;
pub use crate::pacing::Pace;
use crate::pacing::Pacer;
use crate::packet::{smallest, Template};
pub use crate::plan::Memory;
use crate::plan::Plan;
pub use crate::stats::End;
use crate::stats::Summary;
use crate::tags::{Labels, Vlan};

/// What a run must know of the net device and its surroundings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StartFacts {
    /// MAC address of the net device.
    pub dev_mac: [u8; 6],
    /// First IPv4 address of the net device.
    pub ifa_local: Option<[u8; 4]>,
    /// Number of transmit queues in use.
    pub real_num_tx_queues: u16,
    /// Whether the net device can send one packet buffer several times.
    pub tx_sharing: bool,
    /// Whether the net device fills in UDP checksums over IPv4.
    pub csum_ipv4: bool,
    /// Whether the net device fills in UDP checksums over IPv6.
    pub csum_ipv6: bool,
    /// First link-local IPv6 address of the net device that is not tentative.
    pub link_local6: Option<[u8; 16]>,
    /// The most page fragments of a packet buffer.
    pub max_frags: u16,
    /// Bytes of a page.
    pub page_size: u32,
    /// Number of the worker's CPU.
    pub cpu: u16,
    /// Monotonic time in nanoseconds.
    pub now_ns: u64,
}

/// Random numbers.
pub trait Random {
    /// A uniform 32-bit number.
    fn u32(&mut self) -> u32;
    /// A uniform number below `n`, which is not 0.
    fn below(&mut self, n: u32) -> u32;
}

/// The measures of one packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Length of the frame in bytes, without FCS.
    pub len: usize,
    /// How much of it is in page fragments, behind the rest.
    pub split: Split,
    /// The slot of the flow whose security association transforms the packet.
    pub secured: Option<u32>,
    /// Transmit queue.
    pub queue: u16,
    /// Priority of the packet buffer.
    pub priority: u32,
    /// Offset of the network header.
    pub l2_len: u16,
    /// Offset of the UDP header.
    pub l4_offset: u16,
    /// Ethernet type in host byte order.
    pub protocol: u16,
    /// Whether the net device completes the UDP checksum.
    pub csum_partial: bool,
}

/// How many VLAN identifiers there are.
const VLAN_IDS: u32 = 4096;

/// A run, owned by its worker.
#[derive(Clone, Debug)]
pub struct Run {
    /// The worker's counters; [`sync`](Self::sync) publishes them.
    pub counters: Counters,
    current: Current,
    plan: Plan,
    template: Template,
    pacer: Pacer,
    mpls: Labels,
    vlan: Vlan,
    svlan: Vlan,
    /// The transmit queue that a sequence continues with.
    queue_cursor: u16,
    /// The slot of the flow that packets are from.
    flow_cursor: u32,
    /// The entry of the mix that packets are from.
    imix_entry: usize,
    /// Length of the last frame sent.
    last_len: usize,
    /// Of the device, when the plan was made.
    generation: u32,
    /// When the plan was made.
    facts: StartFacts,
}

impl Run {
    /// Prepares a device and begins a run.
    ///
    /// What is left open is chosen now and stored in the configuration: sizes, source address,
    /// transmit queues that exist. Values of varying fields begin with their minimum. Kept from
    /// run to run are the IPv4 identification, the current queue and the IPv6 addresses.
    pub fn start(device: &mut Device, facts: &StartFacts) -> Run {
        prepare(device, facts);
        device.counters = Counters::CLEARED;
        device.started_ns = facts.now_ns;
        device.result.set(b"Starting");
        device.running = true;
        device.touched = Touched::NONE;
        let plan = Plan::new(&device.config, facts, device.current.queue_map);
        let template = Template::new(&device.config, facts, &device.current);
        Run {
            counters: device.counters,
            current: device.current,
            plan,
            last_len: template.frame_len(device.current.pkt_size),
            template,
            pacer: Pacer::new(facts.now_ns),
            mpls: device.config.mpls,
            vlan: device.config.vlan,
            svlan: device.config.svlan,
            queue_cursor: device.config.queue_map_min,
            flow_cursor: 0,
            imix_entry: 0,
            generation: device.generation,
            facts: *facts,
        }
    }

    /// How packets leave.
    #[inline]
    pub fn mode(&self) -> Mode {
        self.plan.mode
    }

    /// Whether the worker keeps a reference to sent packets.
    #[inline]
    pub fn shared(&self) -> bool {
        self.plan.shared
    }

    /// Whether a packet that was sent counts as kept in the summary (flag `SHARED`), even where
    /// it is handed over for good.
    #[inline]
    pub fn counts_as_kept(&self) -> bool {
        self.plan.flagged
    }

    /// Copies sent in one go, at least 1: 1 where the buffer cannot be sent several times.
    #[inline]
    pub fn burst(&self) -> u32 {
        self.plan.burst
    }

    /// Sends of each packet, 0 and 1 being the same: 0 where the buffer cannot be sent several
    /// times.
    #[inline]
    pub fn clone_skb(&self) -> u32 {
        self.plan.clone_skb
    }

    /// Whether packets carry the time.
    #[inline]
    pub fn timestamps(&self) -> bool {
        self.plan.timestamps
    }

    /// What its flows are made of; the slots that [`next`](Self::next) gets are of this key.
    pub fn flow_key(&self) -> Key {
        self.plan.flow_key
    }

    /// In how many packets every flow has its turn, if they take turns.
    pub fn flow_round(&self) -> u32 {
        self.plan.flows.map_or(0, |walk| walk.round())
    }

    /// Where the memory of packets comes from.
    pub fn memory(&self) -> Memory {
        self.plan.memory
    }

    /// Whether nothing can be sent as configured: IPsec is for IPv4. The run is to be finished.
    #[inline]
    pub fn impossible(&self) -> bool {
        self.plan.ipsec_impossible()
    }

    /// Advances the varying fields for one packet, in the order that random numbers are drawn.
    #[inline]
    pub fn next(&mut self, flows: &mut (impl Flows + ?Sized), rng: &mut impl Random) -> Shape {
        let Self {
            plan,
            current,
            template,
            queue_cursor,
            flow_cursor,
            ..
        } = self;
        let flow = plan
            .flows
            .as_ref()
            .map(|walk| walk.next(flow_cursor, flows, rng));
        if let Some(macs) = &plan.src_mac {
            template.set_src_mac(macs.next(&mut current.src_mac_offset, rng));
        }
        if let Some(macs) = &plan.dst_mac {
            template.set_dst_mac(macs.next(&mut current.dst_mac_offset, rng));
        }
        if plan.mpls {
            self.mpls.randomise(|| rng.u32());
            template.set_mpls(&self.mpls);
        }
        if plan.vlan {
            self.vlan.id = rng.below(VLAN_IDS) as u16;
        }
        if plan.svlan {
            self.svlan.id = rng.below(VLAN_IDS) as u16;
        }
        if plan.vlan || plan.svlan {
            template.set_vlans(&self.vlan, &self.svlan);
        }
        if let Some(ports) = &plan.udp_src {
            current.udp_src = ports.next(current.udp_src, rng);
            template.set_udp_src(current.udp_src);
        }
        if let Some(ports) = &plan.udp_dst {
            current.udp_dst = ports.next(current.udp_dst, rng);
            template.set_udp_dst(current.udp_dst);
        }
        if let Some(span) = &plan.saddr {
            current.saddr = span.next(current.saddr, rng);
            template.set_saddr(current.saddr);
        }
        let mut header_len = 0;
        if let Some(index) = flow {
            let begun = flows.slot(index).and_then(|flow| flow.daddr());
            if let Some(daddr) = begun {
                current.daddr = daddr;
            } else if let Some(span) = &plan.daddr {
                current.daddr = span.next_destination(current.daddr, rng);
            }
            if begun.is_none() && !plan.ipv6 {
                let header_len = if plan.flow_key.secured {
                    flows.secure(index, current.saddr, current.daddr)
                } else {
                    0
                };
                if let Some(flow) = flows.slot(index) {
                    flow.begin(current.daddr, header_len);
                }
                current.flows = current.flows.wrapping_add(1);
            }
            if !plan.ipv6 {
                template.set_daddr(current.daddr);
            }
            header_len = flows.slot(index).map_or(0, |flow| flow.count());
        } else if let Some(span) = &plan.daddr {
            current.daddr = span.next_destination(current.daddr, rng);
            template.set_daddr(current.daddr);
        }
        if let Some(masks) = &plan.daddr6 {
            current.daddr6 = masks.next(rng);
            template.set_daddr6(current.daddr6);
        }
        if let Some(span) = &plan.pkt_size {
            current.pkt_size = span.next(current.pkt_size, rng);
        } else if let Some(mix) = &plan.imix {
            (self.imix_entry, current.pkt_size) = mix.next(rng);
        }
        // What a security association adds is within the size.
        let size = current.pkt_size.saturating_sub(header_len.into());
        let len = template.frame_len(size);
        if plan.len_varies {
            template.set_frame_len(len);
        }
        let queue = plan.queues.next(queue_cursor, rng);
        current.queue_map = queue.checked_rem(plan.num_queues).unwrap_or(0);
        Shape {
            len,
            split: Split::new(len.saturating_sub(template.len()), plan.frags, &self.facts),
            secured: flow.filter(|_| plan.flow_key.secured),
            queue: current.queue_map,
            priority: plan.priority,
            l2_len: template.l2_len(),
            l4_offset: template.l4_offset(),
            protocol: template.protocol(),
            csum_partial: template.csum_partial(),
        }
    }

    /// Fills every byte of a frame, but for the zeros in its page fragments: `frame` is as long as
    /// the shape that [`next`](Self::next) gave for it, less [`Split::total`]. `wall` is the time of
    /// day in seconds and microseconds, `None` without time stamps.
    #[inline]
    pub fn write(&mut self, frame: &mut [u8], wall: Option<(u32, u32)>) {
        let ip_id = self.current.ip_id;
        if self.template.has_ip_id() {
            self.current.ip_id = ip_id.wrapping_add(1);
        }
        let (sec, usec) = wall.unwrap_or((0, 0));
        self.template
            .fill(frame, ip_id, self.counters.seq_num, sec, usec);
    }

    /// Counts `n` packets of `len` bytes handed to the driver, the qdisc or the receive path.
    #[inline]
    pub fn sent(&mut self, n: u32, len: usize) {
        self.last_len = len;
        self.pacer.sent(self.plan.spacing, n, len);
        let counters = &mut self.counters;
        counters.sofar = counters.sofar.wrapping_add(u64::from(n));
        counters.seq_num = counters.seq_num.wrapping_add(n);
        counters.tx_bytes = u64::from(n)
            .wrapping_mul(len as u64)
            .wrapping_add(counters.tx_bytes);
        if self.plan.imix.is_some() {
            counters.imix.add(self.imix_entry, n);
        }
    }

    /// Counts a packet of `len` bytes that was refused for good.
    #[inline]
    pub fn refused(&mut self, len: usize) {
        self.pacer.sent(self.plan.spacing, 1, len);
        self.error();
    }

    /// Counts an error.
    #[inline]
    pub fn error(&mut self) {
        self.counters.errors = self.counters.errors.wrapping_add(1);
    }

    /// Whether as many packets were sent as configured.
    #[inline]
    pub fn complete(&self) -> bool {
        self.plan.count != 0 && self.counters.sofar >= self.plan.count
    }

    /// When the next packet is due.
    #[inline]
    pub fn pace(&self) -> Pace {
        self.pacer.pace(self.plan.spacing)
    }

    /// When a send is due again that was not made, or not to its end.
    #[inline]
    pub fn again(&self) -> Pace {
        self.pacer.again(self.plan.spacing)
    }

    /// When a run that is [`complete`](Self::complete) is over, as monotonic time: 0 for at once.
    #[inline]
    pub fn end_ns(&self) -> u64 {
        self.pacer.end(self.plan.spacing)
    }

    /// The wait for what [`pace`](Self::pace) said is over. Lateness is made up for by the
    /// packets that follow, within bounds.
    #[inline]
    pub fn paced(&mut self, now_ns: u64) {
        self.pacer.paced(self.plan.spacing, now_ns);
    }

    /// Counts time spent waiting, in nanoseconds.
    #[inline]
    pub fn idle(&mut self, ns: u64) {
        self.counters.idle_ns = self.counters.idle_ns.wrapping_add(ns);
    }

    /// Exchanges state with the shared side: publishes counters and current values, takes over
    /// what commands changed. The caller holds the device's lock; not for every packet.
    pub fn sync(&mut self, device: &mut Device, facts: &StartFacts) {
        self.exchange(device);
        let now_ns = facts.now_ns;
        let facts = StartFacts {
            now_ns: self.facts.now_ns,
            ..*facts
        };
        if device.generation != self.generation || facts != self.facts {
            self.generation = device.generation;
            self.facts = facts;
            let Plan {
                flow_key: key,
                spacing,
                ..
            } = self.plan;
            self.plan = Plan::new(&device.config, &facts, self.current.queue_map);
            if self.plan.spacing != spacing {
                // Neither what was to be waited for nor what was late goes over.
                self.pacer = Pacer::new(now_ns);
            }
            if self.plan.flow_key != key {
                self.flow_cursor = 0;
            }
            self.template = Template::new(&device.config, &facts, &self.current);
            self.mpls = device.config.mpls;
            self.vlan = device.config.vlan;
            self.svlan = device.config.svlan;
        }
    }

    /// Values that a command touched go to the worker, all others to the device.
    fn exchange(&mut self, device: &mut Device) {
        let touched = device.touched;
        device.touched = Touched::NONE;
        if touched.has(Touched::COUNTERS) {
            self.counters = device.counters;
        }
        let (ours, theirs) = (&mut self.current, &device.current);
        if touched.has(Touched::SADDR) {
            ours.saddr = theirs.saddr;
        }
        if touched.has(Touched::DADDR) {
            ours.daddr = theirs.daddr;
        }
        if touched.has(Touched::UDP_SRC) {
            ours.udp_src = theirs.udp_src;
        }
        if touched.has(Touched::UDP_DST) {
            ours.udp_dst = theirs.udp_dst;
        }
        if touched.has(Touched::PKT_SIZE) {
            ours.pkt_size = theirs.pkt_size;
        }
        if touched.has(Touched::SADDR6) {
            ours.saddr6 = theirs.saddr6;
        }
        if touched.has(Touched::DADDR6) {
            ours.daddr6 = theirs.daddr6;
        }
        if touched.has(Touched::SRC_MAC_OFFSET) {
            ours.src_mac_offset = theirs.src_mac_offset;
        }
        if touched.has(Touched::DST_MAC_OFFSET) {
            ours.dst_mac_offset = theirs.dst_mac_offset;
        }
        device.counters = self.counters;
        device.current = self.current;
        // Random tags and labels show in the configuration, unless a command was there since.
        if self.plan.tags_vary() && device.generation == self.generation {
            device.config.mpls = self.mpls;
            device.config.vlan = self.vlan;
            device.config.svlan = self.svlan;
        }
    }

    /// Ends the run: publishes everything and leaves the summary as the device's result.
    /// `frags` are the page fragments of the packet held until now, -1 if none was held.
    pub fn finish(mut self, device: &mut Device, frags: i32, now_ns: u64, end: End) {
        self.exchange(device);
        if self.impossible() {
            device
                .result
                .set(b"ERROR: flag IPSEC is for IPv4: clear it, or IPV6");
        } else {
            let summary = Summary {
                counters: device.counters,
                elapsed_ns: now_ns.saturating_sub(device.started_ns),
                frame_len: self.last_len,
                frags,
                end,
            };
            device.result.replace(format_args!("{summary}"));
        }
        device.stopped_ns = now_ns;
        device.running = false;
    }
}

/// What a start chooses and resets on the shared side.
fn prepare(device: &mut Device, facts: &StartFacts) {
    let Device {
        config, current, ..
    } = device;
    let ipv6 = config.flags.has(Flags::IPV6);
    let last_queue = facts.real_num_tx_queues.saturating_sub(1);
    config.queue_map_min = config.queue_map_min.min(last_queue);
    config.queue_map_max = config.queue_map_max.min(last_queue);

    if config.min_pkt_size == 0 {
        config.min_pkt_size = smallest(config);
    }
    config.max_pkt_size = config.max_pkt_size.max(config.min_pkt_size);
    if ipv6 && current.saddr6 == [0; 16] {
        current.saddr6 = facts.link_local6.unwrap_or_default();
    }
    // A start without a source has put the net device's address in place of both sources.
    for source in [&mut config.src_min, &mut config.src_max] {
        source.addr = addr::parse_ipv4(source.text.as_bytes()).unwrap_or(0);
    }
    if config.src_min.text.is_empty() {
        let own = u32::from_be_bytes(facts.ifa_local.unwrap_or_default());
        config.src_min.addr = own;
        config.src_max.addr = own;
    }

    current.pkt_size = config.min_pkt_size;
    current.src_mac_offset = 0;
    current.dst_mac_offset = 0;
    current.saddr = config.src_min.addr;
    current.daddr = config.dst_min.addr;
    current.udp_src = config.udp_src_min;
    current.udp_dst = config.udp_dst_min;
    current.flows = 0;
}
