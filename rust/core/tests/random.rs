// SPDX-License-Identifier: GPL-2.0

//! Random commands, sensible and not: nothing panics, and every configuration that they leave
//! can be run. Overflow checks are on in tests.

mod common;

use common::*;
use rpktgen_core::command::{self, names};
use rpktgen_core::config::{MAX_BURST, MAX_PKT_SIZE};
use rpktgen_core::device::Device;
use rpktgen_core::flow::Flow;
use rpktgen_core::run::{End, Random, Run, StartFacts};

/// How many devices are tried. Under Miri each takes a thousand times as long.
const ROUNDS: u32 = if cfg!(miri) { 3 } else { 300 };

const ARGUMENTS: &[&str] = &[
    "",
    "0",
    "1",
    "41",
    "60",
    "1500",
    "4095",
    "4096",
    "65535",
    "65536",
    "2147483647",
    "4294967295",
    "4294967297",
    "9999999999",
    "99999999999999999999",
    "-1",
    "0.0.0.0",
    "10.0.0.1",
    "127.0.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "fd00::1",
    "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    "ff:ff:ff:ff:ff:ff",
    "start_xmit",
    "netif_receive",
    "queue_xmit",
    "ffffffff,ffffffff",
    "1,2,3,4,5,6,7,8,9,a,b,c,d,e,f,100",
    "1,2,3,4,5,6,7,8,9,a,b,c,d,e,f,10,11",
    "ff",
];

const FLAGS: &[&str] = &[
    "IPV6",
    "IPSRC_RND",
    "IPDST_RND",
    "TXSIZE_RND",
    "UDPSRC_RND",
    "UDPDST_RND",
    "UDPCSUM",
    "NO_TIMESTAMP",
    "MPLS_RND",
    "QUEUE_MAP_RND",
    "QUEUE_MAP_CPU",
    "MACSRC_RND",
    "MACDST_RND",
    "VID_RND",
    "SVID_RND",
    "SHARED",
];

fn pick<T: Copy>(rng: &mut Lcg, from: &[T]) -> T {
    from[rng.below(from.len() as u32) as usize]
}

fn random_command(rng: &mut Lcg) -> Vec<u8> {
    let all: Vec<&str> = names().collect();
    let mut input = match rng.below(8) {
        0 => {
            let sign = pick(rng, &["", "!"]);
            format!("flag {sign}{}", pick(rng, FLAGS)).into_bytes()
        }
        _ => format!("{} {}", pick(rng, &all), pick(rng, ARGUMENTS)).into_bytes(),
    };
    // Some are damaged.
    if rng.below(8) == 0 && !input.is_empty() {
        let at = rng.below(input.len() as u32) as usize;
        match rng.below(3) {
            0 => input[at] = rng.u32() as u8,
            1 => input.truncate(at),
            _ => input.insert(at, rng.u32() as u8),
        }
    }
    input
}

fn check(device: &Device) {
    let config = &device.config;
    for size in [config.min_pkt_size, config.max_pkt_size] {
        assert!(size == 0 || (42..=MAX_PKT_SIZE).contains(&size));
    }
    assert!((1..=MAX_BURST).contains(&config.burst));
    assert!(config.clone_skb >= 0);
    assert!(!config.vlan.on || config.mpls.is_empty());
    assert!(config.vlan.on || !config.svlan.on);
    assert!(config.vlan.id < 4096 && config.svlan.id < 4096);
}

#[test]
fn any_configuration_runs() {
    let mut rng = Lcg(20);
    for round in 0..ROUNDS {
        let mut device = fresh();
        let facts = StartFacts {
            tx_sharing: rng.below(2) == 0,
            csum_ipv4: rng.below(2) == 0,
            csum_ipv6: rng.below(2) == 0,
            real_num_tx_queues: pick(&mut rng, &[0, 1, 4, u16::MAX]),
            cpu: pick(&mut rng, &[0, 63, u16::MAX]),
            now_ns: pick(&mut rng, &[0, u64::MAX]),
            ..FACTS
        };
        let mut run = None;
        let mut flows = [Flow::default(); 100];
        for step in 0..60 {
            let input = random_command(&mut rng);
            let strict = rng.below(4) == 0;
            let before = read(&device);
            let outcome = write(&mut device, &input, facts.tx_sharing, strict);
            check(&device);
            if outcome.is_err() && strict {
                let result_line = |text: &str| text.split("Result:").next().map(str::to_string);
                assert_eq!(result_line(&before), result_line(&read(&device)));
            }
            match rng.below(10) {
                0 => run = Some(Run::start(&mut device, &facts)),
                1 => {
                    if let Some(run) = run.take() {
                        run.finish(
                            &mut device,
                            -1,
                            pick(&mut rng, &[0, u64::MAX]),
                            End::Complete,
                        );
                    }
                }
                _ => {}
            }
            if let Some(run) = &mut run {
                run.sync(&mut device, &facts);
                let shape = run.next(&mut flows[..], &mut rng);
                assert!(shape.len <= MAX_PKT_SIZE as usize, "{round} {step}");
                assert!(shape.queue < facts.real_num_tx_queues.max(1));
                assert!(usize::from(shape.l4_offset) + 24 <= shape.len);
                assert!(shape.split.lengths().all(|len| (1..=4096).contains(&len)));
                let in_pages: u32 = shape.split.lengths().sum();
                assert_eq!(in_pages as usize, shape.split.total());
                let mut bytes = vec![0xa5; shape.len - shape.split.total()];
                run.write(&mut bytes, Some((u32::MAX, u32::MAX)));
                // Whatever follows the pktgen header is zero.
                let payload = usize::from(shape.l4_offset) + 24;
                assert!(bytes[payload..].iter().all(|byte| *byte == 0));
                run.sent(run.burst(), shape.len);
                run.idle(u64::MAX);
                run.paced(u64::MAX);
            }
            read(&device);
        }
    }
}

#[test]
fn any_bytes() {
    let mut rng = Lcg(77);
    let mut device = fresh();
    for _ in 0..70 * ROUNDS {
        let len = rng.below(40) as usize;
        let input: Vec<u8> = (0..len).map(|_| rng.u32() as u8).collect();
        let _ = write(&mut device, &input, true, rng.below(2) == 0);
        let _ = command::control(&input);
        let _ = command::thread(&input);
    }
    check(&device);
    read(&device);
}

/// A frame that is shorter or longer than its shape is filled as far as it goes.
#[test]
fn frames_of_the_wrong_length() {
    let mut device = configured(&["flag UDPCSUM", "pkt_size 100"]);
    let mut run = Run::start(&mut device, &FACTS);
    for len in 0..200 {
        run.next(&mut [][..], &mut Ends::default());
        let mut bytes = vec![0xa5; len];
        run.write(&mut bytes, None);
        assert!(bytes.iter().skip(58).all(|byte| *byte == 0));
    }
}
