// SPDX-License-Identifier: GPL-2.0

//! Fixed-size strings: result texts and arguments that are shown again as they were written.
//!
//! They hold bytes, not `str`: what a user wrote need not be UTF-8.

use core::fmt;

/// Up to `N` bytes of text; what does not fit is cut off.
#[derive(Clone, Copy)]
pub struct Buffer<const N: usize> {
    bytes: [u8; N],
    len: usize,
}

/// The result text of a device or a thread.
pub type Text = Buffer<512>;

impl<const N: usize> Buffer<N> {
    /// An empty text.
    pub const fn new() -> Self {
        Self {
            bytes: [0; N],
            len: 0,
        }
    }

    /// The bytes as they were written.
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or(&[])
    }

    /// Whether nothing was written since the last [`clear`](Self::clear).
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether nothing more fits, so that something may have been cut off.
    pub fn is_full(&self) -> bool {
        self.len >= N
    }

    /// Empties the text.
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Appends bytes as they are; cuts off what does not fit.
    pub fn push_bytes(&mut self, bytes: &[u8]) {
        let room = self.bytes.get_mut(self.len..).unwrap_or(&mut []);
        let mut taken = 0usize;
        for (to, from) in room.iter_mut().zip(bytes) {
            *to = *from;
            taken = taken.wrapping_add(1);
        }
        self.len = self.len.saturating_add(taken);
    }

    /// Replaces the text.
    pub fn set(&mut self, bytes: &[u8]) {
        self.clear();
        self.push_bytes(bytes);
    }

    /// Replaces the text.
    pub fn replace(&mut self, text: fmt::Arguments<'_>) {
        self.clear();
        // Fails only if a value's own formatting does; then its text ends there.
        let _ = fmt::Write::write_fmt(self, text);
    }
}

/// Where a file's text goes: formatted values, and what users and drivers named as bytes.
pub trait Sink: fmt::Write {
    /// Appends bytes as they are.
    fn write_bytes(&mut self, bytes: &[u8]) -> fmt::Result;
}

impl<const N: usize> Sink for Buffer<N> {
    fn write_bytes(&mut self, bytes: &[u8]) -> fmt::Result {
        self.push_bytes(bytes);
        Ok(())
    }
}

impl<const N: usize> Default for Buffer<N> {
    fn default() -> Self {
        Self::new()
    }
}

/// Appending never fails: what does not fit is cut off.
impl<const N: usize> fmt::Write for Buffer<N> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push_bytes(text.as_bytes());
        Ok(())
    }
}

impl<const N: usize> PartialEq for Buffer<N> {
    fn eq(&self, other: &Self) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl<const N: usize> Eq for Buffer<N> {}

impl<const N: usize> fmt::Debug for Buffer<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.as_bytes())
    }
}
