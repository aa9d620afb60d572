// SPDX-License-Identifier: GPL-2.0

//! Transforming a packet.
//!
//! [`SkBuff::transform`] does to one packet what the stack's output path does between routing
//! and the driver, for a packet that never was in the stack: no policy, no route, no netfilter.
//! Whoever sends through a socket has no use for this.

use super::{bindings, Device, SkBuff, State};
use core::{mem::MaybeUninit, ptr::NonNull};
use kernel::{error::to_result, ffi::c_int, prelude::*, sync::rcu};

impl State {
    /// Sees to it that another packet may be sent, and numbers it.
    ///
    /// # Safety
    ///
    /// The outer mode's output has been done on `skb`.
    unsafe fn admit(&self, skb: *mut bindings::sk_buff) -> Result<(), Failure> {
        let x = self.as_ptr();
        let lock = Lock::new(self);
        if !self.is_valid() {
            let counter = bindings::RPKTGEN_CONST_XFRM_OUT_INVALID;
            return Err(Failure(ESRCH, counter));
        }
        // SAFETY: valid by the invariants and locked. Where a limit is reached this ends the
        // association, or tells its key manager of the soft one.
        to_result(unsafe { bindings::xfrm_state_check_expire(x) })
            .map_err(|error| Failure(error, bindings::RPKTGEN_CONST_XFRM_OUT_EXPIRED))?;
        let (low, high) = lock
            .next_number()
            .ok_or(Failure(ERANGE, bindings::RPKTGEN_CONST_XFRM_OUT_SEQ_ERROR))?;
        // SAFETY: a buffer of the caller's, whose control block is the transformation's.
        unsafe { bindings::xfrm_skb_set_seq(skb, low, high) };
        Ok(())
    }

    /// Does the transformation proper.
    ///
    /// # Safety
    ///
    /// `skb` is a buffer that nobody else holds, with headroom for [`State::header_len`]; its
    /// data begin with an IPv4 header, which the network header is, all in the linear part; its
    /// protocol is `ETH_P_IP` and its checksums are done.
    ///
    /// Afterwards the data begin with an IPv4 header again, or there was an error.
    unsafe fn output(&self, skb: *mut bindings::sk_buff, device: &Device) -> Result<(), Failure> {
        let x = self.as_ptr();
        let _rcu = rcu::read_lock();
        // Tunnel mode takes the protocol, the hop limit and the namespace from a route, traffic
        // flow padding the MTU. This one is on the stack: no packet keeps it, see below.
        let mut route = MaybeUninit::<bindings::xfrm_dst>::uninit();
        // SAFETY: both are valid. The route gets what is said above, and no function that could
        // be called with it.
        unsafe {
            bindings::xfrm_dst_init(route.as_mut_ptr(), x, device.as_ptr());
            bindings::skb_dst_set_noref(skb, route.as_mut_ptr());
            // Whether to fragment is not asked here: the route knows no MTU to compare with.
            bindings::skb_set_ignore_df(skb, true);
        }
        // SAFETY: as this function requires; the RCU read lock is held.
        let result = to_result(unsafe { bindings::pktgen_xfrm_outer_mode_output(x, skb) })
            .map_err(|error| Failure(error, bindings::RPKTGEN_CONST_XFRM_OUT_MODE_ERROR))
            // SAFETY: the outer mode is done.
            .and_then(|()| unsafe { self.admit(skb) })
            .and_then(|()| {
                // SAFETY: the buffer is as the outer mode leaves it, with its number. The type's
                // function is there as the association was valid at one time.
                match unsafe { bindings::xfrm_state_output(x, skb) } {
                    0 => Ok(()),
                    // Negative, or `NET_XMIT_DROP` for an accelerator that is busy.
                    code => Err(Failure(
                        Error::from_errno(code.min(-1)),
                        bindings::RPKTGEN_CONST_XFRM_OUT_PROTO_ERROR,
                    )),
                }
            });
        // SAFETY: the buffer is still ours, as the transformation was no asynchronous one. This
        // takes the route from it before `route` goes.
        unsafe {
            bindings::skb_set_ignore_df(skb, false);
            bindings::skb_dst_drop(skb);
        }
        result
    }

    /// Accounts for a packet of `len` bytes, IP header included.
    fn account(&self, len: u32) {
        let lock = Lock::new(self);
        // SAFETY: valid by the invariants and locked.
        unsafe {
            let lifetime = bindings::xfrm_state_curlft(lock.0.as_ptr());
            (*lifetime).bytes = (*lifetime).bytes.wrapping_add(len.into());
            (*lifetime).packets = (*lifetime).packets.wrapping_add(1);
        }
    }
}

/// The lock of an association, held.
struct Lock<'a>(&'a State);

impl<'a> Lock<'a> {
    fn new(state: &'a State) -> Self {
        // SAFETY: valid by the invariants of `State`.
        unsafe { bindings::xfrm_state_lock_bh(state.as_ptr()) };
        Self(state)
    }

    /// The sequence number of the next packet, low and high half; `None` when all are used up.
    ///
    /// They begin with 1 and do not come round again where the peer may look for repetition
    /// (RFC 4303, section 3.3.3). Unlike the stack's own numbering, which no module can call,
    /// this tells no key manager: that is for a standby that takes the association over.
    fn next_number(&self) -> Option<(u32, u32)> {
        let x = self.0.as_ptr();
        // SAFETY: valid by the invariants and locked; the fields are those of the association's
        // way of numbering, and extended numbers come with a place for the high half.
        unsafe {
            let oseq = bindings::xfrm_state_oseq(x);
            let low = (*oseq).wrapping_add(1);
            let mut high = 0;
            if bindings::xfrm_state_esn(x) {
                let oseq_hi = bindings::xfrm_state_oseq_hi(x);
                high = *oseq_hi;
                if low == 0 {
                    high = high.checked_add(1)?;
                    *oseq_hi = high;
                }
            } else if low == 0 && !bindings::xfrm_state_oseq_may_wrap(x) {
                return None;
            }
            *oseq = low;
            Some((low, high))
        }
    }
}

impl Drop for Lock<'_> {
    fn drop(&mut self) {
        // SAFETY: taken in `new`.
        unsafe { bindings::xfrm_state_unlock_bh(self.0.as_ptr()) };
    }
}

/// An error, and the counter in `/proc/net/xfrm_stat` that stands for it.
struct Failure(Error, c_int);

/// The longest link-layer header that is kept: Ethernet, two VLAN tags, 16 MPLS labels.
const LINK_MAX: usize = 14 + 2 * 4 + 16 * 4;

impl SkBuff {
    /// Transforms the IPv4 packet in this frame, which is to leave through `device`, by `state`.
    /// Any context; does not sleep.
    ///
    /// The first `l2_len` bytes stay in front of it as they are; length and checksum of the IPv4
    /// header are right afterwards, and so is a UDP checksum that was left to the device. The
    /// frame is longer then.
    ///
    /// # Errors
    ///
    /// - `ENOMEM`: no memory;
    /// - `EINVAL`: no IPv4 header without options at `l2_len`, or the packet is too long then;
    /// - `ESRCH`: the association was deleted;
    /// - another one of the association: expired, all numbers used.
    ///
    /// The packet is gone, and counted in `/proc/net/xfrm_stat` as the stack would.
    pub(crate) fn transform(self, state: &State, device: &Device, l2_len: u16) -> Result<Self> {
        let skb = self.skb.as_ptr();
        // SAFETY: the buffer is ours alone; device and namespace are alive.
        unsafe {
            match transform(skb, state, device, l2_len.into()) {
                Ok(()) => Ok(self.looked_at_anew()),
                Err(Failure(error, counter)) => {
                    bindings::xfrm_inc_stats(device.net().as_ptr(), counter);
                    Err(error)
                }
            }
        }
    }

    /// The same buffer after a function that may have moved its head and its tail.
    fn looked_at_anew(self) -> Self {
        let skb = self.skb.as_ptr();
        // SAFETY: the buffer is ours alone.
        let linear = unsafe { linear(skb) };
        // INVARIANT: this is the linear part, and the reference is still the only one.
        Self {
            data: NonNull::from(&mut *linear).cast(),
            len: linear.len(),
            ..self
        }
    }
}

/// The bytes of the linear part.
///
/// # Safety
///
/// `skb` is a buffer that nobody else holds and that lives for `'a`, not changed meanwhile.
unsafe fn linear<'a>(skb: *mut bindings::sk_buff) -> &'a mut [u8] {
    // SAFETY: as this function requires.
    // CAST: 32 bits at most.
    unsafe {
        core::slice::from_raw_parts_mut(
            bindings::skb_data(skb),
            bindings::skb_headlen(skb) as usize,
        )
    }
}

/// [`SkBuff::transform`] on a raw buffer.
///
/// # Safety
///
/// `skb` is a buffer that nobody else holds, at its link-layer header.
unsafe fn transform(
    skb: *mut bindings::sk_buff,
    state: &State,
    device: &Device,
    l2_len: usize,
) -> Result<(), Failure> {
    /// IPv4, and a header of five words.
    const VERSION_IHL: u8 = 0x45;
    const IPV4_LEN: usize = 20;

    let failure = |error| Failure(error, bindings::RPKTGEN_CONST_XFRM_OUT_ERROR);
    // CAST: bounded by `LINK_MAX`, which is checked first.
    let l2 = u32::try_from(l2_len.min(LINK_MAX)).unwrap_or(0);
    // Encryption hides the checksum from the device, authentication fixes it.
    // SAFETY: as this function requires.
    unsafe {
        if bindings::skb_is_csum_partial(skb) {
            to_result(bindings::skb_checksum_help(skb)).map_err(failure)?;
        }
        let missing = u32::from(state.header_len()).saturating_sub(bindings::skb_headroom(skb));
        if let Ok(missing @ 1..) = c_int::try_from(missing) {
            let gfp = bindings::RPKTGEN_CONST_GFP_NOWAIT;
            to_result(bindings::pskb_expand_head(skb, missing, 0, gfp)).map_err(failure)?;
        }
    }
    let mut link = [0; LINK_MAX];
    // SAFETY: as this function requires.
    let frame = unsafe { linear(skb) };
    let (Some(link), Some((header, packet))) =
        (link.get_mut(..l2_len), frame.split_at_checked(l2_len))
    else {
        return Err(failure(EINVAL));
    };
    if packet.len() < IPV4_LEN || packet.first() != Some(&VERSION_IHL) {
        return Err(failure(EINVAL));
    }
    copy(link, header);
    // SAFETY: the frame is longer than `l2` bytes, and what remains is as `output` wants it: the
    // headroom is now larger than the association's header by the link-layer header.
    let protocol = unsafe {
        let protocol = bindings::skb_protocol(skb);
        bindings::skb_pull(skb, l2);
        bindings::skb_set_network_header(skb, 0);
        bindings::skb_set_transport_header(skb, IPV4_LEN as c_int);
        bindings::skb_set_protocol(skb, bindings::RPKTGEN_CONST_ETH_P_IP.to_be());
        state.output(skb, device)?;
        protocol
    };
    // SAFETY: as this function requires.
    let (len, room) = unsafe { (bindings::skb_len(skb), bindings::skb_headroom(skb)) };
    let Ok(total_len) = u16::try_from(len) else {
        return Err(failure(EINVAL));
    };
    if room < l2 {
        return Err(failure(EINVAL));
    }
    state.account(len);
    // SAFETY: there is room for the link-layer header; the data begin with an IPv4 header.
    unsafe {
        if let Some(field) = linear(skb).get_mut(2..4) {
            copy(field, &total_len.to_be_bytes());
        }
        bindings::ip_send_check(bindings::skb_data(skb).cast());
        bindings::skb_push(skb, l2);
        copy(linear(skb), link);
        bindings::skb_reset_mac_header(skb);
        bindings::skb_set_protocol(skb, protocol);
    }
    Ok(())
}

/// Copies as many bytes as both have.
fn copy(to: &mut [u8], from: &[u8]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = *from;
    }
}
