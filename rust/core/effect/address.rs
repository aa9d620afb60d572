// SPDX-License-Identifier: GPL-2.0

//! What the commands that set addresses and ports do.

use super::saturate;
use crate::addr::{self, Ipv6, Mac};
use crate::command::Target;
use crate::config::{Config, Ipv4Text};
use crate::device::{Current, Touched};
use crate::flags::Flags;
use crate::{Error, Result};

/// The IPv4 address that was written: 0 for nothing, which unsets it, `None` for what is no
/// address. That is refused in the result.
fn ipv4(t: &mut Target<'_>, text: &[u8]) -> Result<Option<u32>> {
    let addr = if text.is_empty() && !t.strict {
        Some(0)
    } else {
        addr::parse_ipv4(text)
    };
    if addr.is_none() {
        t.complain("not an IPv4 address");
        t.refused()?;
    }
    Ok(addr)
}

/// Stores an address, and makes it the current one if it is written differently from the one
/// before. The result says `name`.
fn set_ipv4(
    t: &mut Target<'_>,
    text: &[u8],
    name: &str,
    field: fn(&mut Config) -> &mut Ipv4Text,
    current: fn(&mut Current) -> &mut u32,
    touched: Touched,
) -> Result {
    let Some(addr) = ipv4(t, text)? else {
        return Ok(());
    };
    let stored = field(&mut t.device.config);
    if stored.text.as_bytes() != text {
        stored.text.set(text);
        stored.addr = addr;
        *current(&mut t.device.current) = addr;
        t.device.touch(touched);
    }
    t.result_bytes(&[b"OK: ", name.as_bytes(), b"=", text]);
    Ok(())
}

fn source(t: &mut Target<'_>, text: &[u8], field: fn(&mut Config) -> &mut Ipv4Text) -> Result {
    let name = t.name();
    set_ipv4(t, text, name, field, |c| &mut c.saddr, Touched::SADDR)
}

/// `src_min`, the current source as well.
pub(crate) fn src_min(t: &mut Target<'_>, text: &[u8]) -> Result {
    source(t, text, |c| &mut c.src_min)
}

/// `src_max`, the current source as well.
pub(crate) fn src_max(t: &mut Target<'_>, text: &[u8]) -> Result {
    source(t, text, |c| &mut c.src_max)
}

/// `dst_min` and `dst`, the current destination as well. The result says `dst_min` for both.
pub(crate) fn dst_min(t: &mut Target<'_>, text: &[u8]) -> Result {
    let field: fn(&mut Config) -> &mut Ipv4Text = |c| &mut c.dst_min;
    set_ipv4(t, text, "dst_min", field, |c| &mut c.daddr, Touched::DADDR)
}

/// `dst_max`, the current destination as well.
pub(crate) fn dst_max(t: &mut Target<'_>, text: &[u8]) -> Result {
    let field: fn(&mut Config) -> &mut Ipv4Text = |c| &mut c.dst_max;
    set_ipv4(t, text, "dst_max", field, |c| &mut c.daddr, Touched::DADDR)
}

/// `dst_mac`. The result says `dstmac`.
pub(crate) fn dst_mac(t: &mut Target<'_>, text: &[u8]) -> Result {
    let mac = mac(t, text)?;
    t.device.config.dst_mac = mac;
    t.result(format_args!("OK: dstmac {}", Mac(mac)));
    Ok(())
}

/// `src_mac`. The result says `srcmac`.
pub(crate) fn src_mac(t: &mut Target<'_>, text: &[u8]) -> Result {
    let mac = mac(t, text)?;
    t.device.config.src_mac = mac;
    t.result(format_args!("OK: srcmac {}", Mac(mac)));
    Ok(())
}

fn mac(t: &mut Target<'_>, text: &[u8]) -> Result<[u8; 6]> {
    if t.strict && text.len() > addr::MAC_CHARS {
        t.strict_error("not a MAC address")?;
    }
    addr::parse_mac(text).ok_or(Error::Invalid)
}

/// Stores a port if the number differs, and says whether it does. Ports wrap at 16 bits.
fn set_port(port: &mut u16, number: u64) -> bool {
    let differs = u64::from(*port) != number;
    *port = number as u16;
    differs
}

fn source_port(t: &mut Target<'_>, number: u64, field: fn(&mut Config) -> &mut u16) -> Result {
    if set_port(field(&mut t.device.config), number) {
        t.device.current.udp_src = number as u16;
        t.device.touch(Touched::UDP_SRC);
    }
    t.ok(number as u16)
}

fn destination_port(t: &mut Target<'_>, number: u64, field: fn(&mut Config) -> &mut u16) -> Result {
    if set_port(field(&mut t.device.config), number) {
        t.device.current.udp_dst = number as u16;
        t.device.touch(Touched::UDP_DST);
    }
    t.ok(number as u16)
}

/// `udp_src_min`, the current source port as well.
pub(crate) fn udp_src_min(t: &mut Target<'_>, number: u64) -> Result {
    source_port(t, number, |c| &mut c.udp_src_min)
}

/// `udp_src_max`, the current source port as well.
pub(crate) fn udp_src_max(t: &mut Target<'_>, number: u64) -> Result {
    source_port(t, number, |c| &mut c.udp_src_max)
}

/// `udp_dst_min`, the current destination port as well.
pub(crate) fn udp_dst_min(t: &mut Target<'_>, number: u64) -> Result {
    destination_port(t, number, |c| &mut c.udp_dst_min)
}

/// `udp_dst_max`, the current destination port as well.
pub(crate) fn udp_dst_max(t: &mut Target<'_>, number: u64) -> Result {
    destination_port(t, number, |c| &mut c.udp_dst_max)
}

/// Switches IPv6 on and stores the address, which is returned; `None` for what is no address,
/// which is refused in the result.
fn set_ipv6(
    t: &mut Target<'_>,
    text: &[u8],
    field: fn(&mut Config) -> &mut [u8; 16],
) -> Result<Option<[u8; 16]>> {
    let Some(addr) = addr::parse_ipv6(text).filter(|_| !t.strict || addr::is_ipv6(text)) else {
        t.complain("not an IPv6 address");
        t.refused()?;
        return Ok(None);
    };
    t.device.config.flags.set(Flags::IPV6);
    *field(&mut t.device.config) = addr;
    t.ok(Ipv6(addr))?;
    Ok(Some(addr))
}

fn destination6(
    t: &mut Target<'_>,
    text: &[u8],
    field: fn(&mut Config) -> &mut [u8; 16],
) -> Result {
    if let Some(addr) = set_ipv6(t, text, field)? {
        t.device.current.daddr6 = addr;
        t.device.touch(Touched::DADDR6);
    }
    Ok(())
}

/// `dst6`, the current destination as well.
pub(crate) fn dst6(t: &mut Target<'_>, text: &[u8]) -> Result {
    destination6(t, text, |c| &mut c.dst6)
}

/// `dst6_min`, the current destination as well.
pub(crate) fn dst6_min(t: &mut Target<'_>, text: &[u8]) -> Result {
    destination6(t, text, |c| &mut c.dst6_min)
}

/// `dst6_max`.
pub(crate) fn dst6_max(t: &mut Target<'_>, text: &[u8]) -> Result {
    set_ipv6(t, text, |c| &mut c.dst6_max)?;
    Ok(())
}

/// `src6`, the current source as well.
pub(crate) fn src6(t: &mut Target<'_>, text: &[u8]) -> Result {
    if let Some(addr) = set_ipv6(t, text, |c| &mut c.src6)? {
        t.device.current.saddr6 = addr;
        t.device.touch(Touched::SADDR6);
    }
    Ok(())
}

/// Stores a number if it differs, and says whether it does.
fn set_count(stored: &mut u32, number: u64) -> bool {
    let count = saturate(number);
    let differs = *stored != count;
    *stored = count;
    differs
}

/// `src_mac_count`; a new one begins with offset 0.
pub(crate) fn src_mac_count(t: &mut Target<'_>, number: u64) -> Result {
    if set_count(&mut t.device.config.src_mac_count, number) {
        t.device.current.src_mac_offset = 0;
        t.device.touch(Touched::SRC_MAC_OFFSET);
    }
    // Shown signed.
    let count = t.device.config.src_mac_count as i32;
    t.ok(count)
}

/// `dst_mac_count`; a new one begins with offset 0.
pub(crate) fn dst_mac_count(t: &mut Target<'_>, number: u64) -> Result {
    if set_count(&mut t.device.config.dst_mac_count, number) {
        t.device.current.dst_mac_offset = 0;
        t.device.touch(Touched::DST_MAC_OFFSET);
    }
    let count = t.device.config.dst_mac_count as i32;
    t.ok(count)
}
