// SPDX-License-Identifier: GPL-2.0

//! Transmit queues of a device and its driver's transmit function.
//!
//! The path to a driver is a chain of proofs: [`BhDisabled`], then [`TxQueue::lock`], then
//! [`TxQueueGuard::start_xmit`]. It goes past the qdisc, the taps and the stack's software
//! offloads; for a packet that should take those there is
//! [`dev_queue_xmit`](super::dev_queue_xmit).
//!
//! C header: [`include/linux/netdevice.h`](srctree/include/linux/netdevice.h)

use super::{bindings, skbuff::SkbRef, BhDisabled, Device};
use core::{marker::PhantomData, ptr::NonNull};

/// What a driver said of a packet.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum TxStatus {
    /// Taken and to be sent.
    Ok,
    /// Taken and dropped, or taken with a note of congestion.
    Dropped,
    /// Not taken; try later.
    Busy,
    /// Taken, with a negative errno, or a code that no driver should give.
    Error(i32),
}

/// One transmit queue of a device.
///
/// # Invariants
///
/// `txq` is a queue of `device`.
#[derive(Clone, Copy)]
pub(crate) struct TxQueue<'a> {
    device: &'a Device,
    txq: NonNull<bindings::netdev_queue>,
}

impl<'a> TxQueue<'a> {
    /// Queue `index` of `device`, or `None` if it does not use that many.
    #[inline]
    pub(crate) fn new(device: &'a Device, index: u16) -> Option<Self> {
        if u32::from(index) >= device.real_num_tx_queues() {
            return None;
        }
        // SAFETY: the device is valid. The array of queues is as long as it was made with and
        // stays; the number in use never exceeds that.
        let txq = unsafe { bindings::netdev_get_tx_queue(device.as_ptr(), index.into()) };
        // INVARIANT: a queue of the device.
        NonNull::new(txq).map(|txq| Self { device, txq })
    }

    /// Takes the queue's transmit lock. For devices that do their own locking it only tells
    /// lockdep.
    #[inline]
    pub(crate) fn lock<'b>(self, _bh: &'b BhDisabled) -> TxQueueGuard<'b>
    where
        'a: 'b,
    {
        // SAFETY: the queue belongs to the device by the invariants, and bottom halves are off,
        // which keeps the task on this CPU.
        unsafe { bindings::hard_tx_lock(self.device.as_ptr(), self.txq.as_ptr()) };
        TxQueueGuard {
            device: self.device,
            txq: self.txq,
            _bh: PhantomData,
        }
    }
}

/// A locked transmit queue.
///
/// # Invariants
///
/// The lock of `txq` is held, and bottom halves are off.
#[must_use]
pub(crate) struct TxQueueGuard<'b> {
    device: &'b Device,
    txq: NonNull<bindings::netdev_queue>,
    _bh: PhantomData<(&'b BhDisabled, *mut ())>,
}

impl TxQueueGuard<'_> {
    /// Whether the queue is frozen or the driver has stopped it: it takes no packets now.
    #[inline]
    pub(crate) fn is_stopped(&self) -> bool {
        // SAFETY: a valid queue by the invariants.
        unsafe { bindings::netif_xmit_frozen_or_drv_stopped(self.txq.as_ptr()) }
    }

    /// Hands a packet to the driver; `more` says that another follows at once.
    ///
    /// # Errors
    ///
    /// If the driver did not take it, the packet comes back.
    #[inline]
    pub(crate) fn start_xmit(
        &mut self,
        skb: SkbRef,
        more: bool,
    ) -> Result<TxStatus, (TxStatus, SkbRef)> {
        let skb = skb.into_raw();
        // SAFETY: by the invariants the queue is locked and bottom halves are off; the
        // reference on `skb` is given up.
        let code = unsafe {
            bindings::netdev_start_xmit(skb, self.device.as_ptr(), self.txq.as_ptr(), more)
        };
        let status = match code {
            bindings::RPKTGEN_CONST_NET_XMIT_SUCCESS => TxStatus::Ok,
            bindings::RPKTGEN_CONST_NET_XMIT_DROP | bindings::RPKTGEN_CONST_NET_XMIT_CN => {
                TxStatus::Dropped
            }
            bindings::RPKTGEN_CONST_NETDEV_TX_BUSY => TxStatus::Busy,
            other => TxStatus::Error(other),
        };
        // As `dev_xmit_complete` has it: below the mask, negative codes included, it was taken.
        if code < bindings::RPKTGEN_CONST_NET_XMIT_MASK {
            return Ok(status);
        }
        match NonNull::new(skb) {
            // SAFETY: the driver did not take the reference, so it is ours again.
            Some(skb) => Err((status, unsafe { SkbRef::from_raw(skb) })),
            None => Ok(status),
        }
    }
}

impl Drop for TxQueueGuard<'_> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: held by the invariants.
        unsafe { bindings::hard_tx_unlock(self.device.as_ptr(), self.txq.as_ptr()) };
    }
}
