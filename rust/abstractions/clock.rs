// SPDX-License-Identifier: GPL-2.0

//! Clock reads as plain nanoseconds.
//!
//! The `kernel` crate's [`Instant`](kernel::time::Instant) keeps its value to itself, but the
//! interface shows absolute `CLOCK_MONOTONIC` times and the payload carries the wall clock.
//!
//! C header: [`include/linux/timekeeping.h`](srctree/include/linux/timekeeping.h)

use super::bindings;

/// Nanoseconds of `CLOCK_MONOTONIC`. Any context.
#[inline]
pub(crate) fn monotonic_ns() -> u64 {
    // SAFETY: `ktime_get` may be called from any context once timekeeping runs, which is before
    // any module is loaded.
    // CAST: monotonic time is never negative.
    unsafe { bindings::ktime_get() as u64 }
}

/// Seconds and microseconds of `CLOCK_REALTIME`, the seconds cut to 32 bits as the payload
/// header holds them. Any context.
#[inline]
pub(crate) fn wall() -> (u32, u32) {
    let mut now = bindings::timespec64::default();
    // SAFETY: `now` is a valid place for the result.
    unsafe { bindings::ktime_get_real_ts64(&mut now) };
    // CAST: the wire field is 32 bits wide; `tv_nsec` is below 10^9.
    (now.tv_sec as u32, now.tv_nsec as u32 / 1000)
}
