// SPDX-License-Identifier: GPL-2.0

//! The Internet checksum (RFC 1071), kept as sums of what varies and what does not.
//!
//! A sum is the plain total of 16-bit words. A packet's headers have some 70 of them, so 32 bits
//! never overflow, and sums of parts may be added before they are folded.

/// The sum of bytes as big-endian 16-bit words; an odd last byte is padded with zero.
pub fn sum(bytes: &[u8]) -> u32 {
    bytes.chunks(2).fold(0u32, |sum, chunk| {
        let word = match *chunk {
            [high, low] => u16::from_be_bytes([high, low]),
            [high] => u16::from_be_bytes([high, 0]),
            _ => 0,
        };
        sum.wrapping_add(u32::from(word))
    })
}

/// The sum of the two halves of a 32-bit field.
#[inline]
pub const fn sum_u32(field: u32) -> u32 {
    (field >> 16).wrapping_add(field & 0xffff)
}

/// Folds the carries of a sum back in, without complementing it.
#[inline]
pub const fn fold(sum: u32) -> u16 {
    let once = sum_u32(sum);
    (sum_u32(once) & 0xffff) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rfc1071_example() {
        // The worked example of RFC 1071, section 3.
        let bytes = [0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7];
        assert_eq!(sum(&bytes), 0x2_ddf0);
        assert_eq!(fold(sum(&bytes)), 0xddf2);
    }

    #[test]
    fn folding() {
        assert_eq!(fold(0), 0);
        assert_eq!(fold(0xffff), 0xffff);
        assert_eq!(fold(0x1_0000), 1);
        assert_eq!(fold(0xffff_ffff), 0xffff);
        assert_eq!(sum(&[1]), 0x100);
    }
}
