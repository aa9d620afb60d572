// SPDX-License-Identifier: GPL-2.0

//! Writes to the three kinds of file.
//!
//! The first byte of an input says what the net device and the kernel can do. The rest are
//! writes, separated by bytes of 0xff. The first byte of each says where it goes:
//!
//! * `d`: the device file; `s`: the same in strict mode
//! * `t`: the file of a thread; `c`: `pgctrl`
//! * `r`: nowhere: a run begins if none lasts, and sends a few packets
//! * `e`: the run ends, in the way that the next byte says
//! * any other: the device file, this byte included

#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use rpktgen_core::run::Random;
use rpktgen_core_fuzz::check::{Dice, Pair};
use rpktgen_core_fuzz::model::Host;
use rpktgen_core_fuzz::suggest;

fuzz_target!(|input: &[u8]| {
    let Some((first, rest)) = input.split_first() else {
        return;
    };
    let host = Host {
        sharing: first & 1 == 0,
        ipsec: first & 2 == 0,
    };
    let mut pair = Pair::new(host, 1);
    let mut budget = 100_000;
    for write in rest.split(|byte| *byte == 0xff) {
        match write.split_first() {
            Some((b'd', input)) => pair.write(input, false),
            Some((b's', input)) => pair.write(input, true),
            Some((b't', input)) => pair.write_thread(input),
            Some((b'c', input)) => pair.write_control(input),
            Some((b'r', _)) => {
                pair.start();
                pair.packets(3, &mut budget);
            }
            Some((b'e', way)) => pair.finish(-1, way.first().copied().unwrap_or(0)),
            _ => pair.write(write, false),
        }
    }
});

// Every other mutation is some writes more, anywhere: commands, or a change to the run.
fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let mut dice = Dice(seed.into());
    if dice.below(2) == 0 || size == 0 {
        return fuzzer_mutate(data, size, max_size);
    }
    let new: Vec<Vec<u8>> = match dice.below(10) {
        0 => vec![b"r".to_vec()],
        1 => vec![vec![b'e', dice.below(6) as u8]],
        2 => vec![[b"c".to_vec(), suggest::control(&mut dice)].concat()],
        3 => vec![[b"t".to_vec(), suggest::thread(&mut dice)].concat()],
        kind => {
            let file: &[u8] = if kind == 4 { b"s" } else { b"d" };
            let commands = suggest::commands(&mut dice);
            commands
                .iter()
                .map(|command| [file, command].concat())
                .collect()
        }
    };
    let mut writes: Vec<&[u8]> = data[1..size].split(|byte| *byte == 0xff).collect();
    let at = dice.below(writes.len() as u32 + 1) as usize;
    writes.splice(at..at, new.iter().map(Vec::as_slice));
    let mutated = [&data[..1], &writes.join(&0xff)].concat();
    let size = mutated.len().min(max_size);
    data[..size].copy_from_slice(&mutated[..size]);
    size
});
