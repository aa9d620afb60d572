// SPDX-License-Identifier: GPL-2.0

//! Packets of structured configurations: an input is a list of settings, which are written to
//! the device file, and of what happens to a run in between.

#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use rpktgen_core_fuzz::check::Pair;
use rpktgen_core_fuzz::model::{Host, FLAGS};

#[derive(Arbitrary, Debug)]
struct Input {
    sharing: bool,
    seed: u32,
    steps: Vec<Step>,
}

#[derive(Arbitrary, Debug)]
enum Step {
    Sizes(Ends<Size>),
    Size(Size),
    Ports(bool, Ends<u16>),
    Sources(Ends<Ipv4>),
    Destinations(Ends<Ipv4>),
    Source6(Ipv6),
    Destination6(Ipv6),
    Mask6(Ipv6, Ipv6),
    Macs(bool, [u8; 6], Number),
    Queues(Ends<u8>),
    Flag(bool, u8),
    Flows(Number, u8),
    Imix(Vec<(Size, Number)>),
    Labels(Vec<u32>),
    Tag(Option<u16>, u8),
    OuterTag(Option<u16>, u8),
    Marking(u8, u8),
    Fragments(u8, u8),
    Misc(u8, Number),
    Facts(Facts),
    Packets(u8),
    Run(u8),
    End(i8),
}

/// A lower and an upper end, mostly in this order.
#[derive(Arbitrary, Debug)]
enum Ends<T> {
    Near(T, u8),
    Any(T, T),
}

#[derive(Arbitrary, Debug)]
enum Number {
    Small(u8),
    Any(u64),
}

/// Mostly small, so that there is time for many.
#[derive(Arbitrary, Debug)]
enum Size {
    Small(u8),
    Medium(u16),
    Large(u16),
}

#[derive(Arbitrary, Debug)]
enum Ipv4 {
    Near(u8),
    Multicast(u8),
    Top(u8),
    Any(u32),
}

#[derive(Arbitrary, Debug)]
enum Ipv6 {
    None,
    Near(u16),
    Any([u8; 16]),
}

#[derive(Arbitrary, Debug)]
struct Facts {
    dev_mac: [u8; 6],
    ifa_local: Option<[u8; 4]>,
    link_local6: Option<[u8; 16]>,
    queues: u8,
    cpu: u8,
    csum: (bool, bool),
}

impl Number {
    fn value(&self) -> u64 {
        match *self {
            Number::Small(number) => number.into(),
            Number::Any(number) => number % 10_000_000_000,
        }
    }
}

impl Size {
    fn value(&self) -> u64 {
        match *self {
            Size::Small(size) => size.into(),
            Size::Medium(size) => u64::from(size) % 2000,
            Size::Large(size) => size.into(),
        }
    }
}

impl Ipv4 {
    fn value(&self) -> u32 {
        match *self {
            Ipv4::Near(low) => 0xc612_0000 | u32::from(low),
            Ipv4::Multicast(low) => 0xe000_0000 | u32::from(low),
            Ipv4::Top(low) => 0xffff_ff00 | u32::from(low),
            Ipv4::Any(addr) => addr,
        }
    }
}

fn ipv4(addr: u64) -> String {
    std::net::Ipv4Addr::from(addr as u32).to_string()
}

impl Ipv6 {
    fn text(&self) -> String {
        match self {
            Ipv6::None => "::".to_string(),
            Ipv6::Near(low) => format!("fd00::{low:x}"),
            Ipv6::Any(addr) => std::net::Ipv6Addr::from(*addr).to_string(),
        }
    }
}

impl<T> Ends<T> {
    fn values(&self, value: impl Fn(&T) -> u64) -> (u64, u64) {
        match self {
            Ends::Near(min, width) => (value(min), value(min) + u64::from(*width)),
            Ends::Any(min, max) => (value(min), value(max)),
        }
    }
}

/// The commands of a setting.
fn commands(step: &Step) -> Vec<String> {
    let range = |(min, max): (u64, u64), name: &str| {
        vec![format!("{name}_min {min}"), format!("{name}_max {max}")]
    };
    let addresses = |(min, max): (u64, u64), name: &str| {
        let (min, max) = (ipv4(min), ipv4(max.min(u64::from(u32::MAX))));
        vec![format!("{name}_min {min}"), format!("{name}_max {max}")]
    };
    match step {
        Step::Sizes(ends) => {
            let (min, max) = ends.values(Size::value);
            vec![format!("min_pkt_size {min}"), format!("max_pkt_size {max}")]
        }
        Step::Size(size) => vec![format!("pkt_size {}", size.value())],
        Step::Ports(true, ends) => range(ends.values(|port| (*port).into()), "udp_src"),
        Step::Ports(false, ends) => range(ends.values(|port| (*port).into()), "udp_dst"),
        Step::Sources(ends) => addresses(ends.values(|addr| addr.value().into()), "src"),
        Step::Destinations(ends) => addresses(ends.values(|addr| addr.value().into()), "dst"),
        Step::Source6(addr) => vec![format!("src6 {}", addr.text())],
        Step::Destination6(addr) => vec![format!("dst6 {}", addr.text())],
        Step::Mask6(min, max) => vec![
            format!("dst6_min {}", min.text()),
            format!("dst6_max {}", max.text()),
        ],
        Step::Macs(source, mac, count) => {
            let name = if *source { "src_mac" } else { "dst_mac" };
            let mac: Vec<String> = mac.iter().map(|byte| format!("{byte:02X}")).collect();
            vec![
                format!("{name} {}", mac.join(":")),
                format!("{name}_count {}", count.value()),
            ]
        }
        Step::Queues(ends) => range(ends.values(|queue| (*queue).into()), "queue_map"),
        Step::Flag(set, index) => {
            let (name, _) = FLAGS[usize::from(*index) % FLAGS.len()];
            vec![format!("flag {}{name}", if *set { "" } else { "!" })]
        }
        Step::Flows(flows, flowlen) => vec![
            format!("flows {}", flows.value()),
            format!("flowlen {flowlen}"),
        ],
        Step::Imix(entries) => {
            let entries = entries
                .iter()
                .map(|(size, weight)| format!("{},{}", size.value(), weight.value()));
            vec![format!(
                "imix_weights {}",
                entries.collect::<Vec<_>>().join(" ")
            )]
        }
        Step::Labels(labels) => {
            let labels: Vec<String> = labels.iter().map(|label| format!("{label:x}")).collect();
            vec![format!("mpls {}", labels.join(","))]
        }
        Step::Tag(id, bits) => tag("vlan", *id, *bits),
        Step::OuterTag(id, bits) => tag("svlan", *id, *bits),
        Step::Marking(tos, class) => vec![
            format!("tos {tos:02x}"),
            format!("traffic_class {class:02x}"),
        ],
        Step::Fragments(frags, _) => vec![format!("frags {frags}")],
        Step::Misc(which, number) => {
            const NAMES: &[&str] = &[
                "count",
                "delay",
                "burst",
                "clone_skb",
                "skb_priority",
                "node",
                "spi",
                "flowlen",
                "xmit_mode",
                "clear_counters",
            ];
            match NAMES[usize::from(*which) % NAMES.len()] {
                "xmit_mode" => {
                    let modes = ["start_xmit", "netif_receive", "queue_xmit"];
                    vec![format!(
                        "xmit_mode {}",
                        modes[(number.value() % 3) as usize]
                    )]
                }
                name => vec![format!("{name} {}", number.value())],
            }
        }
        Step::Facts(_) | Step::Packets(_) | Step::Run(_) | Step::End(_) => Vec::new(),
    }
}

fn tag(name: &str, id: Option<u16>, bits: u8) -> Vec<String> {
    let id = id.map_or(4096, |id| id % 4096);
    vec![
        format!("{name}_id {id}"),
        format!("{name}_p {}", bits % 8),
        format!("{name}_cfi {}", bits / 8 % 2),
    ]
}

fuzz_target!(|input: Input| {
    let host = Host {
        sharing: input.sharing,
        ipsec: true,
    };
    let mut pair = Pair::new(host, input.seed);
    let mut budget = 150_000;
    for step in input.steps.iter().take(64) {
        for command in commands(step) {
            pair.write(command.as_bytes(), false);
        }
        match step {
            Step::Facts(facts) => {
                pair.facts.dev_mac = facts.dev_mac;
                pair.facts.ifa_local = facts.ifa_local;
                pair.facts.link_local6 = facts.link_local6;
                pair.facts.real_num_tx_queues = facts.queues.into();
                pair.facts.cpu = facts.cpu.into();
                (pair.facts.csum_ipv4, pair.facts.csum_ipv6) = facts.csum;
                pair.sync();
            }
            Step::Fragments(_, limits) => {
                // Pages smaller than there are: what is special at their ends comes up more often.
                pair.facts.page_size = [64, 256, 4096, 65536][usize::from(limits / 64)];
                pair.facts.max_frags = u16::from(limits % 32);
                pair.sync();
            }
            Step::Packets(n) => pair.packets(u32::from(*n) % 24, &mut budget),
            Step::Run(n) => {
                pair.start();
                pair.packets(u32::from(*n) % 24, &mut budget);
            }
            Step::End(frags) => pair.finish((*frags).into(), frags.unsigned_abs()),
            _ => {}
        }
    }
    pair.start();
    pair.packets(4, &mut budget);
    pair.finish(0, 0);
});
