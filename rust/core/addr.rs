// SPDX-License-Identifier: GPL-2.0

//! Parses and shows addresses.

use core::fmt;
use core::net::Ipv6Addr;

use crate::text::Buffer;

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

/// Parses a dotted quad of decimal numbers into host byte order. Zeros in front do not make a
/// number octal.
pub fn parse_ipv4(text: &[u8]) -> Option<u32> {
    let mut parts = text.split(|&byte| byte == b'.');
    let mut addr = [0; 4];
    for byte in &mut addr {
        let digits = without_leading_zeros(parts.next()?);
        if digits.is_empty() || digits.len() > 3 {
            return None;
        }
        let mut value = 0u32;
        for digit in digits {
            value = value
                .wrapping_mul(10)
                .wrapping_add(char::from(*digit).to_digit(10)?);
        }
        *byte = u8::try_from(value).ok()?;
    }
    parts.next().is_none().then_some(u32::from_be_bytes(addr))
}

/// An IPv6 address, shown in its compressed lower-case form (RFC 5952): the longest run of at
/// least two zero groups is `::`, v4-mapped and ISATAP (RFC 5214) addresses end as a dotted quad.
#[derive(Clone, Copy, Debug)]
pub struct Ipv6(pub [u8; 16]);

impl fmt::Display for Ipv6 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let groups = Ipv6Addr::from(self.0).segments();
        let quad = matches!(groups, [0, 0, 0, 0, 0, 0xffff, _, _])
            || matches!(groups, [_, _, _, _, 0 | 0x200, 0x5efe, _, _]);
        let shown = if quad { 6 } else { 8 };

        // Groups from `begin` up to `end` are compressed.
        let (mut begin, mut end, mut zeros) = (0usize, 0usize, 0usize);
        for (position, &group) in groups.iter().enumerate().take(shown) {
            zeros = if group == 0 { zeros.wrapping_add(1) } else { 0 };
            if zeros >= 2 && zeros > end.wrapping_sub(begin) {
                end = position.wrapping_add(1);
                begin = end.wrapping_sub(zeros);
            }
        }

        let mut separator = "";
        for (position, group) in groups.iter().enumerate().take(shown) {
            if (begin..end).contains(&position) {
                if position == begin {
                    f.write_str("::")?;
                    separator = "";
                }
            } else {
                write!(f, "{separator}{group:x}")?;
                separator = ":";
            }
        }
        if quad {
            let [.., a, b, c, d] = self.0;
            write!(f, "{separator}{}", Ipv4(u32::from_be_bytes([a, b, c, d])))?;
        }
        Ok(())
    }
}

/// Reads an IPv6 address up to the first byte that cannot belong to one, as in `fd00::1/64`.
pub fn parse_ipv6(text: &[u8]) -> Option<[u8; 16]> {
    let foreign =
        |byte: &u8| !matches!(byte, b'0'..=b'9' | b'a'..=b'f' | b'A'..=b'F' | b':' | b'.');
    let addr = text.split(foreign).next()?;
    // The kernel's reader takes any number of leading zeros, the library's four digits and none
    // in a dotted quad, which for the kernel ends at a colon, too.
    let mut short = Buffer::<64>::new();
    for group in addr.split(|byte| *byte == b':') {
        let quad = group.contains(&b'.');
        let mut separator: &[u8] = b"";
        for part in group.split(|byte| *byte == b'.') {
            short.push_bytes(separator);
            short.push_bytes(without_leading_zeros(part));
            separator = b".";
        }
        short.push_bytes(b":");
        if quad {
            break;
        }
    }
    if short.is_full() {
        return None;
    }
    let short = short.as_bytes().strip_suffix(b":")?;
    core::str::from_utf8(short)
        .ok()?
        .parse::<Ipv6Addr>()
        .ok()
        .map(|addr| addr.octets())
}

/// A number without zeros in front; a zero itself stays.
fn without_leading_zeros(mut digits: &[u8]) -> &[u8] {
    while let [b'0', _, ..] = digits {
        digits = digits.get(1..).unwrap_or(digits);
    }
    digits
}

/// Whether the text is an IPv6 address and nothing else.
pub fn is_ipv6(text: &[u8]) -> bool {
    core::str::from_utf8(text).is_ok_and(|text| text.parse::<Ipv6Addr>().is_ok())
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
        for (text, addr) in [
            ("198.18.0.42", Some(0xc612_002a)),
            ("255.255.255.255", Some(0xffff_ffff)),
            ("0.0.0.0", Some(0)),
            ("198.018.000.0042", Some(0xc612_002a)),
            ("10.1", None),
            ("", None),
            ("1.2.3.4.5", None),
            ("1.2.3.4.", None),
            ("1.2..4", None),
            ("1.2.3.256", None),
            ("1.2.3.+4", None),
            ("1.2.3.4/24", None),
            ("localhost", None),
        ] {
            assert_eq!(parse_ipv4(text.as_bytes()), addr, "{text:?}");
        }
        assert_eq!(Ipv4(0xc612_002a).to_string(), "198.18.0.42");
    }

    #[test]
    fn ipv6() {
        for (text, shown, strict) in [
            ("fd00::1", "fd00::1", true),
            ("FD00:0:0:0:0:0:0:1", "fd00::1", true),
            ("fd00::1/64", "fd00::1", false),
            ("fe80::1%eth0", "fe80::1", false),
            ("fd00::0000001", "fd00::1", false),
            ("::", "::", true),
            ("::1", "::1", true),
            ("1::", "1::", true),
            ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8", true),
            // One group is not compressed, the longest run is, of equal ones the first.
            ("1:0:3:4:5:6:7:8", "1:0:3:4:5:6:7:8", true),
            ("1:0:0:4:0:0:0:8", "1:0:0:4::8", true),
            ("1:0:0:4:0:0:7:8", "1::4:0:0:7:8", true),
            ("0:0:3:4:5:6:0:0", "::3:4:5:6:0:0", true),
            ("::ffff:192.0.2.1", "::ffff:192.0.2.1", true),
            ("::ffff:c000:201", "::ffff:192.0.2.1", true),
            ("fe80::5efe:192.0.2.1", "fe80::5efe:192.0.2.1", true),
            ("fe80::200:5efe:c000:201", "fe80::200:5efe:192.0.2.1", true),
            ("::192.0.2.1", "::c000:201", true),
            ("::192.000.02.1", "::c000:201", false),
            ("::192.0.2.1:8", "::c000:201", false),
            ("::192.0.2.1:", "::c000:201", false),
            ("2001:db8::192.0.2.1", "2001:db8::c000:201", true),
        ] {
            let addr = parse_ipv6(text.as_bytes()).unwrap();
            assert_eq!(Ipv6(addr).to_string(), shown, "{text:?}");
            assert_eq!(is_ipv6(text.as_bytes()), strict, "{text:?}");
        }
        for text in [
            "",
            ":",
            ":::",
            "1:2:3:4:5:6:7",
            "1:2:3:4:5:6:7:8:9",
            "1::2::3",
            "12345::",
            "192.0.2.1",
            "::192.0.2",
            "::192.0.2.1.",
            "::192.0.2.256",
            "::a.0.2.1",
            "::1:",
            "1:2:3:4::5:6:7:8",
            "g::1",
            "/64",
        ] {
            assert_eq!(parse_ipv6(text.as_bytes()), None, "{text:?}");
        }
    }
}
