// SPDX-License-Identifier: GPL-2.0

//! The worker of one CPU: a kthread that runs the devices added to it.
//!
//! ```text
//!            nothing runs: sleeps              all runs over
//!        +--> idle ------------- start -----------> busy --+
//!        |     |                                     |     | one step of the run that is due
//!        |     +-- kthread_stop --> ends             +--<--+ first, in turn where several are
//!        +-------------------------------------------+
//! ```
//!
//! Requests come through the [`Mailbox`] and are served between two steps; every sleep ends
//! when one is posted. The runs are the thread's own, in no structure that others see.

use crate::{
    abstractions::{clock, kthread},
    activity::Activity,
    device::Device,
    mailbox::{Batch, Mailbox, Request},
    take,
    xmit::{Step, Transmission},
};
use kernel::{
    new_mutex,
    prelude::*,
    processor::cpu_relax,
    sync::{Arc, ArcBorrow, Mutex},
    types::ScopeGuard,
};
use rpktgen_core::{run::End, text::Text};

/// Gaps shorter than this are waited out on the CPU, in nanoseconds: a sleep and its wake-up
/// cost about as much.
const SPIN_NS: u64 = 100_000;
/// A sleep ends by so much too early, in nanoseconds, and what is left is waited out as well: it is
/// what a timer and a wake-up come late.
const WAKE_EARLY_NS: u64 = 30_000;

/// A worker, as others see it.
#[pin_data]
pub(crate) struct Worker {
    cpu: u32,
    activity: Arc<Activity>,
    #[pin]
    mailbox: Mailbox,
    /// Its devices, the newest first.
    #[pin]
    devices: Mutex<KVec<Arc<Device>>>,
    /// The outcome of the last command on the thread's file.
    #[pin]
    result: Mutex<Text>,
}

impl Worker {
    /// The worker of `cpu`, without its thread.
    pub(crate) fn new(cpu: u32, activity: Arc<Activity>) -> Result<Arc<Self>> {
        Arc::pin_init(
            pin_init!(Self {
                cpu,
                activity,
                mailbox <- Mailbox::new(),
                devices <- new_mutex!(KVec::new(), "Worker::devices"),
                result <- new_mutex!(Text::new(), "Worker::result"),
            }),
            GFP_KERNEL,
        )
    }

    /// The CPU it runs on.
    pub(crate) fn cpu(&self) -> u32 {
        self.cpu
    }

    /// Where to post requests.
    pub(crate) fn mailbox(&self) -> &Mailbox {
        &self.mailbox
    }

    /// Its devices, the newest first.
    pub(crate) fn devices(&self) -> &Mutex<KVec<Arc<Device>>> {
        &self.devices
    }

    /// The outcome of the last command on its file.
    pub(crate) fn result(&self) -> &Mutex<Text> {
        &self.result
    }

    /// There is no thread to run its devices: their results say so.
    pub(crate) fn cannot_start(&self, error: Error) {
        for device in self.devices.lock().iter() {
            let result = &mut device.state().lock().shared.result;
            if error == ENXIO {
                result.replace(format_args!("ERROR: CPU {} is not online", self.cpu));
            } else {
                result.set(b"Error starting");
            }
        }
    }

    /// Has configuration and counters exchanged, without waiting for it. May sleep for a lock.
    pub(crate) fn refresh_soon(&self) {
        self.mailbox.post(Request::Sync);
    }

    /// Has configuration and counters exchanged, and waits for it a moment: a worker that is in
    /// a driver's hands does not hold up a reader for long.
    pub(crate) fn refresh(&self) {
        let patience = kernel::time::msecs_to_jiffies(50);
        self.mailbox.post(Request::Sync);
        self.mailbox.flush_for(patience);
    }
}

impl kthread::Body for Worker {
    fn run(this: ArcBorrow<'_, Self>, context: &kthread::Context) {
        this.mailbox.attend((&**kernel::current!()).into());
        let mut runs = Runs {
            worker: &this,
            context,
            runs: KVec::new(),
            turn: 0,
            seen_ns: 0,
        };
        loop {
            if this.mailbox.is_pending() {
                let batch = this.mailbox.take();
                runs.serve(batch);
                this.mailbox.served(batch);
            }
            match runs.next() {
                // Who stops the thread has ended its runs before.
                None if context.should_stop() => break,
                None => context.sleep_unless(|| this.mailbox.is_pending()),
                Some((index, due)) => runs.advance(index, due),
            }
        }
        this.mailbox.close();
    }
}

/// The thread's own side.
struct Runs<'a> {
    worker: &'a Worker,
    context: &'a kthread::Context,
    runs: KVec<Transmission>,
    /// Where the search for the next run begins, so that runs due at the same time take turns.
    turn: usize,
    /// The time when the clock was last looked at. What was due by then needs no other look, so
    /// that a rate that the clock alone would not allow can be held.
    seen_ns: u64,
}

impl Runs<'_> {
    /// Does what is wanted. Stop comes before start: a start posted after a stop holds, and a
    /// stop posted after a start has cancelled it.
    fn serve(&mut self, batch: Batch) {
        if batch.prune {
            self.prune();
        }
        if batch.stop {
            self.stop(End::Stopped);
        }
        if batch.start {
            self.start();
        }
        if batch.retire {
            self.stop(End::CpuGone);
        }
        if batch.sync {
            self.runs.iter_mut().for_each(Transmission::sync);
        }
    }

    /// Begins a run of every device, anew where one is under way.
    fn start(&mut self) {
        // The newest begins.
        self.turn = 0;
        let devices = self.worker.devices.lock();
        for device in devices.iter() {
            let known = self.runs.iter().position(|run| run.is_of(device));
            if known.is_none() && self.runs.reserve(1, GFP_KERNEL).is_err() {
                device.state().lock().shared.result.set(b"Error starting");
                continue;
            }
            let run = Transmission::start(device.clone(), self.worker.cpu);
            match known.and_then(|index| self.runs.get_mut(index)) {
                Some(place) => *place = run,
                None => {
                    self.worker.activity.enter();
                    // The room was reserved above.
                    let _ = self.runs.push_within_capacity(run);
                }
            }
        }
    }

    /// Ends all runs.
    fn stop(&mut self, end: End) {
        while let Some(run) = self.runs.pop() {
            self.finish(run, end);
        }
    }

    /// Drops the runs of devices that are not ours any more.
    fn prune(&mut self) {
        let worker = self.worker;
        let gone = |run: &Transmission| {
            let devices = worker.devices.lock();
            !devices.iter().any(|device| run.is_of(device))
        };
        while let Some(run) = take::first(&mut self.runs, gone) {
            self.finish(run, End::Removed);
        }
    }

    fn finish(&self, run: Transmission, end: End) {
        let _left = ScopeGuard::new(|| self.worker.activity.leave());
        run.finish(end);
    }

    /// The run whose turn it is and when it is due, if anything runs: of those that are due by
    /// now the next in turn, else the one that is due first.
    #[inline]
    fn next(&self) -> Option<(usize, u64)> {
        if let [run] = self.runs.as_slice() {
            return Some((0, run.due()));
        }
        let now = clock::monotonic_ns();
        let (before, from) = self
            .runs
            .split_at_checked(self.turn)
            .unwrap_or((&[], &self.runs));
        let offset = before.len();
        let from = from
            .iter()
            .enumerate()
            .map(|(i, run)| (i.wrapping_add(offset), run.due()));
        let before = before.iter().enumerate().map(|(i, run)| (i, run.due()));
        Iterator::chain(from, before).min_by_key(|(_, due)| if *due <= now { 0 } else { *due })
    }

    /// Since then no run had anything to do, or the CPU.
    fn idle_since(&mut self, then_ns: u64) {
        let ns = clock::monotonic_ns().wrapping_sub(then_ns);
        self.runs.iter_mut().for_each(|run| run.idle(ns));
    }

    /// One step of a run, or the wait for it.
    #[inline]
    fn advance(&mut self, index: usize, due: u64) {
        let Some(run) = self.runs.get_mut(index) else {
            return;
        };
        if due > self.seen_ns {
            let now = clock::monotonic_ns();
            self.seen_ns = now;
            if now < due {
                wait(self.worker, self.context, now, due);
                self.idle_since(now);
                return;
            }
        }
        let step = run.step(self.seen_ns);
        if self.context.need_resched() {
            let now = clock::monotonic_ns();
            self.context.yield_now();
            self.idle_since(now);
        }
        match step {
            Step::Continue => self.turn = index.wrapping_add(1),
            Step::Finished(end) => {
                if let Ok(run) = self.runs.remove(index) {
                    self.finish(run, end);
                }
            }
        }
    }
}

/// Waits until `due` or somewhat less, or until there is something in the mailbox.
fn wait(worker: &Worker, context: &kthread::Context, now: u64, due: u64) {
    let pending = || worker.mailbox.is_pending();
    if due == u64::MAX {
        context.sleep_unless(pending);
    } else if due.wrapping_sub(now) >= SPIN_NS {
        context.sleep_until(due.wrapping_sub(WAKE_EARLY_NS), pending);
    } else {
        while clock::monotonic_ns() < due && !pending() && !context.need_resched() {
            cpu_relax();
        }
    }
}
