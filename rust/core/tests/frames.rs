// SPDX-License-Identifier: GPL-2.0

//! Frames, byte for byte, against the naive builder.

mod common;
#[path = "common/naive.rs"]
mod naive;

use common::*;
use naive::{Csum, Naive};
use rpktgen_core::run::{Run, StartFacts};

/// How many frames a long test looks at. Under Miri each takes a thousand times as long.
const FRAMES: u32 = if cfg!(miri) { 20 } else { 2000 };

fn run(commands: &[&str], facts: &StartFacts) -> Run {
    Run::start(&mut configured(commands), facts)
}

/// The example that was worked out by hand: 60 bytes from 198.18.0.1:9 to 198.18.0.42:9.
#[test]
fn frame_by_hand() {
    let mut run = run(
        &[
            "pkt_size 60",
            "dst 198.18.0.42",
            "src_min 198.18.0.1",
            "dst_mac 90:e2:ba:ff:ff:ff",
            "src_mac 02:00:00:00:00:01",
        ],
        &FACTS,
    );
    #[rustfmt::skip]
    let want = [
        0x90, 0xe2, 0xba, 0xff, 0xff, 0xff, 0x02, 0, 0, 0, 0, 0x01, 0x08, 0x00,
        // 4500 + 002e + 0000 + 0000 + 2011 + c612 + 0001 + c612 + 002a = 1f18e;
        // f18e + 1 = f18f; ~f18f = 0e70.
        0x45, 0x00, 0x00, 0x2e, 0x00, 0x00, 0x00, 0x00, 0x20, 0x11, 0x0e, 0x70,
        0xc6, 0x12, 0x00, 0x01, 0xc6, 0x12, 0x00, 0x2a,
        0x00, 0x09, 0x00, 0x09, 0x00, 0x1a, 0x00, 0x00,
        0xbe, 0x9b, 0xe9, 0x55, 0x00, 0x00, 0x00, 0x01,
        0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x03,
        0, 0,
    ];
    assert_eq!(frame(&mut run, &mut Ends::default(), Some((2, 3))), want);
}

#[test]
fn shapes() {
    let rows: &[(&[&str], usize)] = &[
        (&[], 58),
        (&["pkt_size 1"], 58),
        (&["pkt_size 57"], 58),
        (&["pkt_size 59"], 59),
        (&["pkt_size 1514"], 1514),
        (&["pkt_size 100000"], 65535),
    ];
    for (commands, len) in rows {
        let mut run = run(commands, &FACTS);
        let shape = run.next(&mut [][..], &mut Ends::default());
        assert_eq!(shape.len, *len, "{commands:?}");
        assert_eq!(
            (shape.l2_len, shape.l4_offset, shape.protocol),
            (14, 34, 0x0800)
        );
        assert!(!shape.csum_partial);
        let mut want = Naive::new();
        want.len = *len;
        let mut bytes = vec![0xa5; shape.len];
        run.write(&mut bytes, None);
        assert_eq!(bytes, want.frame(), "{commands:?}");
    }
}

#[test]
fn fixed_fields() {
    let mut base = Naive::new();
    base.len = 60;
    base.wall = (0x0102_0304, 999_999);
    let with = |change: fn(&mut Naive)| {
        let mut naive = base.clone();
        change(&mut naive);
        naive
    };
    let rows: &[(&[&str], Naive)] = &[
        (&[], with(|_| ())),
        (&["tos a5"], with(|n| n.tos = 0xa5)),
        (
            &["dst 203.0.113.9"],
            with(|n| n.daddr = vec![203, 0, 113, 9]),
        ),
        (
            &["src_min 203.0.113.9"],
            with(|n| n.saddr = vec![203, 0, 113, 9]),
        ),
        (&["src_max 203.0.113.9"], with(|_| ())),
        (
            &[
                "udp_src_min 1000",
                "udp_src_max 1000",
                "udp_dst_min 2000",
                "udp_dst_max 7",
            ],
            with(|n| n.ports = (1000, 2000)),
        ),
        (
            &["dst_mac 01:02:03:04:05:06"],
            with(|n| n.dst_mac = [1, 2, 3, 4, 5, 6]),
        ),
        (
            &["src_mac 01:02:03:04:05:06"],
            with(|n| n.src_mac = [1, 2, 3, 4, 5, 6]),
        ),
        (&["flag UDPCSUM"], with(|n| n.csum = Csum::Full)),
        (
            &["flag UDPCSUM", "pkt_size 1500"],
            with(|n| (n.csum, n.len) = (Csum::Full, 1500)),
        ),
        (&["flag UDPCSUM", "flag !UDPCSUM"], with(|_| ())),
    ];
    for (commands, want) in rows {
        let mut device = configured(&["pkt_size 60"]);
        set(&mut device, commands);
        let mut run = Run::start(&mut device, &FACTS);
        let got = frame(&mut run, &mut Ends::default(), Some(base.wall));
        assert_eq!(got, want.frame(), "{commands:?}");
    }
}

#[test]
fn checksum_offload() {
    let facts = StartFacts {
        csum_ipv4: true,
        ..FACTS
    };
    let mut run = run(&["flag UDPCSUM", "dst 203.0.113.9"], &facts);
    let shape = run.next(&mut [][..], &mut Ends::default());
    assert!(shape.csum_partial);
    let mut bytes = vec![0; shape.len];
    run.write(&mut bytes, None);
    let mut want = Naive::new();
    want.daddr = vec![203, 0, 113, 9];
    want.csum = Csum::Partial;
    assert_eq!(bytes, want.frame());
}

/// A sum of zero is sent as 0xffff: some time stamp makes it so.
#[test]
#[cfg_attr(miri, ignore = "65536 frames")]
fn checksum_is_never_zero() {
    let mut run = run(&["flag UDPCSUM"], &FACTS);
    let mut zeros = 0;
    for usec in 0..=0xffff {
        let mut want = Naive::new();
        want.csum = Csum::Full;
        want.id = usec as u16;
        want.wall.1 = usec;
        let got = frame(&mut run, &mut Ends::default(), Some((0, usec)));
        assert_eq!(got, want.frame());
        assert_ne!(got[40..42], [0, 0]);
        zeros += usize::from(got[40..42] == [0xff, 0xff]);
    }
    assert_eq!(zeros, 1);
}

/// Everything varies at once: every frame is still what its current values say.
#[test]
fn varying_fields() {
    for commands in [
        &[][..],
        &[
            "flag UDPSRC_RND",
            "flag UDPDST_RND",
            "flag IPSRC_RND",
            "flag IPDST_RND",
            "flag TXSIZE_RND",
        ],
    ] {
        for csum in [Csum::None, Csum::Full, Csum::Partial] {
            let facts = StartFacts {
                csum_ipv4: csum == Csum::Partial,
                ..FACTS
            };
            let mut device = configured(&[
                "min_pkt_size 42",
                "max_pkt_size 300",
                "src_min 198.18.0.1",
                "src_max 198.19.255.254",
                "dst_min 10.0.0.1",
                "dst_max 255.255.255.255",
                "udp_src_min 9",
                "udp_src_max 109",
                "udp_dst_min 1",
                "udp_dst_max 65535",
            ]);
            set(&mut device, commands);
            if csum != Csum::None {
                set(&mut device, &["flag UDPCSUM"]);
            }
            let mut run = Run::start(&mut device, &facts);
            let mut rng = Lcg(1);
            for n in 0..FRAMES {
                let wall = (n * 7, n * 11);
                let got = frame(&mut run, &mut rng, Some(wall));
                run.sync(&mut device, &facts);
                let current = &device.current;
                let want = Naive {
                    id: n as u16,
                    saddr: current.saddr.to_be_bytes().to_vec(),
                    daddr: current.daddr.to_be_bytes().to_vec(),
                    ports: (current.udp_src, current.udp_dst),
                    csum,
                    seq: n + 1,
                    wall,
                    len: (current.pkt_size as usize).max(58),
                    ..Naive::new()
                };
                assert_eq!(got, want.frame(), "packet {n}");
                run.sent(1, got.len());
            }
        }
    }
}

const TAGGED: &[(&[&str], &[u8])] = &[
    (&["vlan_id 1"], &[0x81, 0x00, 0x00, 0x01]),
    (
        &["vlan_id 4095", "vlan_p 7", "vlan_cfi 1"],
        &[0x81, 0x00, 0xff, 0xff],
    ),
    (
        &["vlan_id 2", "vlan_p 3", "svlan_id 1", "svlan_cfi 1"],
        &[0x81, 0x00, 0x10, 0x01, 0x81, 0x00, 0x60, 0x02],
    ),
    // Only the last entry is the bottom of the stack.
    (&["mpls 12345eff"], &[0x88, 0x47, 0x12, 0x34, 0x5f, 0xff]),
    (
        &["mpls 101,2", "flag !MPLS_RND"],
        &[0x88, 0x47, 0, 0, 0x00, 0x01, 0, 0, 0x01, 0x02],
    ),
    (&["vlan_id 1", "vlan_id 4096"], &[]),
];

/// Tags and labels between any Ethernet and IP header, with and without checksums.
#[test]
fn tags_and_labels() {
    let saddr6 = [0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];
    let daddr6 = [0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xab, 2];
    for (commands, tags) in TAGGED.iter().chain([&(&[][..], &[][..])]) {
        for ipv6 in [false, true] {
            for csum in [Csum::None, Csum::Full, Csum::Partial] {
                for size in [42, 60, 100, 1500] {
                    let mut device = fresh();
                    set(&mut device, commands);
                    set(
                        &mut device,
                        &[&format!("pkt_size {size}"), "tos 1e", "traffic_class b7"],
                    );
                    if csum != Csum::None {
                        set(&mut device, &["flag UDPCSUM"]);
                    }
                    let mut want = Naive::new();
                    if ipv6 {
                        set(&mut device, &["src6 fd00::1", "dst6 fd00::ab02"]);
                        want.saddr = saddr6.to_vec();
                        want.daddr = daddr6.to_vec();
                    }
                    let partial = csum == Csum::Partial;
                    let facts = StartFacts {
                        csum_ipv4: partial && !ipv6,
                        csum_ipv6: partial && ipv6,
                        ..FACTS
                    };
                    let mut run = Run::start(&mut device, &facts);
                    let shape = run.next(&mut [][..], &mut Ends::default());
                    let mut bytes = vec![0xa5; shape.len];
                    run.write(&mut bytes, Some((5, 6)));

                    want.tags = tags.to_vec();
                    // Labels do not say what they carry, everything else does.
                    if !tags.starts_with(&[0x88]) {
                        want.tags
                            .extend(if ipv6 { [0x86, 0xdd] } else { [0x08, 0x00] });
                    }
                    want.tos = if ipv6 { 0xb7 } else { 0x1e };
                    want.csum = csum;
                    want.wall = (5, 6);
                    let l3 = 12 + want.tags.len();
                    let l4 = l3 + if ipv6 { 40 } else { 20 };
                    want.len = size.max(l4 + 24);
                    assert_eq!(bytes, want.frame(), "{commands:?} {ipv6} {size}");
                    assert_eq!(usize::from(shape.l2_len), l3);
                    assert_eq!(usize::from(shape.l4_offset), l4);
                    assert_eq!(shape.protocol.to_be_bytes(), want.tags[..2]);
                    assert_eq!(shape.csum_partial, partial);
                }
            }
        }
    }
}

/// Tags, labels, MACs and IPv6 destinations that vary, with the checksum following.
#[test]
fn varying_tags() {
    let mut device = configured(&[
        "vlan_id 1",
        "svlan_id 2",
        "vlan_p 5",
        "flag VID_RND",
        "flag SVID_RND",
        "src6 fd00::1",
        "dst6_min fd00::",
        "dst6_max fd00::ffff:ffff",
        "src_mac_count 3",
        "dst_mac_count 300",
        "flag MACDST_RND",
        "flag UDPCSUM",
        "dst_mac 02:00:00:00:00:00",
    ]);
    let mut run = Run::start(&mut device, &FACTS);
    let mut rng = Lcg(3);
    let mut seen_vlans = std::collections::HashSet::new();
    for n in 0..FRAMES / 4 {
        let got = frame(&mut run, &mut rng, Some((n, n)));
        run.sync(&mut device, &FACTS);
        let config = &device.config;
        let mut want = Naive::new();
        want.tags = vec![0x81, 0x00];
        want.tags.extend(config.svlan.id.to_be_bytes());
        want.tags.extend([0x81, 0x00]);
        want.tags.extend((0xa000 | config.vlan.id).to_be_bytes());
        want.tags.extend([0x86, 0xdd]);
        want.saddr = vec![0; 16];
        (want.saddr[0], want.saddr[15]) = (0xfd, 1);
        want.daddr = device.current.daddr6.to_vec();
        assert_eq!(want.daddr[..12], [0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        want.csum = Csum::Full;
        want.wall = (n, n);
        want.len = 14 + 8 + 64;
        // The net device's own MAC is where the sequence starts.
        want.src_mac = DEV_MAC;
        want.src_mac[5] += (n % 3) as u8;
        want.dst_mac.copy_from_slice(&got[..6]);
        assert_eq!(got[..4], [2, 0, 0, 0]);
        assert!(u16::from_be_bytes([got[4], got[5]]) < 300);
        assert_eq!(got, want.frame(), "packet {n}");
        seen_vlans.insert(config.vlan.id);
    }
    assert!(seen_vlans.len() > FRAMES as usize / 5 && seen_vlans.iter().all(|id| *id < 4096));
}

#[test]
fn random_labels() {
    let mut device = configured(&["mpls 00001007,00001140"]);
    let mut run = Run::start(&mut device, &FACTS);
    let got = frame(&mut run, &mut Lcg(7), None);
    run.sync(&mut device, &FACTS);
    // Only the entry with the bottom-of-stack bit is drawn anew, and only its label.
    let entries = device.config.mpls.entries();
    assert_eq!(entries[0], 0x1007);
    assert_ne!(entries[1] >> 12, 1);
    assert_eq!(entries[1] & 0xfff, 0x140);
    assert_eq!(got[14..18], 0x1007u32.to_be_bytes());
    assert_eq!(got[18..22], entries[1].to_be_bytes());
}
