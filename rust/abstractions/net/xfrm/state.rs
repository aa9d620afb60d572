// SPDX-License-Identifier: GPL-2.0

//! Security associations: finding one, and whether it can be used.

use super::{bindings, Net};
use core::ptr::NonNull;
use kernel::prelude::*;

/// A counted reference to a `struct xfrm_state` that [`SkBuff::transform`] can use.
///
/// The reference keeps the structure with its keys, not the association: that may be deleted or
/// expire at any time.
///
/// # Invariants
///
/// The pointer is an xfrm_state on which we hold a reference. [`State::unfit`] found nothing
/// against it: it is an initialised IPv4 one, and its transformation is done when
/// `type->output` returns.
pub(crate) struct State(NonNull<bindings::xfrm_state>);

// SAFETY: the reference count is atomic; any task may hold or drop it.
unsafe impl Send for State {}

/// Why an association that exists cannot be used.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unfit {
    /// It is not complete yet, or it is gone.
    NotValid,
    /// It is for received packets.
    Inbound,
    /// A device is to do all of it, and has its own count of packets.
    Offloaded,
    /// Its algorithms finish later.
    Asynchronous,
    /// It is no ESP or AH, or in a mode or an encapsulation that is more than a header.
    Unsupported,
}

impl Unfit {
    /// What to tell the user.
    pub(crate) fn reason(self) -> &'static str {
        match self {
            Self::NotValid => "it is not valid (any more)",
            Self::Inbound => "it is for incoming packets",
            Self::Offloaded => "it is offloaded to a device",
            Self::Asynchronous => "its algorithms are asynchronous ones",
            Self::Unsupported => "it is no ESP or AH in transport, tunnel or BEET mode",
        }
    }
}

impl State {
    /// Whether the kernel offers what this file is about.
    pub(crate) const AVAILABLE: bool = true;

    /// Finds the IPv4 association with that SPI in `net`: the first if there are several.
    /// Any context.
    ///
    /// # Errors
    ///
    /// There is one that cannot be used.
    pub(crate) fn by_spi(net: &Net, spi: u32) -> Result<Option<Self>, Unfit> {
        // SAFETY: `net` is alive.
        let state = unsafe {
            bindings::xfrm_state_lookup_byspi(
                net.as_ptr(),
                spi.to_be(),
                bindings::RPKTGEN_CONST_AF_INET,
            )
        };
        // SAFETY: the function took a reference for us.
        unsafe { Self::from_raw(state) }
    }

    /// Finds the valid association in `net` for ESP in transport mode between two IPv4
    /// addresses, given in host order, without mark, interface id and reqid. Any context.
    ///
    /// # Errors
    ///
    /// There is one that cannot be used.
    pub(crate) fn between(net: &Net, saddr: u32, daddr: u32) -> Result<Option<Self>, Unfit> {
        // An `xfrm_address_t` begins with the IPv4 address.
        let [mut source, mut destination] = [[saddr.to_be(), 0, 0, 0], [daddr.to_be(), 0, 0, 0]];
        // SAFETY: `net` is alive; the addresses are of the size and alignment of an
        // `xfrm_address_t`, any bytes are one, and they outlive the call.
        let state = unsafe {
            bindings::xfrm_stateonly_find(
                net.as_ptr(),
                0,
                0,
                core::ptr::from_mut(&mut destination).cast(),
                core::ptr::from_mut(&mut source).cast(),
                bindings::RPKTGEN_CONST_AF_INET,
                bindings::RPKTGEN_CONST_XFRM_MODE_TRANSPORT,
                bindings::RPKTGEN_CONST_IPPROTO_ESP,
                0,
            )
        };
        // SAFETY: the function took a reference for us.
        unsafe { Self::from_raw(state) }
    }

    /// Makes a reference of a raw pointer, if the association can be used.
    ///
    /// # Safety
    ///
    /// Null, or an xfrm_state of family `AF_INET` of which the caller owns a reference and gives
    /// it up.
    unsafe fn from_raw(state: *mut bindings::xfrm_state) -> Result<Option<Self>, Unfit> {
        let Some(state) = NonNull::new(state) else {
            return Ok(None);
        };
        // INVARIANT: ours as this function requires. The rest is seen to before anyone gets it.
        let state = Self(state);
        match state.unfit() {
            None => Ok(Some(state)),
            Some(unfit) => Err(unfit),
        }
    }

    /// What keeps this association from being used, if anything. All of it but its validity
    /// stays as it is for good.
    fn unfit(&self) -> Option<Unfit> {
        // First, as one that was never valid has no type and no algorithms.
        if !self.is_valid() {
            return Some(Unfit::NotValid);
        }
        let x = self.as_ptr();
        // SAFETY: valid by the invariants; these fields do not change.
        let (inbound, offload, proto, encapsulation, family) = unsafe {
            (
                bindings::xfrm_state_dir(x) == bindings::RPKTGEN_CONST_XFRM_SA_DIR_IN,
                bindings::xfrm_state_offload_type(x),
                bindings::xfrm_state_proto(x),
                bindings::xfrm_state_encap_type(x),
                bindings::xfrm_state_sel_family(x),
            )
        };
        if inbound {
            return Some(Unfit::Inbound);
        }
        if offload == bindings::RPKTGEN_CONST_XFRM_DEV_OFFLOAD_PACKET {
            return Some(Unfit::Offloaded);
        }
        // IP-TFS keeps and joins packets; ESP in TCP leaves through a socket.
        match self.mode() {
            bindings::RPKTGEN_CONST_XFRM_MODE_TRANSPORT
            | bindings::RPKTGEN_CONST_XFRM_MODE_TUNNEL => {}
            bindings::RPKTGEN_CONST_XFRM_MODE_BEET
                if family != bindings::RPKTGEN_CONST_AF_INET6 => {}
            _ => return Some(Unfit::Unsupported),
        }
        if encapsulation == bindings::RPKTGEN_CONST_TCP_ENCAP_ESPINTCP {
            return Some(Unfit::Unsupported);
        }
        let flags = match proto {
            // SAFETY: a valid ESP association has its AEAD.
            bindings::RPKTGEN_CONST_IPPROTO_ESP => unsafe { bindings::xfrm_state_esp_alg_flags(x) },
            // SAFETY: a valid AH association has its hash.
            bindings::RPKTGEN_CONST_IPPROTO_AH => unsafe { bindings::xfrm_state_ah_alg_flags(x) },
            _ => return Some(Unfit::Unsupported),
        };
        // With an asynchronous algorithm (a crypto accelerator, cryptd) `type->output` returns
        // -EINPROGRESS, and the packet is later sent on along its route. It has none: the one
        // it gets in `transform` is gone by then.
        if flags & bindings::RPKTGEN_CONST_CRYPTO_ALG_ASYNC != 0 {
            return Some(Unfit::Asynchronous);
        }
        None
    }

    pub(super) fn as_ptr(&self) -> *mut bindings::xfrm_state {
        self.0.as_ptr()
    }

    /// Whether it is in force at this moment.
    #[inline]
    pub(crate) fn is_valid(&self) -> bool {
        // SAFETY: valid by the invariants.
        let state = unsafe { bindings::xfrm_state_km_state(self.as_ptr()) };
        state == bindings::RPKTGEN_CONST_XFRM_STATE_VALID
    }

    fn mode(&self) -> u8 {
        // SAFETY: valid by the invariants.
        unsafe { bindings::xfrm_state_mode(self.as_ptr()) }
    }

    /// Bytes that it puts before a packet; there may be more behind it.
    #[inline]
    pub(crate) fn header_len(&self) -> u16 {
        // SAFETY: valid by the invariants.
        let len = unsafe { bindings::xfrm_state_header_len(self.as_ptr()) };
        // Two IP headers, ESP, an initialisation vector: never near the limit.
        u16::try_from(len).unwrap_or(0)
    }
}

impl Drop for State {
    fn drop(&mut self) {
        // SAFETY: gives back the reference that the invariants speak of.
        unsafe { bindings::xfrm_state_put(self.as_ptr()) };
    }
}
