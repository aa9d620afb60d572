// SPDX-License-Identifier: GPL-2.0

//! The two doors into the network stack: its transmit path and its receive path.
//!
//! C header: [`include/linux/netdevice.h`](srctree/include/linux/netdevice.h)

use super::{bindings, skbuff::SkbRef, BhDisabled};
use kernel::ffi::c_int;

/// Whether the network stack's messages are few enough for another one. Any context.
///
/// C header: [`include/linux/net.h`](srctree/include/linux/net.h)
pub(crate) fn ratelimit() -> bool {
    // SAFETY: no requirement.
    unsafe { bindings::net_ratelimit() != 0 }
}

/// What the receive path did with a packet.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum RxStatus {
    /// Someone took it.
    Success,
    /// Nobody wanted it.
    Drop,
}

/// Sends a packet through the qdisc of the device it is made for, as a protocol would.
///
/// Softirqs that it raises run when bottom halves are enabled again. The packet is gone whatever
/// the result.
///
/// # Errors
///
/// A positive `NET_XMIT_*` code, or a negative errno.
#[inline]
pub(crate) fn dev_queue_xmit(skb: SkbRef, _bh: &BhDisabled) -> Result<(), c_int> {
    // SAFETY: the reference is given up; interrupts are enabled, as bottom halves are off in
    // process context.
    match unsafe { bindings::dev_queue_xmit(skb.into_raw()) } {
        0 => Ok(()),
        code => Err(code),
    }
}

/// Delivers a packet to the receive path, as a driver would.
///
/// The packet is one that [`SkBuff::into_received`](super::SkBuff::into_received) has prepared.
#[inline]
pub(crate) fn netif_receive_skb(skb: SkbRef, _bh: &BhDisabled) -> RxStatus {
    // SAFETY: the reference is given up; bottom halves are off.
    match unsafe { bindings::netif_receive_skb(skb.into_raw()) } {
        bindings::RPKTGEN_CONST_NET_RX_DROP => RxStatus::Drop,
        _ => RxStatus::Success,
    }
}
