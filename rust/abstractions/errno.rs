// SPDX-License-Identifier: GPL-2.0

//! Error numbers that the `kernel` crate names only from Linux 7.3 on.
//!
//! C header: [`include/uapi/asm-generic/errno.h`](srctree/include/uapi/asm-generic/errno.h)

use super::bindings;
use kernel::error::Error;

/// The network is down.
pub(crate) fn enetdown() -> Error {
    Error::from_errno(-(bindings::RPKTGEN_CONST_ENETDOWN))
}

/// The operation is not supported there.
pub(crate) fn eopnotsupp() -> Error {
    Error::from_errno(-(bindings::RPKTGEN_CONST_EOPNOTSUPP))
}
