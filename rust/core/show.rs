// SPDX-License-Identifier: GPL-2.0

//! The read texts of the three kinds of file.
//!
//! Existing scripts match these texts by `grep` and `awk`: every space counts.

use core::fmt;

use crate::addr::{Ipv4, Ipv6, Mac};
use crate::config::{Config, Mode, Rate};
use crate::device::{Counters, Current, Device};
use crate::flags::Flags;
use crate::imix::Entry;
use crate::text::{Sink, Text};

/// The interface version that `pgctrl` shows.
pub const VERSION: &str = "2.75";

const NS_PER_USEC: u64 = 1_000;

/// Writes the text of `pgctrl`.
pub fn control(w: &mut impl Sink) -> fmt::Result {
    writeln!(
        w,
        "Packet Generator for packet performance testing. Version: {VERSION}"
    )
}

/// Writes the text of a thread file: the names of its running and of its other devices, newest
/// first, and the outcome of its last command.
pub fn thread<'a>(
    w: &mut impl Sink,
    running: impl Iterator<Item = &'a [u8]>,
    stopped: impl Iterator<Item = &'a [u8]>,
    result: &Text,
) -> fmt::Result {
    w.write_str("Running: ")?;
    for name in running {
        w.write_bytes(name)?;
        w.write_char(' ')?;
    }
    w.write_str("\nStopped: ")?;
    for name in stopped {
        w.write_bytes(name)?;
        w.write_char(' ')?;
    }
    w.write_char('\n')?;
    write_result(w, result, "NA")
}

/// Writes the text of a device file. `name` is the device's with its suffix, `dev_mac` the net
/// device's address, `now_ns` the monotonic time.
pub fn device(
    w: &mut impl Sink,
    device: &Device,
    name: &[u8],
    dev_mac: [u8; 6],
    now_ns: u64,
) -> fmt::Result {
    params(w, &device.config, name, dev_mac)?;
    current(w, device, now_ns)?;
    write_result(w, &device.result, "Idle")
}

/// The rest of a line, as bytes.
fn line(w: &mut impl Sink, bytes: &[u8]) -> fmt::Result {
    w.write_bytes(bytes)?;
    w.write_char('\n')
}

fn write_result(w: &mut impl Sink, result: &Text, initial: &str) -> fmt::Result {
    w.write_str("Result: ")?;
    line(
        w,
        if result.is_empty() {
            initial.as_bytes()
        } else {
            result.as_bytes()
        },
    )
}

/// The `Params:` block: a line for each setting, in this order. Some are left out while unset.
#[rustfmt::skip]
fn params(w: &mut impl Sink, c: &Config, name: &[u8], dev_mac: [u8; 6]) -> fmt::Result {
    let src_mac = if c.src_mac == [0; 6] {
        dev_mac
    } else {
        c.src_mac
    };

    writeln!(w, "Params: count {}  min_pkt_size: {}  max_pkt_size: {}", c.count, c.min_pkt_size, c.max_pkt_size)?;
    if !c.imix.is_empty() {
        write!(w, "     imix_weights: ")?;
        for Entry { size, weight } in c.imix.entries() {
            write!(w, "{size},{weight} ")?;
        }
        writeln!(w)?;
    }
    write!(w, "     frags: {}  delay: {}  clone_skb: {}  ifname: ", c.frags, c.delay_ns, c.clone_skb)?;
    line(w, name)?;
    writeln!(w, "     flows: {} flowlen: {}", c.flows, c.flowlen)?;
    writeln!(w, "     queue_map_min: {}  queue_map_max: {}", c.queue_map_min, c.queue_map_max)?;
    if c.skb_priority != 0 {
        writeln!(w, "     skb_priority: {}", c.skb_priority)?;
    }
    if c.flags.has(Flags::IPV6) {
        // There are no commands for a range of sources.
        let none = Ipv6([0; 16]);
        writeln!(w, "     saddr: {}  min_saddr: {none}  max_saddr: {none}", Ipv6(c.src6))?;
        writeln!(w, "     daddr: {}  min_daddr: {}  max_daddr: {}", Ipv6(c.dst6), Ipv6(c.dst6_min), Ipv6(c.dst6_max))?;
    } else {
        for (label, text) in [
            ("     dst_min: ", &c.dst_min.text),
            ("  dst_max: ", &c.dst_max.text),
            ("\n     src_min: ", &c.src_min.text),
            ("  src_max: ", &c.src_max.text),
        ] {
            w.write_str(label)?;
            w.write_bytes(text.as_bytes())?;
        }
        w.write_char('\n')?;
    }
    writeln!(w, "     src_mac: {} dst_mac: {}", Mac(src_mac), Mac(c.dst_mac))?;
    writeln!(w, "     udp_src_min: {}  udp_src_max: {}  udp_dst_min: {}  udp_dst_max: {}", c.udp_src_min, c.udp_src_max, c.udp_dst_min, c.udp_dst_max)?;
    writeln!(w, "     src_mac_count: {}  dst_mac_count: {}", c.src_mac_count as i32, c.dst_mac_count as i32)?;
    if let Some((first, others)) = c.mpls.entries().split_first() {
        write!(w, "     mpls: {first:08x}")?;
        for entry in others {
            write!(w, ", {entry:08x}")?;
        }
        writeln!(w)?;
    }
    if c.vlan.on {
        writeln!(w, "     vlan_id: {}  vlan_p: {}  vlan_cfi: {}", c.vlan.id, c.vlan.priority, c.vlan.cfi)?;
    }
    if c.svlan.on {
        writeln!(w, "     svlan_id: {}  vlan_p: {}  vlan_cfi: {}", c.svlan.id, c.svlan.priority, c.svlan.cfi)?;
    }
    if c.tos != 0 {
        writeln!(w, "     tos: {:#04x}", c.tos)?;
    }
    if c.traffic_class != 0 {
        writeln!(w, "     traffic_class: {:#04x}", c.traffic_class)?;
    }
    if c.burst > 1 {
        writeln!(w, "     burst: {}", c.burst)?;
    }
    if let Some(node) = c.node {
        writeln!(w, "     node: {node}")?;
    }
    match c.mode {
        Mode::StartXmit => {}
        Mode::NetifReceive => writeln!(w, "     xmit_mode: netif_receive")?,
        Mode::QueueXmit => writeln!(w, "     xmit_mode: xmit_queue")?,
    }
    flags(w, c)?;
    // What the reference does not have comes after what it has.
    match c.rate {
        Rate::None => Ok(()),
        Rate::Packets(pps) => writeln!(w, "     pps: {pps}"),
        Rate::Bits(bps) => writeln!(w, "     bps: {bps}"),
    }
}

/// The line of flags, each followed by two spaces.
fn flags(w: &mut impl Sink, c: &Config) -> fmt::Result {
    w.write_str("     Flags: ")?;
    for &(name, flag) in Flags::NAMES {
        let set = c.flags.has(flag);
        match flag {
            // Without flows there is no order of them.
            Flags::FLOW_SEQ if c.flows == 0 => {}
            Flags::FLOW_SEQ if !set => w.write_str("FLOW_RND  ")?,
            _ if !set => {}
            _ => write!(w, "{name}  ")?,
        }
        if flag == Flags::IPSEC && set && c.spi != 0 {
            write!(w, "spi:{}  ", c.spi)?;
        }
    }
    w.write_char('\n')
}

/// The `Current:` block: how far the run is.
#[rustfmt::skip]
fn current(w: &mut impl Sink, device: &Device, now_ns: u64) -> fmt::Result {
    let Counters {
        sofar,
        errors,
        idle_ns,
        seq_num,
        imix,
        ..
    } = device.counters;
    let c: &Current = &device.current;
    let stopped_ns = if device.running {
        now_ns
    } else {
        device.stopped_ns
    };
    let [started, stopped, idle] =
        [device.started_ns, stopped_ns, idle_ns].map(|ns| ns / NS_PER_USEC);
    // Signed, as they have always been shown.
    let [seq_num, dst_mac_offset, src_mac_offset] =
        [seq_num, c.dst_mac_offset, c.src_mac_offset].map(|number| number as i32);

    writeln!(w, "Current:")?;
    writeln!(w, "     pkts-sofar: {sofar}  errors: {errors}")?;
    if !device.config.imix.is_empty() {
        write!(w, "     imix_size_counts: ")?;
        for (entry, count) in device.config.imix.entries().iter().zip(imix.counts()) {
            write!(w, "{},{count} ", entry.size)?;
        }
        writeln!(w)?;
    }
    writeln!(w, "     started: {started}us  stopped: {stopped}us idle: {idle}us")?;
    writeln!(w, "     seq_num: {seq_num}  cur_dst_mac_offset: {dst_mac_offset}  cur_src_mac_offset: {src_mac_offset}")?;
    if device.config.flags.has(Flags::IPV6) {
        writeln!(w, "     cur_saddr: {}  cur_daddr: {}", Ipv6(c.saddr6), Ipv6(c.daddr6))?;
    } else {
        writeln!(w, "     cur_saddr: {}  cur_daddr: {}", Ipv4(c.saddr), Ipv4(c.daddr))?;
    }
    writeln!(w, "     cur_udp_dst: {}  cur_udp_src: {}", c.udp_dst, c.udp_src)?;
    writeln!(w, "     cur_queue_map: {}", c.queue_map)?;
    writeln!(w, "     flows: {}", c.flows)
}
