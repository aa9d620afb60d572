// SPDX-License-Identifier: GPL-2.0

//! Calls every generic and inline function of the core crate, as the module does, so that their
//! code is in an object that `no-panic.sh` can look at.

#![no_std]

use core::fmt::Write;

use rpktgen_core::command::{self, Facts};
use rpktgen_core::config::Defaults;
use rpktgen_core::device::Device;
use rpktgen_core::flow::{Flow, Key};
use rpktgen_core::run::{End, Memory, Mode, Pace, Random, Run, Shape, StartFacts};
use rpktgen_core::text::{Sink, Text};
use rpktgen_core::{show, Result};

/// A source of random numbers that the compiler cannot see through.
pub struct Source(pub fn(u32) -> u32);

impl Random for Source {
    fn u32(&mut self) -> u32 {
        (self.0)(u32::MAX)
    }
    fn below(&mut self, n: u32) -> u32 {
        (self.0)(n)
    }
}

/// A writer that the compiler cannot see through.
pub struct File(pub fn(&[u8]) -> core::fmt::Result);

impl Write for File {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        (self.0)(text.as_bytes())
    }
}

impl Sink for File {
    fn write_bytes(&mut self, bytes: &[u8]) -> core::fmt::Result {
        (self.0)(bytes)
    }
}

#[inline(never)]
pub fn fresh(defaults: &Defaults) -> Device {
    Device::new(defaults)
}

#[inline(never)]
pub fn write(input: &[u8], device: &mut Device, facts: &Facts, strict: bool) -> Result {
    command::device(input, device, facts, strict)
}

#[inline(never)]
pub fn packet(
    run: &mut Run,
    frame: &mut [u8],
    flows: &mut [Flow],
    rng: &mut Source,
    wall: Option<(u32, u32)>,
) -> Shape {
    let shape = run.next(flows, rng);
    run.write(frame, wall.filter(|_| run.timestamps()));
    shape
}

#[inline(never)]
pub fn count(run: &mut Run, n: u32, len: usize, now_ns: u64) -> (bool, Pace, Mode, bool, u32, u32) {
    run.sent(n, len);
    run.error();
    run.paced(now_ns);
    run.idle(now_ns);
    (
        run.complete(),
        run.pace(),
        run.mode(),
        run.shared(),
        run.burst(),
        run.clone_skb(),
    )
}

#[inline(never)]
pub fn needs(run: &Run, shape: &Shape) -> (Key, Memory, bool, usize, u32) {
    let split = shape.split;
    let longest = split.lengths().max().unwrap_or(0);
    let key = run.flow_key();
    let round = run.flow_round();
    (
        key,
        run.memory(),
        run.impossible(),
        split.total(),
        longest.max(round),
    )
}

#[inline(never)]
pub fn start(device: &mut Device, facts: &StartFacts) -> Run {
    let mut run = Run::start(device, facts);
    run.sync(device, facts);
    run
}

#[inline(never)]
pub fn finish(run: Run, device: &mut Device, frags: i32, now_ns: u64) {
    run.finish(device, frags, now_ns, End::Stopped);
}

#[inline(never)]
pub fn read(w: &mut File, device: &Device, name: &[u8], names: &[&[u8]]) -> core::fmt::Result {
    show::control(w)?;
    show::thread(
        w,
        names.iter().copied(),
        names.iter().copied(),
        &device.result,
    )?;
    show::device(w, device, name, [0; 6], 0)
}

#[inline(never)]
pub fn text(text: &mut Text, bytes: &[u8]) -> bool {
    text.clear();
    text.push_bytes(bytes);
    let _ = write!(text, "{}", bytes.len());
    text.is_empty()
}
