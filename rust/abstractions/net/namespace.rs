// SPDX-License-Identifier: GPL-2.0

//! Network namespaces and what a module keeps in each.
//!
//! C header: [`include/net/net_namespace.h`](srctree/include/net/net_namespace.h)

use super::bindings;
use core::{cell::UnsafeCell, marker::PhantomData};
use kernel::{
    error::{from_result, to_result},
    prelude::*,
    sync::Arc,
    types::{ForeignOwnable, Opaque},
};

/// A network namespace.
///
/// # Invariants
///
/// A valid `struct net` for as long as the reference lives.
#[repr(transparent)]
pub(crate) struct Net(Opaque<bindings::net>);

// SAFETY: the fields used here are fixed, or behind the kernel's own locks.
unsafe impl Sync for Net {}

impl Net {
    /// Makes a reference of a raw pointer.
    ///
    /// # Safety
    ///
    /// The namespace is alive for `'a`.
    pub(super) unsafe fn from_raw<'a>(ptr: *mut bindings::net) -> &'a Self {
        // SAFETY: as this function requires.
        // CAST: `Net` is transparent over the C structure.
        unsafe { &*ptr.cast() }
    }

    /// The one that the machine starts with.
    #[cfg(RPKTGEN_KUNIT)]
    pub(crate) fn initial() -> &'static Self {
        // SAFETY: it exists as long as the kernel runs.
        unsafe { Self::from_raw(core::ptr::addr_of_mut!(bindings::init_net)) }
    }

    /// The raw pointer, for the other abstractions.
    pub(crate) fn as_ptr(&self) -> *mut bindings::net {
        self.0.get()
    }

    /// Takes a reference, unless it is about to go: with one, it does not.
    pub(in crate::abstractions) fn hold(&self) -> bool {
        // SAFETY: valid by the invariants.
        unsafe { bindings::maybe_get_net(self.as_ptr()) }
    }

    /// Gives a reference back.
    ///
    /// # Safety
    ///
    /// The caller has one, from [`Net::hold`].
    pub(in crate::abstractions) unsafe fn release(&self) {
        // SAFETY: as this function requires.
        unsafe { bindings::put_net(self.as_ptr()) };
    }

    /// Its `/proc/net` directory.
    pub(in crate::abstractions) fn proc_net(&self) -> *mut bindings::proc_dir_entry {
        // SAFETY: valid by the invariants.
        unsafe { bindings::net_proc_net(self.as_ptr()) }
    }
}

/// What the module keeps in the pernet data: the pointer of an `Arc`, or null.
pub(super) type Slot = *mut c_void;

/// The place where the kernel puts the index of a module's pernet data. A static.
#[repr(transparent)]
pub(crate) struct PerNetId(UnsafeCell<c_uint>);

// SAFETY: written by the registration only, before any callback or reader runs.
unsafe impl Sync for PerNetId {}

impl PerNetId {
    /// An id that is not assigned yet.
    pub(crate) const fn new() -> Self {
        Self(UnsafeCell::new(0))
    }

    pub(super) fn get(&self) -> c_uint {
        // SAFETY: see `Sync`.
        unsafe { *self.0.get() }
    }
}

/// An object that exists once in every network namespace.
pub(crate) trait PerNet: Send + Sync + 'static {
    /// Where the kernel keeps the index: the module's static for it, always the same.
    fn id() -> &'static PerNetId;

    /// Makes the object of a namespace, existing or new. An error makes the creation of the
    /// namespace, or the registration, fail. May sleep.
    fn init(net: &'static Net) -> Result<Arc<Self>>;

    /// The namespace goes, or the module does. May sleep. Must end all use of the namespace:
    /// the `'static` reference that `init` got is not valid after this.
    fn exit(this: Arc<Self>);
}

/// While this lives, every network namespace has a `T`.
///
/// # Invariants
///
/// The operations are registered, at a fixed address.
pub(crate) struct Registration<T: PerNet> {
    operations: Pin<KBox<Opaque<bindings::pernet_operations>>>,
    _object: PhantomData<T>,
}

// SAFETY: (un)registration may happen in any task.
unsafe impl<T: PerNet> Send for Registration<T> {}
// SAFETY: no method takes `&self`.
unsafe impl<T: PerNet> Sync for Registration<T> {}

impl<T: PerNet> Registration<T> {
    /// Registers `T` and makes its objects in all namespaces. May sleep.
    ///
    /// # Errors
    ///
    /// That of the first [`PerNet::init`] that failed; the others are undone.
    pub(crate) fn new() -> Result<Self> {
        let operations = bindings::pernet_operations {
            init: Some(init::<T>),
            exit: Some(exit::<T>),
            id: T::id().0.get(),
            size: size_of::<Slot>(),
            ..Default::default()
        };
        let operations = KBox::pin(Opaque::new(operations), GFP_KERNEL)?;
        // SAFETY: the operations stay where they are until `Drop` has unregistered them.
        to_result(unsafe { bindings::register_pernet_subsys(operations.get()) })?;
        // INVARIANT: just registered.
        Ok(Self {
            operations,
            _object: PhantomData,
        })
    }
}

impl<T: PerNet> Drop for Registration<T> {
    fn drop(&mut self) {
        // SAFETY: registered by the invariants.
        unsafe { bindings::unregister_pernet_subsys(self.operations.get()) };
    }
}

/// # Safety
///
/// Called by the kernel for a namespace that has no object yet.
unsafe extern "C" fn init<T: PerNet>(net: *mut bindings::net) -> c_int {
    from_result(|| {
        // SAFETY: the kernel keeps the namespace until `exit` has returned, and `PerNet::exit`
        // is bound to end all use of this reference.
        let object = T::init(unsafe { Net::from_raw(net) })?;
        // SAFETY: the kernel has assigned the id and allocated the data before this call.
        let slot = unsafe { bindings::net_generic(net, T::id().get()) };
        // SAFETY: the data are of the size and alignment of a pointer, and nobody reads them
        // beside this (see `DeviceRef::pernet`).
        unsafe { slot.cast::<Slot>().write_volatile(object.into_foreign()) };
        Ok(0)
    })
}

/// # Safety
///
/// Called by the kernel once for each namespace whose `init` succeeded.
unsafe extern "C" fn exit<T: PerNet>(net: *mut bindings::net) {
    // SAFETY: the data are there until after this call.
    let slot = unsafe { bindings::net_generic(net, T::id().get()) }.cast::<Slot>();
    // SAFETY: as in `init`.
    let object = unsafe { slot.replace(core::ptr::null_mut()) };
    if !object.is_null() {
        // SAFETY: `init` stored it, and it is taken once.
        T::exit(unsafe { Arc::<T>::from_foreign(object) });
    }
}
