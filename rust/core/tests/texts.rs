// SPDX-License-Identifier: GPL-2.0

//! The read texts, byte for byte.

mod common;

use common::*;
use rpktgen_core::run::{End, Run};
use rpktgen_core::show;
use rpktgen_core::text::{Buffer, Text};

const FRESH: &str = "\
Params: count 1000  min_pkt_size: 0  max_pkt_size: 0
     frags: 0  delay: 0  clone_skb: 0  ifname: lo@0
     flows: 0 flowlen: 0
     queue_map_min: 0  queue_map_max: 0
     dst_min:   dst_max: \n     src_min:   src_max: \n\
     \x20    src_mac: 00:00:00:00:00:00 dst_mac: 00:00:00:00:00:00
     udp_src_min: 9  udp_src_max: 9  udp_dst_min: 9  udp_dst_max: 9
     src_mac_count: 0  dst_mac_count: 0
     Flags: SHARED  \nCurrent:
     pkts-sofar: 0  errors: 0
     started: 0us  stopped: 0us idle: 0us
     seq_num: 0  cur_dst_mac_offset: 0  cur_src_mac_offset: 0
     cur_saddr: 0.0.0.0  cur_daddr: 0.0.0.0
     cur_udp_dst: 0  cur_udp_src: 0
     cur_queue_map: 0
     flows: 0
Result: Idle
";

#[test]
fn fresh_device() {
    assert_eq!(read(&fresh()), FRESH);
}

#[test]
fn configured_device() {
    let device = configured(&[
        "count 0",
        "min_pkt_size 60",
        "max_pkt_size 1500",
        "delay 2147483647",
        "clone_skb 3",
        "queue_map_min 1",
        "queue_map_max 2",
        "skb_priority 7",
        "dst_min 198.18.0.1",
        "dst_max 198.18.0.9",
        "src_min 198.19.0.1",
        "src_max 010.0.0.1",
        "src_mac 02:00:00:00:00:01",
        "dst_mac 02:00:00:00:00:02",
        "udp_src_min 1",
        "udp_src_max 2",
        "udp_dst_min 3",
        "udp_dst_max 4",
        "tos 0a",
        "burst 32",
        "xmit_mode queue_xmit",
        "flag NO_TIMESTAMP",
        "flag UDPSRC_RND",
    ]);
    let want = "\
Params: count 0  min_pkt_size: 60  max_pkt_size: 1500
     frags: 0  delay: 18446744073709551615  clone_skb: 3  ifname: lo@0
     flows: 0 flowlen: 0
     queue_map_min: 1  queue_map_max: 2
     skb_priority: 7
     dst_min: 198.18.0.1  dst_max: 198.18.0.9
     src_min: 198.19.0.1  src_max: 010.0.0.1
     src_mac: 02:00:00:00:00:01 dst_mac: 02:00:00:00:00:02
     udp_src_min: 1  udp_src_max: 2  udp_dst_min: 3  udp_dst_max: 4
     src_mac_count: 0  dst_mac_count: 0
     tos: 0x0a
     burst: 32
     xmit_mode: xmit_queue
     Flags: UDPSRC_RND  NO_TIMESTAMP  SHARED  \nCurrent:
     pkts-sofar: 0  errors: 0
     started: 0us  stopped: 0us idle: 0us
     seq_num: 0  cur_dst_mac_offset: 0  cur_src_mac_offset: 0
";
    let text = read(&device);
    assert_eq!(text.get(..want.len()), Some(want));
    assert!(text.ends_with("Result: OK: flags=0x40090\n"));
}

#[test]
fn running_device() {
    let mut device = configured(&["xmit_mode netif_receive"]);
    let run = Run::start(&mut device, &FACTS);
    assert_eq!(line(&device, "Result"), "Result: Starting");
    assert_eq!(
        line(&device, "     xmit_mode"),
        "     xmit_mode: netif_receive"
    );
    // While it runs, `stopped` is the current time.
    assert_eq!(
        line(&device, "     started"),
        "     started: 1000us  stopped: 2000us idle: 0us"
    );
    assert_eq!(
        line(&device, "     cur_saddr"),
        "     cur_saddr: 192.0.2.7  cur_daddr: 0.0.0.0"
    );
    run.finish(&mut device, -1, 1_500_000, End::Complete);
    assert_eq!(
        line(&device, "     started"),
        "     started: 1000us  stopped: 1500us idle: 0us"
    );
    assert!(read(&device).ends_with(
        "Result: OK: 500(c500+d0) usec, 0 (58byte,-1frags)\n  \
         0pps 0Mb/sec (0bps) errors: 0\n  ended: count reached\n"
    ));
}

/// The lines that IPv6, tags and labels add or replace.
#[test]
fn ipv6_and_tags() {
    let device = configured(&[
        "dst6 fd00::1",
        "dst6_min fd00::2",
        "dst6_max fd00::3",
        "src6 FD00:0:0:0:0:0:0:4",
        "traffic_class a0",
        "src_mac_count 3",
        "dst_mac_count 4294967295",
        "vlan_id 5",
        "vlan_p 1",
        "svlan_id 6",
        "svlan_p 7",
        "svlan_cfi 1",
    ]);
    let text = read(&device);
    let lines: Vec<&str> = text.lines().collect();
    let want = [
        "     saddr: fd00::4  min_saddr: ::  max_saddr: ::",
        "     daddr: fd00::1  min_daddr: fd00::2  max_daddr: fd00::3",
        "     src_mac: 00:00:00:00:00:00 dst_mac: 00:00:00:00:00:00",
        "     udp_src_min: 9  udp_src_max: 9  udp_dst_min: 9  udp_dst_max: 9",
        "     src_mac_count: 3  dst_mac_count: -1",
        "     vlan_id: 5  vlan_p: 1  vlan_cfi: 0",
        "     svlan_id: 6  vlan_p: 7  vlan_cfi: 1",
        "     traffic_class: 0xa0",
        "     Flags: IPV6  SHARED  ",
    ];
    assert_eq!(lines[4..4 + want.len()], want);
    assert!(lines.contains(&"     cur_saddr: fd00::4  cur_daddr: fd00::2"));
    let device = configured(&["mpls 1,102", "tos 08"]);
    assert_eq!(line(&device, "     mpls"), "     mpls: 00000001, 00000102");
    assert_eq!(line(&device, "     tos"), "     tos: 0x08");
}

#[test]
fn source_mac_of_the_net_device() {
    let text = text(|w| show::device(w, &fresh(), b"eth0", DEV_MAC, 0));
    assert!(text.contains("     src_mac: 02:00:5e:10:00:01 dst_mac: 00:00:00:00:00:00\n"));
}

#[test]
fn control_file() {
    assert_eq!(
        text(show::control),
        "Packet Generator for packet performance testing. Version: 2.75\n"
    );
}

#[test]
fn thread_file() {
    let rows: &[(&[&str], &[&str], &str, &str)] = &[
        (&[], &[], "", "Running: \nStopped: \nResult: NA\n"),
        (
            &[],
            &["eth4@0"],
            "OK: add_device=eth4@0",
            "Running: \nStopped: eth4@0 \nResult: OK: add_device=eth4@0\n",
        ),
        (
            &["b", "a"],
            &["c"],
            "x",
            "Running: b a \nStopped: c \nResult: x\n",
        ),
    ];
    for (running, stopped, result, want) in rows {
        let mut result_text = Text::new();
        result_text.push_bytes(result.as_bytes());
        let names = |list: &'static [&str]| list.iter().map(|name| name.as_bytes());
        let text = text(|w| show::thread(w, names(running), names(stopped), &result_text));
        assert_eq!(text, *want);
    }
}

/// Bytes that are not UTF-8 are shown as they were written.
#[test]
fn odd_bytes() {
    let mut device = fresh();
    write(&mut device, b"flag a\xffb", true, false).unwrap();
    let mut file = Buffer::<8192>::new();
    show::device(&mut file, &device, b"d\xfe", DEV_MAC, 0).unwrap();
    let has = |wanted: &[u8]| {
        file.as_bytes()
            .windows(wanted.len())
            .any(|part| part == wanted)
    };
    assert!(has(b"Result: Flag -:a\xffb:- unknown\n"));
    assert!(has(b"ifname: d\xfe\n"));
}

/// A text holds 512 bytes and cuts off the rest.
#[test]
fn texts_are_cut() {
    use std::fmt::Write;
    let mut text = Text::new();
    for _ in 0..200 {
        write!(text, "0123456789").unwrap();
    }
    assert_eq!(text.as_bytes().len(), 512);
    assert!(text.as_bytes().ends_with(b"901"));
    text.push_bytes(b"more");
    assert_eq!(text.as_bytes().len(), 512);
    text.clear();
    assert!(text.is_empty());
}
