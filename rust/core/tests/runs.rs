// SPDX-License-Identifier: GPL-2.0

//! What a run prepares, counts, varies and exchanges with commands.

mod common;

use common::*;
use rpktgen_core::device::{Counters, Device};
use rpktgen_core::run::{End, Mode, Pace, Run, StartFacts};

fn start(commands: &[&str]) -> (Device, Run) {
    let mut device = configured(commands);
    let run = Run::start(&mut device, &FACTS);
    (device, run)
}

/// Builds `n` packets and collects something of each.
fn collect<T>(commands: &[&str], n: usize, field: fn(&Device) -> T) -> Vec<T> {
    let (mut device, mut run) = start(commands);
    let mut rng = Ends::default();
    (0..n)
        .map(|_| {
            run.next(&mut [][..], &mut rng);
            run.sync(&mut device, &FACTS);
            field(&device)
        })
        .collect()
}

#[test]
fn start_prepares_the_device() {
    let (device, run) = start(&["queue_map_min 7", "queue_map_max 9", "max_pkt_size 50"]);
    assert!(device.running);
    assert_eq!(device.started_ns, FACTS.now_ns);
    assert_eq!(result(&device), "Starting");
    assert_eq!(device.counters, Counters::CLEARED);
    assert_eq!(run.counters, Counters::CLEARED);
    let config = &device.config;
    assert_eq!((config.queue_map_min, config.queue_map_max), (3, 3));
    // No size was set: headers and pktgen header. The maximum follows the minimum.
    assert_eq!((config.min_pkt_size, config.max_pkt_size), (58, 58));
    assert_eq!(device.current.pkt_size, 58);
    assert_eq!(device.current.saddr, 0xc000_0207);
    assert_eq!((device.current.udp_src, device.current.udp_dst), (9, 9));
}

#[test]
fn source_addresses() {
    type Row = (&'static [&'static str], Option<[u8; 4]>, (u32, u32));
    let rows: &[Row] = &[
        (&[], None, (0, 0)),
        (&[], Some([192, 0, 2, 1]), (0xc000_0201, 0xc000_0201)),
        // A maximum alone counts for nothing.
        (
            &["src_max 10.0.0.9"],
            Some([192, 0, 2, 1]),
            (0xc000_0201, 0xc000_0201),
        ),
        (
            &["src_min 10.0.0.1"],
            Some([192, 0, 2, 1]),
            (0x0a00_0001, 0),
        ),
        (
            &["src_min 10.0.0.1", "src_max 10.0.0.9"],
            None,
            (0x0a00_0001, 0x0a00_0009),
        ),
    ];
    for (commands, ifa_local, want) in rows {
        let mut device = configured(commands);
        let facts = StartFacts {
            ifa_local: *ifa_local,
            ..FACTS
        };
        let run = Run::start(&mut device, &facts);
        let config = &device.config;
        assert_eq!(
            (config.src_min.addr, config.src_max.addr),
            *want,
            "{commands:?}"
        );
        run.finish(&mut device, 0, 2, End::Complete);
        // The maximum that was written is used once there is a minimum.
        set(&mut device, &["src_min 10.0.0.2"]);
        Run::start(&mut device, &facts);
        let max = if commands.iter().any(|c| c.starts_with("src_max")) {
            0x0a00_0009
        } else {
            0
        };
        assert_eq!(
            (device.config.src_min.addr, device.config.src_max.addr),
            (0x0a00_0002, max)
        );
    }
}

/// What a run leaves to the next one, and what it does not.
#[test]
fn restart() {
    let (mut device, mut run) = start(&["udp_src_max 19", "udp_dst_max 19"]);
    for _ in 0..3 {
        frame(&mut run, &mut Ends::default(), None);
        run.sent(1, 58);
    }
    run.error();
    run.idle(5);
    run.finish(&mut device, 0, 2_000_000, End::Complete);
    assert!(!device.running);
    assert_eq!(device.stopped_ns, 2_000_000);
    assert_eq!((device.counters.sofar, device.counters.seq_num), (3, 4));
    assert_eq!(device.current.udp_src, 12);

    let mut run = Run::start(&mut device, &FACTS);
    assert_eq!(device.counters, Counters::CLEARED);
    assert_eq!(device.current.udp_src, 9);
    let bytes = frame(&mut run, &mut Ends::default(), None);
    // The IPv4 identification goes on, the sequence number begins anew.
    assert_eq!(bytes[18..20], [0, 3]);
    assert_eq!(bytes[46..50], [0, 0, 0, 1]);
    // IPv6 packets take no identification.
    set(&mut device, &["dst6 fd00::1"]);
    run.sync(&mut device, &FACTS);
    frame(&mut run, &mut Ends::default(), None);
    run.sync(&mut device, &FACTS);
    assert_eq!(device.current.ip_id, 4);
}

#[test]
fn counting() {
    let (mut device, mut run) = start(&["count 10"]);
    run.sent(4, 60);
    run.sent(5, 0);
    run.error();
    assert!(!run.complete());
    run.sent(2, 60);
    assert!(run.complete());
    run.sync(&mut device, &FACTS);
    let want = Counters {
        sofar: 11,
        tx_bytes: 360,
        errors: 1,
        idle_ns: 0,
        seq_num: 12,
        ..Counters::CLEARED
    };
    assert_eq!(device.counters, want);
    // Never complete without a count; a count may be raised and lowered during a run.
    for (command, complete) in [("count 0", false), ("count 11", true), ("count 12", false)] {
        set(&mut device, &[command]);
        run.sync(&mut device, &FACTS);
        assert_eq!(run.complete(), complete, "{command}");
    }
    // Sequence numbers wrap.
    run.counters.seq_num = u32::MAX;
    run.sent(2, 60);
    assert_eq!(run.counters.seq_num, 1);
}

/// How often one packet is sent: the settings, whether the net device shares, (burst, clone_skb).
#[test]
fn effective_sharing() {
    let rows: &[(&[&str], bool, (u32, u32))] = &[
        (&["burst 8", "clone_skb 5"], true, (8, 5)),
        (&["burst 8", "clone_skb 5"], false, (1, 0)),
        // Never again while a qdisc may still hold it.
        (
            &["burst 8", "clone_skb 5", "xmit_mode queue_xmit"],
            true,
            (1, 0),
        ),
        (&["xmit_mode netif_receive", "burst 8"], false, (8, 0)),
        (
            &["xmit_mode netif_receive", "burst 8", "xmit_mode start_xmit"],
            false,
            (1, 0),
        ),
        (
            &["xmit_mode netif_receive", "burst 8", "xmit_mode queue_xmit"],
            false,
            (1, 0),
        ),
        (&["flag !SHARED"], true, (1, 0)),
    ];
    for (commands, tx_sharing, want) in rows {
        let mut device = configured(commands);
        let facts = StartFacts {
            tx_sharing: *tx_sharing,
            ..FACTS
        };
        let run = Run::start(&mut device, &facts);
        assert_eq!((run.burst(), run.clone_skb()), *want, "{commands:?}");
        let flagged = !commands.contains(&"flag !SHARED");
        assert_eq!(run.counts_as_kept(), flagged);
        let kept = match run.mode() {
            Mode::StartXmit => *tx_sharing,
            Mode::NetifReceive => run.burst() > 1,
            Mode::QueueXmit => false,
        };
        assert_eq!(run.shared(), flagged && kept, "{commands:?}");
    }
    // Commands do not let it come to this.
    let mut device = configured(&["flag !SHARED"]);
    (device.config.burst, device.config.clone_skb) = (8, 5);
    let run = Run::start(&mut device, &FACTS);
    assert_eq!((run.burst(), run.clone_skb()), (1, 0));
}

#[test]
fn ranges() {
    let src_ports = |commands| collect(commands, 4, |d| d.current.udp_src);
    assert_eq!(src_ports(&["udp_src_max 11"]), [10, 9, 10, 9]);
    assert_eq!(src_ports(&["udp_src_max 10"]), [9, 9, 9, 9]);
    assert_eq!(src_ports(&["udp_src_max 8"]), [9, 9, 9, 9]);
    assert_eq!(
        src_ports(&["udp_src_max 109", "flag UDPSRC_RND"]),
        [9, 108, 9, 108]
    );
    let dst_ports = |commands| collect(commands, 4, |d| d.current.udp_dst);
    assert_eq!(dst_ports(&["udp_dst_max 11"]), [10, 9, 10, 9]);
    assert_eq!(
        dst_ports(&["udp_dst_max 109", "flag UDPDST_RND"]),
        [9, 108, 9, 108]
    );
    let dst = |commands| collect(commands, 4, |d| d.current.daddr & 0xff);
    assert_eq!(dst(&["dst_min 10.0.0.1", "dst_max 10.0.0.3"]), [2, 3, 1, 2]);
    assert_eq!(
        dst(&["dst_min 10.0.0.1", "dst_max 10.0.0.3", "flag IPDST_RND"]),
        [1, 2, 1, 2]
    );
    let src = |commands| collect(commands, 4, |d| d.current.saddr & 0xff);
    assert_eq!(src(&["src_min 10.0.0.1", "src_max 10.0.0.3"]), [2, 3, 1, 2]);
    assert_eq!(
        src(&["src_min 10.0.0.1", "src_max 10.0.0.3", "flag IPSRC_RND"]),
        [1, 2, 1, 2]
    );
    let sizes = |commands| collect(commands, 4, |d| d.current.pkt_size);
    assert_eq!(
        sizes(&["min_pkt_size 60", "max_pkt_size 62"]),
        [61, 62, 60, 61]
    );
    assert_eq!(
        sizes(&["min_pkt_size 60", "max_pkt_size 62", "flag TXSIZE_RND"]),
        [60, 61, 60, 61]
    );
    let queues = |commands| collect(commands, 5, |d| d.current.queue_map);
    assert_eq!(queues(&[]), [0; 5]);
    assert_eq!(
        queues(&["queue_map_min 1", "queue_map_max 3"]),
        [1, 2, 3, 1, 2]
    );
    assert_eq!(queues(&["queue_map_min 3", "queue_map_max 3"]), [3; 5]);
    assert_eq!(
        queues(&["queue_map_min 1", "queue_map_max 3", "flag QUEUE_MAP_RND"]),
        [1, 3, 1, 3, 1]
    );
    assert_eq!(queues(&["queue_map_min 2", "queue_map_max 1"]), [0; 5]);
    assert_eq!(queues(&["queue_map_min 3", "flag QUEUE_MAP_CPU"]), [1; 5]);
}

/// A random range with nothing but multicast addresses does not keep the worker.
#[test]
fn multicast_only() {
    let first = collect(
        &[
            "dst_min 224.0.0.0",
            "dst_max 239.255.255.255",
            "flag IPDST_RND",
        ],
        3,
        |d| d.current.daddr >> 28,
    );
    assert_eq!(first, [0xe; 3]);
}

#[test]
fn queue_numbers_stay_below_the_number_of_queues() {
    let mut device = configured(&["flag QUEUE_MAP_CPU"]);
    for (queues, want) in [(0, 0), (1, 0), (4, 2), (3, 1), (100, 10)] {
        let facts = StartFacts {
            cpu: 10,
            real_num_tx_queues: queues,
            ..FACTS
        };
        let mut run = Run::start(&mut device, &facts);
        assert_eq!(run.next(&mut [][..], &mut Ends::default()).queue, want);
    }
    // Fewer queues during a run: noticed at the next exchange.
    let (mut device, mut run) = start(&["queue_map_min 3", "queue_map_max 3"]);
    assert_eq!(run.next(&mut [][..], &mut Ends::default()).queue, 3);
    let fewer = StartFacts {
        real_num_tx_queues: 2,
        ..FACTS
    };
    run.sync(&mut device, &fewer);
    assert_eq!(run.next(&mut [][..], &mut Ends::default()).queue, 1);
}

#[test]
fn pacing() {
    let (mut device, mut run) = start(&[]);
    assert_eq!(run.pace(), Pace::None);
    set(&mut device, &["delay 100"]);
    run.sync(&mut device, &FACTS);
    assert_eq!(run.pace(), Pace::At(FACTS.now_ns));
    run.paced(FACTS.now_ns);
    run.paced(FACTS.now_ns);
    assert_eq!(run.pace(), Pace::At(FACTS.now_ns + 200));
    set(&mut device, &["delay 2147483647"]);
    run.sync(&mut device, &FACTS);
    assert_eq!(run.pace(), Pace::Never);
}

/// Each packet takes its share of time, whatever the burst; what was lost as well.
#[test]
fn rates() {
    let (mut device, mut run) = start(&["pps 1M", "burst 4", "count 8"]);
    let after = |run: &Run| match run.pace() {
        Pace::At(time) => time - FACTS.now_ns,
        _ => panic!(),
    };
    assert_eq!(after(&run), 0);
    run.paced(FACTS.now_ns);
    run.sent(4, 60);
    assert_eq!(after(&run), 4_000);
    run.refused(60);
    assert_eq!((after(&run), run.counters.errors), (5_000, 1));
    run.error();
    assert_eq!((after(&run), run.counters.errors), (5_000, 2));
    assert_eq!(run.again(), run.pace());
    // Another rate holds at once, whatever was to be waited for.
    set(&mut device, &["bps 1G"]);
    run.sync(&mut device, &FACTS);
    assert_eq!(after(&run), 0);
    run.sent(1, 60);
    assert_eq!((after(&run), run.end_ns()), (672, FACTS.now_ns + 672));
    // The same again changes nothing.
    set(&mut device, &["bps 1G"]);
    run.sync(&mut device, &FACTS);
    assert_eq!(after(&run), 672);
    set(&mut device, &["delay 7"]);
    run.sync(&mut device, &FACTS);
    run.paced(FACTS.now_ns);
    run.sent(9, 60);
    assert_eq!((after(&run), run.end_ns()), (7, 0));
    assert_eq!(run.again(), Pace::None);
}

/// Commands during a run: what they set is used by the next packet, and what the worker advanced
/// is not lost to them.
#[test]
fn live_commands() {
    let (mut device, mut run) = start(&["udp_src_max 19", "dst_min 10.0.0.1", "pkt_size 60"]);
    let mut rng = Ends::default();
    run.next(&mut [][..], &mut rng);
    run.next(&mut [][..], &mut rng);
    run.sent(2, 60);
    set(
        &mut device,
        &[
            "dst_min 10.0.0.5",
            "pkt_size 90",
            "tos 10",
            "flag NO_TIMESTAMP",
            "skb_priority 3",
        ],
    );
    // Not before they are exchanged.
    assert_eq!(run.next(&mut [][..], &mut rng).len, 60);
    assert!(run.timestamps());
    run.sync(&mut device, &FACTS);
    assert!(!run.timestamps());
    assert_eq!(device.counters.sofar, 2);
    assert_eq!(
        (device.current.udp_src, device.current.daddr),
        (12, 0x0a00_0005)
    );
    let shape = run.next(&mut [][..], &mut rng);
    assert_eq!((shape.len, shape.priority), (90, 3));
    let mut bytes = vec![0; 90];
    run.write(&mut bytes, None);
    assert_eq!(bytes[15], 0x10);
    assert_eq!(bytes[30..34], [10, 0, 0, 5]);
    assert_eq!(bytes[34..36], [0, 13]);
    set(&mut device, &["xmit_mode queue_xmit"]);
    run.sync(&mut device, &FACTS);
    assert_eq!(run.mode(), Mode::QueueXmit);
}

/// Each value that a command sets is the current one in the run as well.
#[test]
fn live_values() {
    type Row = (&'static str, fn(&Device) -> u32, u32);
    let rows: &[Row] = &[
        ("src_min 10.0.0.9", |d| d.current.saddr, 0x0a00_0009),
        ("src_max 10.0.0.9", |d| d.current.saddr, 0x0a00_0009),
        ("dst_min 10.0.0.9", |d| d.current.daddr, 0x0a00_0009),
        ("dst_max 10.0.0.9", |d| d.current.daddr, 0x0a00_0009),
        ("src6 fd00::9", |d| u32::from(d.current.saddr6[15]), 9),
        ("dst6 fd00::9", |d| u32::from(d.current.daddr6[15]), 9),
        ("dst6_min fd00::9", |d| u32::from(d.current.daddr6[15]), 9),
        ("udp_src_min 77", |d| d.current.udp_src.into(), 77),
        ("udp_src_max 77", |d| d.current.udp_src.into(), 77),
        ("udp_dst_min 77", |d| d.current.udp_dst.into(), 77),
        ("udp_dst_max 77", |d| d.current.udp_dst.into(), 77),
        ("min_pkt_size 77", |d| d.current.pkt_size, 77),
        ("max_pkt_size 77", |d| d.current.pkt_size, 77),
        ("pkt_size 77", |d| d.current.pkt_size, 77),
        ("src_mac_count 7", |d| d.current.src_mac_offset, 0),
        ("dst_mac_count 7", |d| d.current.dst_mac_offset, 0),
    ];
    for (command, value, want) in rows {
        let (mut device, mut run) = start(&["src_mac_count 5", "dst_mac_count 5"]);
        run.next(&mut [][..], &mut Ends::default());
        run.sync(&mut device, &FACTS);
        set(&mut device, &[command]);
        run.sync(&mut device, &FACTS);
        assert_eq!(value(&device), *want, "{command}");
    }
}

#[test]
fn live_clear_counters() {
    let (mut device, mut run) = start(&[]);
    run.sent(5, 60);
    run.error();
    set(&mut device, &["clear_counters"]);
    run.sync(&mut device, &FACTS);
    assert_eq!(run.counters, Counters::CLEARED);
    assert_eq!(device.counters, Counters::CLEARED);
    run.sent(1, 60);
    run.sync(&mut device, &FACTS);
    assert_eq!(device.counters.sofar, 1);
    // Just before the end, too.
    set(&mut device, &["clear_counters"]);
    run.finish(&mut device, 0, 1, End::Complete);
    assert_eq!(device.counters.sofar, 0);
}

#[test]
fn summary() {
    let (mut device, mut run) = start(&["pkt_size 60"]);
    run.sent(100_000, 60);
    run.error();
    run.idle(25_000);
    run.finish(&mut device, 0, FACTS.now_ns + 15_430_000, End::Complete);
    assert_eq!(
        result(&device),
        "OK: 15430(c15405+d25) usec, 100000 (60byte,0frags)\n  \
         6480881pps 3110Mb/sec (3110822880bps) errors: 1\n  ended: count reached"
    );
}

/// The size is that of the last frame as it was sent, and the bits are those sent.
#[test]
fn summary_of_sizes() {
    let rows: [(&[(u32, usize)], &str); 3] = [
        (&[], "OK: 1000(c1000+d0) usec, 0 (58byte,-1frags)\n  0pps 0Mb/sec (0bps) errors: 0\n  ended: count reached"),
        (
            &[(3, 58)],
            "OK: 1000(c1000+d0) usec, 3 (58byte,-1frags)\n  3000pps 1Mb/sec (1392000bps) errors: 0\n  ended: count reached",
        ),
        (
            &[(1, 58), (2, 100)],
            "OK: 1000(c1000+d0) usec, 3 (100byte,-1frags)\n  3000pps 2Mb/sec (2064000bps) errors: 0\n  ended: count reached",
        ),
    ];
    for (sends, want) in rows {
        let (mut device, mut run) = start(&["pkt_size 42"]);
        for &(n, len) in sends {
            run.sent(n, len);
        }
        run.finish(&mut device, -1, FACTS.now_ns + 1_000_000, End::Complete);
        assert_eq!(result(&device), want);
    }
}

#[test]
fn ipv6_sources() {
    let link_local = [0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9];
    let facts = StartFacts {
        link_local6: Some(link_local),
        ..FACTS
    };
    let mut device = configured(&["dst6 fd00::1"]);
    Run::start(&mut device, &facts);
    assert_eq!(device.current.saddr6, link_local);
    assert_eq!(device.config.min_pkt_size, 78);
    // Once chosen it stays.
    Run::start(&mut device, &FACTS);
    assert_eq!(device.current.saddr6, link_local);
    let mut device = configured(&["dst6 fd00::1", "src6 fd00::2"]);
    Run::start(&mut device, &facts);
    assert_eq!(device.current.saddr6[15], 2);
    let mut device = configured(&["dst6 fd00::1"]);
    Run::start(&mut device, &FACTS);
    assert_eq!(device.current.saddr6, [0; 16]);
}

/// The automatic size counts the tags and labels.
#[test]
fn automatic_sizes() {
    let mut device = configured(&["vlan_id 5"]);
    let mut run = Run::start(&mut device, &FACTS);
    assert_eq!(device.config.min_pkt_size, 62);
    assert_eq!(run.next(&mut [][..], &mut Ends::default()).len, 62);
    let mut device = configured(&["dst6 fd00::1", "mpls 1,2,3"]);
    Run::start(&mut device, &FACTS);
    assert_eq!(device.config.min_pkt_size, 90);
}

#[test]
fn mac_offsets() {
    let offsets = |commands| collect(commands, 4, |d| d.current.src_mac_offset);
    assert_eq!(offsets(&["src_mac_count 3"]), [1, 2, 0, 1]);
    assert_eq!(offsets(&["src_mac_count 1"]), [0; 4]);
    assert_eq!(offsets(&["src_mac_count 3", "flag MACSRC_RND"]), [0; 4]);
    let offsets = |commands| collect(commands, 4, |d| d.current.dst_mac_offset);
    assert_eq!(offsets(&["dst_mac_count 2"]), [1, 0, 1, 0]);
    // A new count during a run begins anew, and a count of one ends it.
    let (mut device, mut run) = start(&["src_mac 02:00:00:00:00:00", "src_mac_count 5"]);
    let mut rng = Ends::default();
    for want in [0, 1, 2] {
        assert_eq!(frame(&mut run, &mut rng, None)[11], want);
    }
    set(&mut device, &["src_mac_count 4"]);
    run.sync(&mut device, &FACTS);
    assert_eq!(frame(&mut run, &mut rng, None)[11], 0);
    assert_eq!(frame(&mut run, &mut rng, None)[11], 1);
    set(&mut device, &["src_mac_count 1"]);
    run.sync(&mut device, &FACTS);
    assert_eq!(frame(&mut run, &mut rng, None)[11], 0);
}

/// Tags that change during a run change the frame's length with them.
/// What a refused command changes holds for a run as well.
#[test]
fn live_refusals() {
    let (mut device, mut run) = start(&["mpls 101,2", "flag MPLS_RND"]);
    let mut rng = Lcg(1);
    assert_eq!(frame(&mut run, &mut rng, None).len(), 66);
    assert!(write(&mut device, "mpls 101,", true, false).is_err());
    run.sync(&mut device, &FACTS);
    assert_eq!(frame(&mut run, &mut rng, None)[12..14], [0x08, 0x00]);
    run.sync(&mut device, &FACTS);
    assert_eq!(line(&device, "     mpls"), "");
    set(&mut device, &["imix_weights 100,1"]);
    run.sync(&mut device, &FACTS);
    assert_eq!(frame(&mut run, &mut rng, None).len(), 100);
    assert!(write(&mut device, "imix_weights", true, false).is_err());
    set(&mut device, &["pkt_size 70"]);
    run.sync(&mut device, &FACTS);
    assert_eq!(frame(&mut run, &mut rng, None).len(), 70);
}

#[test]
fn live_tags() {
    let (mut device, mut run) = start(&["flag VID_RND"]);
    let mut rng = Ends::default();
    assert_eq!(run.next(&mut [][..], &mut rng).len, 58);
    set(&mut device, &["vlan_id 5", "svlan_id 6"]);
    run.sync(&mut device, &FACTS);
    // The command is not overwritten by what was drawn before.
    assert_eq!((device.config.vlan.id, device.config.svlan.id), (5, 6));
    let shape = run.next(&mut [][..], &mut rng);
    assert_eq!((shape.len, shape.l2_len), (66, 22));
    set(&mut device, &["vlan_id 7"]);
    run.sync(&mut device, &FACTS);
    assert_eq!(device.config.vlan.id, 7);
    set(&mut device, &["mpls 1,2,3"]);
    run.sync(&mut device, &FACTS);
    assert_eq!(run.next(&mut [][..], &mut rng).l2_len, 26);
    assert!(!device.config.vlan.on);
}
