// SPDX-License-Identifier: GPL-2.0

//! Why a command was refused.

/// Why a command was refused; the procfs side turns it into an errno.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// Unknown command or bad argument: `EINVAL`.
    Invalid,
    /// The net device or the transmit mode cannot do it: `EOPNOTSUPP`.
    NotSupported,
    /// More list entries than there is room for: `E2BIG`.
    TooBig,
}

/// A result whose error is a refused command.
pub type Result<T = (), E = Error> = core::result::Result<T, E>;
