// SPDX-License-Identifier: GPL-2.0

//! Tokens, numbers and words, by position in what was written; and the two files that need no
//! more than that.

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

    /// An argument: what follows a NUL in it stays to be read.
    pub fn argument(&mut self, limit: usize) -> &'a [u8] {
        let begin = self.at;
        let word = self.word(limit);
        self.at = begin + word.len();
        word
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

/// The command on `pgctrl`, if it is one.
pub fn control(input: &[u8]) -> Option<&'static str> {
    let mut line = input.to_vec();
    if line.last() == Some(&b'\n') {
        line.pop();
    }
    ["start", "stop", "reset"]
        .into_iter()
        .find(|known| c_string(&line) == known.as_bytes())
}

/// The command on a thread file, if it is one, and its argument.
pub fn thread(input: &[u8]) -> Option<(&'static str, &[u8])> {
    let mut input = Input::new(input);
    input.separators();
    let name = input.word(39);
    input.separators();
    let name = ["add_device", "rem_device_all", "max_before_softirq"]
        .into_iter()
        .find(|known| name == known.as_bytes())?;
    let argument = match name {
        "add_device" => input.word(31),
        _ => b"",
    };
    Some((name, argument))
}
