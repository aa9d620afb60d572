// SPDX-License-Identifier: GPL-2.0

//! What several test files need.

#![allow(dead_code)]

use rpktgen_core::command::{self, Facts};
use rpktgen_core::config::Defaults;
use rpktgen_core::device::Device;
use rpktgen_core::flow::Flow;
use rpktgen_core::run::{Random, Run, StartFacts};
use rpktgen_core::text::Buffer;
use rpktgen_core::{show, Result};

pub const DEV_MAC: [u8; 6] = [0x02, 0x00, 0x5e, 0x10, 0x00, 0x01];

pub const FACTS: StartFacts = StartFacts {
    dev_mac: DEV_MAC,
    ifa_local: Some([192, 0, 2, 7]),
    real_num_tx_queues: 4,
    tx_sharing: true,
    csum_ipv4: false,
    csum_ipv6: false,
    link_local6: None,
    max_frags: 17,
    page_size: 4096,
    cpu: 1,
    now_ns: 1_000_000,
};

/// A net device that shares, in a kernel with IPsec and two NUMA nodes.
pub const HOST: Facts = Facts {
    tx_sharing: true,
    ipsec: true,
    node_possible: |node| node < 2,
    set_debug: |_| {},
};

pub fn fresh() -> Device {
    Device::new(&Defaults {
        count: 1000,
        delay_ns: 0,
        clone_skb: 0,
    })
}

/// Writes a command to a device file.
pub fn write(device: &mut Device, input: impl AsRef<[u8]>, sharing: bool, strict: bool) -> Result {
    let facts = Facts {
        tx_sharing: sharing,
        ..HOST
    };
    command::device(input.as_ref(), device, &facts, strict)
}

/// Writes commands that succeed, on a net device that shares.
pub fn set(device: &mut Device, commands: &[&str]) {
    for command in commands {
        assert_eq!(write(device, command, true, false), Ok(()), "{command:?}");
    }
}

/// A device with these commands written to it.
pub fn configured(commands: &[&str]) -> Device {
    let mut device = fresh();
    set(&mut device, commands);
    device
}

pub fn result(device: &Device) -> &str {
    std::str::from_utf8(device.result.as_bytes()).unwrap()
}

pub fn read(device: &Device) -> String {
    text(|w| show::device(w, device, b"lo@0", [0; 6], 2_000_000))
}

/// What is written to a file, as a string.
pub fn text(show: impl FnOnce(&mut Buffer<8192>) -> std::fmt::Result) -> String {
    let mut file = Buffer::new();
    show(&mut file).unwrap();
    String::from_utf8_lossy(file.as_bytes()).into_owned()
}

/// The line of a device's text that begins so, without its end.
pub fn line(device: &Device, label: &str) -> String {
    read(device)
        .lines()
        .find(|line| line.starts_with(label))
        .unwrap_or_default()
        .to_string()
}

/// Gives the lowest and the highest number in turn, so that both ends of a range show.
#[derive(Default)]
pub struct Ends(bool);

impl Random for Ends {
    fn u32(&mut self) -> u32 {
        self.0 = !self.0;
        if self.0 {
            0
        } else {
            u32::MAX
        }
    }
    fn below(&mut self, n: u32) -> u32 {
        assert_ne!(n, 0);
        self.u32().min(n - 1)
    }
}

/// A linear congruential generator (Numerical Recipes), the same in every run of the tests.
pub struct Lcg(pub u32);

impl Random for Lcg {
    fn u32(&mut self) -> u32 {
        let mut bytes = [0; 2];
        for byte in &mut bytes {
            self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            *byte = (self.0 >> 16) as u16;
        }
        (u32::from(bytes[0]) << 16) | u32::from(bytes[1])
    }
    fn below(&mut self, n: u32) -> u32 {
        assert_ne!(n, 0);
        ((u64::from(self.u32()) * u64::from(n)) >> 32) as u32
    }
}

/// The next frame of a run without flows, in a buffer that held something else before.
pub fn frame(run: &mut Run, rng: &mut impl Random, wall: Option<(u32, u32)>) -> Vec<u8> {
    frame_of(run, &mut [], rng, wall)
}

/// The next frame of a run whose flows have these slots.
pub fn frame_of(
    run: &mut Run,
    flows: &mut [Flow],
    rng: &mut impl Random,
    wall: Option<(u32, u32)>,
) -> Vec<u8> {
    let shape = run.next(flows, rng);
    let mut frame = vec![0xa5; shape.len - shape.split.total()];
    run.write(&mut frame, wall);
    frame.resize(shape.len, 0);
    frame
}
