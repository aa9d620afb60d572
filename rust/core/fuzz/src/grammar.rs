// SPDX-License-Identifier: GPL-2.0

//! Tokens, numbers and words, by position in what was written.

/// What was written, and how far it is read.
pub struct Input<'a> {
    bytes: &'a [u8],
    at: usize,
}

fn separates(byte: u8) -> bool {
    b"\"\n\r\t =".contains(&byte)
}

/// A C string's part of it.
pub fn c_string(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().position(|byte| *byte == 0);
    &bytes[..end.unwrap_or(bytes.len())]
}

impl<'a> Input<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    pub fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    pub fn at_end(&self) -> bool {
        self.at == self.bytes.len()
    }

    pub fn skip(&mut self) {
        self.at += 1;
    }

    pub fn separators(&mut self) {
        while self.peek().is_some_and(separates) {
            self.at += 1;
        }
    }

    pub fn word(&mut self, limit: usize) -> &'a [u8] {
        let begin = self.at;
        while self.at - begin < limit && self.peek().is_some_and(|byte| !separates(byte)) {
            self.at += 1;
        }
        c_string(&self.bytes[begin..self.at])
    }

    /// The value and the number of digits.
    pub fn number(&mut self, limit: usize, radix: u32) -> (u64, usize) {
        let begin = self.at;
        let mut value = 0;
        while self.at - begin < limit {
            let digit = match self.peek() {
                Some(byte @ b'0'..=b'9') => byte - b'0',
                Some(byte @ b'a'..=b'f') if radix == 16 => byte - b'a' + 10,
                Some(byte @ b'A'..=b'F') if radix == 16 => byte - b'A' + 10,
                _ => break,
            };
            value = value * u64::from(radix) + u64::from(digit);
            self.at += 1;
        }
        (value, self.at - begin)
    }

    /// Whether something but separators and NUL is left.
    pub fn more(&self) -> bool {
        self.bytes[self.at..]
            .iter()
            .any(|byte| *byte != 0 && !separates(*byte))
    }
}
