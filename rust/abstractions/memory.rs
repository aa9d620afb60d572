// SPDX-License-Identifier: GPL-2.0

//! Memory of a NUMA node.
//!
//! C headers: [`include/linux/nodemask.h`](srctree/include/linux/nodemask.h),
//! [`include/linux/gfp.h`](srctree/include/linux/gfp.h)

use super::bindings;
use core::ptr::NonNull;
use kernel::page::PAGE_SIZE;

/// Where memory comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Node(i32);

impl Node {
    /// The node of the CPU that asks, `NUMA_NO_NODE`.
    pub(crate) const LOCAL: Self = Self(-1);

    /// The node of that number, unless there cannot be one in this machine.
    pub(crate) fn new(number: u64) -> Option<Self> {
        let number = i32::try_from(number).ok()?;
        if number >= bindings::RPKTGEN_CONST_MAX_NUMNODES {
            return None;
        }
        // SAFETY: the number is below the size of the node masks.
        let possible = unsafe { bindings::node_possible(number) };
        possible.then_some(Self(number))
    }

    /// The number as C knows it.
    #[inline]
    pub(super) fn as_raw(self) -> i32 {
        self.0
    }
}

/// A page of zeros: packets refer to it by counted references, and say that it is not theirs to
/// write to.
///
/// # Invariants
///
/// We hold a reference on a page of order 0.
pub(crate) struct ZeroPage(NonNull<bindings::page>);

// SAFETY: a page belongs to no task, and its count is atomic.
unsafe impl Send for ZeroPage {}

impl ZeroPage {
    /// Its size in bytes.
    // CAST: a page is far smaller than 4 GiB.
    pub(crate) const SIZE: u32 = PAGE_SIZE as u32;

    /// A page of that node. Any context; does not sleep. `None` when there is no memory.
    pub(crate) fn alloc(node: Node) -> Option<Self> {
        // SAFETY: the node is possible, or stands for the local one.
        let page = unsafe {
            bindings::alloc_pages_node(node.as_raw(), bindings::RPKTGEN_CONST_GFP_NOWAIT_ZERO, 0)
        };
        // INVARIANT: a fresh page comes with a reference.
        NonNull::new(page).map(Self)
    }

    /// The raw pointer, for the other abstractions.
    #[inline]
    pub(super) fn as_ptr(&self) -> *mut bindings::page {
        self.0.as_ptr()
    }
}

impl Drop for ZeroPage {
    fn drop(&mut self) {
        // SAFETY: gives back the reference that the invariants speak of.
        unsafe { bindings::put_page(self.as_ptr()) };
    }
}
