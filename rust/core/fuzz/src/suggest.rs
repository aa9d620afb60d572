// SPDX-License-Identifier: GPL-2.0

//! Commands that make sense, most of them. Mutations of bytes alone rarely come to a whole
//! address, or to both ends of a range.

use rpktgen_core::run::Random;

use crate::check::Dice;
use crate::model::FLAGS;

const NUMBERS: &[&str] = &[
    "min_pkt_size",
    "max_pkt_size",
    "pkt_size",
    "frags",
    "count",
    "delay",
    "rate",
    "ratep",
    "clone_skb",
    "burst",
    "src_mac_count",
    "dst_mac_count",
    "udp_src_min",
    "udp_src_max",
    "udp_dst_min",
    "udp_dst_max",
    "flows",
    "flowlen",
    "spi",
    "queue_map_min",
    "queue_map_max",
    "skb_priority",
    "node",
    "debug",
    "vlan_id",
    "vlan_p",
    "vlan_cfi",
    "svlan_id",
    "svlan_p",
    "svlan_cfi",
];

const WORDS: &[(&str, &[&str])] = &[
    (
        "xmit_mode",
        &["start_xmit", "netif_receive", "queue_xmit", "none"],
    ),
    ("clear_counters", &["", "now"]),
    ("dst", IPV4),
    ("dst_min", IPV4),
    ("dst_max", IPV4),
    ("src_min", IPV4),
    ("src_max", IPV4),
    ("dst6", IPV6),
    ("dst6_min", IPV6),
    ("dst6_max", IPV6),
    ("src6", IPV6),
    ("dst_mac", MACS),
    ("src_mac", MACS),
    (
        "imix_weights",
        &[
            "0,7 576,4 1500,1",
            "60,1 61,9999999999",
            "1,2",
            "60,",
            "60",
            "",
        ],
    ),
    (
        "mpls",
        &["1", "101,2", "fffff1ff,12345100", "0", "off", "1,", "1,0"],
    ),
    ("tos", &["00", "a5", "FF", "5", "100"]),
    ("traffic_class", &["00", "b7", "FF", "g0", ""]),
    ("nonsense", &["", "1"]),
];

const IPV4: &[&str] = &[
    "10.0.0.1",
    "10.0.0.9",
    "224.0.0.1",
    "240.0.0.1",
    "127.0.0.1",
    "255.255.255.254",
    "255.255.255.255",
    "010.0.0.001",
    "10.0.0.1/24",
    "10.1",
    "",
];
const IPV6: &[&str] = &[
    "fd00::1",
    "FD00:0:0:0:0:0:0:1",
    "::",
    "::ffff:10.0.0.1",
    "fe80::5efe:10.0.0.1",
    "1:0:0:2:0:0:0:3",
    "1:0:2:3:4:5:6:7",
    "fd00::1/64",
    "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    "::1::2",
    "10.0.0.1",
];
const MACS: &[&str] = &[
    "02:00:00:00:00:01",
    "90:E2:BA:ff:ff:ff",
    "00:00:00:00:00:00",
    "02:00:00:00:00:01:02",
    "02:00:00:00:00",
    "02-00-00-00-00-01",
];
const VALUES: &[u64] = &[
    0,
    1,
    2,
    3,
    7,
    8,
    9,
    10,
    41,
    42,
    43,
    57,
    58,
    60,
    100,
    1500,
    4095,
    4096,
    9000,
    65535,
    65536,
    2147483647,
    2147483648,
    4294967295,
    4294967296,
    9999999999,
    99999999999,
];

fn pick<'a, T: ?Sized>(dice: &mut Dice, from: &[&'a T]) -> &'a T {
    from[dice.below(from.len() as u32) as usize]
}

/// A command for the device file.
pub fn command(dice: &mut Dice) -> Vec<u8> {
    let mut command = match dice.below(8) {
        0 => {
            let sign = pick(dice, &["", "!"]);
            let flag = dice.below(FLAGS.len() as u32 + 1) as usize;
            let name = FLAGS.get(flag).map_or("FLOW_RND", |(name, _)| *name);
            format!("flag {sign}{name}")
        }
        1..=4 => {
            let value = if dice.below(4) == 0 {
                u64::from(dice.u32() >> dice.below(32))
            } else {
                VALUES[dice.below(VALUES.len() as u32) as usize]
            };
            format!("{} {value}", pick(dice, NUMBERS))
        }
        _ => {
            let (name, arguments) = WORDS[dice.below(WORDS.len() as u32) as usize];
            format!("{name} {}", pick(dice, arguments))
        }
    };
    command += pick(dice, &["", "", "", "\n", "\0", " ", " x", "\n\0", "=1"]);
    command.into_bytes()
}
