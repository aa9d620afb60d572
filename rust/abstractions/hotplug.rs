// SPDX-License-Identifier: GPL-2.0

//! Being told of CPUs that come and go.
//!
//! ```text
//!   Registration<T>   the module's state among those that a CPU goes through, one for all
//!     Subscription<T> an object that is told; as many as there are
//! ```
//!
//! C header: [`include/linux/cpuhotplug.h`](srctree/include/linux/cpuhotplug.h)

use super::bindings;
use core::{cell::UnsafeCell, marker::PhantomData, ptr::NonNull};
use kernel::{
    error::to_result,
    ffi::{c_int, c_uint},
    prelude::*,
    sync::{Arc, ArcBorrow},
    types::Opaque,
};

/// Someone who is told. Both functions run in process context on the CPU in question, while the
/// hotplug lock is held for writing, and may sleep. The CPUs that are online already when the
/// subscription is made are not told of, nor those that pause while the machine is suspended.
pub(crate) trait Listener: Send + Sync + Sized + 'static {
    /// Where the number of the module's state is kept: the module's static, always the same.
    fn id() -> &'static Id;

    /// The CPU has come.
    fn online(this: ArcBorrow<'_, Self>, cpu: u32);

    /// The CPU is about to go. Threads bound to it must not be there afterwards; those that wanted
    /// to run since it was announced have been put on other CPUs already.
    fn offline(this: ArcBorrow<'_, Self>, cpu: u32);
}

/// The number of a module's state. A static.
#[repr(transparent)]
pub(crate) struct Id(UnsafeCell<c_int>);

// SAFETY: written by the registration only, before any subscription is made.
unsafe impl Sync for Id {}

impl Id {
    /// One that is not assigned yet.
    pub(crate) const fn new() -> Self {
        Self(UnsafeCell::new(0))
    }

    fn get(&self) -> bindings::cpuhp_state {
        // SAFETY: see `Sync`.
        // CAST: the C enumeration's own type; the number is one that C gave.
        unsafe { *self.0.get() as bindings::cpuhp_state }
    }
}

/// While this lives, subscriptions can be made.
///
/// # Invariants
///
/// The state `T::id()` is set up.
pub(crate) struct Registration<T: Listener>(PhantomData<T>);

// SAFETY: nothing but the right to remove the state, which any task may do.
unsafe impl<T: Listener> Send for Registration<T> {}
// SAFETY: as above.
unsafe impl<T: Listener> Sync for Registration<T> {}

impl<T: Listener> Registration<T> {
    /// Sets the state up; `name` is shown in sysfs. May sleep. Once at a time for each `T`.
    ///
    /// # Errors
    ///
    /// `ENOSPC`: the kernel has no state left.
    pub(crate) fn new(name: &'static CStr) -> Result<Self> {
        type Callback = unsafe extern "C" fn(c_uint) -> c_int;
        type Told = unsafe extern "C" fn(c_uint, *mut bindings::hlist_node) -> c_int;

        let [online, offline] = [online::<T> as Told, offline::<T> as Told].map(|told| {
            // SAFETY: for a state with instances, the kernel calls both with an instance's node
            // as well; the C type of the parameter is that of one without.
            unsafe { core::mem::transmute::<Told, Callback>(told) }
        });
        // SAFETY: the functions are as said above, the name is static.
        let state = unsafe {
            bindings::__cpuhp_setup_state(
                bindings::cpuhp_state_CPUHP_AP_ONLINE_DYN,
                name.as_char_ptr(),
                false,
                Some(online),
                Some(offline),
                true,
            )
        };
        // A dynamic state's number is positive.
        to_result(state)?;
        // SAFETY: nobody reads it yet, as nothing was registered.
        unsafe { *T::id().0.get() = state };
        // INVARIANT: set up just now.
        Ok(Self(PhantomData))
    }
}

impl<T: Listener> Drop for Registration<T> {
    fn drop(&mut self) {
        // SAFETY: set up by the invariants. No instance is in its list any more: subscriptions are
        // made and dropped by the namespaces' set-up and exit, and the module, which has all of
        // that unregistered before it drops this, is the only one to have both.
        unsafe { bindings::__cpuhp_remove_state(T::id().get(), false) };
    }
}

/// What the kernel's list links.
#[repr(C)]
struct Instance<T> {
    /// First, so that a pointer to it is one to the whole.
    node: Opaque<bindings::hlist_node>,
    target: Arc<T>,
}

/// While this lives, `T` is told.
///
/// # Invariants
///
/// The instance is in the kernel's list, and came from a `KBox`.
pub(crate) struct Subscription<T: Listener>(NonNull<Instance<T>>);

// SAFETY: a subscription may be ended in any task, and `T` is `Send + Sync`.
unsafe impl<T: Listener> Send for Subscription<T> {}
// SAFETY: no method takes `&self`.
unsafe impl<T: Listener> Sync for Subscription<T> {}

impl<T: Listener> Subscription<T> {
    /// Has `target` told from now on. Takes the hotplug lock for reading; may sleep.
    ///
    /// # Errors
    ///
    /// `ENOMEM`.
    pub(crate) fn new(target: Arc<T>) -> Result<Self> {
        let instance = KBox::new(
            Instance {
                node: Opaque::zeroed(),
                target,
            },
            GFP_KERNEL,
        )?;
        let instance = KBox::into_raw(instance);
        // SAFETY: the instance stays where it is until it has been taken out of the list.
        let added = to_result(unsafe {
            bindings::__cpuhp_state_add_instance(T::id().get(), instance.cast(), false)
        });
        match (added, NonNull::new(instance)) {
            // INVARIANT: added just now.
            (Ok(()), Some(instance)) => Ok(Self(instance)),
            (added, _) => {
                // SAFETY: from `into_raw` above, and not in the list.
                drop(unsafe { KBox::from_raw(instance) });
                Err(added.err().unwrap_or(ENOMEM))
            }
        }
    }
}

impl<T: Listener> Drop for Subscription<T> {
    /// Nothing is told any more on return. Takes the hotplug lock for reading.
    fn drop(&mut self) {
        // SAFETY: in the list by the invariants; afterwards it is ours alone.
        unsafe {
            bindings::__cpuhp_state_remove_instance(T::id().get(), self.0.as_ptr().cast(), false);
            drop(KBox::from_raw(self.0.as_ptr()));
        }
    }
}

/// Calls a listener's function, unless the CPU only pauses.
///
/// # Safety
///
/// `node` is that of an `Instance<T>` in the kernel's list, which stays there for the call.
unsafe fn tell<T: Listener>(
    cpu: c_uint,
    node: *mut bindings::hlist_node,
    told: fn(ArcBorrow<'_, T>, u32),
) -> c_int {
    // Tasks that are frozen can neither answer nor run, and the CPU is to be back before they go
    // on.
    // SAFETY: written with the hotplug lock held, which is held now.
    if unsafe { bindings::cpuhp_tasks_frozen() } {
        return 0;
    }
    // SAFETY: the node is the first field, and the instance is there as this function requires.
    let instance = unsafe { &*node.cast::<Instance<T>>() };
    told(instance.target.as_arc_borrow(), cpu);
    0
}

/// # Safety
///
/// Called by the kernel as [`tell`] requires.
unsafe extern "C" fn online<T: Listener>(cpu: c_uint, node: *mut bindings::hlist_node) -> c_int {
    // SAFETY: as this function requires.
    unsafe { tell::<T>(cpu, node, T::online) }
}

/// # Safety
///
/// Called by the kernel as [`tell`] requires.
unsafe extern "C" fn offline<T: Listener>(cpu: c_uint, node: *mut bindings::hlist_node) -> c_int {
    // SAFETY: as this function requires.
    unsafe { tell::<T>(cpu, node, T::offline) }
}
