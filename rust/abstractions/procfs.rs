// SPDX-License-Identifier: GPL-2.0

//! Directories and files below a network namespace's `/proc/net`.
//!
//! A file shows one text and takes writes. Removing an entry, by dropping its [`File`], makes
//! descriptors that are still open fail with `EIO` and waits for reads and writes under way, so
//! a handler never outlives the object it serves. For the same reason a [`File`] must not be
//! dropped while holding a lock that its handler takes.
//!
//! C headers: [`include/linux/proc_fs.h`](srctree/include/linux/proc_fs.h),
//! [`include/linux/seq_file.h`](srctree/include/linux/seq_file.h)

use super::{bindings, net::Net};
use core::{fmt, marker::PhantomData, ptr::NonNull};
use kernel::{
    error::{from_result, to_result},
    prelude::*,
    sync::{Arc, ArcBorrow},
    types::ForeignOwnable,
    uaccess::{UserPtr, UserSlice, UserSliceReader},
};

/// Whether `path` names something for the current task, who sees its own namespaces' `/proc`.
///
/// May sleep. The kernel logs a warning with a backtrace when an entry is created twice, so
/// those who take a name from a user ask first.
pub(crate) fn exists(path: &CStr) -> bool {
    let mut found = bindings::path::default();
    // SAFETY: `path` is NUL-terminated and `found` a valid place for the result.
    let result = to_result(unsafe { bindings::kern_path(path.as_char_ptr(), 0, &mut found) });
    if result.is_ok() {
        // SAFETY: `kern_path` succeeded, so `found` holds references for us to give back.
        unsafe { bindings::path_put(&found) };
    }
    result.is_ok()
}

/// A directory of ours.
///
/// # Invariants
///
/// The pointer is an entry that we created and that is removed by nobody else.
pub(crate) struct Dir(NonNull<bindings::proc_dir_entry>);

// SAFETY: procfs does its own locking.
unsafe impl Send for Dir {}
// SAFETY: as above.
unsafe impl Sync for Dir {}

impl Dir {
    /// Creates `/proc/net/<name>` in `net`. May sleep.
    ///
    /// # Errors
    ///
    /// `ENODEV` if the kernel refuses, which it does when the name is taken.
    pub(crate) fn new(net: &Net, name: &CStr) -> Result<Self> {
        // SAFETY: `net` is alive, and so is its proc directory for as long as pernet callbacks
        // run for it, the only ones that have a `Net`.
        let entry = unsafe { bindings::proc_mkdir(name.as_char_ptr(), net.proc_net()) };
        // INVARIANT: just created.
        Ok(Self(NonNull::new(entry).ok_or(ENODEV)?))
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        // SAFETY: by the invariants the entry is ours to remove. Each `File` in it holds an
        // `Arc<Dir>`, so none is left.
        unsafe { bindings::proc_remove(self.0.as_ptr()) };
    }
}

/// What a file does when it is read and written.
pub(crate) trait Handler: Send + Sync + 'static {
    /// The namespace that the file is in, kept from going while the file is open: the removal of
    /// a file waits for its readers, and one who reads into memory that never comes would hold up
    /// the end of all namespaces.
    fn net(this: ArcBorrow<'_, Self>) -> &'static Net;

    /// Writes the whole text to `out`. Process context, may sleep; may be called again with a
    /// larger buffer for one read.
    fn show(this: ArcBorrow<'_, Self>, out: &mut Output<'_>) -> Result;

    /// Takes one `write(2)`. Process context, may sleep. On success the caller gets the full
    /// byte count, however much of it was read.
    fn write(this: ArcBorrow<'_, Self>, input: UserSliceReader) -> Result;
}

/// A file of ours, readable and writable by its owner (mode 0600).
///
/// # Invariants
///
/// `entry` was created by us with `data`, which came from `Arc::<T>::into_foreign`.
pub(crate) struct File<T: Handler> {
    entry: NonNull<bindings::proc_dir_entry>,
    data: *mut c_void,
    _dir: Arc<Dir>,
    _handler: PhantomData<Arc<T>>,
}

// SAFETY: procfs does its own locking, and `T` is `Send + Sync`.
unsafe impl<T: Handler> Send for File<T> {}
// SAFETY: as above.
unsafe impl<T: Handler> Sync for File<T> {}

impl<T: Handler> File<T> {
    /// Creates the file `name` in `dir`. May sleep.
    ///
    /// The name must be free, must not be empty and must hold no `/`: the kernel logs a warning
    /// otherwise.
    ///
    /// # Errors
    ///
    /// `EINVAL` if the kernel refuses.
    pub(crate) fn new(dir: &Arc<Dir>, name: &CStr, handler: Arc<T>) -> Result<Self> {
        let data = handler.into_foreign();
        // SAFETY: `dir` is alive, the name NUL-terminated, the operations static, and `data`
        // valid until the entry is removed by `Drop`.
        let entry = unsafe {
            bindings::proc_create_data(
                name.as_char_ptr(),
                0o600,
                dir.0.as_ptr(),
                Operations::<T>::TABLE,
                data,
            )
        };
        let Some(entry) = NonNull::new(entry) else {
            // SAFETY: `data` came from `into_foreign` above and no entry holds it.
            drop(unsafe { Arc::<T>::from_foreign(data) });
            return Err(EINVAL);
        };
        // INVARIANT: created above with `data`.
        Ok(Self {
            entry,
            data,
            _dir: dir.clone(),
            _handler: PhantomData,
        })
    }
}

impl<T: Handler> Drop for File<T> {
    /// Removes the file and waits for handlers under way. May sleep.
    fn drop(&mut self) {
        // SAFETY: by the invariants the entry is ours to remove.
        unsafe { bindings::proc_remove(self.entry.as_ptr()) };
        // SAFETY: by the invariants `data` came from `into_foreign`; with the entry gone no
        // handler borrows it any more.
        drop(unsafe { Arc::<T>::from_foreign(self.data) });
    }
}

/// The C side of a [`Handler`].
struct Operations<T>(PhantomData<T>);

impl<T: Handler> Operations<T> {
    const TABLE: &'static bindings::proc_ops = &bindings::proc_ops {
        proc_open: Some(Self::open),
        proc_read: Some(bindings::seq_read),
        proc_write: Some(Self::write),
        proc_lseek: Some(bindings::seq_lseek),
        proc_release: Some(Self::release),
        // SAFETY: the other members may be zero: no flags and absent operations.
        ..unsafe { core::mem::zeroed() }
    };

    /// # Safety
    ///
    /// Called by procfs, with the inode of an entry that was created with [`Self::TABLE`].
    unsafe extern "C" fn open(inode: *mut bindings::inode, file: *mut bindings::file) -> c_int {
        from_result(|| {
            // SAFETY: procfs gives a valid inode of one of our entries.
            let data = unsafe { bindings::inode_pde_data(inode) };
            // SAFETY: the data came from `into_foreign` and are valid while procfs has this call
            // under way.
            let net = T::net(unsafe { Arc::<T>::borrow(data) });
            if !net.hold() {
                return Err(ENXIO);
            }
            // SAFETY: a file being opened; the private data of the seq_file are the entry's.
            to_result(unsafe { bindings::single_open(file, Some(Self::show), data) })
                // SAFETY: taken above, and nobody else gives it back as the file is not open.
                .inspect_err(|_| unsafe { net.release() })?;
            Ok(0)
        })
    }

    /// # Safety
    ///
    /// Called by procfs once for a file that [`Self::open`] opened, before the entry is gone.
    unsafe extern "C" fn release(inode: *mut bindings::inode, file: *mut bindings::file) -> c_int {
        // SAFETY: as in `open`: an entry's removal releases the files that are still open.
        let net = T::net(unsafe { Arc::<T>::borrow(bindings::inode_pde_data(inode)) });
        // SAFETY: the file was opened by `open`, which took the reference.
        unsafe {
            let result = bindings::single_release(inode, file);
            net.release();
            result
        }
    }

    /// # Safety
    ///
    /// Called by seq_file for a file that [`Self::open`] opened.
    unsafe extern "C" fn show(seq: *mut bindings::seq_file, _: *mut c_void) -> c_int {
        from_result(|| {
            let seq = NonNull::new(seq).ok_or(EINVAL)?;
            // SAFETY: `open` stored the entry's data, which came from `into_foreign` and is
            // valid while procfs has this call under way.
            let handler = unsafe { Arc::<T>::borrow((*seq.as_ptr()).private) };
            // INVARIANT: seq_file calls this with its buffer ready, for this call.
            T::show(handler, &mut Output(seq, PhantomData))?;
            Ok(0)
        })
    }

    /// # Safety
    ///
    /// Called by procfs for a file that [`Self::open`] opened.
    unsafe extern "C" fn write(
        file: *mut bindings::file,
        buffer: *const c_char,
        count: usize,
        _: *mut bindings::loff_t,
    ) -> isize {
        from_result(|| {
            // SAFETY: procfs gives the file of one of our entries; its data came from
            // `into_foreign` and are valid while procfs has this call under way.
            let handler = unsafe { Arc::<T>::borrow(bindings::file_pde_data(file)) };
            let user = UserSlice::new(UserPtr::from_ptr(buffer.cast_mut().cast()), count);
            T::write(handler, user.reader())?;
            Ok(isize::try_from(count).unwrap_or(isize::MAX))
        })
    }
}

/// The text of a file being read.
///
/// # Invariants
///
/// The pointer is a seq_file whose `show` operation is under way in this task.
pub(crate) struct Output<'a>(NonNull<bindings::seq_file>, PhantomData<&'a mut ()>);

impl Output<'_> {
    /// Appends bytes as they are. When the buffer is full they are dropped and the kernel calls
    /// the handler again with a larger one.
    pub(crate) fn append(&mut self, bytes: &[u8]) {
        // SAFETY: by the invariants the seq_file is ours for this call; the bytes are readable
        // for their length.
        unsafe { bindings::seq_write(self.0.as_ptr(), bytes.as_ptr().cast(), bytes.len()) };
    }
}

impl fmt::Write for Output<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.append(text.as_bytes());
        Ok(())
    }
}
