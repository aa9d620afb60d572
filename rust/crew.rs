// SPDX-License-Identifier: GPL-2.0

//! The workers of a namespace, one for each CPU that has been there, and their threads.
//!
//! ```text
//!                    first device, or start                  CPU goes: its runs are ended
//!   without thread ------------------------> with thread ---------------------------------+
//!        ^                                                                                 |
//!        +---------------------------------------------------------------------------------+
//! ```
//!
//! A namespace whose tree nobody uses has no threads. Without one there is nothing that could run,
//! so that all that is asked of the worker is done already: its mailbox is closed.

use crate::{
    abstractions::{cpu::HotplugGuard, kthread},
    mailbox::Request,
    take,
    worker::Worker,
};
use kernel::{new_mutex, prelude::*, sync::Arc, sync::Mutex, time::Jiffies};

/// Workers, in the order they came.
#[pin_data]
pub(crate) struct Crew {
    #[pin]
    members: Mutex<KVec<Member>>,
}

struct Member {
    worker: Arc<Worker>,
    thread: Option<kthread::Thread<Worker>>,
}

impl Member {
    /// Sees to it that there is a thread, and that it is where it belongs.
    ///
    /// # Errors
    ///
    /// `ENXIO` if the CPU is not there; those of making a thread.
    fn man(&mut self, hotplug: &HotplugGuard) -> Result {
        let cpu = self.worker.cpu();
        if !hotplug.online().any(|online| online == cpu) {
            // It may have stayed away while the machine was suspended.
            self.dismiss();
            return Err(ENXIO);
        }
        if let Some(thread) = &self.thread {
            thread.bind(cpu);
            return Ok(());
        }
        self.worker.mailbox().open();
        match kthread::Thread::spawn(self.worker.clone(), cpu, c"kpktgend_%u") {
            Ok(thread) => {
                self.thread = Some(thread);
                Ok(())
            }
            Err(error) => {
                self.worker.mailbox().close();
                Err(error)
            }
        }
    }

    /// Ends the thread, and its runs before.
    fn dismiss(&mut self) {
        if let Some(thread) = self.thread.take() {
            self.worker.mailbox().post(Request::Retire);
            self.worker.mailbox().flush();
            drop(thread);
            // It may have ended before it began, and left the mailbox open.
            self.worker.mailbox().close();
        }
    }
}

impl Crew {
    /// Nobody yet.
    pub(crate) fn new() -> impl PinInit<Self> {
        pin_init!(Self {
            members <- new_mutex!(KVec::new(), "Crew::members"),
        })
    }

    /// Takes a worker on.
    ///
    /// # Errors
    ///
    /// `ENOMEM`; `EEXIST` if there is one of that CPU.
    pub(crate) fn enlist(&self, worker: Arc<Worker>) -> Result {
        let mut members = self.members.lock();
        if members
            .iter()
            .any(|known| known.worker.cpu() == worker.cpu())
        {
            return Err(EEXIST);
        }
        let thread = None;
        Ok(members.push(Member { worker, thread }, GFP_KERNEL)?)
    }

    /// Lets a worker go that was never seen.
    pub(crate) fn discharge(&self, worker: &Worker) {
        take::all(&mut self.members.lock(), |member| {
            core::ptr::eq(&*member.worker, worker)
        });
    }

    /// The workers there are. They only become more, but for the newest if it is discharged.
    pub(crate) fn workers(&self) -> impl Iterator<Item = Arc<Worker>> + '_ {
        let mut index = 0usize;
        core::iter::from_fn(move || {
            let members = self.members.lock();
            let worker = members.get(index)?.worker.clone();
            index = index.wrapping_add(1);
            Some(worker)
        })
    }

    /// Makes a worker's thread before it is needed.
    ///
    /// # Errors
    ///
    /// As for [`Crew::start`], where a device's result says it.
    pub(crate) fn prepare(&self, hotplug: &HotplugGuard, worker: &Worker) -> Result {
        let mut members = self.members.lock();
        match members
            .iter_mut()
            .find(|known| core::ptr::eq(&*known.worker, worker))
        {
            Some(member) => member.man(hotplug),
            None => Err(ENXIO),
        }
    }

    /// Asks every worker that has devices to begin their runs.
    pub(crate) fn start(&self) {
        let hotplug = HotplugGuard::new();
        for member in self.members.lock().iter_mut() {
            if member.worker.devices().lock().is_empty() {
                continue;
            }
            match member.man(&hotplug) {
                Ok(()) => member.worker.mailbox().post(Request::Start),
                Err(error) => member.worker.cannot_start(error),
            }
        }
    }

    /// Asks all workers to end all runs. Like a start, it is posted to all of them before anyone
    /// posts something else, so that they take both in the same order.
    pub(crate) fn stop(&self) {
        for member in self.members.lock().iter() {
            member.worker.mailbox().post(Request::Stop);
        }
    }

    /// Waits until all workers have done what they were asked for.
    pub(crate) fn flush(&self) {
        for worker in self.workers() {
            worker.mailbox().flush();
        }
    }

    /// As [`Crew::flush`], but for `jiffies` at most in all, or until a signal comes.
    pub(crate) fn flush_for(&self, jiffies: Jiffies) {
        let mut left = jiffies;
        for worker in self.workers() {
            left = worker.mailbox().flush_for(left);
        }
    }

    /// A CPU is about to go: ends its worker's runs and its thread.
    pub(crate) fn lose(&self, cpu: u32) {
        let mut members = self.members.lock();
        members
            .iter_mut()
            .filter(|member| member.worker.cpu() == cpu)
            .for_each(Member::dismiss);
    }

    /// Ends all threads.
    pub(crate) fn dismiss(&self) {
        self.members.lock().iter_mut().for_each(Member::dismiss);
    }
}
