// SPDX-License-Identifier: GPL-2.0

//! The module parameters that the `module!` macro has no type for.
//!
//! C header: [`include/linux/moduleparam.h`](srctree/include/linux/moduleparam.h)

use super::bindings;
use kernel::prelude::*;

/// The name given to the directory below `/proc/net`.
///
/// Fixed once the module's init function runs, since the parameter is not in sysfs.
pub(crate) fn procdir() -> &'static CStr {
    // SAFETY: the parameter code has written the array, NUL-terminated, before the init
    // function started, and nothing writes it afterwards.
    unsafe { CStr::from_char_ptr(core::ptr::addr_of!(bindings::rpktgen_procdir).cast()) }
}

/// Whether `strict=1` was given. Fixed as above.
pub(crate) fn strict() -> bool {
    // SAFETY: written by the parameter code before the init function started, if at all.
    unsafe { bindings::rpktgen_strict }
}
