// SPDX-License-Identifier: GPL-2.0
//! What holds for every text that the readers may be given.

mod common;

use common::{FRESH, LIMITED, RAN, RUNS};
use proptest::prelude::*;
use proptest::sample::{select, Index};
use rpktgen_cli::text::device::{self, Counters, Params, Vlan};
use rpktgen_cli::text::result::{self, Phase, Summary};
use rpktgen_cli::text::{control, thread};

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 512,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// Every reader, for what it must not do: panic.
fn read_all(text: &str) {
    control::parse(text);
    thread::parse(text);
    device::parse(text);
    result::parse(text);
}

/// Texts near to real ones: pieces of them, cut, doubled, mixed, with noise between.
fn mangled() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        (
            select(vec![FRESH, RAN, RUNS, LIMITED]),
            any::<Index>(),
            any::<Index>()
        )
            .prop_map(|(text, a, b)| {
                // The golden texts are ASCII: any cut is between characters.
                let (a, b) = (a.index(text.len()), b.index(text.len()));
                text[a.min(b)..a.max(b)].to_owned()
            }),
        select(vec![
            "Result: ",
            "OK: ",
            "Running: ",
            "Stopped: ",
            "Params: ",
            "Current:\n",
            "     ",
            "\n",
            ": ",
            "99999999999999999999999",
            "-1",
            "\0",
            "\u{e9}",
            "usec, ",
            "frags)\n",
            "  pps ",
            "bps) errors: ",
            "  ended: ",
        ])
        .prop_map(str::to_owned),
        ".{0,12}",
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

/// A line that is none of the known ones, wherever it stands.
fn unknown_line() -> impl Strategy<Value = String> {
    "(     |)[a-z_]{0,8}[?!#][ -~]{0,20}"
}

fn summary() -> impl Strategy<Value = Summary> {
    let part = (
        any::<u64>(),
        any::<i64>(),
        any::<u64>(),
        any::<u64>(),
        any::<i64>(),
        -1..20_i64,
    );
    let ended = prop::option::of("[ -~]{1,30}");
    (part, any::<[u64; 4]>(), ended).prop_map(
        |((elapsed_us, busy_us, idle_us, packets, size, frags), rates, ended)| {
            let [pps, mbps, bps, errors] = rates;
            Summary {
                elapsed_us,
                busy_us,
                idle_us,
                packets,
                size,
                frags,
                pps,
                mbps,
                bps,
                errors,
                ended,
                // Not in the text; compared apart.
                ns_per_packet: None,
            }
        },
    )
}

/// The kernel's side, from the description of the format.
fn print_summary(s: &Summary) -> String {
    let ended = s.ended.as_ref();
    let ended = ended.map_or_else(String::new, |why| format!("\n  ended: {why}"));
    format!(
        "OK: {}(c{}+d{}) usec, {} ({}byte,{}frags)\n  {}pps {}Mb/sec ({}bps) errors: {}{ended}",
        s.elapsed_us,
        s.busy_us as u64,
        s.idle_us,
        s.packets,
        s.size,
        s.frags,
        s.pps,
        s.mbps,
        s.bps,
        s.errors
    )
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn no_text_panics(text in any::<String>()) {
        read_all(&text);
    }

    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        read_all(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn no_mangled_text_panics(text in mangled()) {
        read_all(&text);
    }

    /// Nothing is lost: a line that is added to a text comes back as it was, alone.
    #[test]
    fn unknown_lines_are_kept(
        text in select(vec![FRESH, RAN, RUNS, LIMITED]),
        line in unknown_line(),
        place in any::<Index>(),
    ) {
        let known: Vec<_> = text.lines().collect();
        let results = known.iter().position(|l| l.starts_with("Result: ")).unwrap();
        let mut lines = known.clone();
        lines.insert(place.index(results + 1), &line);
        let (plain, added) = (device::parse(text), device::parse(&(lines.join("\n") + "\n")));
        prop_assert_eq!(added.other, vec![line]);
        prop_assert_eq!(added.params, plain.params);
        prop_assert_eq!(added.current, plain.current);
        prop_assert_eq!(added.result, plain.result);
    }

    /// A text that was cut yields no value that the whole one does not have, but for the line in
    /// which it was cut.
    #[test]
    fn cut_texts_invent_nothing(text in select(vec![FRESH, RAN, RUNS, LIMITED]), cut in any::<Index>()) {
        let end = text[..cut.index(text.len())].rfind('\n').map_or(0, |i| i + 1);
        let (whole, part) = (device::parse(text), device::parse(&text[..end]));
        prop_assert!(part.other.is_empty());
        let fields = |d: &device::DeviceText| serde_json::to_value((&d.params, &d.current)).unwrap();
        let (whole, part) = (fields(&whole), fields(&part));
        for block in 0..2 {
            for (name, value) in part[block].as_object().unwrap() {
                let unset = value.is_null() || value.as_array().is_some_and(Vec::is_empty);
                // IPv4 addresses take two lines; the mode has a line only if it is not the usual.
                let composed = name == "ipv4" || name == "xmit_mode";
                prop_assert!(unset || composed || *value == whole[block][name], "{name}");
            }
        }
    }

    #[test]
    fn summaries_come_back(s in summary()) {
        let text = print_summary(&s);
        let (read, other) = result::parse(&format!("{text}\n"));
        prop_assert!(other.is_empty());
        prop_assert_eq!(read.phase, Phase::Finished);
        prop_assert_eq!(read.text, text);
        let read = read.summary.unwrap();
        prop_assert_eq!(read.ns_per_packet.is_some(), s.packets > 0);
        prop_assert_eq!(Summary { ns_per_packet: None, ..read }, s);
    }

    #[test]
    fn threads_come_back(
        running in prop::collection::vec("[!-9;-~]{1,31}", 0..5),
        stopped in prop::collection::vec("[!-9;-~]{1,31}", 0..5),
        result in "[ -~]{1,60}",
    ) {
        let list = |names: &[String]| {
            let mut names = names.join(" ");
            names.push_str(if names.is_empty() { "" } else { " " });
            names
        };
        let text = format!("Running: {}\nStopped: {}\nResult: {result}\n", list(&running), list(&stopped));
        let read = thread::parse(&text);
        prop_assert_eq!(read.running, running);
        prop_assert_eq!(read.stopped, stopped);
        prop_assert_eq!(read.result, Some(result));
        prop_assert!(read.other.is_empty());
    }

    #[test]
    fn devices_come_back(
        count: u64, sizes: [u32; 2], frags: i32, delay: u64, clone_skb: i32, name in "[!-9;-~]{1,31}",
        queues: [u16; 2], texts: [u8; 4], ports: [u16; 4], tag in prop::option::of((0..4096u16, 0..8u8, 0..2u8)),
        burst in prop::option::of(2..u32::MAX), node in prop::option::of(0..1024i32),
        rate in prop::option::of((any::<bool>(), any::<u64>())),
        counters: [u64; 5], seq: i32,
    ) {
        let ip = texts.map(|t| if t < 64 { String::new() } else { format!("10.0.0.{t}") });
        let mut text = format!(
            "Params: count {count}  min_pkt_size: {}  max_pkt_size: {}\n     frags: {frags}  delay: {delay}  \
             clone_skb: {clone_skb}  ifname: {name}\n     queue_map_min: {}  queue_map_max: {}\n     \
             dst_min: {}  dst_max: {}\n     src_min: {}  src_max: {}\n     \
             udp_src_min: {}  udp_src_max: {}  udp_dst_min: {}  udp_dst_max: {}\n",
            sizes[0], sizes[1], queues[0], queues[1], ip[0], ip[1], ip[2], ip[3],
            ports[0], ports[1], ports[2], ports[3],
        );
        if let Some((id, p, cfi)) = tag {
            text += &format!("     vlan_id: {id}  vlan_p: {p}  vlan_cfi: {cfi}\n");
        }
        if let Some(burst) = burst {
            text += &format!("     burst: {burst}\n");
        }
        if let Some(node) = node {
            text += &format!("     node: {node}\n");
        }
        text += "     Flags: \n";
        let rate_of = |name| rate.filter(|&(packets, _)| packets == (name == "pps")).map(|(_, n)| n);
        for name in ["pps", "bps"] {
            if let Some(n) = rate_of(name) {
                text += &format!("     {name}: {n}\n");
            }
        }
        text += &format!(
            "Current:\n     pkts-sofar: {}  errors: {}\n     started: {}us  stopped: {}us \
             idle: {}us\n     seq_num: {seq}  cur_dst_mac_offset: 0  cur_src_mac_offset: 0\nResult: Idle\n",
            counters[0], counters[1], counters[2], counters[3], counters[4],
        );
        let read = device::parse(&text);
        prop_assert!(read.other.is_empty(), "{:?}", read.other);
        let [dst_min, dst_max, src_min, src_max] = ip;
        let [udp_src_min, udp_src_max, udp_dst_min, udp_dst_max] = ports.map(|p| Some(p.into()));
        prop_assert_eq!(read.params, Params {
            count: Some(count),
            min_pkt_size: Some(sizes[0]),
            max_pkt_size: Some(sizes[1]),
            frags: Some(frags.into()),
            delay_ns: Some(delay),
            clone_skb: Some(clone_skb.into()),
            ifname: Some(name),
            queue_map_min: Some(queues[0]),
            queue_map_max: Some(queues[1]),
            ipv4: Some(device::Ipv4 { dst_min, dst_max, src_min, src_max }),
            udp_src_min,
            udp_src_max,
            udp_dst_min,
            udp_dst_max,
            vlan: tag.map(|(id, p, cfi)| Vlan { id, p, cfi }),
            burst: burst.map(u64::from),
            node: node.map(i64::from),
            pps: rate_of("pps"),
            bps: rate_of("bps"),
            xmit_mode: Some("start_xmit".to_owned()),
            ..Params::default()
        });
        prop_assert_eq!(read.current, Counters {
            packets: Some(counters[0]),
            errors: Some(counters[1]),
            started_us: Some(counters[2]),
            stopped_us: Some(counters[3]),
            idle_us: Some(counters[4]),
            seq_num: Some(seq.into()),
            cur_dst_mac_offset: Some(0),
            cur_src_mac_offset: Some(0),
            ..Counters::default()
        });
    }
}

/// The golden texts are understood to the last line.
#[test]
fn golden_texts_have_no_unknown_line() {
    for text in [FRESH, RAN, RUNS, LIMITED] {
        assert!(device::parse(text).other.is_empty());
    }
}
