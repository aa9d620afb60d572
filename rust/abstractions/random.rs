// SPDX-License-Identifier: GPL-2.0

//! The kernel's random numbers.
//!
//! C header: [`include/linux/random.h`](srctree/include/linux/random.h)

use super::bindings;

/// A uniform 32-bit number. Any context.
#[inline]
pub(crate) fn get_u32() -> u32 {
    // SAFETY: no requirement; may be called from any context.
    unsafe { bindings::get_random_u32() }
}

/// A uniform number in `0..ceil`, and 0 if `ceil` is 0. Any context.
#[inline]
pub(crate) fn get_u32_below(ceil: u32) -> u32 {
    // SAFETY: no requirement; may be called from any context.
    unsafe { bindings::get_random_u32_below(ceil) }
}
