// SPDX-License-Identifier: GPL-2.0
//! The text of a device's file: parameters, counters, result.
//!
//! Each line the kernel can print is one row of a table: the literals between its values and a
//! function that stores them.

use serde::Serialize;

use super::result::{self, RunResult};
use super::{number, split};

/// The `Params:` block. It is the device's working state, not only what was configured: a start
/// fills in sizes and clamps queues.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Params {
    /// Packets to send, 0 for no end.
    pub count: Option<u64>,
    /// Smallest packet, without FCS.
    pub min_pkt_size: Option<u32>,
    /// Largest packet, without FCS.
    pub max_pkt_size: Option<u32>,
    /// Mix of sizes, empty if there is none.
    pub imix_weights: Vec<ImixWeight>,
    /// Page fragments wanted.
    pub frags: Option<i64>,
    /// Gap between sends in ns; 2^64-1 never sends.
    pub delay_ns: Option<u64>,
    /// Times each packet is sent.
    pub clone_skb: Option<i64>,
    /// Name as given to `add_device`.
    pub ifname: Option<String>,
    /// Concurrent flows.
    pub flows: Option<u32>,
    /// Packets in the life of a flow.
    pub flowlen: Option<u32>,
    /// First transmit queue.
    pub queue_map_min: Option<u16>,
    /// Last transmit queue.
    pub queue_map_max: Option<u16>,
    /// Priority of the socket buffers, shown if not 0.
    pub skb_priority: Option<u32>,
    /// Addresses, when IPv4 is sent.
    pub ipv4: Option<Ipv4>,
    /// Source, when IPv6 is sent.
    pub ipv6_source: Option<Ipv6Range>,
    /// Destination, when IPv6 is sent.
    pub ipv6_destination: Option<Ipv6Range>,
    /// Source MAC address.
    pub src_mac: Option<String>,
    /// Destination MAC address.
    pub dst_mac: Option<String>,
    /// First source port.
    pub udp_src_min: Option<u32>,
    /// Last source port.
    pub udp_src_max: Option<u32>,
    /// First destination port.
    pub udp_dst_min: Option<u32>,
    /// Last destination port.
    pub udp_dst_max: Option<u32>,
    /// Source MAC addresses walked through.
    pub src_mac_count: Option<i64>,
    /// Destination MAC addresses walked through.
    pub dst_mac_count: Option<i64>,
    /// MPLS label stack, one 8-digit hex word an entry.
    pub mpls: Vec<String>,
    /// VLAN tag.
    pub vlan: Option<Vlan>,
    /// Outer VLAN tag.
    pub svlan: Option<Vlan>,
    /// IPv4 type of service, shown if not 0.
    pub tos: Option<u8>,
    /// IPv6 traffic class, shown if not 0.
    pub traffic_class: Option<u8>,
    /// Copies per iteration, shown if above 1.
    pub burst: Option<u64>,
    /// Memory node, shown if set.
    pub node: Option<i64>,
    /// How packets are sent, spelled as the command: `start_xmit` unless the text says other.
    pub xmit_mode: Option<String>,
    /// Flags that are set.
    pub flags: Vec<String>,
    /// IPsec SPI, shown if not 0.
    pub spi: Option<u32>,
    /// Packets a second, shown if that rate is set. The C module has no such rate.
    pub pps: Option<u64>,
    /// Bits a second on the wire, shown if that rate is set. The C module has no such rate.
    pub bps: Option<u64>,
}

/// One entry of a mix of sizes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ImixWeight {
    /// Packet size.
    pub size: u64,
    /// Its share.
    pub weight: u64,
}

/// Packets built of one size of a mix.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ImixCount {
    /// Packet size.
    pub size: u64,
    /// Packets of it.
    pub count: u64,
}

/// IPv4 ranges, as they were written (empty if they never were).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ipv4 {
    /// First destination.
    pub dst_min: String,
    /// Last destination.
    pub dst_max: String,
    /// First source.
    pub src_min: String,
    /// Last source.
    pub src_max: String,
}

/// An IPv6 address and the range it is drawn from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ipv6Range {
    /// Address without a range.
    pub address: String,
    /// First.
    pub min: String,
    /// Last.
    pub max: String,
}

/// A VLAN tag.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Vlan {
    /// Identifier.
    pub id: u16,
    /// Priority.
    pub p: u8,
    /// Canonical format indicator.
    pub cfi: u8,
}

/// The `Current:` block.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counters {
    /// Packets sent since the start.
    pub packets: Option<u64>,
    /// Packets refused since the start.
    pub errors: Option<u64>,
    /// Packets built of each size of the mix.
    pub imix_size_counts: Vec<ImixCount>,
    /// Instant of the start, on the monotonic clock.
    pub started_us: Option<u64>,
    /// Instant of the stop; now, if it runs.
    pub stopped_us: Option<u64>,
    /// Time spent in waiting.
    pub idle_us: Option<u64>,
    /// Sequence number of the next packet.
    pub seq_num: Option<i64>,
    /// Position in the destination MAC addresses.
    pub cur_dst_mac_offset: Option<i64>,
    /// Position in the source MAC addresses.
    pub cur_src_mac_offset: Option<i64>,
    /// Source address of the last packet.
    pub cur_saddr: Option<String>,
    /// Destination address of the last packet.
    pub cur_daddr: Option<String>,
    /// Destination port of the last packet.
    pub cur_udp_dst: Option<u32>,
    /// Source port of the last packet.
    pub cur_udp_src: Option<u32>,
    /// Transmit queue of the last packet.
    pub cur_queue_map: Option<u32>,
    /// Flows begun since the start.
    pub flows: Option<u32>,
}

/// What a device's file says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeviceText {
    /// Parameters.
    pub params: Params,
    /// Counters.
    pub current: Counters,
    /// Result of the last command or run.
    pub result: Option<RunResult>,
    /// Lines of no known form.
    pub other: Vec<String>,
}

/// Stores the values of one line, or says that they are not what the line's form promises.
type Row<T> = fn(&mut T, &str) -> Option<()>;

const PARAMS: &[Row<Params>] = &[
    |p, line| {
        let [count, min, max] = split(line, ["count ", "  min_pkt_size: ", "  max_pkt_size: "])?;
        let (count, min, max) = (number(count)?, number(min)?, number(max)?);
        (p.count, p.min_pkt_size, p.max_pkt_size) = (Some(count), Some(min), Some(max));
        Some(())
    },
    |p, line| {
        let [list] = split(line, ["imix_weights: "])?;
        p.imix_weights = pairs(list, |size, weight| ImixWeight { size, weight })?;
        Some(())
    },
    |p, line| {
        let [frags, delay, clone_skb, ifname] = split(
            line,
            ["frags: ", "  delay: ", "  clone_skb: ", "  ifname: "],
        )?;
        let (frags, delay, clone_skb) = (number(frags)?, number(delay)?, number(clone_skb)?);
        (p.frags, p.delay_ns, p.clone_skb) = (Some(frags), Some(delay), Some(clone_skb));
        p.ifname = Some(ifname.to_owned());
        Some(())
    },
    |p, line| {
        let [flows, flowlen] = split(line, ["flows: ", " flowlen: "])?;
        let (flows, flowlen) = (number(flows)?, number(flowlen)?);
        (p.flows, p.flowlen) = (Some(flows), Some(flowlen));
        Some(())
    },
    |p, line| {
        let [min, max] = split(line, ["queue_map_min: ", "  queue_map_max: "])?;
        let (min, max) = (number(min)?, number(max)?);
        (p.queue_map_min, p.queue_map_max) = (Some(min), Some(max));
        Some(())
    },
    |p, line| {
        let [priority] = split(line, ["skb_priority: "])?;
        p.skb_priority = Some(number(priority)?);
        Some(())
    },
    |p, line| {
        let marks = ["saddr: ", "  min_saddr: ", "  max_saddr: "];
        p.ipv6_source = Some(ipv6_range(line, marks)?);
        Some(())
    },
    |p, line| {
        let marks = ["daddr: ", "  min_daddr: ", "  max_daddr: "];
        p.ipv6_destination = Some(ipv6_range(line, marks)?);
        Some(())
    },
    |p, line| {
        let [min, max] = split(line, ["dst_min: ", "  dst_max: "])?;
        let ipv4 = p.ipv4.get_or_insert_with(Ipv4::empty);
        (ipv4.dst_min, ipv4.dst_max) = (min.to_owned(), max.to_owned());
        Some(())
    },
    |p, line| {
        let [min, max] = split(line, ["src_min: ", "  src_max: "])?;
        let ipv4 = p.ipv4.get_or_insert_with(Ipv4::empty);
        (ipv4.src_min, ipv4.src_max) = (min.to_owned(), max.to_owned());
        Some(())
    },
    |p, line| {
        let [src, dst] = split(line, ["src_mac: ", " dst_mac: "])?;
        (p.src_mac, p.dst_mac) = (Some(src.to_owned()), Some(dst.to_owned()));
        Some(())
    },
    |p, line| {
        let [src_min, src_max, dst_min, dst_max] = split(
            line,
            [
                "udp_src_min: ",
                "  udp_src_max: ",
                "  udp_dst_min: ",
                "  udp_dst_max: ",
            ],
        )?;
        let (src_min, src_max) = (number(src_min)?, number(src_max)?);
        let (dst_min, dst_max) = (number(dst_min)?, number(dst_max)?);
        (p.udp_src_min, p.udp_src_max) = (Some(src_min), Some(src_max));
        (p.udp_dst_min, p.udp_dst_max) = (Some(dst_min), Some(dst_max));
        Some(())
    },
    |p, line| {
        let [src, dst] = split(line, ["src_mac_count: ", "  dst_mac_count: "])?;
        let (src, dst) = (number(src)?, number(dst)?);
        (p.src_mac_count, p.dst_mac_count) = (Some(src), Some(dst));
        Some(())
    },
    |p, line| {
        let [stack] = split(line, ["mpls: "])?;
        p.mpls = stack
            .split(", ")
            .map(|word| {
                let hex = word.len() == 8 && word.bytes().all(|b| b.is_ascii_hexdigit());
                hex.then(|| word.to_owned())
            })
            .collect::<Option<_>>()?;
        Some(())
    },
    // The tags differ in the first label only.
    |p, line| {
        p.vlan = Some(vlan(line, "vlan_id: ")?);
        Some(())
    },
    |p, line| {
        p.svlan = Some(vlan(line, "svlan_id: ")?);
        Some(())
    },
    |p, line| {
        let [tos] = split(line, ["tos: 0x"])?;
        p.tos = Some(u8::from_str_radix(tos, 16).ok()?);
        Some(())
    },
    |p, line| {
        let [class] = split(line, ["traffic_class: 0x"])?;
        p.traffic_class = Some(u8::from_str_radix(class, 16).ok()?);
        Some(())
    },
    |p, line| {
        let [burst] = split(line, ["burst: "])?;
        p.burst = Some(number(burst)?);
        Some(())
    },
    |p, line| {
        let [node] = split(line, ["node: "])?;
        p.node = Some(number(node)?);
        Some(())
    },
    |p, line| {
        let [mode] = split(line, ["xmit_mode: "])?;
        // The one mode that is shown under another name than it is set with.
        let mode = if mode == "xmit_queue" {
            "queue_xmit"
        } else {
            mode
        };
        p.xmit_mode = Some(mode.to_owned());
        Some(())
    },
    |p, line| {
        let [list] = split(line, ["Flags: "])?;
        for name in list.split(' ').filter(|name| !name.is_empty()) {
            match name.strip_prefix("spi:") {
                Some(spi) => p.spi = Some(number(spi)?),
                None => p.flags.push(name.to_owned()),
            }
        }
        Some(())
    },
    |p, line| {
        let [pps] = split(line, ["pps: "])?;
        p.pps = Some(number(pps)?);
        Some(())
    },
    |p, line| {
        let [bps] = split(line, ["bps: "])?;
        p.bps = Some(number(bps)?);
        Some(())
    },
];

const COUNTERS: &[Row<Counters>] = &[
    |c, line| {
        let [packets, errors] = split(line, ["pkts-sofar: ", "  errors: "])?;
        let (packets, errors) = (number(packets)?, number(errors)?);
        (c.packets, c.errors) = (Some(packets), Some(errors));
        Some(())
    },
    |c, line| {
        let [list] = split(line, ["imix_size_counts: "])?;
        c.imix_size_counts = pairs(list, |size, count| ImixCount { size, count })?;
        Some(())
    },
    |c, line| {
        let [started, stopped, idle] = split(line, ["started: ", "us  stopped: ", "us idle: "])?;
        let idle = number(idle.strip_suffix("us")?)?;
        let (started, stopped) = (number(started)?, number(stopped)?);
        (c.started_us, c.stopped_us, c.idle_us) = (Some(started), Some(stopped), Some(idle));
        Some(())
    },
    |c, line| {
        let [seq, dst, src] = split(
            line,
            [
                "seq_num: ",
                "  cur_dst_mac_offset: ",
                "  cur_src_mac_offset: ",
            ],
        )?;
        let (seq, dst, src) = (number(seq)?, number(dst)?, number(src)?);
        (c.seq_num, c.cur_dst_mac_offset, c.cur_src_mac_offset) = (Some(seq), Some(dst), Some(src));
        Some(())
    },
    |c, line| {
        let [src, dst] = split(line, ["cur_saddr: ", "  cur_daddr: "])?;
        (c.cur_saddr, c.cur_daddr) = (Some(src.to_owned()), Some(dst.to_owned()));
        Some(())
    },
    |c, line| {
        let [dst, src] = split(line, ["cur_udp_dst: ", "  cur_udp_src: "])?;
        let (dst, src) = (number(dst)?, number(src)?);
        (c.cur_udp_dst, c.cur_udp_src) = (Some(dst), Some(src));
        Some(())
    },
    |c, line| {
        let [queue] = split(line, ["cur_queue_map: "])?;
        c.cur_queue_map = Some(number(queue)?);
        Some(())
    },
    |c, line| {
        let [flows] = split(line, ["flows: "])?;
        c.flows = Some(number(flows)?);
        Some(())
    },
];

impl Ipv4 {
    fn empty() -> Self {
        Self {
            dst_min: String::new(),
            dst_max: String::new(),
            src_min: String::new(),
            src_max: String::new(),
        }
    }
}

fn ipv6_range(line: &str, marks: [&str; 3]) -> Option<Ipv6Range> {
    let [address, min, max] = split(line, marks)?.map(str::to_owned);
    Some(Ipv6Range { address, min, max })
}

fn vlan(line: &str, label: &str) -> Option<Vlan> {
    let [id, p, cfi] = split(line, [label, "  vlan_p: ", "  vlan_cfi: "])?;
    Some(Vlan {
        id: number(id)?,
        p: number(p)?,
        cfi: number(cfi)?,
    })
}

/// `<a>,<b> <a>,<b> `
fn pairs<T>(list: &str, make: fn(u64, u64) -> T) -> Option<Vec<T>> {
    list.split(' ')
        .filter(|pair| !pair.is_empty())
        .map(|pair| {
            let (a, b) = pair.split_once(',')?;
            Some(make(number(a)?, number(b)?))
        })
        .collect()
}

/// Rows of one block and which of them were met: the second line of a form is not a value that
/// replaces the first, it is a line nobody knows.
struct Block<T: 'static> {
    rows: &'static [Row<T>],
    met: Vec<bool>,
}

impl<T: Clone> Block<T> {
    fn new(rows: &'static [Row<T>]) -> Self {
        Self {
            rows,
            met: vec![false; rows.len()],
        }
    }

    /// Stores what `line` says; false if it has no known form.
    fn take(&mut self, target: &mut T, line: &str) -> bool {
        for (row, met) in self.rows.iter().zip(&mut self.met) {
            // Into a copy, so that a line that is half right leaves nothing behind.
            let mut copy = target.clone();
            if !*met && row(&mut copy, line).is_some() {
                *target = copy;
                *met = true;
                return true;
            }
        }
        false
    }
}

/// Reads the text of a device's file.
pub fn parse(text: &str) -> DeviceText {
    const INDENT: &str = "     ";
    let mut device = DeviceText::default();
    let (mut params, mut counters) = (Block::new(PARAMS), Block::new(COUNTERS));
    let (mut in_params, mut in_current) = (false, false);
    let mut rest = text;
    while !rest.is_empty() {
        let (line, tail) = rest.split_once('\n').unwrap_or((rest, ""));
        if let Some(text) = rest.strip_prefix("Result: ") {
            let (result, other) = result::parse(text);
            device.result = Some(result);
            device.other.extend(other);
            break;
        }
        rest = tail;
        let known = match (line.strip_prefix("Params: "), line.strip_prefix(INDENT)) {
            (Some(fields), _) if !in_params => {
                in_params = true;
                params.take(&mut device.params, fields)
            }
            (None, Some(fields)) if in_current => counters.take(&mut device.current, fields),
            (None, Some(fields)) if in_params => params.take(&mut device.params, fields),
            _ if line == "Current:" && !in_current => {
                in_current = true;
                true
            }
            _ => false,
        };
        if !known {
            device.other.push(line.to_owned());
        }
    }
    if in_params && device.params.xmit_mode.is_none() {
        // The default mode has no line.
        device.params.xmit_mode = Some("start_xmit".to_owned());
    }
    device
}

#[cfg(test)]
mod tests {
    use super::*;

    fn params(lines: &str) -> DeviceText {
        parse(&format!(
            "Params: count 1  min_pkt_size: 2  max_pkt_size: 3\n{lines}"
        ))
    }

    #[test]
    fn optional_lines() {
        let text = params(
            "     imix_weights: 42,7 576,4 \n     skb_priority: 9\n     mpls: 00000001, 000000f2\n     \
             vlan_id: 7  vlan_p: 1  vlan_cfi: 0\n     svlan_id: 8  vlan_p: 2  vlan_cfi: 1\n     \
             tos: 0x0f\n     traffic_class: 0xf0\n     burst: 32\n     node: 1\n     \
             xmit_mode: xmit_queue\n     Flags: UDPCSUM  IPSEC  spi:77  SHARED  \n",
        );
        let p = text.params;
        assert!(text.other.is_empty(), "{:?}", text.other);
        assert_eq!(p.imix_weights.len(), 2);
        assert_eq!(p.skb_priority, Some(9));
        assert_eq!(p.mpls, ["00000001", "000000f2"]);
        let tag = |id, p, cfi| Some(Vlan { id, p, cfi });
        assert_eq!((p.vlan, p.svlan), (tag(7, 1, 0), tag(8, 2, 1)));
        assert_eq!((p.tos, p.traffic_class), (Some(15), Some(240)));
        assert_eq!((p.burst, p.node), (Some(32), Some(1)));
        assert_eq!(p.xmit_mode.as_deref(), Some("queue_xmit"));
        assert_eq!(p.flags, ["UDPCSUM", "IPSEC", "SHARED"]);
        assert_eq!(p.spi, Some(77));
    }

    #[test]
    fn rates() {
        const MOST: u64 = 9_999_999_999_000_000_000;
        for (lines, pps, bps) in [
            ("     Flags: SHARED  \n", None, None),
            (
                "     Flags: SHARED  \n     pps: 7000000\n",
                Some(7_000_000),
                None,
            ),
            (
                "     Flags: \n     bps: 9999999999000000000\n",
                None,
                Some(MOST),
            ),
        ] {
            let text = params(lines);
            assert_eq!((text.params.pps, text.params.bps), (pps, bps), "{lines:?}");
            assert!(text.other.is_empty(), "{:?}", text.other);
        }
    }

    #[test]
    fn ipv6_lines() {
        let text = params(
            "     saddr: fd00::1  min_saddr: ::  max_saddr: ::\n     \
             daddr: fd00::2  min_daddr: fd00::3  max_daddr: fd00::4\n",
        );
        assert_eq!(text.params.ipv4, None);
        assert_eq!(text.params.ipv6_source.unwrap().address, "fd00::1");
        assert_eq!(text.params.ipv6_destination.unwrap().max, "fd00::4");
    }

    #[test]
    fn lines_that_are_not_what_they_seem_are_kept() {
        let lines = [
            "     burst: many",
            "     flows: 1",
            "     flows: 1 flowlen: x",
            "     burst: 1 ",
            "    burst: 1",
            "burst: 1",
            "     tos: 1f",
            "     pps: 7M",
            "     bps: ",
            "     pps: 1  bps: 2",
            "     mpls: 1",
            "     imix_weights: 1,2 3",
            "     Flags: IPSEC  spi:x",
            "     vlan_id: 99999  vlan_p: 1  vlan_cfi: 0",
            "     pkts-sofar: 1  errors: 0",
            "Params: count 1  min_pkt_size: 2  max_pkt_size: 3",
            "",
        ];
        let nothing = params("");
        for line in lines {
            let text = params(&format!("{line}\n"));
            assert_eq!(text.other, [line]);
            assert_eq!(text.params, nothing.params, "{line:?}");
        }
        assert_eq!(
            params("     burst: 2\n     burst: 3\n").params.burst,
            Some(2)
        );
        assert_eq!(
            params("     burst: 2\n     burst: 3\n").other,
            ["     burst: 3"]
        );
    }

    #[test]
    fn flows_mean_two_things() {
        let text = params("     flows: 8 flowlen: 4\nCurrent:\n     flows: 99\n");
        assert_eq!(text.params.flows, Some(8));
        assert_eq!(text.current.flows, Some(99));
    }

    #[test]
    fn nothing_is_made_up() {
        for text in ["", "\n", "garbage\n", "Result: Idle\n"] {
            let device = parse(text);
            assert_eq!(device.params, Params::default(), "{text:?}");
            assert_eq!(device.current, Counters::default(), "{text:?}");
        }
    }
}
