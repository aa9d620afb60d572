// SPDX-License-Identifier: GPL-2.0

//! What each command stores, answers and refuses.

mod common;

use common::*;
use rpktgen_core::command::{self, control, names, thread, Control, Facts, Thread};
use rpktgen_core::Error::{Invalid, NotSupported};
use rpktgen_core::{Error, Result};

/// The names that the result lists for an unknown flag.
const FLAGS: &str = "IPV6, IPSRC_RND, IPDST_RND, TXSIZE_RND, UDPSRC_RND, UDPDST_RND, \
                     UDPCSUM, NO_TIMESTAMP, MPLS_RND, QUEUE_MAP_RND, QUEUE_MAP_CPU, FLOW_SEQ, IPSEC, \
                     MACSRC_RND, MACDST_RND, VID_RND, SVID_RND, NODE, SHARED";

#[test]
fn control_file() {
    let long = |command: &str, len: usize| {
        let mut text = command.as_bytes().to_vec();
        text.push(0);
        text.resize(len, b'x');
        text
    };
    let rows: &[(Vec<u8>, Result<Control>)] = &[
        (b"start".to_vec(), Ok(Control::Start)),
        (b"start\n".to_vec(), Ok(Control::Start)),
        (b"start\0".to_vec(), Ok(Control::Start)),
        (b"stop\n".to_vec(), Ok(Control::Stop)),
        (b"reset".to_vec(), Ok(Control::Reset)),
        (b"start\0junk\n".to_vec(), Ok(Control::Start)),
        (b"start\n\0".to_vec(), Err(Invalid)),
        (b"start\n\n".to_vec(), Err(Invalid)),
        (b" start".to_vec(), Err(Invalid)),
        (b"start ".to_vec(), Err(Invalid)),
        (b"start\r\n".to_vec(), Err(Invalid)),
        (b"START".to_vec(), Err(Invalid)),
        (b"star".to_vec(), Err(Invalid)),
        (b"starts".to_vec(), Err(Invalid)),
        (b"".to_vec(), Err(Invalid)),
        (b"\n".to_vec(), Err(Invalid)),
        (long("stop", 4096), Ok(Control::Stop)),
    ];
    for (input, want) in rows {
        assert_eq!(
            control(input),
            *want,
            "{:?}",
            String::from_utf8_lossy(input)
        );
    }
    let digits = [b'1'; 131];
    for len in 0..=digits.len() {
        assert_eq!(control(&digits[..len]), Err(Invalid), "{len} digits");
    }
}

#[test]
fn thread_file() {
    let rows: &[(&[u8], Result<Thread<'_>>)] = &[
        (b"add_device eth0@1\n", Ok(Thread::AddDevice(b"eth0@1"))),
        (b"add_device lo@0\0", Ok(Thread::AddDevice(b"lo@0"))),
        (b"add_device=eth0", Ok(Thread::AddDevice(b"eth0"))),
        (
            b" \"add_device\"\teth0 eth1",
            Ok(Thread::AddDevice(b"eth0")),
        ),
        (b"add_device", Ok(Thread::AddDevice(b""))),
        (
            b"add_device 0123456789012345678901234567890123",
            Ok(Thread::AddDevice(b"0123456789012345678901234567890")),
        ),
        (b"rem_device_all", Ok(Thread::RemoveAll)),
        (b"rem_device_all anything", Ok(Thread::RemoveAll)),
        (b"max_before_softirq 100", Ok(Thread::MaxBeforeSoftirq)),
        (b"max_before_softir", Err(Invalid)),
        (b"Add_device lo", Err(Invalid)),
        (b"", Err(Invalid)),
        (b" \t\n=\"", Err(Invalid)),
    ];
    for (input, want) in rows {
        assert_eq!(thread(input), *want, "{:?}", String::from_utf8_lossy(input));
    }
}

/// A name that is too long is cut, and the rest is its argument: with a NUL in it, it can still
/// be a command.
#[test]
fn long_names() {
    let input = format!("add_device\0{}eth0", "x".repeat(28));
    assert_eq!(thread(input.as_bytes()), Ok(Thread::AddDevice(b"eth0")));
    let mut device = fresh();
    let input = format!("count\0{}77", "x".repeat(9));
    assert_eq!(write(&mut device, input, true, false), Ok(()));
    assert_eq!(result(&device), "OK: count=77");
}

/// Every prefix of a wrong command, its NUL included, is refused: nothing reads beyond the end.
#[test]
fn prefixes_of_wrong_commands() {
    let text = b"forsureawrongcommand\0";
    for len in 0..=text.len() {
        assert_eq!(thread(&text[..len]), Err(Invalid), "{len}");
    }
    let text = b"max_before_softirq\0";
    for len in 0..=text.len() {
        assert_eq!(thread(&text[..len]).is_ok(), len >= 18, "{len}");
    }
    let text = b"forsurewrongcommand\0";
    for len in 0..=text.len() {
        let mut device = fresh();
        assert_eq!(write(&mut device, &text[..len], true, false), Err(Invalid));
        let shown = std::str::from_utf8(&text[..len.min(15)]).unwrap();
        let want = match len {
            0 => String::new(),
            _ => format!("No such parameter \"{shown}\""),
        };
        assert_eq!(result(&device), want);
    }
}

/// One row: the command, what it returns, the result text after it. A result of `=` stands for
/// `OK: ` and the command itself, with its blank as an equals sign. `~` means unchanged.
type Row = (&'static str, Result, &'static str);

/// What the commands of an unconfigured device answer; every row has a device of its own.
const ROWS: &[Row] = &[
    // Sizes: at least the headers, at most what length fields hold.
    ("min_pkt_size 100", Ok(()), "="),
    ("min_pkt_size 0", Ok(()), "OK: min_pkt_size=42"),
    ("min_pkt_size", Ok(()), "OK: min_pkt_size=42"),
    ("min_pkt_size ", Ok(()), "OK: min_pkt_size=42"),
    ("min_pkt_size -7", Ok(()), "OK: min_pkt_size=42"),
    ("min_pkt_size 1001x", Ok(()), "OK: min_pkt_size=1001"),
    ("min_pkt_size 4294967297", Ok(()), "OK: min_pkt_size=65535"),
    ("max_pkt_size 200", Ok(()), "="),
    ("max_pkt_size 65536", Ok(()), "OK: max_pkt_size=65535"),
    ("max_pkt_size", Ok(()), "OK: max_pkt_size=42"),
    ("pkt_size 300", Ok(()), "="),
    ("pkt_size 9999999999", Ok(()), "OK: pkt_size=65535"),
    ("pkt_size", Ok(()), "OK: pkt_size=42"),
    // Numbers: ten digits, no sign, no suffix, whatever follows is ignored.
    ("count 100", Ok(()), "="),
    ("count", Ok(()), "OK: count=0"),
    ("count -5", Ok(()), "OK: count=0"),
    ("count 0x10", Ok(()), "OK: count=0"),
    ("count 1 2 3", Ok(()), "OK: count=1"),
    ("count 12345678901", Ok(()), "OK: count=1234567890"),
    ("count 9999999999", Ok(()), "="),
    ("delay 100", Ok(()), "="),
    ("delay", Ok(()), "OK: delay=0"),
    ("delay 2147483646", Ok(()), "="),
    ("delay 2147483647", Ok(()), "OK: delay=18446744073709551615"),
    ("delay 2147483648", Ok(()), "="),
    ("rate 100", Ok(()), "="),
    ("rate 300M", Ok(()), "OK: rate=300"),
    ("rate 0", Err(Invalid), "~"),
    ("rate", Err(Invalid), "~"),
    ("ratep 200", Ok(()), "OK: rate=200"),
    ("ratep 0", Err(Invalid), "~"),
    ("clone_skb 0", Ok(()), "="),
    ("clone_skb 1", Ok(()), "="),
    ("clone_skb", Ok(()), "OK: clone_skb=0"),
    ("clone_skb 4294967295", Ok(()), "OK: clone_skb=2147483647"),
    ("burst 0", Ok(()), "OK: burst=1"),
    ("burst", Ok(()), "OK: burst=1"),
    ("burst 32", Ok(()), "="),
    ("burst 4294967295", Ok(()), "OK: burst=65535"),
    ("burst 4294967296", Ok(()), "OK: burst=65535"),
    ("xmit_mode start_xmit", Ok(()), "="),
    ("xmit_mode netif_receive", Ok(()), "="),
    ("xmit_mode queue_xmit", Ok(()), "="),
    (
        "xmit_mode nonsense",
        Ok(()),
        "xmit_mode -:nonsense:- unknown\nAvailable modes: start_xmit, netif_receive\n",
    ),
    (
        "xmit_mode",
        Ok(()),
        "xmit_mode -::- unknown\nAvailable modes: start_xmit, netif_receive\n",
    ),
    ("clear_counters", Ok(()), "OK: Clearing counters.\n"),
    ("clear_counters now", Ok(()), "OK: Clearing counters.\n"),
    // Addresses.
    ("dst 198.18.0.42", Ok(()), "OK: dst_min=198.18.0.42"),
    ("dst_min 198.18.0.42", Ok(()), "="),
    ("dst_max 198.18.0.42", Ok(()), "="),
    ("src_min 198.18.0.42", Ok(()), "="),
    ("src_max 198.18.0.42", Ok(()), "="),
    ("dst garbage", Ok(()), "ERROR: dst: not an IPv4 address"),
    ("dst 198.18.0.42/24", Ok(()), "ERROR: dst: not an IPv4 address"),
    ("src_max 10.1", Ok(()), "ERROR: src_max: not an IPv4 address"),
    ("dst 198.018.0.042", Ok(()), "OK: dst_min=198.018.0.042"),
    ("dst", Ok(()), "OK: dst_min="),
    ("src_min 1.2.3.4 5.6.7.8", Ok(()), "OK: src_min=1.2.3.4"),
    (
        "dst_mac 01:02:03:04:05:06",
        Ok(()),
        "OK: dstmac 01:02:03:04:05:06",
    ),
    (
        "dst_mac AA:bb:CC:dd:EE:ff",
        Ok(()),
        "OK: dstmac aa:bb:cc:dd:ee:ff",
    ),
    (
        "dst_mac 01:02:03:04:05:06:07",
        Ok(()),
        "OK: dstmac 01:02:03:04:05:06",
    ),
    (
        "src_mac 11:12:13:14:15:16",
        Ok(()),
        "OK: srcmac 11:12:13:14:15:16",
    ),
    ("dst_mac 01-02-03-04-05-06", Err(Invalid), "~"),
    ("dst_mac 1:2:3:4:5:6", Err(Invalid), "~"),
    ("dst_mac", Err(Invalid), "~"),
    ("src_mac zz", Err(Invalid), "~"),
    // Ports and queues wrap at 16 bits, queues have five digits.
    ("udp_src_min 1", Ok(()), "="),
    ("udp_src_max 2", Ok(()), "="),
    ("udp_dst_min 3", Ok(()), "="),
    ("udp_dst_max 4", Ok(()), "="),
    ("udp_src_min 65537", Ok(()), "OK: udp_src_min=1"),
    ("udp_dst_max", Ok(()), "OK: udp_dst_max=0"),
    ("queue_map_min 1", Ok(()), "="),
    ("queue_map_max 2", Ok(()), "="),
    ("queue_map_min 123456", Ok(()), "OK: queue_map_min=12345"),
    ("queue_map_max 65537", Ok(()), "OK: queue_map_max=1"),
    ("queue_map_max", Ok(()), "OK: queue_map_max=0"),
    ("skb_priority 999", Ok(()), "="),
    (
        "skb_priority 1234567890",
        Ok(()),
        "OK: skb_priority=123456789",
    ),
    // TOS: two digits, no more, no fewer.
    ("tos 0f", Ok(()), "OK: tos=0x0f"),
    ("tos F0", Ok(()), "OK: tos=0xf0"),
    ("tos 0ff", Ok(()), "OK: tos=0x0f"),
    ("tos 0", Ok(()), "ERROR: tos must be 00-ff"),
    ("tos 0x10", Ok(()), "ERROR: tos must be 00-ff"),
    ("tos", Ok(()), "ERROR: tos must be 00-ff"),
    ("traffic_class f0", Ok(()), "OK: traffic_class=0xf0"),
    ("traffic_class", Ok(()), "ERROR: traffic_class must be 00-ff"),
    // IPv6.
    ("dst6 fd00::1", Ok(()), "="),
    ("dst6 FD00:0:0:0:0:0:0:1", Ok(()), "OK: dst6=fd00::1"),
    ("dst6 fd00::1/64", Ok(()), "OK: dst6=fd00::1"),
    (
        "dst6 2001:0db8:0038:0002:b1c5:0007:0008:0009",
        Ok(()),
        "OK: dst6=2001:db8:38:2:b1c5:7:8:9",
    ),
    ("dst6 nonsense", Ok(()), "ERROR: dst6: not an IPv6 address"),
    ("dst6", Ok(()), "ERROR: dst6: not an IPv6 address"),
    ("dst6_min fd00::1", Ok(()), "="),
    ("dst6_max fd00::ffff", Ok(()), "="),
    ("src6 fd00::2", Ok(()), "="),
    // Numbers of MACs are shown signed.
    ("src_mac_count 100", Ok(()), "="),
    ("dst_mac_count 100", Ok(()), "="),
    ("src_mac_count 4294967295", Ok(()), "OK: src_mac_count=-1"),
    ("dst_mac_count 4294967297", Ok(()), "OK: dst_mac_count=-1"),
    ("dst_mac_count", Ok(()), "OK: dst_mac_count=0"),
    // VLAN tags.
    ("vlan_id 1", Ok(()), "="),
    ("vlan_id", Ok(()), "OK: vlan_id=0"),
    ("vlan_id 4095", Ok(()), "="),
    ("vlan_id 4096", Ok(()), "~"),
    ("vlan_id 10000", Ok(()), "OK: vlan_id=1000"),
    ("vlan_id 40960", Ok(()), "~"),
    ("vlan_p 1", Ok(()), "ERROR: vlan_p must be 0-7"),
    ("vlan_cfi 1", Ok(()), "ERROR: vlan_cfi must be 0-1"),
    ("svlan_id 1", Ok(()), "~"),
    ("svlan_p 1", Ok(()), "ERROR: svlan_p must be 0-7"),
    ("svlan_cfi 1", Ok(()), "ERROR: svlan_cfi must be 0-1"),
    // Label stacks.
    ("imix_weights 0,7 576,4 1500,1", Ok(()), "before"),
    ("imix_weights 60,1x61,1", Ok(()), "before"),
    ("imix_weights 60,12345678901", Ok(()), "before"),
    ("imix_weights ,7", Ok(()), "before"),
    ("imix_weights", Err(Invalid), "before"),
    ("imix_weights x", Err(Invalid), "before"),
    ("imix_weights 0", Err(Invalid), "before"),
    ("imix_weights 0,x", Err(Invalid), "before"),
    ("imix_weights 60,0", Err(Invalid), "before"),
    ("imix_weights 60,1 61", Err(Invalid), "before"),
    ("imix_weights 60,1 61;2", Err(Invalid), "before"),
    ("pps 10", Ok(()), "="),
    ("pps 7M", Ok(()), "OK: pps=7000000"),
    ("pps 0", Err(Invalid), "before"),
    ("pps", Err(Invalid), "before"),
    ("pps 7Mpps", Err(Invalid), "before"),
    ("bps 10G", Ok(()), "OK: bps=10000000000"),
    ("bps 1k more", Ok(()), "OK: bps=1000"),
    ("bps -1", Err(Invalid), "before"),
    ("frags 100", Ok(()), "="),
    ("frags 4294967295", Ok(()), "OK: frags=2147483647"),
    ("flows 100", Ok(()), "="),
    ("flows 65537", Ok(()), "OK: flows=65536"),
    ("flows 4294967297", Ok(()), "OK: flows=65536"),
    ("flowlen 10", Ok(()), "="),
    ("flowlen 9999999999", Ok(()), "OK: flowlen=4294967295"),
    ("spi 4294967295", Ok(()), "="),
    ("node 1", Ok(()), "="),
    ("node 2", Ok(()), "ERROR: node not possible"),
    ("node 4294967296", Ok(()), "ERROR: node not possible"),
    ("debug 1", Ok(()), "="),
    ("debug 4294967297", Ok(()), "OK: debug=4294967295"),
    ("mpls 00000001", Ok(()), "="),
    ("mpls 1,F2", Ok(()), "OK: mpls=00000001,000000f2"),
    ("mpls 1;2", Ok(()), "OK: mpls=00000001"),
    ("mpls 123456789", Ok(()), "OK: mpls=12345678"),
    ("mpls 0", Ok(()), "OK: mpls="),
    ("mpls off", Ok(()), "OK: mpls="),
    ("mpls disable", Ok(()), "OK: mpls=0000000d"),
    ("mpls 1,0", Ok(()), "OK: mpls="),
    // Flags.
    ("flag IPV6", Ok(()), "Flag -:IPV6:- unknown\nAvailable flags, (prepend ! to un-set flag):\nIPV6, IPSRC_RND, IPDST_RND, TXSIZE_RND, UDPSRC_RND, UDPDST_RND, UDPCSUM, NO_TIMESTAMP, MPLS_RND, QUEUE_MAP_RND, QUEUE_MAP_CPU, FLOW_SEQ, IPSEC, MACSRC_RND, MACDST_RND, VID_RND, SVID_RND, NODE, SHARED"),
    ("flag !IPV6", Ok(()), "OK: flags=0x40000"),
    ("flag MPLS_RND", Ok(()), "OK: flags=0x40100"),
    ("flag MACSRC_RND", Ok(()), "OK: flags=0x42000"),
    ("flag MACDST_RND", Ok(()), "OK: flags=0x44000"),
    ("flag VID_RND", Ok(()), "OK: flags=0x48000"),
    ("flag SVID_RND", Ok(()), "OK: flags=0x50000"),
    ("flag UDPCSUM", Ok(()), "OK: flags=0x40040"),
    ("flag NO_TIMESTAMP", Ok(()), "OK: flags=0x40080"),
    ("flag UDPSRC_RND", Ok(()), "OK: flags=0x40010"),
    ("flag UDPDST_RND", Ok(()), "OK: flags=0x40020"),
    ("flag IPSRC_RND", Ok(()), "OK: flags=0x40002"),
    ("flag IPDST_RND", Ok(()), "OK: flags=0x40004"),
    ("flag TXSIZE_RND", Ok(()), "OK: flags=0x40008"),
    ("flag QUEUE_MAP_RND", Ok(()), "OK: flags=0x40200"),
    ("flag QUEUE_MAP_CPU", Ok(()), "OK: flags=0x40400"),
    ("flag SHARED", Ok(()), "OK: flags=0x40000"),
    ("flag !SHARED", Ok(()), "OK: flags=0x0"),
    ("flag !UDPCSUM", Ok(()), "OK: flags=0x40000"),
    // Names are exact, unknown commands say so.
    ("Count 1", Err(Invalid), "No such parameter \"Count\""),
    (
        "dstmac 01:02:03:04:05:06",
        Err(Invalid),
        "No such parameter \"dstmac\"",
    ),
    (
        "src_macs 01:02:03:04:05:06",
        Err(Invalid),
        "No such parameter \"src_macs\"",
    ),
    ("  \n=\"", Err(Invalid), "No such parameter \"\""),
    ("", Err(Invalid), "~"),
];

fn expected(command: &str, text: &str) -> String {
    match text {
        "~" => "before".to_string(),
        "=" => {
            let (name, value) = command.split_once(' ').unwrap();
            format!("OK: {name}={value}")
        }
        text => text.to_string(),
    }
}

#[test]
fn answers() {
    for (command, returned, text) in ROWS {
        let mut device = fresh();
        device.result.set(b"before");
        assert_eq!(
            write(&mut device, command, true, false),
            *returned,
            "{command:?}"
        );
        assert_eq!(result(&device), expected(command, text), "{command:?}");
    }
}

/// The same answers with the line endings and separators that writers use.
#[test]
fn answers_in_every_notation() {
    let notations: &[fn(&str) -> String] = &[
        |c| format!("{c}\n"),
        |c| format!("{c}\0"),
        |c| format!("{c}\n\0"),
        |c| format!("{c} \t\r\n"),
        |c| format!(" \n{c}"),
        |c| c.replacen(' ', "=", 1),
        |c| c.replacen(' ', " = ", 1),
        |c| c.replacen(' ', "\t", 1),
        |c| format!("\"{}\"", c.replacen(' ', "\" \"", 1)),
        |c| format!("{c}\ncount 77\n"),
    ];
    for (command, returned, text) in ROWS
        .iter()
        .filter(|row| row.0.starts_with(char::is_alphabetic))
        // Under Miri each takes a thousand times as long.
        .step_by(if cfg!(miri) { 20 } else { 1 })
    {
        for notation in notations {
            let input = notation(command);
            // A second line takes the place of an argument that is missing.
            if input.contains("77") && !command.contains(' ') {
                continue;
            }
            // A blank behind a pair announces another.
            if command.starts_with("imix_weights") && input.contains(" \t") {
                continue;
            }
            let mut device = fresh();
            device.result.set(b"before");
            assert_eq!(
                write(&mut device, &input, true, false),
                *returned,
                "{input:?}"
            );
            assert_eq!(result(&device), expected(command, text), "{input:?}");
        }
    }
}

/// Every command has a row above.
#[test]
fn every_command_is_tested() {
    for name in names() {
        let tested = |row: &Row| row.0.split(' ').next() == Some(name);
        assert!(ROWS.iter().any(tested), "{name}");
    }
}

#[test]
fn unknown_flag_lists_the_known_ones() {
    for flag in [
        "nonsense",
        "!nonsense",
        "NODE_ALLOC",
        "udpcsum",
        "",
        "!",
        "! UDPCSUM",
    ] {
        let mut device = fresh();
        let before = device.config.flags;
        assert_eq!(
            write(&mut device, format!("flag {flag}"), true, false),
            Ok(())
        );
        let shown = flag.split(' ').next().unwrap();
        let want = format!(
            "Flag -:{shown}:- unknown\nAvailable flags, (prepend ! to un-set flag):\n{FLAGS}"
        );
        assert_eq!(result(&device), want);
        assert_eq!(device.config.flags, before);
    }
}

/// Without IPsec in the kernel there are no command and no flag for it.
#[test]
fn without_ipsec() {
    let facts = Facts {
        ipsec: false,
        ..HOST
    };
    let mut device = fresh();
    let mut write = |input: &[u8]| {
        let outcome = command::device(input, &mut device, &facts, false);
        (outcome, result(&device).to_string())
    };
    let unknown = "No such parameter \"spi\"".to_string();
    assert_eq!(write(b"spi 1"), (Err(Invalid), unknown));
    for flag in ["IPSEC", "!IPSEC"] {
        let (outcome, text) = write(format!("flag {flag}").as_bytes());
        assert_eq!(outcome, Ok(()));
        let listed = FLAGS.replace("IPSEC, ", "");
        let want = format!(
            "Flag -:{flag}:- unknown\nAvailable flags, (prepend ! to un-set flag):\n{listed}"
        );
        assert_eq!(text, want);
    }
}

/// What a user wrote is shown again byte by byte, also when it is not text.
#[test]
fn results_hold_bytes() {
    let mut device = fresh();
    assert_eq!(write(&mut device, b"flag \xff\xfe1", true, false), Ok(()));
    let shown = device.result.as_bytes();
    assert!(shown.starts_with(b"Flag -:\xff\xfe1:- unknown\n"));
    assert_eq!(write(&mut device, b"n\xf6", true, false), Err(Invalid));
    assert_eq!(device.result.as_bytes(), b"No such parameter \"n\xf6\"");
}

/// The commands of the kernel's own selftest, as it writes them (a NUL at the end) to `lo`, which
/// does not share.
#[test]
fn kernel_selftest() {
    let words: Vec<String> = (1..=17).map(|n| format!("{n:08x}")).collect();
    let sixteen = format!("mpls {}", words[..16].join(","));
    let seventeen = format!("mpls {}", words.join(","));
    let pairs: Vec<String> = (1..=21).map(|n| format!("{n},{n}")).collect();
    let twenty = format!("imix_weights {}", pairs[..20].join(" "));
    let twenty_one = format!("imix_weights {}", pairs.join(" "));
    let rows: &[(&str, Result)] = &[
        ("min_pkt_size", Ok(())),
        ("min_pkt_size ", Ok(())),
        ("min_pkt_size 0", Ok(())),
        ("min_pkt_size 1", Ok(())),
        ("min_pkt_size 100", Ok(())),
        ("min_pkt_size=1001", Ok(())),
        ("min_pkt_size =2002", Ok(())),
        ("min_pkt_size= 3003", Ok(())),
        ("min_pkt_size = 4004", Ok(())),
        ("max_pkt_size 200", Ok(())),
        ("pkt_size 300", Ok(())),
        ("imix_weights 0,7 576,4 1500,1", Ok(())),
        (&twenty, Ok(())),
        (&twenty_one, Err(Error::TooBig)),
        ("imix_weights", Err(Invalid)),
        ("imix_weights ", Err(Invalid)),
        ("imix_weights 0", Err(Invalid)),
        ("imix_weights 0,", Err(Invalid)),
        ("debug 1", Ok(())),
        ("debug 0", Ok(())),
        ("frags 100", Ok(())),
        ("delay 100", Ok(())),
        ("delay 2147483647", Ok(())),
        ("rate 0", Err(Invalid)),
        ("rate 100", Ok(())),
        ("ratep 0", Err(Invalid)),
        ("ratep 200", Ok(())),
        ("udp_src_min 1", Ok(())),
        ("udp_dst_min 2", Ok(())),
        ("udp_src_max 3", Ok(())),
        ("udp_dst_max 4", Ok(())),
        ("clone_skb 1", Err(NotSupported)),
        ("clone_skb 0", Ok(())),
        ("count 100", Ok(())),
        ("src_mac_count 100", Ok(())),
        ("dst_mac_count 100", Ok(())),
        ("burst 0", Ok(())),
        ("xmit_mode start_xmit", Ok(())),
        ("xmit_mode netif_receive", Ok(())),
        ("xmit_mode queue_xmit", Ok(())),
        ("xmit_mode nonsense", Ok(())),
        ("flag UDPCSUM", Ok(())),
        ("flag !UDPCSUM", Ok(())),
        ("flag nonsense", Ok(())),
        ("dst_min 101.102.103.104", Ok(())),
        ("dst 101.102.103.104", Ok(())),
        ("dst_max 201.202.203.204", Ok(())),
        ("src_min 101.102.103.104", Ok(())),
        ("src_max 201.202.203.204", Ok(())),
        ("dst6 2001:db8:38:2:b1c5:7:8:9", Ok(())),
        ("dst6_min 2001:db8:38:2:b1c5:7:8:9", Ok(())),
        ("dst6_max 2001:db8:38:2:b1c5:7:8:9", Ok(())),
        ("src6 2001:db8:38:2:b1c5:7:8:9", Ok(())),
        ("dst_mac 01:02:03:04:05:06", Ok(())),
        ("src_mac 11:12:13:14:15:16", Ok(())),
        ("clear_counters", Ok(())),
        ("flows 100", Ok(())),
        ("spi 100", Ok(())),
        ("flowlen 100", Ok(())),
        ("node 100", Ok(())),
        ("queue_map_min 1", Ok(())),
        ("queue_map_max 2", Ok(())),
        ("mpls 00000001", Ok(())),
        ("mpls 00000001,000000f2", Ok(())),
        (&sixteen, Ok(())),
        (&seventeen, Err(Error::TooBig)),
        ("vlan_id 1", Ok(())),
        ("vlan_p 1", Ok(())),
        ("vlan_cfi 1", Ok(())),
        ("vlan_id 4096", Ok(())),
        ("svlan_id 1", Ok(())),
        ("svlan_p 1", Ok(())),
        ("svlan_cfi 1", Ok(())),
        ("svlan_id 4096", Ok(())),
        ("tos 0", Ok(())),
        ("tos 0f", Ok(())),
        ("tos 0ff", Ok(())),
        ("traffic_class f0", Ok(())),
        ("skb_priority 999", Ok(())),
    ];
    let mut device = fresh();
    for (command, want) in rows {
        let input = format!("{command}\0");
        assert_eq!(
            write(&mut device, input, false, false),
            *want,
            "{command:?}"
        );
    }
}
