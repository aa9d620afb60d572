// SPDX-License-Identifier: GPL-2.0

//! Capability checks of the current task.
//!
//! C header: [`include/linux/capability.h`](srctree/include/linux/capability.h)

use super::bindings;

/// Whether the current task has `CAP_NET_ADMIN` in the initial user namespace.
///
/// Process context. The use of the capability is recorded and audited.
pub(crate) fn net_admin() -> bool {
    // SAFETY: called in process context with a valid capability number.
    unsafe { bindings::capable(bindings::RPKTGEN_CONST_CAP_NET_ADMIN) }
}
