// SPDX-License-Identifier: GPL-2.0

//! Reads and shows addresses.

/// Four numbers below 256 in host byte order, in decimal whatever they begin with.
pub fn ipv4(text: &[u8]) -> Option<u32> {
    quad(text, true).map(u32::from_be_bytes)
}

/// `zeros` allows any number of them in front of a number.
fn quad(text: &[u8], zeros: bool) -> Option<[u8; 4]> {
    let mut quad = Vec::new();
    for component in text.split(|byte| *byte == b'.') {
        let component = std::str::from_utf8(component).ok()?;
        let leading_zero = component.len() > 1 && component.starts_with('0');
        if !component.bytes().all(|byte| byte.is_ascii_digit()) || leading_zero && !zeros {
            return None;
        }
        quad.push(component.parse().ok()?);
    }
    quad.try_into().ok()
}

pub fn show_ipv4(addr: u32) -> String {
    let bytes: Vec<String> = addr.to_be_bytes().iter().map(u8::to_string).collect();
    bytes.join(".")
}

/// Up to the first byte that is foreign to IPv6 addresses.
pub fn ipv6(text: &[u8]) -> Option<[u8; 16]> {
    let foreign = |byte: &u8| !byte.is_ascii_hexdigit() && !b":.".contains(byte);
    let mut end = text.iter().position(foreign).unwrap_or(text.len());
    // A dotted quad is the end, too.
    if let Some(dot) = text[..end].iter().position(|byte| *byte == b'.') {
        let colon = text[dot..end].iter().position(|byte| *byte == b':');
        end = colon.map_or(end, |colon| dot + colon);
    }
    groups(&text[..end], true)
}

/// An IPv6 address and nothing else.
pub fn is_ipv6(text: &[u8]) -> bool {
    groups(text, false).is_some()
}

/// RFC 4291, section 2.2. `zeros` allows any number of them in front of a group.
fn groups(text: &[u8], zeros: bool) -> Option<[u8; 16]> {
    let text = std::str::from_utf8(text).ok()?;
    let (before, after) = match text.split_once("::") {
        Some((before, after)) => (before, Some(after)),
        None => (text, None),
    };
    let before = side(before, after.is_none(), zeros)?;
    let addr = match after {
        None => before,
        Some(after) => {
            let after = side(after, true, zeros)?;
            // "::" stands for at least one group.
            let missing = 8usize.checked_sub(before.len() + after.len())?;
            if missing == 0 {
                return None;
            }
            let mut addr = before;
            addr.extend(vec![0; missing]);
            addr.extend(after);
            addr
        }
    };
    let addr: [u16; 8] = addr.try_into().ok()?;
    let mut bytes = [0; 16];
    for (at, group) in addr.iter().enumerate() {
        bytes[2 * at..2 * at + 2].copy_from_slice(&group.to_be_bytes());
    }
    Some(bytes)
}

/// The groups on one side of "::". A dotted quad may be the end of the `last` one.
fn side(text: &str, last: bool, zeros: bool) -> Option<Vec<u16>> {
    let mut groups = Vec::new();
    if text.is_empty() {
        return Some(groups);
    }
    let parts: Vec<&str> = text.split(':').collect();
    for (at, part) in parts.iter().enumerate() {
        if part.contains('.') {
            if !last || at + 1 != parts.len() {
                return None;
            }
            let [a, b, c, d] = quad(part.as_bytes(), zeros)?;
            groups.push(u16::from_be_bytes([a, b]));
            groups.push(u16::from_be_bytes([c, d]));
            continue;
        }
        let digits = if zeros {
            part.trim_start_matches('0')
        } else {
            part
        };
        if part.is_empty() || digits.len() > 4 || !part.chars().all(|c| c.is_ascii_hexdigit()) {
            return None;
        }
        groups.push(u16::from_str_radix(part, 16).ok()?);
    }
    Some(groups)
}

/// RFC 5952; IPv4-mapped and ISATAP addresses end as a dotted quad.
pub fn show_ipv6(addr: [u8; 16]) -> String {
    let groups: Vec<u16> = addr
        .chunks(2)
        .map(|pair| u16::from_be_bytes([pair[0], pair[1]]))
        .collect();
    let mapped = groups[..5] == [0; 5] && groups[5] == 0xffff;
    let isatap = groups[4] & !0x200 == 0 && groups[5] == 0x5efe;
    let (shown, tail) = if mapped || isatap {
        let quad = (u32::from(groups[6]) << 16) | u32::from(groups[7]);
        (6, vec![show_ipv4(quad)])
    } else {
        (8, Vec::new())
    };
    // The longest run of zeros, the first of the longest.
    let mut best = (0, 0);
    for begin in 0..shown {
        for end in begin + 2..=shown {
            let zero = groups[begin..end].iter().all(|group| *group == 0);
            if zero && end - begin > best.1 - best.0 {
                best = (begin, end);
            }
        }
    }
    let hex = |groups: &[u16]| -> Vec<String> {
        groups.iter().map(|group| format!("{group:x}")).collect()
    };
    if best.1 == 0 {
        return [hex(&groups[..shown]), tail].concat().join(":");
    }
    let before = hex(&groups[..best.0]).join(":");
    let after = [hex(&groups[best.1..shown]), tail].concat().join(":");
    format!("{before}::{after}")
}

/// Two digits six times, with colons between them; what follows does not matter.
pub fn mac(text: &[u8]) -> Option<[u8; 6]> {
    let text = text.get(..17)?;
    let mut mac = [0; 6];
    for at in 0..17 {
        let byte = text[at];
        if at % 3 == 2 {
            if byte != b':' {
                return None;
            }
            continue;
        }
        let digit = char::from(byte).to_digit(16)?;
        mac[at / 3] = mac[at / 3] * 16 + digit as u8;
    }
    Some(mac)
}

pub fn show_mac(mac: [u8; 6]) -> String {
    let bytes: Vec<String> = mac.iter().map(|byte| format!("{byte:02x}")).collect();
    bytes.join(":")
}
