// SPDX-License-Identifier: GPL-2.0

//! The write grammar of the three kinds of file.
//!
//! One write is one command. What follows its argument is ignored, missing numbers are 0, and a
//! trailing LF or NUL is no error: scripts depend on all of it. Strict mode does not ignore.
//!
//! A device command is one row of `COMMANDS`: its name, what it takes, what it does. The rows
//! are parsed by one piece of code, so that every command has the same grammar.

use core::fmt;

use crate::config::{MAX_BURST, MAX_PKT_SIZE, MIN_PKT_SIZE};
use crate::device::Device;
use crate::effect;
use crate::flow::MAX_FLOWS;
use crate::scan::{until_nul, Scanner};
use crate::{Error, Result};

/// What `pgctrl` understands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// Run every device of every thread.
    Start,
    /// Stop every device.
    Stop,
    /// Remove every device.
    Reset,
}

/// Parses a write to `pgctrl`.
///
/// The command is compared exactly, but for one LF at the very end, and up to a NUL. Unlike on
/// the other files, separators are not skipped. (The reference looks at 127 bytes only; no
/// command is long enough for that to show.)
///
/// ```
/// use rpktgen_core::command::{control, Control};
/// assert_eq!(control(b"start\n"), Ok(Control::Start));
/// assert!(control(b" start").is_err());
/// ```
pub fn control(input: &[u8]) -> Result<Control> {
    let line = input.strip_suffix(b"\n").unwrap_or(input);
    match until_nul(line) {
        b"start" => Ok(Control::Start),
        b"stop" => Ok(Control::Stop),
        b"reset" => Ok(Control::Reset),
        _ => Err(Error::Invalid),
    }
}

/// What a thread file understands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thread<'a> {
    /// Add a device of that name.
    AddDevice(&'a [u8]),
    /// Remove every device of the thread.
    RemoveAll,
    /// Accepted, without effect.
    MaxBeforeSoftirq,
}

/// Longest command name on a thread file; a longer one is cut.
const THREAD_NAME: usize = 39;
/// Longest command name on a device file; a longer one is cut.
const DEVICE_NAME: usize = 15;
/// Longest argument that is a name or an IPv4 or MAC address; a longer one is cut.
const WORD: usize = 31;
/// Longest argument that is an IPv6 address; a longer one is cut.
const WORD6: usize = 127;

/// Parses a write to a thread file.
pub fn thread(input: &[u8]) -> Result<Thread<'_>> {
    let mut scan = Scanner::new(input);
    scan.skip_separators();
    let name = scan.name(THREAD_NAME);
    scan.skip_separators();
    match name {
        b"add_device" => Ok(Thread::AddDevice(scan.word(WORD))),
        b"rem_device_all" => Ok(Thread::RemoveAll),
        b"max_before_softirq" => Ok(Thread::MaxBeforeSoftirq),
        _ => Err(Error::Invalid),
    }
}

/// What a command must know of the net device and the kernel.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// Whether the net device can send one packet buffer several times (`IFF_TX_SKB_SHARING`).
    pub tx_sharing: bool,
    /// Whether the kernel has IPsec; without it there are neither `spi` nor the flag.
    pub ipsec: bool,
    /// Whether there can be a NUMA node of that number.
    pub node_possible: fn(u64) -> bool,
    /// Sets how much is logged, for all devices.
    pub set_debug: fn(u32),
}

/// What a command is carried out on.
pub(crate) struct Target<'a> {
    pub(crate) device: &'a mut Device,
    pub(crate) facts: &'a Facts,
    /// Whether what the reference accepts silently is an error.
    pub(crate) strict: bool,
    name: &'static str,
}

impl Target<'_> {
    /// The name of the command.
    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    /// Sets the result text.
    pub(crate) fn result(&mut self, text: fmt::Arguments<'_>) {
        self.device.result.replace(text);
    }

    /// Sets the result to what the parts make up. What a user wrote is shown again byte by byte.
    pub(crate) fn result_bytes(&mut self, parts: &[&[u8]]) {
        self.device.result.clear();
        for part in parts {
            self.device.result.push_bytes(part);
        }
    }

    /// Sets the result to `OK: <command>=<argument>`.
    pub(crate) fn ok_bytes(&mut self, argument: &[u8]) -> Result {
        let name = self.name;
        self.result_bytes(&[b"OK: ", name.as_bytes(), b"=", argument]);
        Ok(())
    }

    /// Sets the result to `OK: <command>=<value>`.
    pub(crate) fn ok(&mut self, value: impl fmt::Display) -> Result {
        let name = self.name;
        self.result(format_args!("OK: {name}={value}"));
        Ok(())
    }

    /// An argument is refused, as the result says by now: an error in strict mode only.
    pub(crate) fn refused(&self) -> Result {
        if self.strict {
            Err(Error::Invalid)
        } else {
            Ok(())
        }
    }

    /// Something that is refused although it is done: no error in strict mode.
    pub(crate) fn refused_unless_strict(&self) -> Result {
        if self.strict {
            Ok(())
        } else {
            Err(Error::Invalid)
        }
    }

    /// Sets the result to an error that only strict mode knows.
    pub(crate) fn complain(&mut self, what: &str) {
        let name = self.name;
        self.result(format_args!("ERROR: {name}: {what}"));
    }

    /// Something is refused in strict mode only.
    pub(crate) fn strict_error(&mut self, what: &str) -> Result {
        self.complain(what);
        Err(Error::Invalid)
    }
}

/// What a command takes, and what it does with it.
enum Argument {
    /// No argument.
    Nothing(fn(&mut Target<'_>) -> Result),
    /// A number of up to so many decimal digits; strict mode refuses one above the maximum.
    Number(usize, u64, fn(&mut Target<'_>, u64) -> Result),
    /// A frame size; strict mode refuses one that would not be stored as it is.
    Size(fn(&mut Target<'_>, u64) -> Result),
    /// A number that is not 0, with a suffix k, M or G if wanted. Anything else is refused.
    Amount(fn(&mut Target<'_>, u64) -> Result),
    /// A byte of two hexadecimal digits, `None` if it is not.
    Octet(fn(&mut Target<'_>, Option<u8>) -> Result),
    /// A word of up to so many bytes.
    Word(usize, fn(&mut Target<'_>, &[u8]) -> Result),
    /// Something that the command reads itself.
    List(fn(&mut Target<'_>, &mut Scanner<'_>) -> Result),
}

use Argument::{Amount, List, Nothing, Number, Octet, Size, Word};

/// A device command.
struct Command {
    name: &'static str,
    argument: Argument,
}

const fn row(name: &'static str, argument: Argument) -> Command {
    Command { name, argument }
}

/// The largest number of up to ten digits.
const ANY: u64 = 9_999_999_999;
const U16: u64 = u16::MAX as u64;
const U32: u64 = u32::MAX as u64;
const I32: u64 = i32::MAX as u64;

/// The command that is there in kernels with IPsec only.
const IPSEC_COMMAND: &str = "spi";

/// Every device command.
#[rustfmt::skip]
const COMMANDS: &[Command] = &[
    row("min_pkt_size",   Size(effect::min_pkt_size)),
    row("max_pkt_size",   Size(effect::max_pkt_size)),
    row("pkt_size",       Size(effect::pkt_size)),
    row("imix_weights",   List(effect::imix_weights)),
    row("frags",          Number(10, I32, effect::frags)),
    row("count",          Number(10, ANY, |t, n| { t.device.config.count = n; t.ok(n) })),
    row("delay",          Number(10, ANY, effect::delay)),
    row("rate",           Number(10, ANY, effect::rate)),
    row("ratep",          Number(10, ANY, effect::ratep)),
    row("pps",            Amount(effect::pps)),
    row("bps",            Amount(effect::bps)),
    row("clone_skb",      Number(10, I32, effect::clone_skb)),
    row("burst",          Number(10, MAX_BURST as u64, effect::burst)),
    row("xmit_mode",      Word(WORD, effect::xmit_mode)),
    row("clear_counters", Nothing(effect::clear_counters)),
    row("dst",            Word(WORD, effect::dst_min)),
    row("dst_min",        Word(WORD, effect::dst_min)),
    row("dst_max",        Word(WORD, effect::dst_max)),
    row("src_min",        Word(WORD, effect::src_min)),
    row("src_max",        Word(WORD, effect::src_max)),
    row("dst_mac",        Word(WORD, effect::dst_mac)),
    row("src_mac",        Word(WORD, effect::src_mac)),
    row("dst6",           Word(WORD6, effect::dst6)),
    row("dst6_min",       Word(WORD6, effect::dst6_min)),
    row("dst6_max",       Word(WORD6, effect::dst6_max)),
    row("src6",           Word(WORD6, effect::src6)),
    row("src_mac_count",  Number(10, U32, effect::src_mac_count)),
    row("dst_mac_count",  Number(10, U32, effect::dst_mac_count)),
    row("udp_src_min",    Number(10, U16, effect::udp_src_min)),
    row("udp_src_max",    Number(10, U16, effect::udp_src_max)),
    row("udp_dst_min",    Number(10, U16, effect::udp_dst_min)),
    row("udp_dst_max",    Number(10, U16, effect::udp_dst_max)),
    row("flows",          Number(10, MAX_FLOWS as u64, effect::flows)),
    row("flowlen",        Number(10, U32, effect::flowlen)),
    row(IPSEC_COMMAND,    Number(10, U32, effect::spi)),
    row("queue_map_min",  Number(5, U16, |t, n| effect::queue(t, n, |c| &mut c.queue_map_min))),
    row("queue_map_max",  Number(5, U16, |t, n| effect::queue(t, n, |c| &mut c.queue_map_max))),
    row("skb_priority",   Number(9, ANY, |t, n| { t.device.config.skb_priority = n as u32; t.ok(n) })),
    row("node",           Number(10, ANY, effect::node)),
    row("debug",          Number(10, U32, effect::debug)),
    row("flag",           Word(WORD, effect::flag)),
    row("vlan_id",        Number(4, ANY, effect::vlan_id)),
    row("vlan_p",         Number(1, ANY, |t, n| effect::priority(t, n, |c| &mut c.vlan))),
    row("vlan_cfi",       Number(1, ANY, |t, n| effect::cfi(t, n, |c| &mut c.vlan))),
    row("svlan_id",       Number(4, ANY, effect::svlan_id)),
    row("svlan_p",        Number(1, ANY, |t, n| effect::priority(t, n, |c| &mut c.svlan))),
    row("svlan_cfi",      Number(1, ANY, |t, n| effect::cfi(t, n, |c| &mut c.svlan))),
    row("mpls",           List(effect::mpls)),
    row("tos",            Octet(|t, tos| effect::octet(t, tos, |c| &mut c.tos))),
    row("traffic_class",  Octet(|t, class| effect::octet(t, class, |c| &mut c.traffic_class))),
];

/// Carries out a write to a device file and sets `device.result`.
///
/// A command that fails leaves the result as it was, unless there is no such command.
///
/// With `strict`, whatever would be accepted with a remark in the result, or silently, fails as
/// well with [`Error::Invalid`], says so in the result and changes nothing: an unknown flag, a
/// number that is missing, too large or followed by something else, an address that is none.
///
/// ```
/// use rpktgen_core::command::{device, Facts};
/// use rpktgen_core::config::Defaults;
/// use rpktgen_core::device::Device;
///
/// let defaults = Defaults { count: 1000, delay_ns: 0, clone_skb: 0 };
/// let facts = Facts {
///     tx_sharing: true,
///     ipsec: true,
///     node_possible: |node| node == 0,
///     set_debug: |_| (),
/// };
/// let mut dev = Device::new(&defaults);
/// device(b"count 42\n", &mut dev, &facts, false).unwrap();
/// assert_eq!(dev.config.count, 42);
/// assert_eq!(dev.result.as_bytes(), b"OK: count=42");
/// ```
pub fn device(input: &[u8], device: &mut Device, facts: &Facts, strict: bool) -> Result {
    if input.is_empty() {
        return Err(Error::Invalid);
    }
    let mut scan = Scanner::new(input);
    scan.skip_separators();
    let name = scan.name(DEVICE_NAME);
    scan.skip_separators();
    let offered = |row: &&Command| facts.ipsec || row.name != IPSEC_COMMAND;
    let found = COMMANDS
        .iter()
        .filter(offered)
        .find(|row| row.name.as_bytes() == name);
    let Some(Command { name, argument }) = found else {
        device.result.set(b"No such parameter \"");
        device.result.push_bytes(name);
        device.result.push_bytes(b"\"");
        return Err(Error::Invalid);
    };
    let mut target = Target {
        device,
        facts,
        strict,
        name,
    };
    let outcome = apply(&mut target, &mut scan, argument);
    // A refused list may have changed something as well: the labels before it are gone.
    target.device.changed();
    outcome
}

/// Parses the argument of a command and carries the command out.
fn apply(target: &mut Target<'_>, scan: &mut Scanner<'_>, argument: &Argument) -> Result {
    match *argument {
        Nothing(act) => {
            at_end(target, scan)?;
            act(target)
        }
        Number(digits, max, set) => {
            let number = number(target, scan, digits, 0, max)?;
            set(target, number)
        }
        Size(set) => {
            let size = number(target, scan, 10, MIN_PKT_SIZE.into(), MAX_PKT_SIZE.into())?;
            set(target, size)
        }
        Amount(set) => {
            let amount = scan.amount().filter(|&amount| amount != 0);
            let Some(amount) = amount else {
                if target.strict {
                    target.complain("a number above 0 is needed, with k, M or G if wanted");
                }
                return Err(Error::Invalid);
            };
            at_end(target, scan)?;
            set(target, amount)
        }
        Octet(set) => {
            let number = scan.hex(2);
            at_end(target, scan)?;
            // Two hexadecimal digits are a byte.
            let octet = (number.digits == 2).then_some(number.value as u8);
            set(target, octet)
        }
        Word(limit, set) => {
            let word = scan.word(limit);
            at_end(target, scan)?;
            set(target, word)
        }
        List(read) => read(target, scan),
    }
}

/// Reads a number; strict mode wants it to be there, in its range, and nothing behind it.
fn number(
    target: &mut Target<'_>,
    scan: &mut Scanner<'_>,
    digits: usize,
    min: u64,
    max: u64,
) -> Result<u64> {
    let number = scan.decimal(digits);
    if target.strict && number.digits == 0 {
        target.strict_error("a number is missing")?;
    }
    at_end(target, scan)?;
    if target.strict && number.value > max {
        target.strict_error("the number is too large")?;
    }
    if target.strict && number.value < min {
        target.strict_error("the number is too small")?;
    }
    Ok(number.value)
}

/// In strict mode, refuses text after an argument.
pub(crate) fn at_end(target: &mut Target<'_>, scan: &Scanner<'_>) -> Result {
    if target.strict && !scan.is_blank() {
        return target.strict_error("there is more than the command takes");
    }
    Ok(())
}

/// The names of all device commands.
pub fn names() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().map(|row| row.name)
}
