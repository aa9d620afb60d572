// SPDX-License-Identifier: GPL-2.0

//! Reads tokens, numbers and words off what was written to a thread or device file.
//!
//! Separators are the double quote, LF, CR, TAB, space and `=`, so that `count 1`, `count=1` and
//! `"count" "1"` are the same. A number may have no digits and is then 0; whatever follows an
//! argument is left unread. Both are what scripts rely on; strict mode asks
//! [`Number::digits`] and [`Scanner::is_blank`] as well.

/// A number and how many digits it had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number {
    /// The value; 0 without digits.
    pub value: u64,
    /// How many digits there were.
    pub digits: usize,
}

/// A reader of what was written.
#[derive(Clone, Debug)]
pub struct Scanner<'a> {
    rest: &'a [u8],
}

/// Whether a byte separates tokens.
const fn is_separator(byte: u8) -> bool {
    matches!(byte, b'"' | b'\n' | b'\r' | b'\t' | b' ' | b'=')
}

/// The bytes before the first NUL: tokens compare as C strings do.
pub fn until_nul(bytes: &[u8]) -> &[u8] {
    bytes.split(|&byte| byte == 0).next().unwrap_or(&[])
}

impl<'a> Scanner<'a> {
    /// A reader at the start of `input`.
    pub const fn new(input: &'a [u8]) -> Self {
        Self { rest: input }
    }

    /// Splits off the leading bytes that satisfy `wanted`, at most `limit` of them.
    fn take(&mut self, limit: usize, wanted: impl Fn(u8) -> bool) -> &'a [u8] {
        let len = self
            .rest
            .iter()
            .take(limit)
            .take_while(|&&byte| wanted(byte))
            .count();
        let (taken, rest) = self.rest.split_at_checked(len).unwrap_or((self.rest, &[]));
        self.rest = rest;
        taken
    }

    /// Skips separators.
    pub fn skip_separators(&mut self) {
        self.take(usize::MAX, is_separator);
    }

    /// Reads the name of a command: up to `limit` bytes before the next separator. A NUL ends the
    /// name, but not the reading. The rest of a longer one is left unread.
    pub fn name(&mut self, limit: usize) -> &'a [u8] {
        until_nul(self.take(limit, |byte| !is_separator(byte)))
    }

    /// Reads up to `limit` bytes before the next separator or NUL. The rest is left unread.
    pub fn word(&mut self, limit: usize) -> &'a [u8] {
        self.take(limit, |byte| !is_separator(byte) && byte != 0)
    }

    /// Reads up to `limit` decimal digits; `limit` is at most 19, so that the value fits.
    pub fn decimal(&mut self, limit: usize) -> Number {
        self.digits(limit, 10)
    }

    /// Reads up to `limit` hexadecimal digits of either case; `limit` is at most 16.
    pub fn hex(&mut self, limit: usize) -> Number {
        self.digits(limit, 16)
    }

    /// Reads a decimal number of up to 19 digits, a power of 1000 as its suffix: k, M or G in
    /// either case. `None` if there is no number, a word goes on behind it, or 64 bits do not hold
    /// it.
    pub fn amount(&mut self) -> Option<u64> {
        let number = self.decimal(19);
        let factor = match self.word(2) {
            b"" => 1,
            b"k" | b"K" => 1_000,
            b"m" | b"M" => 1_000_000,
            b"g" | b"G" => 1_000_000_000,
            _ => return None,
        };
        let amount = number.value.checked_mul(factor);
        amount.filter(|_| number.digits != 0)
    }

    fn digits(&mut self, limit: usize, radix: u32) -> Number {
        let digits = self.take(limit, |byte| char::from(byte).is_digit(radix));
        let value = digits
            .iter()
            .filter_map(|&byte| char::from(byte).to_digit(radix))
            .fold(0u64, |value, digit| {
                value
                    .wrapping_mul(u64::from(radix))
                    .wrapping_add(u64::from(digit))
            });
        Number {
            value,
            digits: digits.len(),
        }
    }

    /// Reads that byte, if it is the next one, and says whether it was.
    pub fn eat(&mut self, byte: u8) -> bool {
        match self.rest.split_first() {
            Some((&first, rest)) if first == byte => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    /// Whether everything is read.
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// Whether nothing but separators and NUL bytes is left.
    pub fn is_blank(&self) -> bool {
        self.rest
            .iter()
            .all(|&byte| byte == 0 || is_separator(byte))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equivalent_separators() {
        for input in [
            "size 100",
            "size=100",
            "size =100",
            "size= 100",
            " = size\t\r\n100",
            "\"size\" \"100\"",
        ] {
            let mut scan = Scanner::new(input.as_bytes());
            scan.skip_separators();
            assert_eq!(scan.name(15), b"size", "{input:?}");
            scan.skip_separators();
            assert_eq!(scan.decimal(10).value, 100, "{input:?}");
            assert!(scan.is_blank(), "{input:?}");
        }
    }

    #[test]
    fn numbers() {
        for (input, limit, value, digits, rest) in [
            ("", 10, 0, 0, ""),
            ("-5", 10, 0, 0, "-5"),
            ("0x10", 10, 0, 1, "x10"),
            ("300M", 10, 300, 3, "M"),
            ("12345678901", 10, 1_234_567_890, 10, "1"),
            ("9999999999", 10, 9_999_999_999, 10, ""),
            ("10000", 4, 1000, 4, "0"),
        ] {
            let mut scan = Scanner::new(input.as_bytes());
            assert_eq!(scan.decimal(limit), Number { value, digits }, "{input:?}");
            assert_eq!(scan.rest, rest.as_bytes(), "{input:?}");
        }
    }

    #[test]
    fn hex_numbers() {
        for (input, limit, value, digits) in [
            ("0f", 2, 0x0f, 2),
            ("0ff", 2, 0x0f, 2),
            ("F", 2, 0xf, 1),
            ("0x10", 2, 0, 1),
            ("g", 2, 0, 0),
            ("DEADbeef1", 8, 0xdead_beef, 8),
        ] {
            let mut scan = Scanner::new(input.as_bytes());
            assert_eq!(scan.hex(limit), Number { value, digits }, "{input:?}");
        }
    }

    #[test]
    fn amounts() {
        for (input, amount) in [
            ("5", Some(5)),
            ("5\n", Some(5)),
            ("5k", Some(5_000)),
            ("7M\0", Some(7_000_000)),
            ("10g 3", Some(10_000_000_000)),
            ("9999999999G", Some(9_999_999_999_000_000_000)),
            ("", None),
            ("k", None),
            ("-5", None),
            ("5x", None),
            ("5kk", None),
            ("5 k", Some(5)),
            ("10000000000", Some(10_000_000_000)),
            ("9999999999999999999", Some(9_999_999_999_999_999_999)),
            ("10000000000000000000", None),
            ("18446744073G", Some(18_446_744_073_000_000_000)),
            ("18446744074G", None),
        ] {
            assert_eq!(Scanner::new(input.as_bytes()).amount(), amount, "{input:?}");
        }
    }

    #[test]
    fn words() {
        for (input, word, after_name, after_word) in [
            ("", "", "", ""),
            ("abc", "abc", "", ""),
            ("abcdefgh", "abcde", "fgh", "fgh"),
            ("ab cd", "ab", " cd", " cd"),
            ("ab\0cd", "ab", "", "\0cd"),
            ("\0", "", "", "\0"),
        ] {
            let mut scan = Scanner::new(input.as_bytes());
            assert_eq!(scan.name(5), word.as_bytes(), "{input:?}");
            assert_eq!(scan.rest, after_name.as_bytes(), "{input:?}");
            let mut scan = Scanner::new(input.as_bytes());
            assert_eq!(scan.word(5), word.as_bytes(), "{input:?}");
            assert_eq!(scan.rest, after_word.as_bytes(), "{input:?}");
        }
    }
}
