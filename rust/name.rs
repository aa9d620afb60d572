// SPDX-License-Identifier: GPL-2.0

//! The name of a pktgen device: a netdev's name, and perhaps `@` and a suffix that tells
//! several of one netdev apart.

use kernel::{
    prelude::*,
    str::{BStr, CString},
};

/// Bytes of a name at most, as the interface cuts them.
const MAX: usize = 31;

/// A name of up to 31 bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Name {
    bytes: [u8; MAX],
    len: usize,
}

impl Name {
    /// The name as written by the user.
    ///
    /// # Errors
    ///
    /// `EINVAL` if it is longer than 31 bytes.
    pub(crate) fn new(text: &[u8]) -> Result<Self> {
        let mut name = Self {
            bytes: [0; MAX],
            len: text.len(),
        };
        let place = name.bytes.get_mut(..text.len()).ok_or(EINVAL)?;
        place
            .iter_mut()
            .zip(text)
            .for_each(|(to, from)| *to = *from);
        Ok(name)
    }

    /// The whole name.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }

    /// The whole name for a log line, what does not print escaped.
    pub(crate) fn as_bstr(&self) -> &BStr {
        BStr::from_bytes(self.as_bytes())
    }

    /// The netdev's part, before the first `@`.
    pub(crate) fn netdev(&self) -> &[u8] {
        self.as_bytes()
            .split(|byte| *byte == b'@')
            .next()
            .unwrap_or_default()
    }

    /// Whether a file in the tree can be called so: it holds no `/`, and the name is not that of
    /// a file that is always there. The kernel logs a warning for either.
    pub(crate) fn is_file_name(&self) -> bool {
        let name = self.as_bytes();
        !name.contains(&b'/') && name != b"pgctrl" && !name.starts_with(b"kpktgend_")
    }

    /// The same suffix on another netdev's name, cut to what a name holds.
    pub(crate) fn renamed(&self, netdev: &[u8]) -> Self {
        let suffix = self
            .as_bytes()
            .get(self.netdev().len()..)
            .unwrap_or_default();
        let mut name = Self {
            bytes: [0; MAX],
            len: 0,
        };
        for (to, from) in name
            .bytes
            .iter_mut()
            .zip(Iterator::chain(netdev.iter(), suffix))
        {
            *to = *from;
            name.len = name.len.saturating_add(1);
        }
        name
    }

    /// The name as the kernel's C functions take it.
    pub(crate) fn to_cstring(self) -> Result<CString> {
        cstring(self.as_bytes())
    }
}

/// Bytes as a C string. `EINVAL` if there is a NUL in them.
pub(crate) fn cstring(bytes: &[u8]) -> Result<CString> {
    if bytes.contains(&0) {
        return Err(EINVAL);
    }
    let mut buffer = KVec::with_capacity(bytes.len().saturating_add(1), GFP_KERNEL)?;
    buffer.extend_from_slice(bytes, GFP_KERNEL)?;
    buffer.push(0, GFP_KERNEL)?;
    Ok(CStr::from_bytes_with_nul(&buffer)
        .map_err(|_| EINVAL)?
        .try_into()?)
}

#[cfg(RPKTGEN_KUNIT)]
#[kunit_tests(rpktgen_name)]
mod tests {
    use super::*;

    #[test]
    fn parts() -> Result {
        for (text, netdev, is_file_name) in [
            ("eth0", "eth0", true),
            ("eth0@3", "eth0", true),
            ("eth0@", "eth0", true),
            ("eth0@a@b", "eth0", true),
            ("@1", "", true),
            ("eth0@a/b", "eth0", false),
            ("pgctrl", "pgctrl", false),
            ("kpktgend_0", "kpktgend_0", false),
        ] {
            let name = Name::new(text.as_bytes())?;
            assert_eq!(name.netdev(), netdev.as_bytes());
            assert_eq!(name.is_file_name(), is_file_name);
        }
        Ok(())
    }

    #[test]
    fn rename_keeps_the_suffix() -> Result {
        for (text, netdev, renamed) in [
            ("eth0", "wan", "wan"),
            ("eth0@3", "wan", "wan@3"),
            ("eth0@", "wan", "wan@"),
            // 15 bytes are the most a netdev's name has, 31 a device's.
            (
                "e@3456789012345678901234567890",
                "fifteen_bytes__",
                "fifteen_bytes__@345678901234567",
            ),
        ] {
            let name = Name::new(text.as_bytes())?.renamed(netdev.as_bytes());
            assert_eq!(name.as_bytes(), renamed.as_bytes());
        }
        Ok(())
    }

    #[test]
    fn limits() {
        assert!(Name::new(&[b'x'; 31]).is_ok());
        assert!(Name::new(&[b'x'; 32]).is_err());
        assert!(cstring(b"a\0b").is_err());
    }
}
