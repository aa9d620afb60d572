// SPDX-License-Identifier: GPL-2.0

//! Bottom halves (softirqs) kept off this CPU.
//!
//! C header: [`include/linux/bottom_half.h`](srctree/include/linux/bottom_half.h)

use super::bindings;
use kernel::types::NotThreadSafe;

/// Bottom halves are disabled on this CPU, and this task stays on it, while this lives.
///
/// Those raised meanwhile run when it is dropped. Nothing may sleep in between.
#[must_use]
pub(crate) struct BhDisabled(NotThreadSafe);

impl BhDisabled {
    /// Disables bottom halves. Process or softirq context; nests.
    #[inline]
    pub(crate) fn new() -> Self {
        // SAFETY: `Drop` enables them again, in this task as the type is not `Send`.
        unsafe { bindings::local_bh_disable() };
        Self(NotThreadSafe)
    }
}

impl Drop for BhDisabled {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: pairs with the call in `new`.
        unsafe { bindings::local_bh_enable() };
    }
}
