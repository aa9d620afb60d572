// SPDX-License-Identifier: GPL-2.0

//! Parses and shows addresses.

use core::fmt;
use core::net::Ipv4Addr;

/// A MAC address, shown as `aa:bb:cc:dd:ee:ff`.
#[derive(Clone, Copy, Debug)]
pub struct Mac(pub [u8; 6]);

impl fmt::Display for Mac {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Mac([a, b, c, d, e, g]) = *self;
        write!(f, "{a:02x}:{b:02x}:{c:02x}:{d:02x}:{e:02x}:{g:02x}")
    }
}

/// How many characters a MAC address has.
pub const MAC_CHARS: usize = 17;

/// Parses `XX:XX:XX:XX:XX:XX`, either case; what follows the 17th character is ignored.
pub fn parse_mac(text: &[u8]) -> Option<[u8; 6]> {
    let mut mac = [0; 6];
    let mut chars = text.iter().map(|&byte| char::from(byte));
    for (position, byte) in mac.iter_mut().enumerate() {
        if position > 0 && chars.next()? != ':' {
            return None;
        }
        let high = chars.next()?.to_digit(16)?;
        let low = chars.next()?.to_digit(16)?;
        let [.., value] = ((high << 4) | low).to_be_bytes();
        *byte = value;
    }
    Some(mac)
}

/// An IPv4 address in host byte order, shown as a dotted quad.
#[derive(Clone, Copy, Debug)]
pub struct Ipv4(pub u32);

impl fmt::Display for Ipv4 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d] = self.0.to_be_bytes();
        write!(f, "{a}.{b}.{c}.{d}")
    }
}

/// Reads an IPv4 address without judging it, into host byte order.
///
/// Up to four components are separated by dots; each byte of a component counts as a decimal
/// digit whatever it is, components above 255 spill into the one before, missing ones are 0.
pub fn lenient_ipv4(text: &[u8]) -> u32 {
    let mut components = text.split(|&byte| byte == b'.');
    let mut addr = 0u32;
    for _ in 0..4 {
        let component = components.next().unwrap_or(&[]);
        let value = component.iter().fold(0u32, |value, &byte| {
            value
                .wrapping_mul(10)
                .wrapping_add(u32::from(byte))
                .wrapping_sub(u32::from(b'0'))
        });
        addr = addr.wrapping_shl(8) | value;
    }
    addr
}

/// Whether the text is a dotted quad.
pub fn is_ipv4(text: &[u8]) -> bool {
    core::str::from_utf8(text).is_ok_and(|text| text.parse::<Ipv4Addr>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn mac() {
        for (text, mac) in [
            ("01:02:03:04:05:06", Some([1, 2, 3, 4, 5, 6])),
            (
                "aA:Bb:cC:Dd:eE:Ff",
                Some([0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff]),
            ),
            ("01:02:03:04:05:06junk", Some([1, 2, 3, 4, 5, 6])),
            ("01:02:03:04:05:0", None),
            ("01-02-03-04-05-06", None),
            ("1:2:3:4:5:6", None),
            ("0g:02:03:04:05:06", None),
            ("", None),
        ] {
            assert_eq!(parse_mac(text.as_bytes()), mac, "{text:?}");
        }
        assert_eq!(
            Mac([0, 1, 0xa, 0xff, 4, 5]).to_string(),
            "00:01:0a:ff:04:05"
        );
    }

    #[test]
    fn ipv4() {
        for (text, addr, valid) in [
            ("198.18.0.42", 0xc612_002a, true),
            ("255.255.255.255", 0xffff_ffff, true),
            ("10.1", 0x0a01_0000, false),
            ("", 0, false),
            ("1.2.3.4.5", 0x0102_0304, false),
            ("1.2.3.256", 0x0102_0300 | 256, false),
            ("1.256.0.0", (1 << 8 | 256) << 16, false),
            // (':' - '0') is 10.
            ("0.0.0.:", 10, false),
            // ('/' - '0') is -1.
            ("0.0.0./", 0xffff_ffff, false),
        ] {
            assert_eq!(lenient_ipv4(text.as_bytes()), addr, "{text:?}");
            assert_eq!(is_ipv4(text.as_bytes()), valid, "{text:?}");
        }
        assert_eq!(Ipv4(0xc612_002a).to_string(), "198.18.0.42");
    }
}
