// SPDX-License-Identifier: GPL-2.0

//! The text of a device file, line by line.

use crate::addresses::{show_ipv4, show_ipv6, show_mac};
use crate::model::{Mode, Model, FLAGS};

/// What reading the file gives.
pub fn device(model: &Model, name: &str, dev_mac: [u8; 6], now_ns: u64) -> Vec<u8> {
    let mut text = [params(model, name, dev_mac), current(model, now_ns)].concat();
    text.extend(b"Result: ");
    if model.result.is_empty() {
        text.extend(b"Idle");
    }
    text.extend(&model.result);
    text.push(b'\n');
    text
}

fn params(m: &Model, name: &str, dev_mac: [u8; 6]) -> Vec<u8> {
    let mut text = Vec::new();
    let mut line = |line: String| text.extend((line + "\n").into_bytes());

    line(format!(
        "Params: count {}  min_pkt_size: {}  max_pkt_size: {}",
        m.count, m.size.min, m.size.max
    ));
    if !m.imix.is_empty() {
        line(format!(
            "     imix_weights: {}",
            pairs(m.imix.iter().copied())
        ));
    }
    line(format!(
        "     frags: {}  delay: {}  clone_skb: {}  ifname: {name}",
        m.frags, m.delay, m.clone_skb
    ));
    line(format!("     flows: {} flowlen: {}", m.flows, m.flowlen));
    line(format!(
        "     queue_map_min: {}  queue_map_max: {}",
        m.queue.min, m.queue.max
    ));
    if m.skb_priority != 0 {
        line(format!("     skb_priority: {}", m.skb_priority));
    }
    if m.flag("IPV6") {
        let src = show_ipv6(m.src6);
        line(format!("     saddr: {src}  min_saddr: ::  max_saddr: ::"));
        let [dst, min, max] = [m.dst6, m.dst6_mask.min, m.dst6_mask.max].map(show_ipv6);
        line(format!(
            "     daddr: {dst}  min_daddr: {min}  max_daddr: {max}"
        ));
    } else {
        // What was written need not be UTF-8.
        text.extend(b"     dst_min: ");
        text.extend(&m.dst.min.text);
        text.extend(b"  dst_max: ");
        text.extend(&m.dst.max.text);
        text.extend(b"\n     src_min: ");
        text.extend(&m.src.min.text);
        text.extend(b"  src_max: ");
        text.extend(&m.src.max.text);
        text.push(b'\n');
    }
    let mut line = |line: String| text.extend((line + "\n").into_bytes());
    let src_mac = if m.src_mac == [0; 6] {
        dev_mac
    } else {
        m.src_mac
    };
    let [src_mac, dst_mac] = [src_mac, m.dst_mac].map(show_mac);
    line(format!("     src_mac: {src_mac} dst_mac: {dst_mac}"));
    line(format!(
        "     udp_src_min: {}  udp_src_max: {}  udp_dst_min: {}  udp_dst_max: {}",
        m.udp_src.min, m.udp_src.max, m.udp_dst.min, m.udp_dst.max
    ));
    line(format!(
        "     src_mac_count: {}  dst_mac_count: {}",
        m.src_mac_count as i32, m.dst_mac_count as i32
    ));
    if !m.mpls.is_empty() {
        let entries: Vec<String> = m.mpls.iter().map(|entry| format!("{entry:08x}")).collect();
        line(format!("     mpls: {}", entries.join(", ")));
    }
    for (label, tag) in [("vlan_id", m.vlan), ("svlan_id", m.svlan)] {
        if tag.on {
            line(format!(
                "     {label}: {}  vlan_p: {}  vlan_cfi: {}",
                tag.id, tag.priority, tag.cfi
            ));
        }
    }
    if m.tos != 0 {
        line(format!("     tos: 0x{:02x}", m.tos));
    }
    if m.traffic_class != 0 {
        line(format!("     traffic_class: 0x{:02x}", m.traffic_class));
    }
    if m.burst > 1 {
        line(format!("     burst: {}", m.burst));
    }
    if let Some(node) = m.node {
        line(format!("     node: {node}"));
    }
    match m.mode {
        Mode::StartXmit => {}
        Mode::NetifReceive => line("     xmit_mode: netif_receive".to_string()),
        Mode::QueueXmit => line("     xmit_mode: xmit_queue".to_string()),
    }
    line(format!("     Flags: {}", flags(m)));
    if let Some(rate) = &m.shown_rate {
        line(rate.clone());
    }
    text
}

fn flags(m: &Model) -> String {
    let mut shown = String::new();
    for (name, _) in FLAGS {
        let set = m.flag(name);
        let name = match *name {
            "FLOW_SEQ" if m.flows == 0 => continue,
            "FLOW_SEQ" if !set => "FLOW_RND",
            name if set => name,
            _ => continue,
        };
        shown += name;
        shown += "  ";
        if name == "IPSEC" && m.spi != 0 {
            shown += &format!("spi:{}  ", m.spi);
        }
    }
    shown
}

fn pairs(pairs: impl Iterator<Item = (u64, u64)>) -> String {
    let pairs: Vec<String> = pairs.map(|(a, b)| format!("{a},{b} ")).collect();
    pairs.concat()
}

fn current(m: &Model, now_ns: u64) -> Vec<u8> {
    let mut lines = vec![
        "Current:".to_string(),
        format!("     pkts-sofar: {}  errors: {}", m.sofar, m.errors),
    ];
    if !m.imix.is_empty() {
        let counts = m.imix.iter().zip(m.imix_counts);
        let counts = pairs(counts.map(|((size, _), count)| (*size, count)));
        lines.push(format!("     imix_size_counts: {counts}"));
    }
    let stopped_ns = if m.running { now_ns } else { m.stopped_ns };
    lines.push(format!(
        "     started: {}us  stopped: {}us idle: {}us",
        m.started_ns / 1000,
        stopped_ns / 1000,
        m.idle_ns / 1000
    ));
    lines.push(format!(
        "     seq_num: {}  cur_dst_mac_offset: {}  cur_src_mac_offset: {}",
        m.seq_num as i32, m.dst_mac_offset as i32, m.src_mac_offset as i32
    ));
    let (saddr, daddr) = if m.flag("IPV6") {
        (show_ipv6(m.saddr6), show_ipv6(m.daddr6))
    } else {
        (show_ipv4(m.saddr), show_ipv4(m.daddr))
    };
    lines.push(format!("     cur_saddr: {saddr}  cur_daddr: {daddr}"));
    lines.push(format!(
        "     cur_udp_dst: {}  cur_udp_src: {}",
        m.cur_udp_dst, m.cur_udp_src
    ));
    lines.push(format!("     cur_queue_map: {}", m.cur_queue));
    lines.push(format!("     flows: {}", m.flows_begun));
    (lines.join("\n") + "\n").into_bytes()
}
