// SPDX-License-Identifier: GPL-2.0

//! Kernel threads bound to one CPU.
//!
//! A [`Thread`] is the right to a running kthread; dropping it asks the thread to end and waits
//! until it has. The thread's own side is a [`Body`] that gets a [`Context`], the proof that the
//! code runs in that kthread, to sleep and to be told to stop.
//!
//! C headers: [`include/linux/kthread.h`](srctree/include/linux/kthread.h),
//! [`include/linux/freezer.h`](srctree/include/linux/freezer.h)

use super::bindings;
use core::ptr::NonNull;
use kernel::{
    error::from_err_ptr,
    prelude::*,
    sync::{Arc, ArcBorrow},
    types::{ForeignOwnable, NotThreadSafe},
};

/// What a kthread does.
pub(crate) trait Body: Send + Sync + 'static {
    /// Runs in the new thread, in process context, until [`Context::should_stop`] says so. Not
    /// called at all if the [`Thread`] is dropped before the new thread got the CPU.
    fn run(this: ArcBorrow<'_, Self>, context: &Context);
}

/// A kthread that was started and not yet stopped.
///
/// # Invariants
///
/// `task` is a task created by [`Thread::spawn`] with a reference of ours on it. `body` came
/// from `Arc::<B>::into_foreign` and stays valid until the task has ended.
pub(crate) struct Thread<B: Body> {
    task: NonNull<bindings::task_struct>,
    body: *mut c_void,
    _body: core::marker::PhantomData<Arc<B>>,
}

// SAFETY: a task may be woken and stopped from any task, and `B` is `Send + Sync`.
unsafe impl<B: Body> Send for Thread<B> {}
// SAFETY: as above; what `&self` allows any task may do.
unsafe impl<B: Body> Sync for Thread<B> {}

impl<B: Body> Thread<B> {
    /// Starts a kthread bound to `cpu`. May sleep.
    ///
    /// `name` is its name, in which `%u` stands for the CPU.
    ///
    /// # Errors
    ///
    /// What `kthread_create_on_cpu` gives, `ENOMEM` or `EINTR`.
    pub(crate) fn spawn(body: Arc<B>, cpu: u32, name: &'static CStr) -> Result<Self> {
        let body = body.into_foreign();
        // SAFETY: `entry::<B>` takes the pointer that `into_foreign` gave. The name has static
        // lifetime and its only conversion is the CPU's.
        let task = from_err_ptr(unsafe {
            bindings::kthread_create_on_cpu(Some(entry::<B>), body, cpu, name.as_char_ptr())
        });
        let task = match task.and_then(|task| NonNull::new(task).ok_or(ENOMEM)) {
            Ok(task) => task,
            Err(error) => {
                // SAFETY: `body` came from `into_foreign` above and no thread was made of it.
                drop(unsafe { Arc::<B>::from_foreign(body) });
                return Err(error);
            }
        };
        // SAFETY: a kthread that was not woken yet cannot have ended, so `task` is valid.
        unsafe {
            bindings::get_task_struct(task.as_ptr());
            bindings::wake_up_process(task.as_ptr());
        }
        // INVARIANT: created above, with the reference just taken.
        Ok(Self {
            task,
            body,
            _body: core::marker::PhantomData,
        })
    }
}

impl<B: Body> Thread<B> {
    /// Binds the thread to `cpu` anew: while that CPU went, and then did not, the scheduler has put
    /// it on another one. Does nothing if it is there. May sleep.
    pub(crate) fn bind(&self, cpu: u32) {
        // SAFETY: the reference keeps the task valid, and a mask of one CPU is a constant. It fails
        // if that CPU is not there; the thread then stays where it is.
        unsafe {
            bindings::set_cpus_allowed_ptr(self.task.as_ptr(), bindings::cpumask_of(cpu));
        }
    }
}

impl<B: Body> Drop for Thread<B> {
    /// Stops the thread and waits for its end. May sleep.
    fn drop(&mut self) {
        // SAFETY: by the invariants the task is ours to stop, once, and the reference keeps it
        // valid even if it has returned already; the call gives that reference back.
        unsafe { bindings::kthread_stop_put(self.task.as_ptr()) };
        // SAFETY: by the invariants `body` came from `into_foreign`, and the thread that
        // borrowed it has ended.
        drop(unsafe { Arc::<B>::from_foreign(self.body) });
    }
}

/// The function each kthread starts in.
///
/// # Safety
///
/// `data` came from `Arc::<B>::into_foreign` and is valid until the thread has ended.
unsafe extern "C" fn entry<B: Body>(data: *mut c_void) -> c_int {
    // SAFETY: no requirement but that the caller is a kthread, which it is.
    unsafe { bindings::set_freezable() };
    // SAFETY: as this function requires; `Thread` gives it up only after this thread's end.
    let body = unsafe { Arc::<B>::borrow(data) };
    B::run(body, &Context(NotThreadSafe));
    0
}

/// Proof that the current task is a kthread of this module.
pub(crate) struct Context(NotThreadSafe);

impl Context {
    /// Whether the owner of the [`Thread`] waits for this thread to end.
    #[inline]
    pub(crate) fn should_stop(&self) -> bool {
        // SAFETY: the current task is a kthread.
        unsafe { bindings::kthread_should_stop() }
    }

    /// Whether another task waits for this CPU.
    #[inline]
    pub(crate) fn need_resched(&self) -> bool {
        // SAFETY: no requirement.
        unsafe { bindings::need_resched() }
    }

    /// Gives the CPU to whoever waits for it, and freezes here when the system suspends.
    pub(crate) fn yield_now(&self) {
        // SAFETY: process context, as a kthread's own code is; a lock that may not be held over
        // this would show with lock debugging, it breaks no memory.
        unsafe {
            bindings::schedule();
            bindings::try_to_freeze();
        }
    }

    /// Sleeps until someone wakes this task, unless `ready` says that there is work.
    ///
    /// `ready` must not sleep. Whoever makes it true must then wake the task: the order here (mark as sleeping,
    /// look, sleep) does not lose that wake-up. May return early.
    pub(crate) fn sleep_unless(&self, ready: impl Fn() -> bool) {
        self.prepare_to_sleep();
        if !ready() && !self.should_stop() {
            // SAFETY: process context, no lock held.
            unsafe { bindings::schedule() };
        }
        self.finish_sleep();
    }

    /// As [`Context::sleep_unless`], but not beyond `deadline_ns` of `CLOCK_MONOTONIC`.
    ///
    /// The timer is a high-resolution one where the machine has them.
    pub(crate) fn sleep_until(&self, deadline_ns: u64, ready: impl Fn() -> bool) {
        let mut expires =
            bindings::ktime_t::try_from(deadline_ns).unwrap_or(bindings::ktime_t::MAX);
        self.prepare_to_sleep();
        if !ready() && !self.should_stop() {
            // SAFETY: process context, no lock held; `expires` outlives the call.
            unsafe {
                bindings::schedule_hrtimeout_range(
                    &mut expires,
                    0,
                    bindings::hrtimer_mode_HRTIMER_MODE_ABS,
                )
            };
        }
        self.finish_sleep();
    }

    fn prepare_to_sleep(&self) {
        // SAFETY: sets the state of the current task, with a full barrier behind it.
        unsafe {
            bindings::set_current_state(
                bindings::RPKTGEN_CONST_TASK_INTERRUPTIBLE | bindings::RPKTGEN_CONST_TASK_FREEZABLE,
            )
        };
    }

    fn finish_sleep(&self) {
        // SAFETY: sets the state of the current task; process context for the freezer.
        unsafe {
            bindings::set_current_running();
            bindings::try_to_freeze();
        }
    }
}
