// SPDX-License-Identifier: GPL-2.0

//! Commands that make sense, most of them. Mutations of bytes alone rarely come to a whole
//! address, or to both ends of a range.

use rpktgen_core::run::Random;

use crate::check::Dice;
use crate::model::FLAGS;

/// Commands that have to do with each other.
const GROUPS: &[&[&str]] = &[
    &[
        "min_pkt_size",
        "max_pkt_size",
        "pkt_size",
        "imix_weights",
        "frags",
        "flag",
    ],
    &[
        "clone_skb",
        "burst",
        "xmit_mode",
        "imix_weights",
        "flag SHARED",
        "flag !SHARED",
    ],
    &[
        "count",
        "delay",
        "rate",
        "ratep",
        "pps",
        "bps",
        "min_pkt_size",
        "clear_counters",
    ],
    &["dst", "dst_min", "dst_max", "src_min", "src_max", "flag"],
    &["dst6", "dst6_min", "dst6_max", "src6", "flag !IPV6"],
    &[
        "dst_mac",
        "src_mac",
        "src_mac_count",
        "dst_mac_count",
        "flag",
    ],
    &[
        "udp_src_min",
        "udp_src_max",
        "udp_dst_min",
        "udp_dst_max",
        "flag",
    ],
    &[
        "flows",
        "flowlen",
        "spi",
        "flag FLOW_SEQ",
        "flag IPSEC",
        "flag",
    ],
    &[
        "queue_map_min",
        "queue_map_max",
        "skb_priority",
        "node",
        "debug",
        "flag NODE",
        "flag",
    ],
    &[
        "vlan_id",
        "vlan_p",
        "vlan_cfi",
        "svlan_id",
        "svlan_p",
        "svlan_cfi",
        "mpls",
        "flag",
    ],
    &["mpls", "tos", "traffic_class", "flag MPLS_RND", "nonsense"],
];

const WORDS: &[(&str, &[&str])] = &[
    (
        "xmit_mode",
        &["start_xmit", "netif_receive", "queue_xmit", "none"],
    ),
    ("pps", RATES),
    ("bps", RATES),
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

const RATES: &[&str] = &[
    "1",
    "4294967297",
    "5k",
    "5K",
    "7m",
    "7M",
    "10g",
    "9999999999G",
    "12345678901",
    "0",
    "0k",
    "5 k",
    "5kk",
    "5x",
    "k",
    "",
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

/// Up to four commands for the device file that have to do with each other.
pub fn commands(dice: &mut Dice) -> Vec<Vec<u8>> {
    let group = GROUPS[dice.below(GROUPS.len() as u32) as usize];
    (0..=dice.below(4)).map(|_| command(dice, group)).collect()
}

/// A command for `pgctrl`.
pub fn control(dice: &mut Dice) -> Vec<u8> {
    let name = pick(dice, &["start", "stop", "reset", " start", "", "nonsense"]);
    let end = pick(dice, &["", "\n", "\0", "\n\0", "\0\n", "\n\n", " ", "\0x"]);
    format!("{name}{end}").into_bytes()
}

/// A command for the file of a thread.
pub fn thread(dice: &mut Dice) -> Vec<u8> {
    let names = &[
        "add_device",
        "rem_device_all",
        "max_before_softirq",
        "nonsense",
    ];
    let (name, between) = (pick(dice, names), pick(dice, &[" ", "=", "", "\0", "\n"]));
    let device = pick(
        dice,
        &[
            "",
            "eth0",
            "eth0@1",
            "a/b",
            "name-of-exactly-thirty-two-bytes",
        ],
    );
    let end = pick(dice, &["", "\n", "\0", " "]);
    format!("{name}{between}{device}{end}").into_bytes()
}

fn command(dice: &mut Dice, group: &[&str]) -> Vec<u8> {
    let name = pick(dice, group);
    let mut command = if name == "flag" {
        let sign = pick(dice, &["", "!"]);
        let flag = dice.below(FLAGS.len() as u32 + 1) as usize;
        let name = FLAGS.get(flag).map_or("FLOW_RND", |(name, _)| *name);
        format!("flag {sign}{name}")
    } else if let Some((_, arguments)) = WORDS.iter().find(|(word, _)| *word == name) {
        format!("{name} {}", pick(dice, arguments))
    } else if name.starts_with("flag ") {
        name.to_string()
    } else if dice.below(4) == 0 {
        format!("{name} {}", dice.u32() >> dice.below(32))
    } else {
        format!(
            "{name} {}",
            VALUES[dice.below(VALUES.len() as u32) as usize]
        )
    };
    command += pick(dice, &["", "", "", "", "\n", "\0", " ", " x", "\n\0", "=1"]);
    command.into_bytes()
}
