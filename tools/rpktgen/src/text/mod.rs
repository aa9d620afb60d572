// SPDX-License-Identifier: GPL-2.0
//! Readers of the texts that the generator's procfs files hold.
//!
//! No reader fails and none panics: what a line means is stored in a field, and a line that means
//! nothing to this version is kept as it was given, in `other`. A field that the text did not
//! show is `None`, never a made-up zero.

pub mod control;
pub mod device;
pub mod result;
pub mod thread;

/// Takes `text` apart at the literals `marks`: it must begin with the first one, and the value
/// after each mark reaches to the next mark (the last value to the end).
///
/// ```
/// use rpktgen_cli::text::split;
/// assert_eq!(split("flows: 3 flowlen: 7", ["flows: ", " flowlen: "]), Some(["3", "7"]));
/// assert_eq!(split("flows: 3", ["flows: ", " flowlen: "]), None);
/// ```
pub fn split<'a, const N: usize>(text: &'a str, marks: [&str; N]) -> Option<[&'a str; N]> {
    let mut values = [""; N];
    let mut rest = text;
    for (i, mark) in marks.iter().enumerate() {
        if i == 0 {
            rest = rest.strip_prefix(mark)?;
        } else {
            let (value, tail) = rest.split_once(mark)?;
            *values.get_mut(i - 1)? = value;
            rest = tail;
        }
    }
    *values.last_mut()? = rest;
    Some(values)
}

/// A number as the kernel prints it: digits, for signed types a minus before them, nothing else.
pub fn number<T: std::str::FromStr>(text: &str) -> Option<T> {
    if text.starts_with('+') {
        return None;
    }
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn split_table() {
        assert_eq!(split("a: ", ["a: "]), Some([""]));
        assert_eq!(split("a: 1  b: ", ["a: ", "  b: "]), Some(["1", ""]));
        assert_eq!(split("x a: 1", ["a: "]), None);
        assert_eq!(split("", ["a"]), None);
        assert_eq!(split("", [""]), Some([""]));
    }

    #[test]
    fn number_table() {
        assert_eq!(number::<u64>("18446744073709551615"), Some(u64::MAX));
        assert_eq!(number::<u64>("18446744073709551616"), None);
        assert_eq!(number::<i32>("-1"), Some(-1));
        for bad in ["", "+1", " 1", "1 ", "0x1", "1us"] {
            assert_eq!(number::<u64>(bad), None, "{bad:?}");
        }
    }
}
