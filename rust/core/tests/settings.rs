// SPDX-License-Identifier: GPL-2.0

//! What commands store, and how they depend on each other.

mod common;

use common::*;
use rpktgen_core::config::{Mode, DELAY_NEVER};
use rpktgen_core::flags::Flags;
use rpktgen_core::Error::{Invalid, NotSupported};
use rpktgen_core::{Error, Result};

/// Commands whose outcome depends on others: the setting before, whether the net device shares,
/// the command, what it returns.
#[test]
fn sharing_and_modes() {
    type Row = (&'static [&'static str], bool, &'static str, Result);
    let rows: &[Row] = &[
        (&[], false, "clone_skb 0", Ok(())),
        (&[], false, "clone_skb 1", Err(NotSupported)),
        (
            &["xmit_mode netif_receive"],
            true,
            "clone_skb 1",
            Err(NotSupported),
        ),
        (&["xmit_mode netif_receive"], true, "clone_skb 0", Ok(())),
        (&["xmit_mode queue_xmit"], true, "clone_skb 1", Ok(())),
        (&["flag !SHARED"], true, "clone_skb 1", Err(Invalid)),
        // EOPNOTSUPP comes before EINVAL.
        (&["flag !SHARED"], false, "clone_skb 1", Err(NotSupported)),
        (&[], true, "burst 2", Ok(())),
        (&[], false, "burst 1", Ok(())),
        (&[], false, "burst 2", Err(NotSupported)),
        (&["xmit_mode netif_receive"], false, "burst 2", Ok(())),
        (
            &["xmit_mode queue_xmit"],
            true,
            "burst 2",
            Err(NotSupported),
        ),
        (&["xmit_mode queue_xmit"], true, "burst 1", Ok(())),
        (&["flag !SHARED"], true, "burst 2", Err(Invalid)),
        (&["flag !SHARED"], false, "burst 2", Err(NotSupported)),
        (
            &["clone_skb 1"],
            true,
            "xmit_mode netif_receive",
            Err(NotSupported),
        ),
        (&["clone_skb 1"], true, "xmit_mode queue_xmit", Ok(())),
        (&["burst 2"], true, "xmit_mode queue_xmit", Ok(())),
        (&["clone_skb 1"], true, "flag !SHARED", Err(Invalid)),
        (&["burst 2"], true, "flag !SHARED", Err(Invalid)),
        (
            &["clone_skb 1", "clone_skb 0"],
            true,
            "flag !SHARED",
            Ok(()),
        ),
    ];
    for (before, sharing, command, want) in rows {
        let mut device = configured(before);
        device.result.set(b"before");
        assert_eq!(
            write(&mut device, command, *sharing, false),
            *want,
            "{before:?} {command}"
        );
        if want.is_err() {
            assert_eq!(result(&device), "before", "{before:?} {command}");
        }
    }
}

#[test]
fn sizes() {
    type Row = (&'static [&'static str], (u32, u32, u32));
    let rows: &[Row] = &[
        // (min, max, current)
        (&["min_pkt_size 100"], (100, 0, 100)),
        (&["max_pkt_size 100"], (0, 100, 100)),
        (&["pkt_size 100"], (100, 100, 100)),
        (&["min_pkt_size 60", "max_pkt_size 90"], (60, 90, 90)),
        (&["max_pkt_size 90", "min_pkt_size 60"], (60, 90, 60)),
        // Equal to the minimum: nothing changes.
        (
            &["min_pkt_size 60", "max_pkt_size 90", "pkt_size 60"],
            (60, 90, 90),
        ),
        (
            &["pkt_size 60", "max_pkt_size 90", "min_pkt_size 60"],
            (60, 90, 90),
        ),
        (&["pkt_size 10"], (42, 42, 42)),
    ];
    for (commands, want) in rows {
        let device = configured(commands);
        let config = &device.config;
        let got = (
            config.min_pkt_size,
            config.max_pkt_size,
            device.current.pkt_size,
        );
        assert_eq!(got, *want, "{commands:?}");
    }
}

#[test]
fn delays() {
    let rows: &[(&[&str], u64)] = &[
        (&["delay 5"], 5),
        (&["delay 2147483647"], DELAY_NEVER),
        // 1500 bytes at 100 Mbit/s are 120 us.
        (&["pkt_size 1500", "rate 100"], 120_000),
        (&["rate 100", "pkt_size 1500"], 0),
        (&["pkt_size 60", "rate 7"], 68_571),
        (&["ratep 3"], 333_333_333),
        (&["ratep 9999999999"], 0),
    ];
    for (commands, want) in rows {
        assert_eq!(configured(commands).config.delay_ns, *want, "{commands:?}");
    }
}

/// The last of the commands holds, and shows.
#[test]
fn one_pace_at_a_time() {
    let rows: &[(&[&str], &str, u64)] = &[
        (&["delay 5", "pps 7k"], "     pps: 7000", 0),
        (&["pps 7k", "bps 1G"], "     bps: 1000000000", 0),
        (&["pps 7k", "delay 5"], "", 5),
        (&["bps 7k", "ratep 1000"], "", 1_000_000),
        (&["pkt_size 125", "bps 7k", "rate 1"], "", 1_000_000),
        (&["pps 7k", "pps 0"], "     pps: 7000", 0),
    ];
    for (commands, shown, delay_ns) in rows {
        let mut device = fresh();
        for command in *commands {
            let _ = write(&mut device, command, true, false);
        }
        let rate = line(&device, "     pps:") + &line(&device, "     bps:");
        assert_eq!(
            (rate.as_str(), device.config.delay_ns),
            (*shown, *delay_ns),
            "{commands:?}"
        );
    }
}

#[test]
fn current_values_follow_commands() {
    let device = configured(&[
        "dst_min 10.0.0.1",
        "src_min 10.1.0.0",
        "udp_src_min 7",
        "udp_dst_min 8",
    ]);
    let current = &device.current;
    assert_eq!(current.daddr, 0x0a00_0001);
    assert_eq!(current.saddr, 0x0a01_0000);
    assert_eq!((current.udp_src, current.udp_dst), (7, 8));

    let device = configured(&[
        "dst_max 10.0.0.2",
        "src_max 10.0.0.3",
        "udp_src_max 5",
        "udp_dst_max 6",
    ]);
    let current = &device.current;
    assert_eq!(current.daddr, 0x0a00_0002);
    assert_eq!(current.saddr, 0x0a00_0003);
    assert_eq!((current.udp_src, current.udp_dst), (5, 6));

    // The same again changes nothing; 65545 is not the same as 9.
    let device = configured(&["udp_src_min 9"]);
    assert_eq!(device.current.udp_src, 0);
    let device = configured(&["udp_src_min 65545"]);
    assert_eq!(device.current.udp_src, 9);
    let device = configured(&["dst_min 10.0.0.1", "dst_max 10.0.0.2", "dst_min 10.0.0.1"]);
    assert_eq!(device.current.daddr, 0x0a00_0002);
}

#[test]
fn modes() {
    for (name, mode) in [
        ("start_xmit", Mode::StartXmit),
        ("netif_receive", Mode::NetifReceive),
        ("queue_xmit", Mode::QueueXmit),
    ] {
        let device = configured(&["xmit_mode netif_receive", &format!("xmit_mode {name}")]);
        assert_eq!(device.config.mode, mode);
    }
    let device = configured(&["xmit_mode queue_xmit", "xmit_mode nonsense"]);
    assert_eq!(device.config.mode, Mode::QueueXmit);
}

#[test]
fn clear_counters() {
    let mut device = fresh();
    device.counters.sofar = 7;
    device.counters.errors = 8;
    device.started_ns = 5;
    set(&mut device, &["clear_counters"]);
    assert_eq!(device.counters, rpktgen_core::device::Counters::CLEARED);
    assert_eq!(device.started_ns, 5);
}

/// Tags and labels exclude each other, and an outer tag needs an inner one. The settings, then
/// the lines that show them.
#[test]
fn tags_and_labels() {
    let labels = |n: u32| {
        let list: Vec<String> = (1..=n).map(|i| format!("{i:x}")).collect();
        format!("mpls {}", list.join(","))
    };
    let rows: &[(&[&str], &str)] = &[
        (&["vlan_id 5"], "vlan_id: 5  vlan_p: 0  vlan_cfi: 0\n"),
        (
            &["vlan_id 5", "vlan_p 3", "vlan_cfi 1"],
            "vlan_id: 5  vlan_p: 3  vlan_cfi: 1\n",
        ),
        (
            &["vlan_id 5", "vlan_p 8", "vlan_cfi 2"],
            "vlan_id: 5  vlan_p: 0  vlan_cfi: 0\n",
        ),
        (&["vlan_id 5", "vlan_id 4096"], ""),
        // Priority and CFI outlive the tag.
        (
            &["vlan_id 5", "vlan_p 3", "vlan_id 4096", "vlan_id 6"],
            "vlan_id: 6  vlan_p: 3  vlan_cfi: 0\n",
        ),
        (
            &["vlan_id 5", "svlan_id 7", "svlan_p 2", "svlan_cfi 1"],
            "vlan_id: 5  vlan_p: 0  vlan_cfi: 0\nsvlan_id: 7  vlan_p: 2  vlan_cfi: 1\n",
        ),
        (&["svlan_id 7"], ""),
        (&["vlan_id 5", "svlan_id 7", "svlan_id 4096"], ""),
        (
            &["vlan_id 5", "svlan_id 7", "vlan_id 4096", "vlan_id 5"],
            "vlan_id: 5  vlan_p: 0  vlan_cfi: 0\n",
        ),
        (&["mpls 1,2"], "mpls: 00000001, 00000002\n"),
        (&["vlan_id 5", "mpls 1"], "mpls: 00000001\n"),
        (
            &["vlan_id 5", "mpls 0"],
            "vlan_id: 5  vlan_p: 0  vlan_cfi: 0\n",
        ),
        (
            &["mpls 1", "vlan_id 5"],
            "vlan_id: 5  vlan_p: 0  vlan_cfi: 0\n",
        ),
        (&["mpls 1", "vlan_id 4096"], "mpls: 00000001\n"),
        (&["mpls 1", "mpls 1,0"], ""),
    ];
    for (commands, want) in rows {
        let text = read(&configured(commands));
        let mut shown = String::new();
        for line in text.lines().map(str::trim_start) {
            if ["mpls:", "vlan_id:", "svlan_id:"]
                .iter()
                .any(|label| line.starts_with(label))
            {
                shown.push_str(line);
                shown.push('\n');
            }
        }
        assert_eq!(shown, *want, "{commands:?}");
    }
    // Sixteen labels fit; after an error there is none.
    let mut device = fresh();
    for (list, want) in [
        (labels(16), Ok(())),
        (labels(17), Err(Error::TooBig)),
        (labels(15) + ",", Err(Invalid)),
        (labels(16) + ",", Err(Error::TooBig)),
        ("mpls".to_string(), Err(Invalid)),
        ("mpls\n".to_string(), Err(Invalid)),
    ] {
        set(&mut device, &["mpls 1"]);
        assert_eq!(write(&mut device, &list, true, false), want, "{list}");
        assert_eq!(device.config.mpls.is_empty(), want.is_err(), "{list}");
    }
    // Strict: nothing changes, the error is the same.
    set(&mut device, &["mpls 1"]);
    assert_eq!(
        write(&mut device, labels(17), true, true),
        Err(Error::TooBig)
    );
    assert_eq!(device.config.mpls.entries(), [1]);
}

/// A bottom-of-stack bit switches random labels on, even if the list is refused in the end.
#[test]
fn random_labels() {
    for (list, accepted, flags) in [
        ("mpls ff", true, 0x40000),
        ("mpls 1,100", true, 0x40100),
        ("mpls 100,", false, 0x40100),
        ("mpls 100,0", true, 0x40100),
    ] {
        let mut device = fresh();
        assert_eq!(
            write(&mut device, list, true, false).is_ok(),
            accepted,
            "{list}"
        );
        assert_eq!(
            format!("{:#x}", device.config.flags),
            format!("{flags:#x}"),
            "{list}"
        );
    }
}

/// IPv6 is switched on by its commands and off by its flag only.
#[test]
fn ipv6() {
    let rows: &[(&[&str], bool)] = &[
        (&["dst6 fd00::1"], true),
        (&["dst6_min fd00::1"], true),
        (&["dst6_max fd00::1"], true),
        (&["src6 fd00::1"], true),
        (&["src6 nonsense"], false),
        (&["src6 fd00::1", "dst 10.0.0.1"], true),
        (&["src6 fd00::1", "flag !IPV6"], false),
        (&["flag IPV6"], false),
    ];
    for (commands, want) in rows {
        let device = configured(commands);
        assert_eq!(device.config.flags.has(Flags::IPV6), *want, "{commands:?}");
    }
    // What is no address leaves the one before.
    let device = configured(&["dst6 fd00::1", "dst6 nonsense"]);
    assert_eq!(result(&device), "ERROR: dst6: not an IPv6 address");
    assert_eq!(device.current.daddr6[15], 1);
    let device = configured(&[
        "dst6 fd00::1",
        "dst6_min fd00::2",
        "dst6_max fd00::3",
        "src6 fd00::4",
    ]);
    assert_eq!(
        (device.current.daddr6[15], device.current.saddr6[15]),
        (2, 4)
    );
    // 127 bytes are read.
    let zeros = "0:0:0:0:0:0:0:1";
    let mut long = fresh();
    write(
        &mut long,
        format!("dst6 {zeros}/{}", "x".repeat(200)),
        true,
        false,
    )
    .unwrap();
    assert_eq!(result(&long), "OK: dst6=::1");
}
