// SPDX-License-Identifier: GPL-2.0

//! Requests to a worker, and the proof that it has served them.
//!
//! ```text
//!   poster                                   worker, between two sends
//!   post(request)                            is_pending()        one flag, read in the loop
//!     slots.wanted |= request                take() -> Batch     all that is wanted by now
//!     pending := true, wake the worker         ... serves it ...
//!   flush()                                  served(batch)       wakes those who wait
//! ```
//!
//! Requests merge, none is lost: a batch holds what every poster before it asked for, and
//! [`Mailbox::flush`] returns when a batch taken after the last post has been served. A `stop` cancels a `start`
//! posted before it and not yet taken, so that the last word holds.

use kernel::{
    new_condvar, new_mutex,
    prelude::*,
    sync::{
        aref::ARef,
        atomic::{Atomic, Relaxed},
        CondVar, Mutex,
    },
    task::Task,
    time::Jiffies,
};

/// What a worker may be asked for.
#[derive(Clone, Copy)]
pub(crate) enum Request {
    /// Begin a run of each of its devices, anew where one is under way.
    Start,
    /// End all runs.
    Stop,
    /// Drop the runs of devices that are no longer among its own.
    Prune,
    /// End all runs, as the CPU goes.
    Retire,
    /// Exchange configuration and counters with the shared side of its devices.
    Sync,
}

/// What is wanted of a worker at one time.
#[derive(Clone, Copy, Default)]
pub(crate) struct Batch {
    pub(crate) start: bool,
    pub(crate) stop: bool,
    pub(crate) prune: bool,
    pub(crate) retire: bool,
    pub(crate) sync: bool,
    upto: u64,
}

/// A worker's letter box.
#[pin_data]
pub(crate) struct Mailbox {
    pending: Atomic<bool>,
    #[pin]
    slots: Mutex<Slots>,
    #[pin]
    served: CondVar,
}

struct Slots {
    wanted: Batch,
    posted: u64,
    served: u64,
    /// Whom to wake; none before the worker has started and after it has ended.
    task: Option<ARef<Task>>,
    closed: bool,
}

impl Mailbox {
    /// An empty one, closed.
    pub(crate) fn new() -> impl PinInit<Self> {
        pin_init!(Self {
            pending: Atomic::new(false),
            slots <- new_mutex!(Slots::closed(), "Mailbox::slots"),
            served <- new_condvar!("Mailbox::served"),
        })
    }

    /// Asks the worker for something. Process context, may sleep for the lock.
    pub(crate) fn post(&self, request: Request) {
        let mut slots = self.slots.lock();
        if slots.closed {
            return;
        }
        match request {
            Request::Start => slots.wanted.start = true,
            Request::Stop => {
                slots.wanted.stop = true;
                slots.wanted.start = false;
            }
            Request::Prune => slots.wanted.prune = true,
            Request::Retire => slots.wanted.retire = true,
            Request::Sync => slots.wanted.sync = true,
        }
        slots.posted = slots.posted.wrapping_add(1);
        self.pending.store(true, Relaxed);
        if let Some(task) = &slots.task {
            task.wake_up();
        }
    }

    /// Waits until all that was posted before is served. Not interruptible: the worker answers
    /// between two sends.
    pub(crate) fn flush(&self) {
        let mut slots = self.slots.lock();
        let wanted = slots.posted;
        while !slots.has_served(wanted) {
            self.served.wait(&mut slots);
        }
    }

    /// As [`Mailbox::flush`], but for `jiffies` at most, or until a signal comes. Returns what is
    /// left of them.
    pub(crate) fn flush_for(&self, jiffies: Jiffies) -> Jiffies {
        use kernel::sync::CondVarTimeoutResult::{Signal, Timeout, Woken};

        let mut left = jiffies;
        let mut slots = self.slots.lock();
        let wanted = slots.posted;
        while !slots.has_served(wanted) {
            match self.served.wait_interruptible_timeout(&mut slots, left) {
                Woken { jiffies } => left = jiffies,
                Timeout | Signal { .. } => return 0,
            }
        }
        left
    }

    /// Takes requests from now on: a worker's thread is about to be made.
    pub(crate) fn open(&self) {
        self.slots.lock().closed = false;
    }

    /// Worker's side: names the task to wake.
    pub(crate) fn attend(&self, task: ARef<Task>) {
        self.slots.lock().task = Some(task);
    }

    /// Worker's side: whether there is something to take. Cheap; for the transmit loop.
    #[inline]
    pub(crate) fn is_pending(&self) -> bool {
        self.pending.load(Relaxed)
    }

    /// Worker's side: all that is wanted by now.
    pub(crate) fn take(&self) -> Batch {
        let mut slots = self.slots.lock();
        // The lock orders this with the store in `post`.
        self.pending.store(false, Relaxed);
        let mut batch = core::mem::take(&mut slots.wanted);
        batch.upto = slots.posted;
        batch
    }

    /// Worker's side: a batch is served.
    pub(crate) fn served(&self, batch: Batch) {
        self.slots.lock().served = batch.upto;
        self.served.notify_all();
    }

    /// There is no thread any more. All that was and will be posted counts as served.
    pub(crate) fn close(&self) {
        let mut slots = self.slots.lock();
        slots.closed = true;
        slots.wanted = Batch::default();
        slots.served = slots.posted;
        slots.task = None;
        self.pending.store(false, Relaxed);
        self.served.notify_all();
    }
}

impl Slots {
    fn closed() -> Self {
        Self {
            wanted: Batch::default(),
            posted: 0,
            served: 0,
            task: None,
            closed: true,
        }
    }

    fn has_served(&self, post: u64) -> bool {
        self.closed || self.served >= post
    }
}

#[cfg(RPKTGEN_KUNIT)]
#[kunit_tests(rpktgen_mailbox)]
mod tests {
    use super::*;
    use kernel::sync::Arc;

    fn mailbox() -> Result<Arc<Mailbox>> {
        let mailbox = Arc::pin_init(Mailbox::new(), GFP_KERNEL)?;
        mailbox.open();
        Ok(mailbox)
    }

    #[test]
    fn requests_merge_and_none_is_lost() -> Result {
        let mailbox = mailbox()?;
        assert!(!mailbox.is_pending());
        mailbox.post(Request::Sync);
        mailbox.post(Request::Prune);
        mailbox.post(Request::Start);
        assert!(mailbox.is_pending());
        let batch = mailbox.take();
        assert!(batch.sync && batch.prune && batch.start && !batch.stop);
        assert!(!mailbox.is_pending());
        mailbox.served(batch);
        // Would wait for ever if something were left.
        mailbox.flush();
        Ok(())
    }

    #[test]
    fn the_last_word_holds() -> Result {
        let mailbox = mailbox()?;
        mailbox.post(Request::Start);
        mailbox.post(Request::Stop);
        let batch = mailbox.take();
        assert!(batch.stop && !batch.start);
        mailbox.post(Request::Stop);
        mailbox.post(Request::Start);
        let batch = mailbox.take();
        assert!(batch.stop && batch.start);
        Ok(())
    }

    #[test]
    fn what_comes_behind_a_batch_waits_for_the_next() -> Result {
        let mailbox = mailbox()?;
        mailbox.post(Request::Stop);
        let batch = mailbox.take();
        mailbox.post(Request::Sync);
        mailbox.served(batch);
        assert!(mailbox.is_pending());
        assert!(!mailbox.slots.lock().has_served(2));
        assert!(mailbox.slots.lock().has_served(1));
        Ok(())
    }

    #[test]
    fn a_closed_one_keeps_nobody_waiting() -> Result {
        let mailbox = mailbox()?;
        mailbox.post(Request::Start);
        mailbox.close();
        mailbox.flush();
        mailbox.post(Request::Sync);
        mailbox.flush();
        // Nothing of that is left when it opens again.
        mailbox.open();
        assert!(!mailbox.is_pending());
        let batch = mailbox.take();
        assert!(!batch.start && !batch.sync);
        Ok(())
    }
}
