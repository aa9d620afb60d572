// SPDX-License-Identifier: GPL-2.0

//! What the device commands do: each function belongs to a row of the table in
//! [`command`](crate::command).
//!
//! Values are made to fit here and nowhere else, so that a [`Config`] is always sound. Commands
//! are accepted at any time; those that set a value the worker advances *touch* it, so that the
//! worker takes it over.

use crate::command::Target;
use crate::config::{Config, Mode, Rate, DELAY_NEVER, MAX_BURST, MAX_PKT_SIZE, MIN_PKT_SIZE};
use crate::device::{Counters, Device, Touched};
use crate::flags::Flags;
use crate::flow::MAX_FLOWS;
use crate::{Error, Result};

mod address;
mod imix;
mod tags;

pub(crate) use self::address::*;
pub(crate) use self::imix::*;
pub(crate) use self::tags::*;

/// A number cut to `u32`'s range.
fn saturate(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// A size as it is stored: at least the headers, at most what length fields hold.
fn fitting_size(number: u64) -> u32 {
    saturate(number).clamp(MIN_PKT_SIZE, MAX_PKT_SIZE)
}

fn set_current_size(device: &mut Device, size: u32) {
    device.current.pkt_size = size;
    device.touch(Touched::PKT_SIZE);
}

/// `min_pkt_size`: a new value is the current size as well.
pub(crate) fn min_pkt_size(t: &mut Target<'_>, number: u64) -> Result {
    let size = fitting_size(number);
    if t.device.config.min_pkt_size != size {
        t.device.config.min_pkt_size = size;
        set_current_size(t.device, size);
    }
    t.ok(size)
}

/// `max_pkt_size`: a new value is the current size as well.
pub(crate) fn max_pkt_size(t: &mut Target<'_>, number: u64) -> Result {
    let size = fitting_size(number);
    if t.device.config.max_pkt_size != size {
        t.device.config.max_pkt_size = size;
        set_current_size(t.device, size);
    }
    t.ok(size)
}

/// `pkt_size`: leaves the maximum alone if the minimum is that size already.
pub(crate) fn pkt_size(t: &mut Target<'_>, number: u64) -> Result {
    let size = fitting_size(number);
    if t.device.config.min_pkt_size != size {
        t.device.config.min_pkt_size = size;
        t.device.config.max_pkt_size = size;
        set_current_size(t.device, size);
    }
    t.ok(size)
}

/// The delay that stands for "never" in the `delay` command.
const NEVER: u64 = 2_147_483_647;

/// `delay`: nanoseconds.
pub(crate) fn delay(t: &mut Target<'_>, number: u64) -> Result {
    let delay_ns = if number == NEVER { DELAY_NEVER } else { number };
    t.device.config.set_delay(delay_ns);
    t.ok(delay_ns)
}

/// `rate`: Mbit/s at the minimum size of this moment. Bits / (Mbit/s) are microseconds.
pub(crate) fn rate(t: &mut Target<'_>, mbps: u64) -> Result {
    let milli_bits = u64::from(t.device.config.min_pkt_size).wrapping_mul(8 * 1000);
    let delay_ns = milli_bits.checked_div(mbps).ok_or(Error::Invalid)?;
    t.device.config.set_delay(delay_ns);
    t.ok(mbps)
}

/// `ratep`: packets per second. Its result says `rate`.
pub(crate) fn ratep(t: &mut Target<'_>, pps: u64) -> Result {
    let delay_ns = 1_000_000_000u64.checked_div(pps).ok_or(Error::Invalid)?;
    t.device.config.set_delay(delay_ns);
    t.result(format_args!("OK: rate={pps}"));
    Ok(())
}

/// `pps`: packets a second.
pub(crate) fn pps(t: &mut Target<'_>, pps: u64) -> Result {
    t.device.config.set_rate(Rate::Packets(pps));
    t.ok(pps)
}

/// `bps`: bits a second on the wire.
pub(crate) fn bps(t: &mut Target<'_>, bps: u64) -> Result {
    t.device.config.set_rate(Rate::Bits(bps));
    t.ok(bps)
}

/// `clone_skb`: sends of each packet.
pub(crate) fn clone_skb(t: &mut Target<'_>, number: u64) -> Result {
    let config = &mut t.device.config;
    if number > 0 {
        if config.mode == Mode::NetifReceive || !t.facts.tx_sharing {
            return Err(Error::NotSupported);
        }
        if !config.imix.is_empty() || !config.flags.has(Flags::SHARED) {
            return Err(Error::Invalid);
        }
    }
    config.clone_skb = i32::try_from(number).unwrap_or(i32::MAX);
    let stored = config.clone_skb;
    t.ok(stored)
}

/// `burst`: copies sent in one go.
pub(crate) fn burst(t: &mut Target<'_>, number: u64) -> Result {
    let config = &mut t.device.config;
    if number > 1 {
        match config.mode {
            Mode::QueueXmit => return Err(Error::NotSupported),
            Mode::StartXmit if !t.facts.tx_sharing => return Err(Error::NotSupported),
            _ => {}
        }
        if !config.flags.has(Flags::SHARED) {
            return Err(Error::Invalid);
        }
    }
    config.burst = saturate(number).clamp(1, MAX_BURST);
    let stored = config.burst;
    t.ok(stored)
}

/// `frags`: page fragments of a packet.
pub(crate) fn frags(t: &mut Target<'_>, number: u64) -> Result {
    let frags = i32::try_from(number).unwrap_or(i32::MAX);
    t.device.config.frags = frags;
    t.ok(frags)
}

/// `flows`: flows at a time.
pub(crate) fn flows(t: &mut Target<'_>, number: u64) -> Result {
    let flows = saturate(number).min(MAX_FLOWS);
    t.device.config.flows = flows;
    t.ok(flows)
}

/// `flowlen`: packets of a flow.
pub(crate) fn flowlen(t: &mut Target<'_>, number: u64) -> Result {
    let flowlen = saturate(number);
    t.device.config.flowlen = flowlen;
    t.ok(flowlen)
}

/// `spi`: the security parameter index.
pub(crate) fn spi(t: &mut Target<'_>, number: u64) -> Result {
    let spi = saturate(number);
    t.device.config.spi = spi;
    t.ok(spi)
}

/// `node`: the NUMA node to take memory from.
pub(crate) fn node(t: &mut Target<'_>, number: u64) -> Result {
    match u32::try_from(number) {
        Ok(node) if (t.facts.node_possible)(number) => {
            t.device.config.node = Some(node);
            t.ok(node)
        }
        _ => {
            t.result(format_args!("ERROR: node not possible"));
            t.refused()
        }
    }
}

/// `debug`: how much is logged, for all devices.
pub(crate) fn debug(t: &mut Target<'_>, number: u64) -> Result {
    let level = saturate(number);
    (t.facts.set_debug)(level);
    t.ok(level)
}

/// `xmit_mode`.
pub(crate) fn xmit_mode(t: &mut Target<'_>, name: &[u8]) -> Result {
    let mode = match name {
        b"start_xmit" => Mode::StartXmit,
        b"netif_receive" => Mode::NetifReceive,
        b"queue_xmit" => Mode::QueueXmit,
        _ => {
            t.result_bytes(&[
                b"xmit_mode -:",
                name,
                b":- unknown\nAvailable modes: start_xmit, netif_receive\n",
            ]);
            return t.refused();
        }
    };
    if mode == Mode::NetifReceive && t.device.config.clone_skb > 0 {
        return Err(Error::NotSupported);
    }
    t.device.config.mode = mode;
    t.ok_bytes(name)
}

/// `clear_counters`. The time of the start stays.
pub(crate) fn clear_counters(t: &mut Target<'_>) -> Result {
    t.device.counters = Counters::CLEARED;
    t.device.touch(Touched::COUNTERS);
    t.result(format_args!("OK: Clearing counters.\n"));
    Ok(())
}

/// `queue_map_min` and `queue_map_max`. Queues wrap at 16 bits.
pub(crate) fn queue(t: &mut Target<'_>, number: u64, field: fn(&mut Config) -> &mut u16) -> Result {
    let queue = number as u16;
    *field(&mut t.device.config) = queue;
    t.ok(queue)
}

/// The opposite of the flag `FLOW_SEQ`.
const FLOW_RND: &[u8] = b"FLOW_RND";

/// `flag NAME` sets, `flag !NAME` clears.
pub(crate) fn flag(t: &mut Target<'_>, argument: &[u8]) -> Result {
    let (set, name) = match argument.strip_prefix(b"!") {
        Some(name) => (false, name),
        None => (true, argument),
    };
    let ipsec = t.facts.ipsec;
    let offered = |flag: Flags| ipsec || flag != Flags::IPSEC;
    let known = match Flags::by_name(name) {
        // IPv6 is switched on by its addresses.
        Some(Flags::IPV6) if set => None,
        Some(flag) if offered(flag) => Some((set, flag)),
        None if name == FLOW_RND => Some((!set, Flags::FLOW_SEQ)),
        _ => None,
    };
    let Some((set, flag)) = known else {
        t.result_bytes(&[
            b"Flag -:",
            argument,
            b":- unknown\nAvailable flags, (prepend ! to un-set flag):\n",
        ]);
        let mut separator = "";
        for (name, flag) in Flags::NAMES {
            if !offered(*flag) {
                continue;
            }
            for part in [separator, name] {
                t.device.result.push_bytes(part.as_bytes());
            }
            separator = ", ";
        }
        return t.refused();
    };
    let config = &mut t.device.config;
    if set {
        config.flags.set(flag);
    } else {
        if flag == Flags::SHARED && (config.clone_skb != 0 || config.burst > 1) {
            return Err(Error::Invalid);
        }
        config.flags.clear(flag);
    }
    let flags = config.flags;
    t.result(format_args!("OK: flags={flags:#x}"));
    Ok(())
}

/// `tos` and `traffic_class`: exactly two hexadecimal digits.
pub(crate) fn octet(
    t: &mut Target<'_>,
    octet: Option<u8>,
    field: fn(&mut Config) -> &mut u8,
) -> Result {
    match octet {
        Some(octet) => {
            *field(&mut t.device.config) = octet;
            t.ok(format_args!("{octet:#04x}"))
        }
        None => {
            let name = t.name();
            t.result(format_args!("ERROR: {name} must be 00-ff"));
            t.refused()
        }
    }
}
