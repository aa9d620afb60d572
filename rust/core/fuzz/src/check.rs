// SPDX-License-Identifier: GPL-2.0

//! Plays the same to the core and to the model, and compares all that can be seen.

use std::cell::Cell;
use std::collections::HashMap;
use std::env;
use std::sync::OnceLock;

use rpktgen_core::command::{self, Control, Facts, Thread};
use rpktgen_core::config::Defaults;
use rpktgen_core::device::Device;
use rpktgen_core::flow::{Flow, Flows};
use rpktgen_core::run::{End, Random, Run, StartFacts};
use rpktgen_core::text::Buffer;
use rpktgen_core::{show, Error};

use crate::grammar;
use crate::interpret::{self, Errno};
use crate::model::{Host, Model, NODES};
use crate::packets::{header_len, Packet, Sending};
use crate::{text, DEV_MAC};

/// How runs end, and what the result says then.
const ENDS: [(End, &str); 6] = [
    (End::Stopped, "stopped"),
    (End::Complete, "count reached"),
    (End::Down, "netdev down"),
    (End::NoCarrier, "no carrier"),
    (End::CpuGone, "CPU offline"),
    (End::Removed, "device removed"),
];

/// Whether the environment has that variable. Asked for once.
fn asked_for(name: &str, answer: &OnceLock<bool>) -> bool {
    *answer.get_or_init(|| env::var_os(name).is_some())
}

/// Whether the input is to be printed as the body of a test.
fn explaining() -> bool {
    static ANSWER: OnceLock<bool> = OnceLock::new();
    asked_for("RPKTGEN_FUZZ_EXPLAIN", &ANSWER)
}

/// Whether a defect is to be found that the core does not have, to see that it is.
fn faulty() -> bool {
    static ANSWER: OnceLock<bool> = OnceLock::new();
    asked_for("RPKTGEN_FUZZ_FAULT", &ANSWER)
}

/// Prints a statement of that test.
macro_rules! explain {
    ($($part:tt)*) => {
        if explaining() {
            eprintln!("    {}", format_args!($($part)*));
        }
    };
}

thread_local! {
    /// What the `debug` command set last.
    static DEBUG: Cell<u32> = const { Cell::new(0) };
}

/// Random numbers that follow from a seed and from what is asked for. Every eighth is an end of
/// its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dice(pub u64);

impl Dice {
    /// Marsaglia's xorshift; `asked` makes all that follows depend on this call.
    fn step(&mut self, asked: u32) -> u32 {
        let mut state = self.0 ^ u64::from(asked) ^ 0x9e37_79b9_7f4a_7c15;
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        self.0 = state;
        (state >> 32) as u32
    }
}

impl Random for Dice {
    fn u32(&mut self) -> u32 {
        let drawn = self.step(0);
        match drawn % 16 {
            0 => 0,
            1 => u32::MAX,
            _ => drawn,
        }
    }
    fn below(&mut self, n: u32) -> u32 {
        assert_ne!(n, 0, "a number below none was asked for");
        let drawn = self.step(n);
        match drawn % 16 {
            0 => 0,
            1 => n - 1,
            _ => ((u64::from(drawn) * u64::from(n)) >> 32) as u32,
        }
    }
}

/// Slots that come into being when they are asked for.
#[derive(Default)]
struct Slots(HashMap<u32, Flow>);

impl Flows for Slots {
    fn slot(&mut self, index: u32) -> Option<&mut Flow> {
        Some(self.0.entry(index).or_default())
    }
    fn secure(&mut self, index: u32, saddr: u32, daddr: u32) -> u16 {
        header_len(index, saddr, daddr)
    }
}

/// A device of the core and its model.
pub struct Pair {
    device: Device,
    run: Option<Run>,
    slots: Slots,
    model: Model,
    pub facts: StartFacts,
    ipsec: bool,
    dice: Dice,
    now_ns: u64,
}

impl Pair {
    pub fn new(host: Host, seed: u32) -> Self {
        DEBUG.set(0);
        explain!("let mut device = fresh();");
        Self {
            device: Device::new(&Defaults {
                count: 1000,
                delay_ns: 0,
                clone_skb: 0,
            }),
            run: None,
            slots: Slots::default(),
            model: Model::fresh(host),
            facts: StartFacts {
                dev_mac: DEV_MAC,
                ifa_local: Some([192, 0, 2, 7]),
                real_num_tx_queues: 4,
                tx_sharing: host.sharing,
                csum_ipv4: false,
                csum_ipv6: false,
                link_local6: None,
                max_frags: 17,
                page_size: 4096,
                cpu: 1,
                now_ns: 0,
            },
            ipsec: host.ipsec,
            dice: Dice(seed.into()),
            now_ns: 1_000_000,
        }
    }

    pub fn running(&self) -> bool {
        self.run.is_some()
    }

    /// Writes to the device file.
    pub fn write(&mut self, input: &[u8], strict: bool) {
        let shown = input.escape_ascii();
        let sharing = self.model.host.sharing;
        let facts = Facts {
            tx_sharing: sharing,
            ipsec: self.ipsec,
            node_possible: |node| node < NODES,
            set_debug: |level| DEBUG.set(level),
        };
        explain!("let _ = write(&mut device, b\"{shown}\", {sharing}, {strict});");
        let before = self.device.clone();
        let got = command::device(input, &mut self.device, &facts, strict);
        let want = interpret::device(&mut self.model, input, strict);
        let got = got.map_err(|error| match error {
            Error::Invalid => Errno::Invalid,
            Error::NotSupported => Errno::NotSupported,
            Error::TooBig => Errno::TooBig,
        });
        assert_eq!(got, want, "what writing \"{shown}\" returns");
        assert_eq!(
            DEBUG.get(),
            self.model.debug,
            "what \"{shown}\" makes the log"
        );
        if got.is_err() {
            self.check_refused(&before, input, strict);
        }
        self.sync();
    }

    /// What was refused changes nothing but the result, and what it is said to change.
    fn check_refused(&self, before: &Device, input: &[u8], strict: bool) {
        // Of all commands these two alone have an effect even so.
        let name = input.escape_ascii().to_string();
        if !strict && (name.contains("mpls") || name.contains("imix_weights")) {
            return;
        }
        let state = |device: &Device| {
            format!(
                "{:?} {:?} {:?}",
                device.config, device.current, device.counters
            )
        };
        assert_eq!(
            state(before),
            state(&self.device),
            "after \"{name}\" was refused"
        );
    }

    /// Writes to the file of a thread.
    pub fn write_thread(&mut self, input: &[u8]) {
        explain!("let _ = command::thread(b\"{}\");", input.escape_ascii());
        let got = command::thread(input).ok().map(|command| match command {
            Thread::AddDevice(name) => ("add_device", name),
            Thread::RemoveAll => ("rem_device_all", &b""[..]),
            Thread::MaxBeforeSoftirq => ("max_before_softirq", &b""[..]),
        });
        assert_eq!(got, grammar::thread(input));
    }

    /// Writes to `pgctrl`.
    pub fn write_control(&mut self, input: &[u8]) {
        explain!("let _ = command::control(b\"{}\");", input.escape_ascii());
        let got = command::control(input).ok().map(|command| match command {
            Control::Start => "start",
            Control::Stop => "stop",
            Control::Reset => "reset",
        });
        assert_eq!(got, grammar::control(input));
    }

    /// Begins a run, unless one lasts.
    pub fn start(&mut self) {
        if self.running() {
            return;
        }
        self.now_ns += 1_500;
        self.facts.now_ns = self.now_ns;
        explain!("let facts = {:?};", self.facts);
        explain!("let mut run = Run::start(&mut device, &facts);");
        self.run = Some(Run::start(&mut self.device, &self.facts));
        self.slots.0.clear();
        self.model.start(&self.facts);
        self.check_text();
        self.check_sending();
    }

    /// The worker and the device exchange what changed.
    pub fn sync(&mut self) {
        if let Some(run) = &mut self.run {
            explain!("run.sync(&mut device, &facts);");
            let key = run.flow_key();
            run.sync(&mut self.device, &self.facts);
            if run.flow_key() != key {
                explain!("// Its flows are fresh ones now.");
                self.slots.0.clear();
            }
            self.model.commands_end();
            self.check_sending();
        }
        self.check_text();
    }

    /// Sends packets. A few are refused, and a few have to be built only.
    pub fn packets(&mut self, n: u32, budget: &mut usize) {
        for number in 0..n {
            let Some(run) = &mut self.run else {
                return;
            };
            if run.impossible() || *budget == 0 {
                break;
            }
            let mut wall = (self.now_ns as u32, self.dice.0 as u32);
            if number % 4 == 3 {
                wall.1 = time_for_carry(&self.model, &self.facts, self.dice, wall.0) + number % 3;
            }
            let mut dice = self.dice;
            explain!(
                "let frame = frame_of(&mut run, &mut slots, &mut Dice({}), Some({wall:?}));",
                dice.0
            );
            let shape = run.next(&mut self.slots, &mut dice);
            let linear = shape.len - shape.split.total();
            let mut frame = vec![0xa5; linear];
            run.write(&mut frame, run.timestamps().then_some(wall));
            frame.resize(shape.len, 0);
            if faulty() && shape.protocol == 0x8100 {
                frame[15] ^= 1;
            }
            let got = Packet {
                frame,
                fragments: shape.split.lengths().collect(),
                queue: shape.queue,
                priority: shape.priority,
                l2_len: shape.l2_len,
                l4_offset: shape.l4_offset,
                protocol: shape.protocol,
                csum_partial: shape.csum_partial,
                secured: shape.secured,
            };
            let want = self.model.packet(&self.facts, &mut self.dice, wall);
            compare_packets(&got, &want);
            assert_eq!(dice, self.dice, "random numbers that were drawn");
            let in_fragments: u32 = got.fragments.iter().sum();
            assert_eq!(in_fragments as usize, shape.split.total());
            assert!(linear >= usize::from(shape.l4_offset) + 24);

            *budget = budget.saturating_sub(shape.len);
            self.now_ns += 700;
            match number % 8 {
                6 => {
                    explain!("run.error();");
                    run.error();
                    self.model.errors += 1;
                }
                7 => {
                    explain!("run.idle(900);");
                    run.idle(900);
                    self.model.idle_ns += 900;
                }
                _ => {
                    let burst = run.burst();
                    explain!("run.sent({burst}, {});", shape.len);
                    run.sent(burst, shape.len);
                    self.model.sent(burst, shape.len);
                }
            }
        }
        self.sync();
    }

    /// Ends the run, if one lasts. Each way to end has its numbers.
    pub fn finish(&mut self, frags: i32, way: u8) {
        let Some(run) = self.run.take() else {
            return;
        };
        let (end, why) = ENDS[usize::from(way) % ENDS.len()];
        let now_ns = self.now_ns;
        explain!("run.finish(&mut device, {frags}, {now_ns}, End::{end:?});");
        run.finish(&mut self.device, frags, now_ns, end);
        self.model.finish(frags, &self.facts, now_ns, why);
        self.check_text();
    }

    fn check_text(&self) {
        let mut file = Buffer::<8192>::new();
        let (name, now) = ("d0@1", self.now_ns);
        let shown = show::device(
            &mut file,
            &self.device,
            name.as_bytes(),
            self.facts.dev_mac,
            now,
        );
        assert!(shown.is_ok() && !file.is_full());
        let got = file.as_bytes();
        let want = text::device(&self.model, name, self.facts.dev_mac, now);
        if got != want {
            let lines = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
            let (got, want) = (lines(got), lines(&want));
            let line = got
                .lines()
                .zip(want.lines())
                .find(|(got, want)| got != want);
            panic!("the text of the file: first line got and wanted: {line:?}\ngot:\n{got}\nwanted:\n{want}");
        }
        assert!(got.starts_with(b"Params: count ") && got.ends_with(b"\n"));
        assert!(!got.contains(&0));
        self.model.check_invariants();
    }

    fn check_sending(&self) {
        let Some(run) = &self.run else {
            return;
        };
        let memory = run.memory();
        let got = Sending {
            burst: run.burst(),
            clone_skb: run.clone_skb(),
            kept: run.shared(),
            timestamps: run.timestamps(),
            node: memory.bound.then_some(memory.node),
            complete: run.complete(),
            impossible: run.impossible(),
        };
        assert_eq!(got, self.model.sending(&self.facts));
        assert_eq!(run.counts_as_kept(), self.model.flag("SHARED"));
    }
}

/// Microseconds that make the sum over the next packet the largest that there is. What is
/// special with it and the next ones, another checksum and a second carry, is rare otherwise.
fn time_for_carry(model: &Model, facts: &StartFacts, mut dice: Dice, seconds: u32) -> u32 {
    let packet = model.clone().packet(facts, &mut dice, (seconds, 0));
    let at = usize::from(packet.l4_offset) + 6;
    u32::from(u16::from_be_bytes([packet.frame[at], packet.frame[at + 1]]))
}

fn compare_packets(got: &Packet, want: &Packet) {
    if got == want {
        return;
    }
    let differs = |(got, want): (&u8, &u8)| got != want;
    let at = got.frame.iter().zip(&want.frame).position(differs);
    // The headers and what is around the difference, not 64 KiB.
    let (begin, end) = (0, at.unwrap_or(0).max(96) + 16);
    let part = |packet: &Packet| {
        let end = end.min(packet.frame.len());
        let bytes = packet.frame[begin..end].iter();
        bytes
            .map(|byte| format!("{byte:02x}"))
            .collect::<Vec<_>>()
            .join(" ")
    };
    let measures = |packet: &Packet| {
        let Packet {
            fragments, queue, ..
        } = packet;
        let (len, secured) = (packet.frame.len(), packet.secured);
        format!(
            "{len} bytes, fragments {fragments:?}, queue {queue}, priority {}, l2 {}, l4 {}, protocol {:#06x}, partial {}, secured {secured:?}",
            packet.priority, packet.l2_len, packet.l4_offset, packet.protocol, packet.csum_partial
        )
    };
    panic!(
        "the packet (first byte that differs: {at:?})\ngot:    {}\n        {}\nwanted: {}\n        {}",
        part(got),
        measures(got),
        part(want),
        measures(want)
    );
}
