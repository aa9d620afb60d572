// SPDX-License-Identifier: GPL-2.0

//! Strict mode: what would be accepted silently is an error, and changes nothing.

mod common;

use common::*;
use rpktgen_core::command::names;
use rpktgen_core::Error;

/// One row of strict mode: the command, whether it is accepted.
const STRICT: &[(&str, bool)] = &[
    ("min_pkt_size 100", true),
    ("min_pkt_size", false),
    ("min_pkt_size 100x", false),
    ("min_pkt_size 41", false),
    ("pkt_size 1", false),
    ("flag UDPCSUM\0garbage", false),
    ("dst 10.0.0.1\0x.y", false),
    ("dst6 ::1\0junk", false),
    ("xmit_mode netif_receive\0zzz", false),
    ("flag UDPCSUM\0\0\n", true),
    ("min_pkt_size 65536", false),
    ("max_pkt_size 100 200", false),
    ("pkt_size 60", true),
    ("pkt_size -60", false),
    ("imix_weights 60,1 61,2", true),
    ("imix_weights 60,1 61,2 more", false),
    ("imix_weights 60,1;61,2", false),
    ("imix_weights", true),
    ("imix_weights 60", false),
    ("pps 7m", true),
    ("pps 7 M", false),
    ("pps 0", false),
    ("bps 10G", true),
    ("bps ten", false),
    ("frags 4", true),
    ("frags 2147483648", false),
    ("flows 65536", true),
    ("flows 65537", false),
    ("flowlen 4294967296", false),
    ("spi 4294967295", true),
    ("spi 0x100", false),
    ("node 1", true),
    ("node 2", false),
    ("debug 1", true),
    ("debug on", false),
    ("count 0", true),
    ("count 1000\n\0", true),
    ("count", false),
    ("count 0x10", false),
    ("count 12345678901", false),
    ("delay 1us", false),
    ("delay 2147483647", true),
    ("rate 300M", false),
    ("ratep 300k", false),
    ("clone_skb 2147483648", false),
    ("burst 65536", false),
    ("burst 0", true),
    ("xmit_mode start_xmit", true),
    ("xmit_mode nonsense", false),
    ("xmit_mode", false),
    ("clear_counters", true),
    ("clear_counters now", false),
    ("dst 198.18.0.42", true),
    ("dst 198.18.0", false),
    ("dst 198.18.0.256", false),
    ("dst 198.18.0.42/24", false),
    ("dst", false),
    ("dst_min 10.0.0.1.2", false),
    ("dst_max fd00::1", false),
    ("src_min 10.0.0.1 10.0.0.2", false),
    ("src_max nonsense", false),
    ("dst_mac 01:02:03:04:05:06", true),
    ("dst_mac 01:02:03:04:05:06:07", false),
    ("src_mac 01:02:03:04:05", false),
    ("udp_src_min 65536", false),
    ("udp_src_max", false),
    ("udp_dst_min 9-10", false),
    ("udp_dst_max 65535", true),
    ("queue_map_min 65536", false),
    ("queue_map_max 123456", false),
    ("skb_priority 1234567890", false),
    ("flag UDPCSUM", true),
    ("flag !UDPCSUM", true),
    ("flag udpcsum", false),
    ("flag UDPCSUM IPSRC_RND", false),
    ("flag", false),
    ("tos 0f", true),
    ("tos 0ff", false),
    ("tos 0", false),
    ("traffic_class f", false),
    ("dst6 fd00::1", true),
    ("dst6 fd00::1/64", false),
    ("dst6_min nonsense", false),
    ("dst6_max 198.18.0.1", false),
    ("src6", false),
    ("src_mac_count -1", false),
    ("dst_mac_count 4294967296", false),
    ("vlan_id 4095", true),
    ("vlan_id 40960", false),
    ("vlan_p 1", false),
    ("vlan_cfi 1", false),
    ("svlan_id 1", false),
    ("svlan_p 1", false),
    ("svlan_cfi 1", false),
    ("mpls 1,2", true),
    ("mpls off", true),
    ("mpls 1,2;", false),
    ("mpls 101,0", false),
    ("mpls 1,", false),
    ("mpls", false),
    ("nonsense", false),
];

#[test]
fn strict_mode() {
    for (command, accepted) in STRICT {
        let mut device = fresh();
        let before = read(&device);
        let returned = write(&mut device, command, true, true);
        assert_eq!(returned.is_ok(), *accepted, "{command:?}");
        let text = result(&device).to_string();
        if *accepted {
            let silent = command.starts_with("imix_weights");
            assert!(
                text.starts_with("OK: ") || silent && text.is_empty(),
                "{command:?}: {text:?}"
            );
        } else {
            assert_eq!(returned, Err(Error::Invalid), "{command:?}");
            assert!(!text.contains("OK:"), "{command:?}: {text:?}");
            // Nothing but the result changed.
            device.result.clear();
            assert_eq!(read(&device), before, "{command:?}");
        }
    }
}

/// Every command has a row above.
#[test]
fn every_command_is_tested() {
    for name in names() {
        let tested = |row: &(&str, bool)| row.0.split(' ').next() == Some(name);
        assert!(STRICT.iter().any(tested), "{name}");
    }
}
