// SPDX-License-Identifier: GPL-2.0

//! Packet buffers, by who may touch them.
//!
//! ```text
//!             alloc                share                 burst(n)
//!   Device ---------> SkBuff ----------------> SharedSkb ---------> Burst: n references
//!                     the only reference:      ours, and            take(): one SkbRef each;
//!                     bytes may be written     others may hold      the rest is given back
//!                        |                                               |
//!                        | into()                                        |
//!                        v                                               v
//!                     SkbRef: one reference to hand over to a driver or to the stack
//!
//!   SharedSkb -- duplicate() --> SkbRef of a buffer of its own, over the same bytes
//! ```
//!
//! Every type owns what its name says; dropping it gives that back. Once a buffer has been
//! shared we do not write its bytes; those who get a reference may change what the netdev allows.
//!
//! C header: [`include/linux/skbuff.h`](srctree/include/linux/skbuff.h)

use super::{bindings, Device};
use crate::abstractions::memory::{Node, ZeroPage};
use core::{marker::PhantomData, mem::ManuallyDrop, ptr::NonNull};

/// Offsets and marks of a frame, set when its buffer is made.
pub(crate) struct Layout {
    /// Offset of the network header.
    pub(crate) network: u16,
    /// Offset of the transport header.
    pub(crate) transport: u16,
    /// EtherType, host order.
    pub(crate) protocol: u16,
    /// Transmit queue.
    pub(crate) queue: u16,
    /// `skb->priority`.
    pub(crate) priority: u32,
    /// Whether the device completes the UDP checksum.
    pub(crate) csum_partial: bool,
}

/// Offset of the checksum in a UDP header (RFC 768).
const UDP_CHECKSUM: u16 = 6;

/// A buffer with one frame and no other holder.
///
/// # Invariants
///
/// We own the only reference. `len` bytes at `data` are the linear part of the frame, which
/// fragments may follow.
pub(crate) struct SkBuff {
    pub(super) skb: SkbRef,
    pub(super) data: NonNull<u8>,
    pub(super) len: usize,
}

impl SkBuff {
    /// The most page fragments of a buffer.
    pub(crate) const MAX_FRAGS: u16 = bindings::RPKTGEN_CONST_MAX_SKB_FRAGS;

    /// Room that is left behind the frame, for those below who append.
    const TAILROOM: usize = 64;

    /// Allocates a buffer for a frame of `len` linear bytes to leave through `device`, the Ethernet
    /// header included. Any context; does not sleep.
    ///
    /// The frame's bytes hold whatever was there: [`SkBuff::frame`] must fill all of them.
    ///
    /// `node` asks for memory of a NUMA node; otherwise it is what the allocator of receive
    /// buffers has at hand.
    ///
    /// Returns `None` when there is no memory.
    #[inline]
    pub(crate) fn alloc(device: &Device, len: usize, node: Option<Node>) -> Option<Self> {
        /// `ETH_HLEN`: the reserved space is measured to the network header.
        const ETHERNET: usize = 14;

        let headroom = device.ll_reserved_space().saturating_sub(ETHERNET);
        let size = len.checked_add(headroom + ETHERNET + Self::TAILROOM)?;
        let skb = match node {
            None => Self::alloc_local(device, size)?,
            Some(node) => Self::alloc_node(device, size, node)?,
        };
        // SAFETY: the buffer is empty and `headroom + len` is within the size asked for.
        let data = unsafe {
            bindings::skb_reserve(skb.as_ptr(), i32::try_from(headroom).ok()?);
            bindings::skb_put(skb.as_ptr(), c_uint_from(len)?)
        };
        // INVARIANT: `skb_put` gave the place of `len` bytes.
        Some(Self {
            skb,
            data: NonNull::new(data.cast())?,
            len,
        })
    }

    #[inline]
    fn alloc_local(device: &Device, size: usize) -> Option<SkbRef> {
        // SAFETY: `device` is valid; the size is checked by the allocator.
        let skb = unsafe {
            bindings::__netdev_alloc_skb(
                device.as_ptr(),
                c_uint_from(size)?,
                bindings::RPKTGEN_CONST_GFP_NOWAIT,
            )
        };
        // INVARIANT: fresh, so the reference is ours and the only one.
        NonNull::new(skb).map(SkbRef)
    }

    fn alloc_node(device: &Device, size: usize, node: Node) -> Option<SkbRef> {
        // SAFETY: a constant.
        let pad = unsafe { bindings::net_skb_pad() };
        let size = c_uint_from(size)?.checked_add(pad)?;
        // SAFETY: the node is possible; the size is checked by the allocator.
        let skb = unsafe {
            bindings::__alloc_skb(size, bindings::RPKTGEN_CONST_GFP_NOWAIT, 0, node.as_raw())
        };
        // INVARIANT: fresh, so the reference is ours and the only one.
        let skb = SkbRef(NonNull::new(skb)?);
        // SAFETY: the buffer is empty and its room includes the padding; `device` is valid.
        unsafe {
            bindings::skb_reserve(skb.as_ptr(), i32::try_from(pad).ok()?);
            bindings::skb_set_dev(skb.as_ptr(), device.as_ptr());
        }
        Some(skb)
    }

    /// Appends the first `lengths` bytes of a page, a fragment for each length. There are at
    /// most [`MAX_FRAGS`](Self::MAX_FRAGS) fragments in all, and none is longer than the page;
    /// what is more is left out.
    ///
    /// The fragments are marked as shared: whoever wants to change the packet in place, as ESP
    /// does when it decrypts, makes a copy first.
    pub(crate) fn append(&mut self, page: &ZeroPage, lengths: impl Iterator<Item = u32>) {
        let skb = self.skb.as_ptr();
        // SAFETY: the buffer is ours alone.
        let first = unsafe {
            bindings::skb_set_shared_frag(skb);
            i32::from(bindings::skb_nr_frags(skb))
        };
        for (index, length) in (first..i32::from(Self::MAX_FRAGS)).zip(lengths) {
            let length = length.min(ZeroPage::SIZE);
            // SAFETY: the buffer is ours alone, `index` is its next fragment and one that there
            // is room for; the page covers the length, and the fragment has a reference of its
            // own.
            unsafe {
                bindings::get_page(page.as_ptr());
                bindings::skb_add_rx_frag(
                    skb,
                    index,
                    page.as_ptr(),
                    0,
                    // CAST: at most a page.
                    length as i32,
                    length,
                );
            }
        }
    }

    /// How many page fragments it has.
    #[cfg(RPKTGEN_KUNIT)]
    fn frags(&self) -> u16 {
        // SAFETY: the buffer is ours alone.
        unsafe { bindings::skb_nr_frags(self.skb.as_ptr()) }.into()
    }

    /// The length of the whole frame, page fragments included.
    pub(crate) fn wire_len(&self) -> usize {
        // SAFETY: the buffer is ours alone.
        // CAST: 32 bits fit into an address.
        unsafe { bindings::skb_len(self.skb.as_ptr()) as usize }
    }

    /// The bytes of the linear part of the frame, to be filled.
    #[inline]
    pub(crate) fn frame(&mut self) -> &mut [u8] {
        // SAFETY: by the invariants, and nobody else has the buffer. Reading what the allocator
        // left is defined for bytes that C code has handed out.
        unsafe { core::slice::from_raw_parts_mut(self.data.as_ptr(), self.len) }
    }

    /// Sets the header offsets and marks.
    #[inline]
    pub(crate) fn set_layout(&mut self, layout: &Layout) {
        let skb = self.skb.as_ptr();
        // SAFETY: the buffer is ours alone, and its linear part covers the offsets.
        unsafe {
            bindings::skb_reset_mac_header(skb);
            bindings::skb_set_network_header(skb, layout.network.into());
            bindings::skb_set_transport_header(skb, layout.transport.into());
            bindings::skb_set_protocol(skb, layout.protocol.to_be());
            bindings::skb_set_queue_mapping(skb, layout.queue);
            bindings::skb_set_priority(skb, layout.priority);
            if layout.csum_partial {
                bindings::skb_set_csum_partial(skb, layout.transport, UDP_CHECKSUM);
            }
        }
    }

    /// Makes the frame look as if it had just arrived on `device`: takes the Ethernet header off
    /// and sets protocol and packet type from it.
    pub(crate) fn into_received(self, device: &Device) -> Self {
        // SAFETY: the buffer is ours alone and holds an Ethernet header at its start.
        unsafe {
            let protocol = bindings::eth_type_trans(self.skb.as_ptr(), device.as_ptr());
            bindings::skb_set_protocol(self.skb.as_ptr(), protocol);
        }
        self
    }

    /// Lets others hold references, too.
    #[inline]
    pub(crate) fn share(self) -> SharedSkb {
        SharedSkb(self.skb)
    }
}

impl From<SkBuff> for SkbRef {
    #[inline]
    fn from(buffer: SkBuff) -> Self {
        buffer.skb
    }
}

#[inline]
fn c_uint_from(value: usize) -> Option<kernel::ffi::c_uint> {
    kernel::ffi::c_uint::try_from(value).ok()
}

/// One reference to a buffer, to be handed over or given back.
///
/// # Invariants
///
/// We own one reference.
pub(crate) struct SkbRef(NonNull<bindings::sk_buff>);

// SAFETY: a buffer may be handed from task to task.
unsafe impl Send for SkbRef {}

impl SkbRef {
    /// The raw pointer, for the other abstractions; the reference stays here.
    #[inline]
    pub(super) fn as_ptr(&self) -> *mut bindings::sk_buff {
        self.0.as_ptr()
    }

    /// The raw pointer and with it the reference.
    #[inline]
    pub(super) fn into_raw(self) -> *mut bindings::sk_buff {
        ManuallyDrop::new(self).0.as_ptr()
    }

    /// Makes a reference of a raw pointer.
    ///
    /// # Safety
    ///
    /// The caller owns a reference and gives it up.
    #[inline]
    pub(super) unsafe fn from_raw(skb: NonNull<bindings::sk_buff>) -> Self {
        // INVARIANT: as this function requires.
        Self(skb)
    }
}

impl Drop for SkbRef {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: gives back the reference that the invariants speak of.
        unsafe { bindings::consume_skb(self.as_ptr()) };
    }
}

/// A buffer that drivers, queues and sockets may hold beside us.
pub(crate) struct SharedSkb(SkbRef);

impl SharedSkb {
    /// How many references there are, ours included.
    #[inline]
    pub(crate) fn users(&self) -> u32 {
        // SAFETY: we hold a reference.
        unsafe { bindings::skb_users(self.0.as_ptr()) }
    }

    /// Takes `n` references at once, to be handed over one by one. `n` is held to `i32::MAX`.
    #[inline]
    pub(crate) fn burst(&self, n: u32) -> Burst<'_> {
        let left = n.min(i32::MAX.unsigned_abs());
        if let Ok(n @ 1..) = i32::try_from(left) {
            // SAFETY: we hold a reference, so the count is not 0.
            unsafe { bindings::skb_get_many(self.0.as_ptr(), n) };
        }
        // INVARIANT: taken just now.
        Burst {
            skb: self.0 .0,
            left,
            _shared: PhantomData,
        }
    }

    /// A buffer of its own over the same bytes, which whoever gets it copies before changing
    /// them. Any context; does not sleep. `None` when there is no memory.
    #[inline]
    pub(crate) fn duplicate(&self) -> Option<SkbRef> {
        // SAFETY: we hold a reference, and nobody changes the buffer's fields meanwhile.
        let skb =
            unsafe { bindings::skb_clone(self.0.as_ptr(), bindings::RPKTGEN_CONST_GFP_NOWAIT) };
        // SAFETY: a new buffer, and its reference ours.
        NonNull::new(skb).map(|skb| unsafe { SkbRef::from_raw(skb) })
    }
}

/// References to one shared buffer that are not handed over yet.
///
/// # Invariants
///
/// We own `left` references beside the one of the [`SharedSkb`].
pub(crate) struct Burst<'a> {
    skb: NonNull<bindings::sk_buff>,
    left: u32,
    _shared: PhantomData<&'a SharedSkb>,
}

impl Burst<'_> {
    /// How many are left.
    #[inline]
    pub(crate) fn left(&self) -> u32 {
        self.left
    }

    /// One of them.
    #[inline]
    pub(crate) fn take(&mut self) -> Option<SkbRef> {
        self.left = self.left.checked_sub(1)?;
        // SAFETY: by the invariants the reference is ours; it is not counted any more.
        Some(unsafe { SkbRef::from_raw(self.skb) })
    }
}

impl Drop for Burst<'_> {
    #[inline]
    fn drop(&mut self) {
        if let Ok(n @ 1..) = i32::try_from(self.left) {
            // SAFETY: gives back what the invariants speak of. It is not the last reference, as
            // the `SharedSkb` has one and outlives this.
            unsafe { bindings::skb_put_many(self.skb.as_ptr(), n) };
        }
    }
}

#[cfg(RPKTGEN_KUNIT)]
#[kernel::macros::kunit_tests(rpktgen_skbuff)]
mod tests {
    use super::*;
    use crate::abstractions::net::Net;

    fn loopback() -> Option<Device> {
        Device::by_name(Net::initial(), c"lo")
    }

    #[test]
    fn a_burst_gives_back_what_it_kept() -> Result<(), kernel::error::Error> {
        let lo = loopback().ok_or(kernel::error::code::ENODEV)?;
        let skb = SkBuff::alloc(&lo, 60, None).ok_or(kernel::error::code::ENOMEM)?;
        let shared = skb.share();
        assert_eq!(shared.users(), 1);
        let mut burst = shared.burst(3);
        assert_eq!(shared.users(), 4);
        let first = burst.take();
        assert_eq!(burst.left(), 2);
        drop(burst);
        assert_eq!(shared.users(), 2);
        drop(first);
        assert_eq!(shared.users(), 1);
        let mut all = shared.burst(1);
        assert!(all.take().is_some());
        assert!(all.take().is_none());
        drop(all);
        assert_eq!(shared.users(), 1);
        drop(shared.burst(0));
        assert_eq!(shared.users(), 1);
        Ok(())
    }

    #[test]
    fn fragments_are_appended() -> Result<(), kernel::error::Error> {
        let lo = loopback().ok_or(kernel::error::code::ENODEV)?;
        let page = ZeroPage::alloc(Node::LOCAL).ok_or(kernel::error::code::ENOMEM)?;
        let mut skb =
            SkBuff::alloc(&lo, 60, Some(Node::LOCAL)).ok_or(kernel::error::code::ENOMEM)?;
        assert_eq!(skb.frags(), 0);
        skb.append(&page, [1, 4096, 7].into_iter());
        assert_eq!(skb.frags(), 3);
        // Behind those there are, up to what there is room for, and never more than a page.
        skb.append(&page, core::iter::repeat(1_000_000));
        assert_eq!(skb.frags(), SkBuff::MAX_FRAGS);
        let rest = usize::from(SkBuff::MAX_FRAGS) - 3;
        assert_eq!(skb.wire_len(), 60 + 1 + 4096 + 7 + rest * 4096);
        // The page outlives its owner.
        drop(page);
        drop(skb);
        Ok(())
    }

    #[test]
    fn nodes() {
        assert!(Node::new(0).is_some());
        for number in [64, 1024, 4096, u64::from(u32::MAX), u64::MAX] {
            assert!(Node::new(number).is_none());
        }
    }

    #[test]
    fn a_frame_is_as_long_as_asked() -> Result<(), kernel::error::Error> {
        let lo = loopback().ok_or(kernel::error::code::ENODEV)?;
        for len in [14, 42, 60, 1514, 65535] {
            let mut skb = SkBuff::alloc(&lo, len, None).ok_or(kernel::error::code::ENOMEM)?;
            assert_eq!(skb.frame().len(), len);
            skb.frame().fill(0xa5);
            assert!(skb.frame().iter().all(|byte| *byte == 0xa5));
        }
        assert!(SkBuff::alloc(&lo, usize::MAX, None).is_none());
        Ok(())
    }
}
