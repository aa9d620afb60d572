// SPDX-License-Identifier: GPL-2.0

//! Network devices.
//!
//! C header: [`include/linux/netdevice.h`](srctree/include/linux/netdevice.h)

use super::{
    bindings,
    namespace::{PerNet, Slot},
    Net,
};
use core::ptr::NonNull;
use kernel::{
    prelude::*,
    sync::{rcu, Arc, ArcBorrow},
    types::{ForeignOwnable, Opaque},
};

/// A counted reference to a `struct net_device`.
///
/// It keeps the structure, not the interface: the device may be down, or unregistered and
/// waiting for this reference to go. Those who hold one listen to the
/// [notifier](super::Listener) and give it back on
/// [`Event::Unregister`](super::Event::Unregister).
///
/// # Invariants
///
/// The pointer is a net_device on which we hold a reference.
pub(crate) struct Device(NonNull<bindings::net_device>);

// SAFETY: the reference count is per-CPU or atomic; any task may hold or drop it.
unsafe impl Send for Device {}
// SAFETY: all that `&self` allows is reading fields that the stack reads without a lock, too.
unsafe impl Sync for Device {}

impl Device {
    /// Finds the device called `name`, or with that alternative name, in `net`. May sleep.
    pub(crate) fn by_name(net: &Net, name: &CStr) -> Option<Self> {
        // SAFETY: `net` is alive and `name` NUL-terminated.
        let device = unsafe { bindings::dev_get_by_name(net.as_ptr(), name.as_char_ptr()) };
        // INVARIANT: the function took a reference for us.
        NonNull::new(device).map(Self)
    }

    /// The namespace it is in.
    #[inline]
    pub(crate) fn net(&self) -> &Net {
        // SAFETY: the device is valid. Its namespace lives on while there is a reference on the
        // device: a namespace that goes unregisters its devices first and waits until all
        // references on them are back. A device leaves its namespace for another one only after
        // `Event::Unregister`, on which this one is given back as its type says.
        unsafe { Net::from_raw(bindings::dev_net(self.as_ptr())) }
    }

    /// The raw pointer, for the other abstractions.
    #[inline]
    pub(super) fn as_ptr(&self) -> *mut bindings::net_device {
        self.0.as_ptr()
    }

    /// Whether `other`, seen in a notifier, is this device.
    pub(crate) fn is(&self, other: &DeviceRef) -> bool {
        core::ptr::eq(self.as_ptr(), other.0.get())
    }

    /// Whether the device is administratively up.
    #[inline]
    pub(crate) fn is_running(&self) -> bool {
        // SAFETY: valid by the invariants.
        unsafe { bindings::netif_running(self.as_ptr()) }
    }

    /// Whether the device has a carrier.
    #[inline]
    pub(crate) fn carrier_ok(&self) -> bool {
        // SAFETY: valid by the invariants.
        unsafe { bindings::netif_carrier_ok(self.as_ptr()) }
    }

    /// Whether its link layer is Ethernet, or the loopback's which looks the same.
    pub(crate) fn is_ethernet(&self) -> bool {
        // SAFETY: valid by the invariants.
        let kind = unsafe { bindings::netdev_type(self.as_ptr()) };
        kind == bindings::RPKTGEN_CONST_ARPHRD_ETHER
            || kind == bindings::RPKTGEN_CONST_ARPHRD_LOOPBACK
    }

    /// Whether its driver leaves sent buffers as they are, so that others may hold a reference
    /// on them (`IFF_TX_SKB_SHARING`).
    pub(crate) fn tx_sharing(&self) -> bool {
        // SAFETY: valid by the invariants.
        unsafe { bindings::netdev_tx_sharing(self.as_ptr()) }
    }

    /// Whether it completes UDP checksums over IPv4 itself.
    pub(crate) fn csum_ipv4(&self) -> bool {
        // SAFETY: valid by the invariants.
        unsafe { bindings::netdev_csum_ipv4(self.as_ptr()) }
    }

    /// Whether it completes UDP checksums over IPv6 itself.
    pub(crate) fn csum_ipv6(&self) -> bool {
        // SAFETY: valid by the invariants.
        unsafe { bindings::netdev_csum_ipv6(self.as_ptr()) }
    }

    /// The number of transmit queues in use, at least 1 for a registered device.
    pub(crate) fn real_num_tx_queues(&self) -> u32 {
        // SAFETY: valid by the invariants.
        unsafe { bindings::netdev_real_num_tx_queues(self.as_ptr()) }
    }

    /// Its current hardware address. It may change at any time; a torn read is harmless.
    pub(crate) fn address(&self) -> [u8; 6] {
        // SAFETY: valid by the invariants; an Ethernet or loopback device has 6 bytes of address
        // in a buffer of `MAX_ADDR_LEN`.
        unsafe {
            bindings::netdev_addr(self.as_ptr())
                .cast::<[u8; 6]>()
                .read()
        }
    }

    /// The local address of its first IPv4 address, if it has one.
    pub(crate) fn first_ipv4(&self) -> Option<[u8; 4]> {
        let _rcu = rcu::read_lock();
        // SAFETY: valid by the invariants; the RCU read lock covers the in_device and its list.
        let first = unsafe {
            let in_dev = NonNull::new(bindings::__in_dev_get_rcu(self.as_ptr()))?;
            NonNull::new(bindings::in_dev_ifa_list_rcu(in_dev.as_ptr()).cast_mut())?
        };
        // SAFETY: found above under the RCU read lock that is still held.
        let address = unsafe { bindings::ifa_local(first.as_ptr()) };
        // The kernel keeps it in network order; the bytes in memory are the address.
        Some(address.to_ne_bytes())
    }

    /// The link-local IPv6 address that it would send from, if it has one that is not tentative.
    pub(crate) fn link_local_ipv6(&self) -> Option<[u8; 16]> {
        /// A link-local destination has sources of the device itself preferred (RFC 6724).
        const NEIGHBOUR: [u8; 16] = [0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];

        // An `in6_addr` is aligned for 32-bit words.
        #[repr(align(4))]
        struct In6Addr([u8; 16]);

        let peer = In6Addr(NEIGHBOUR);
        let mut own = In6Addr([0; 16]);
        // SAFETY: valid by the invariants; the addresses are of the size and alignment of an
        // `in6_addr`, any bytes are one, and they outlive the call.
        let found = kernel::error::to_result(unsafe {
            bindings::ipv6_dev_get_saddr(
                bindings::dev_net(self.as_ptr()),
                self.as_ptr(),
                core::ptr::from_ref(&peer).cast(),
                core::ptr::from_mut(&mut own).cast(),
            )
        });
        // Other addresses are offered where there is no link-local one.
        let [first, second, ..] = own.0;
        let link_local = first == 0xfe && second & 0xc0 == 0x80;
        found.ok().filter(|()| link_local).map(|()| own.0)
    }

    /// Bytes to leave free before the network header for this device and those below it.
    #[inline]
    pub(crate) fn ll_reserved_space(&self) -> usize {
        // SAFETY: valid by the invariants.
        // CAST: a few hundred at most.
        unsafe { bindings::ll_reserved_space(self.as_ptr()) as usize }
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        // SAFETY: gives back the reference that the invariants speak of.
        unsafe { bindings::dev_put(self.as_ptr()) };
    }
}

/// A device that someone else keeps alive, as in a notifier.
///
/// # Invariants
///
/// A valid `struct net_device` for as long as the reference lives.
#[repr(transparent)]
pub(crate) struct DeviceRef(Opaque<bindings::net_device>);

impl DeviceRef {
    /// Makes a reference of a raw pointer.
    ///
    /// # Safety
    ///
    /// `ptr` is valid for `'a`, with the RTNL lock held throughout.
    pub(super) unsafe fn from_raw<'a>(ptr: *mut bindings::net_device) -> &'a Self {
        // SAFETY: as this function requires.
        // CAST: `DeviceRef` is transparent over the C structure.
        unsafe { &*ptr.cast() }
    }

    /// What `T` keeps in the device's namespace, if it is registered and set up there.
    ///
    /// A device is in a namespace only between `T`'s set-up and its exit there, and RTNL, which
    /// a `DeviceRef` stands for, keeps it from leaving.
    pub(crate) fn pernet<T: PerNet>(&self) -> Option<ArcBorrow<'_, T>> {
        // SAFETY: the pernet operations of a listener's module are registered before its
        // notifier and unregistered after it, so the id is assigned.
        let slot = unsafe { bindings::net_generic(self.net().as_ptr(), T::id().get()) };
        // SAFETY: pernet data of the size of `Slot`, zeroed when the namespace was made.
        let object = unsafe { slot.cast::<Slot>().read_volatile() };
        if object.is_null() {
            return None;
        }
        // SAFETY: stored by `PerNet::init`, and not taken by its exit as said above.
        Some(unsafe { Arc::<T>::borrow(object) })
    }

    /// The namespace it is in.
    fn net(&self) -> &Net {
        // SAFETY: a registered device's namespace outlives it, and RTNL keeps it from moving.
        unsafe { Net::from_raw(bindings::dev_net(self.0.get())) }
    }

    /// Whether it goes for good, not into another namespace.
    pub(crate) fn is_unregistering(&self) -> bool {
        // SAFETY: valid by the invariants.
        unsafe { bindings::netdev_unregistering(self.0.get()) }
    }

    /// Its current name.
    pub(crate) fn name(&self) -> &CStr {
        // SAFETY: valid by the invariants; a NUL-terminated array that changes under RTNL only.
        unsafe { CStr::from_char_ptr(bindings::netdev_name(self.0.get())) }
    }
}
