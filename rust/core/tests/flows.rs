// SPDX-License-Identifier: GPL-2.0

//! Flows, mixes of sizes and page fragments.

mod common;

use common::*;
use rpktgen_core::flow::{Flow, Flows};
use rpktgen_core::run::{End, Run, Shape, StartFacts};

/// Slots whose flows have security associations that add as many bytes as the last byte of their
/// destination says.
struct Secured {
    flows: Vec<Flow>,
    asked: Vec<(u32, u32, u32)>,
}

impl Flows for Secured {
    fn slot(&mut self, index: u32) -> Option<&mut Flow> {
        self.flows.get_mut(index as usize)
    }
    fn secure(&mut self, index: u32, saddr: u32, daddr: u32) -> u16 {
        self.asked.push((index, saddr, daddr));
        (daddr & 0xff) as u16
    }
}

fn secured(slots: usize) -> Secured {
    Secured {
        flows: vec![Flow::default(); slots],
        asked: Vec::new(),
    }
}

/// The shapes of `n` packets, and what the device shows after each.
fn play<T>(
    commands: &[&str],
    slots: usize,
    n: usize,
    see: impl Fn(&Shape, &rpktgen_core::device::Device) -> T,
) -> Vec<T> {
    let mut device = configured(commands);
    let mut run = Run::start(&mut device, &FACTS);
    let mut flows = vec![Flow::default(); slots];
    let rng = &mut Lcg(5);
    (0..n)
        .map(|_| {
            let shape = run.next(&mut flows[..], rng);
            run.sent(1, shape.len);
            run.sync(&mut device, &FACTS);
            see(&shape, &device)
        })
        .collect()
}

const RANGE: [&str; 2] = ["dst_min 10.0.0.1", "dst_max 10.0.0.100"];

#[test]
fn a_flow_keeps_its_destination() {
    let commands = [&RANGE[..], &["flows 2", "flowlen 3", "flag FLOW_SEQ"]].concat();
    let last =
        |_: &Shape, d: &rpktgen_core::device::Device| (d.current.daddr & 0xff, d.current.flows);
    let want = [
        (2, 1),
        (2, 1),
        (2, 1),
        (3, 2),
        (3, 2),
        (3, 2),
        (4, 3),
        (4, 3),
    ];
    assert_eq!(play(&commands, 2, 8, last), want);
    // Without memory for the slots every packet has a flow of its own.
    let want = [(2, 1), (3, 2), (4, 3)];
    assert_eq!(play(&commands, 0, 3, last), want);
    // IPv6 flows have no destination of their own.
    let commands = [&commands[..], &["dst6 fd00::1"]].concat();
    assert_eq!(play(&commands, 2, 5, |_, d| d.current.flows), [0; 5]);
}

#[test]
fn flows_at_random() {
    let commands = [&RANGE[..], &["flows 4", "flowlen 5"]].concat();
    let seen = play(&commands, 4, 200, |_, d| (d.current.daddr, d.current.flows));
    let flows = seen.last().unwrap().1;
    // Each has six packets, and four are under way.
    assert!((200 / 6..=200 / 6 + 4).contains(&flows), "{flows}");
}

#[test]
fn flows_begin_anew() {
    let commands = [&RANGE[..], &["flows 3", "flowlen 1", "flag FLOW_SEQ"]].concat();
    let mut device = configured(&commands);
    let mut run = Run::start(&mut device, &FACTS);
    let key = run.flow_key();
    assert_eq!((key.slots, key.secured, key.spi), (3, false, 0));
    assert_eq!(run.flow_round(), 3);
    set(&mut device, &["count 5", "flowlen 2"]);
    run.sync(&mut device, &FACTS);
    assert_eq!(run.flow_key(), key);
    for change in ["flows 2", "dst_max 10.0.0.9", "flag IPSEC", "spi 9"] {
        set(&mut device, &[change]);
        let before = run.flow_key();
        run.sync(&mut device, &FACTS);
        assert_ne!(run.flow_key(), before, "{change}");
    }
}

#[test]
fn associations() {
    let commands = [
        &RANGE[..],
        &[
            "flows 2",
            "flowlen 2",
            "flag FLOW_SEQ",
            "flag IPSEC",
            "pkt_size 100",
        ],
    ]
    .concat();
    let mut device = configured(&commands);
    let facts = StartFacts {
        csum_ipv4: true,
        ..FACTS
    };
    set(&mut device, &["flag UDPCSUM"]);
    let mut run = Run::start(&mut device, &facts);
    let mut flows = secured(2);
    let rng = &mut Ends::default();
    let mut frame = |run: &mut Run| {
        let shape = run.next(&mut flows, rng);
        // The net device could not complete the sum of what is encrypted.
        assert!(!shape.csum_partial);
        let mut bytes = vec![0; shape.len];
        run.write(&mut bytes, None);
        assert_eq!(
            usize::from(u16::from_be_bytes([bytes[16], bytes[17]])),
            shape.len - 14
        );
        (shape.len, shape.secured)
    };
    let seen: Vec<_> = (0..4).map(|_| frame(&mut run)).collect();
    assert_eq!(
        seen,
        [(98, Some(0)), (98, Some(0)), (97, Some(1)), (97, Some(1))]
    );
    assert_eq!(
        flows.asked,
        [(0, 0xc000_0207, 0x0a00_0002), (1, 0xc000_0207, 0x0a00_0003)]
    );
    // Without flows there is nothing to find an association for.
    set(&mut device, &["flows 0"]);
    run.sync(&mut device, &facts);
    assert_eq!(run.next(&mut [][..], rng).secured, None);
    assert!(!run.impossible());
    // IPv6 is refused.
    set(&mut device, &["flows 1", "dst6 fd00::1"]);
    run.sync(&mut device, &facts);
    assert!(run.impossible());
    run.finish(&mut device, -1, 5, End::Complete);
    assert_eq!(
        result(&device),
        "ERROR: flag IPSEC is for IPv4: clear it, or IPV6"
    );
}

#[test]
fn mixes() {
    let mix = "imix_weights 0,1 576,2 1500,1";
    let sizes = play(&[mix], 0, 400, |shape, _| shape.len);
    for (size, share) in [(58, 100), (576, 200), (1500, 100)] {
        let count = sizes.iter().filter(|&&len| len == size).count();
        assert!(count.abs_diff(share) < 50, "{count} of {size}");
    }
    // Not while sizes are a range.
    let sizes = play(
        &[mix, "min_pkt_size 60", "max_pkt_size 62"],
        0,
        3,
        |shape, _| shape.len,
    );
    assert_eq!(sizes, [61, 62, 60]);
}

#[test]
fn mixes_are_counted_as_sent() {
    let mut device = configured(&["imix_weights 100,1"]);
    let counts = |device: &_| line(device, "     imix_size_counts:");
    let mut run = Run::start(&mut device, &FACTS);
    let shape = run.next(&mut [][..], &mut Ends::default());
    run.sent(7, shape.len);
    run.sync(&mut device, &FACTS);
    assert_eq!(counts(&device), "     imix_size_counts: 100,7 ");
    assert_eq!(
        line(&device, "     imix_weights:"),
        "     imix_weights: 100,1 "
    );
    set(&mut device, &["clear_counters"]);
    run.sync(&mut device, &FACTS);
    assert_eq!(counts(&device), "     imix_size_counts: 100,0 ");
    // A refused list leaves the mix as it was; none at all ends it.
    for (command, strict, shown) in [
        ("imix_weights 60,1 61", false, "100,1 "),
        ("imix_weights 60,1 61", true, "100,1 "),
        ("imix_weights \0", false, ""),
    ] {
        assert!(write(&mut device, command, true, strict).is_err());
        let want = if shown.is_empty() {
            String::new()
        } else {
            format!("     imix_weights: {shown}")
        };
        assert_eq!(line(&device, "     imix_weights:"), want, "{command:?}");
    }
}

/// In strict mode, where what fails changes nothing, ending a mix does not fail.
#[test]
fn no_mix_in_strict_mode() {
    let mut device = configured(&["imix_weights 100,1"]);
    assert_eq!(write(&mut device, "imix_weights\n", true, true), Ok(()));
    assert_eq!(line(&device, "     imix_weights:"), "");
}

/// Mixes and shared packets exclude each other.
#[test]
fn mixes_and_clones() {
    use rpktgen_core::Error::{Invalid, NotSupported};
    let mut device = configured(&["imix_weights 100,1"]);
    assert_eq!(write(&mut device, "clone_skb 1", true, false), Err(Invalid));
    assert_eq!(
        write(&mut device, "clone_skb 1", false, false),
        Err(NotSupported)
    );
    assert_eq!(write(&mut device, "clone_skb 0", true, false), Ok(()));
    let mut device = configured(&["clone_skb 1"]);
    for command in ["imix_weights 100,1", "imix_weights"] {
        assert_eq!(write(&mut device, command, true, false), Err(Invalid));
    }
}

/// Sizes in a table of (frags, pkt_size): linear bytes, fragments.
#[test]
fn fragments() {
    let rows: &[(&str, usize, usize, &[u32])] = &[
        ("0", 1514, 1514, &[]),
        ("1", 58, 58, &[]),
        ("1", 59, 58, &[1]),
        ("4", 60, 58, &[1, 1]),
        ("4", 1514, 58, &[364, 364, 364, 364]),
        ("3", 1514, 58, &[485, 485, 486]),
        ("1", 58 + 4096, 58, &[4096]),
        ("1", 58 + 4097, 59, &[4096]),
        ("2", 58 + 8191, 58, &[4095, 4096]),
        // The last one would be longer than a page.
        ("17", 58 + 17 * 4096 - 5000, 58, &[3801; 17]),
        ("3", 58 + 3 * 4096 - 1, 59, &[4095, 4095, 4096]),
        ("100", 60000, 58, &[3526; 17]),
        ("4294967295", 60000, 58, &[3526; 17]),
    ];
    for (frags, size, linear, want) in rows {
        let commands = [format!("frags {frags}"), format!("pkt_size {size}")];
        let shape = play(
            &commands.each_ref().map(String::as_str),
            0,
            1,
            |shape, _| *shape,
        )[0];
        let lengths: Vec<u32> = shape.split.lengths().collect();
        assert_eq!(shape.len, *size);
        assert_eq!(shape.len - shape.split.total(), *linear, "{frags} {size}");
        assert_eq!(lengths.len(), want.len(), "{frags} {size}");
        // The last one has what does not divide evenly.
        let sum: u32 = lengths.iter().sum();
        assert_eq!(sum as usize, size - linear);
        let but_the_last = lengths.iter().rev().skip(1);
        assert!(but_the_last.eq(want.iter().rev().skip(1)));
    }
}

#[test]
fn where_memory_comes_from() {
    let memory = |commands| {
        let memory = Run::start(&mut configured(commands), &FACTS).memory();
        (memory.bound, memory.node)
    };
    assert_eq!(memory(&["node 1"]), (false, None));
    assert_eq!(memory(&["flag NODE"]), (true, None));
    assert_eq!(memory(&["flag NODE", "node 1"]), (true, Some(1)));
}

#[test]
fn texts() {
    let device = configured(&["flows 3", "flowlen 4", "flag IPSEC", "node 1", "frags 2"]);
    assert_eq!(line(&device, "     flows: 3"), "     flows: 3 flowlen: 4");
    assert_eq!(line(&device, "     node"), "     node: 1");
    assert_eq!(
        line(&device, "     frags"),
        "     frags: 2  delay: 0  clone_skb: 0  ifname: lo@0"
    );
    // One after the other.
    let mut device = device;
    for (command, flags) in [
        ("spi 0", "FLOW_RND  IPSEC  SHARED  "),
        ("spi 7", "FLOW_RND  IPSEC  spi:7  SHARED  "),
        ("flag FLOW_SEQ", "FLOW_SEQ  IPSEC  spi:7  SHARED  "),
        ("flag FLOW_RND", "FLOW_RND  IPSEC  spi:7  SHARED  "),
        ("flag !FLOW_RND", "FLOW_SEQ  IPSEC  spi:7  SHARED  "),
        ("flows 0", "IPSEC  spi:7  SHARED  "),
        ("flag !IPSEC", "SHARED  "),
    ] {
        set(&mut device, &[command]);
        assert_eq!(
            line(&device, "     Flags"),
            format!("     Flags: {flags}"),
            "{command}"
        );
    }
}
