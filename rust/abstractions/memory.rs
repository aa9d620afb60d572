// SPDX-License-Identifier: GPL-2.0

//! Memory that the `kernel` crate's allocators do not give: of a NUMA node, and that it is no
//! harm not to get.
//!
//! C headers: [`include/linux/nodemask.h`](srctree/include/linux/nodemask.h),
//! [`include/linux/gfp.h`](srctree/include/linux/gfp.h)

use super::bindings;
use core::{
    ops::{Deref, DerefMut},
    ptr::NonNull,
};
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

/// A slice of its own, for what may be large. Where there is no memory for it, nobody else has to
/// give any up: a kthread that asks in the usual way has the OOM killer end everything but itself.
///
/// # Invariants
///
/// `start` is the place of `len` initialised values that are ours, from `kvmalloc` unless there
/// are none or they have no size.
pub(crate) struct Table<T> {
    start: NonNull<T>,
    len: usize,
}

// SAFETY: it owns its values.
unsafe impl<T: Send> Send for Table<T> {}
// SAFETY: as above; a shared reference gives shared references to them.
unsafe impl<T: Sync> Sync for Table<T> {}

impl<T> Table<T> {
    /// Without values, and without memory.
    pub(crate) const EMPTY: Self = Self {
        start: NonNull::dangling(),
        len: 0,
    };

    /// `len` values that `make` makes. May sleep. `None` when there is no memory.
    pub(crate) fn new(len: usize, mut make: impl FnMut() -> T) -> Option<Self> {
        let size = len.checked_mul(size_of::<T>())?;
        if size == 0 {
            return (len == 0).then_some(Self::EMPTY);
        }
        // SAFETY: process context. The kernel's allocators align large enough for all types here.
        let start = unsafe {
            bindings::kvmalloc(size, bindings::RPKTGEN_CONST_GFP_KERNEL_MAYFAIL).cast::<T>()
        };
        const { assert!(align_of::<T>() <= align_of::<u64>()) };
        // INVARIANT: no value yet.
        let mut table = Self {
            start: NonNull::new(start)?,
            len: 0,
        };
        while table.len < len {
            // SAFETY: there is room for `len` values.
            unsafe { table.start.add(table.len).write(make()) };
            // INVARIANT: written just now.
            table.len = table.len.wrapping_add(1);
        }
        Some(table)
    }
}

impl<T> Deref for Table<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: by the invariants.
        unsafe { core::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl<T> DerefMut for Table<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: by the invariants.
        unsafe { core::slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}

impl<T> Drop for Table<T> {
    fn drop(&mut self) {
        if self.len != 0 {
            // SAFETY: by the invariants; nobody uses them afterwards.
            unsafe {
                core::ptr::drop_in_place::<[T]>(&mut **self);
                bindings::kvfree(self.start.as_ptr().cast());
            }
        }
    }
}

#[cfg(RPKTGEN_KUNIT)]
#[kernel::macros::kunit_tests(rpktgen_memory)]
mod tests {
    use super::*;
    use kernel::{prelude::*, sync::Arc};

    /// Every value is made, kept and dropped once.
    #[test]
    fn a_table_owns_its_values() -> Result {
        let shared = Arc::new(7u32, GFP_KERNEL)?;
        for len in [0, 1, 1000, 200_000] {
            let mut table = Table::new(len, || shared.clone()).ok_or(ENOMEM)?;
            assert_eq!(table.len(), len);
            assert!(table.iter().all(|value| **value == 7));
            if let Some(first) = table.first_mut() {
                *first = Arc::new(8, GFP_KERNEL)?;
                assert_eq!(**first, 8);
            }
        }
        // All references but this one are back.
        let address = core::ptr::from_ref(&*shared);
        let unique = Arc::into_unique_or_drop(shared);
        assert!(unique.is_some_and(|value| core::ptr::eq(&*value, address)));
        assert!(Table::<u64>::new(usize::MAX, || 0).is_none());
        assert!(Table::<u64>::new(usize::MAX / 16, || 0).is_none());
        Ok(())
    }
}
