// SPDX-License-Identifier: GPL-2.0
//! The text of `pgctrl`: one line that names the generator and its version.

/// What `pgctrl` says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ControlText {
    /// The line as given.
    pub banner: String,
    /// What follows `Version: ` in it.
    pub version: Option<String>,
    /// Further lines.
    pub other: Vec<String>,
}

/// Reads the text of a control file.
pub fn parse(text: &str) -> ControlText {
    let mut lines = text.lines();
    let banner = lines.next().unwrap_or_default();
    let version = banner
        .split_once("Version: ")
        .and_then(|(_, tail)| tail.split_whitespace().next());
    ControlText {
        banner: banner.to_owned(),
        version: version.map(str::to_owned),
        other: lines.map(str::to_owned).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn banner_of_the_reference() {
        let text = parse("Packet Generator for packet performance testing. Version: 2.75\n");
        assert_eq!(text.version.as_deref(), Some("2.75"));
        assert!(text.other.is_empty());
    }

    #[test]
    fn without_version() {
        for banner in ["", "hello\n", "Version:", "Version: "] {
            assert_eq!(parse(banner).version, None, "{banner:?}");
        }
        assert_eq!(parse("a Version: 3 (x)\nb\n").version.as_deref(), Some("3"));
        assert_eq!(parse("a\nb\n").other, ["b"]);
    }
}
