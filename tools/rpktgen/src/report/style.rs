// SPDX-License-Identifier: GPL-2.0
//! Colours and figures for people.

use std::env;

/// How a terminal is written to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Colours and bold letters.
    pub colour: bool,
}

/// What a piece of text stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A heading.
    Heading,
    /// Something that is as it should be.
    Good,
    /// Something that is not.
    Bad,
    /// Something of less interest.
    Dim,
    /// Everything else.
    Plain,
}

impl Style {
    /// For a terminal, as the environment wants it (<https://no-color.org>).
    pub fn from_environment() -> Self {
        let no_color = env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
        let dumb = env::var_os("TERM").is_none_or(|v| v.is_empty() || v == "dumb");
        Self {
            colour: !no_color && !dumb,
        }
    }

    /// `text` in the colour of `role`.
    pub fn paint(self, role: Role, text: &str) -> String {
        let code = match role {
            Role::Heading => "1",
            Role::Good => "32",
            Role::Bad => "31",
            Role::Dim => "2",
            Role::Plain => "",
        };
        if !self.colour || code.is_empty() || text.is_empty() {
            return text.to_owned();
        }
        format!("\x1b[{code}m{text}\x1b[0m")
    }
}

/// `1234567` as `1,234,567`.
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grouping() {
        let table = [
            (0, "0"),
            (999, "999"),
            (1000, "1,000"),
            (123_456, "123,456"),
            (1_234_567, "1,234,567"),
            (u64::MAX, "18,446,744,073,709,551,615"),
        ];
        for (n, text) in table {
            assert_eq!(grouped(n), text);
        }
    }

    #[test]
    fn no_escape_without_colour() {
        let plain = Style { colour: false };
        assert_eq!(plain.paint(Role::Bad, "x"), "x");
        let colour = Style { colour: true };
        assert_eq!(colour.paint(Role::Bad, "x"), "\x1b[31mx\x1b[0m");
        assert_eq!(colour.paint(Role::Plain, "x"), "x");
    }
}
