// SPDX-License-Identifier: GPL-2.0

//! The set of CPUs that are online.
//!
//! C headers: [`include/linux/cpu.h`](srctree/include/linux/cpu.h),
//! [`include/linux/cpumask.h`](srctree/include/linux/cpumask.h)

use super::bindings;
use kernel::types::NotThreadSafe;

/// Keeps CPUs from coming and going while it lives. May sleep.
#[must_use]
pub(crate) struct HotplugGuard(NotThreadSafe);

impl HotplugGuard {
    /// Takes the read side of the hotplug lock.
    pub(crate) fn new() -> Self {
        // SAFETY: process context; the lock is released when the guard is dropped.
        unsafe { bindings::cpus_read_lock() };
        Self(NotThreadSafe)
    }

    /// The online CPUs in increasing order.
    pub(crate) fn online(&self) -> impl Iterator<Item = u32> + '_ {
        let mut last = -1;
        core::iter::from_fn(move || {
            // SAFETY: any number from -1 up is a valid start; the result is at or above
            // `nr_cpu_ids` when there is none left.
            let cpu = unsafe { bindings::cpumask_next_online(last) };
            if cpu >= kernel::cpu::nr_cpu_ids() {
                return None;
            }
            last = i32::try_from(cpu).ok()?;
            Some(cpu)
        })
    }
}

impl Drop for HotplugGuard {
    fn drop(&mut self) {
        // SAFETY: the guard's existence shows that this task holds the read side.
        unsafe { bindings::cpus_read_unlock() };
    }
}
