// SPDX-License-Identifier: GPL-2.0

//! Safe wrappers over the parts of the kernel that the `kernel` crate does not cover yet.
//!
//! This is the only place with unsafe code and the only one that sees the raw bindings. It is
//! laid out like `rust/kernel`, one C concept a file, so that pieces can move there; it knows
//! nothing of packet generation.

pub(crate) mod clock;
pub(crate) mod cpu;
pub(crate) mod cred;
pub(crate) mod errno;
pub(crate) mod hotplug;
pub(crate) mod kthread;
pub(crate) mod memory;
pub(crate) mod net;
pub(crate) mod params;
pub(crate) mod procfs;
pub(crate) mod random;

/// What bindgen made of `bindings_helper.h`, over the `kernel` crate's own bindings.
#[allow(
    clippy::all,
    clippy::undocumented_unsafe_blocks,
    dead_code,
    improper_ctypes,
    missing_docs,
    non_camel_case_types,
    non_snake_case,
    non_upper_case_globals,
    unreachable_pub,
    unsafe_op_in_unsafe_fn,
    unused_imports
)]
mod bindings {
    include!(env!("RPKTGEN_BINDINGS"));
}
