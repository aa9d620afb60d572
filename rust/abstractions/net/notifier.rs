// SPDX-License-Identifier: GPL-2.0

//! Events of network devices.
//!
//! C header: [`include/linux/netdevice.h`](srctree/include/linux/netdevice.h)

use super::{bindings, device::DeviceRef};
use core::marker::PhantomData;
use kernel::{error::to_result, prelude::*, types::Opaque};

/// What happened to a device.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    /// It went up or down, or its carrier may have changed.
    Link,
    /// It has a new name.
    Rename,
    /// It leaves its namespace, for another one or for good; references must be given back.
    Unregister,
}

/// Who wants to know.
pub(crate) trait Listener: 'static {
    /// Called with the RTNL lock held, in process context. May sleep, but everyone waits.
    fn notify(event: Event, device: &DeviceRef);
}

/// While this lives, `L` hears of the devices of all namespaces.
///
/// # Invariants
///
/// The block is registered, at a fixed address.
pub(crate) struct Registration<L: Listener> {
    block: Pin<KBox<Opaque<bindings::notifier_block>>>,
    _listener: PhantomData<L>,
}

// SAFETY: (un)registration may happen in any task.
unsafe impl<L: Listener> Send for Registration<L> {}
// SAFETY: no method takes `&self`.
unsafe impl<L: Listener> Sync for Registration<L> {}

impl<L: Listener> Registration<L> {
    /// Starts listening. Takes RTNL; may sleep.
    pub(crate) fn new() -> Result<Self> {
        let block = bindings::notifier_block {
            notifier_call: Some(call::<L>),
            ..Default::default()
        };
        let block = KBox::pin(Opaque::new(block), GFP_KERNEL)?;
        // SAFETY: the block stays where it is until `Drop` has unregistered it.
        to_result(unsafe { bindings::register_netdevice_notifier(block.get()) })?;
        // INVARIANT: just registered.
        Ok(Self {
            block,
            _listener: PhantomData,
        })
    }
}

impl<L: Listener> Drop for Registration<L> {
    /// Stops listening. The kernel replays [`Event::Unregister`] for every device first. Takes
    /// RTNL; may sleep.
    fn drop(&mut self) {
        // SAFETY: registered by the invariants. It fails only for a block that is not.
        unsafe { bindings::unregister_netdevice_notifier(self.block.get()) };
    }
}

/// # Safety
///
/// Called by the kernel with the information of a netdevice notifier.
unsafe extern "C" fn call<L: Listener>(
    _: *mut bindings::notifier_block,
    event: c_ulong,
    info: *mut c_void,
) -> c_int {
    let event = match u32::try_from(event) {
        Ok(
            bindings::netdev_cmd_NETDEV_UP
            | bindings::netdev_cmd_NETDEV_DOWN
            | bindings::netdev_cmd_NETDEV_CHANGE,
        ) => Event::Link,
        Ok(bindings::netdev_cmd_NETDEV_CHANGENAME) => Event::Rename,
        Ok(bindings::netdev_cmd_NETDEV_UNREGISTER) => Event::Unregister,
        _ => return NOTIFY_DONE,
    };
    // SAFETY: `info` is what netdevice notifiers get, and RTNL is held for this call.
    let device = unsafe { DeviceRef::from_raw(bindings::netdev_notifier_info_to_dev(info)) };
    L::notify(event, device);
    NOTIFY_DONE
}

/// "Don't care" in `include/linux/notifier.h`.
const NOTIFY_DONE: c_int = 0;
