// SPDX-License-Identifier: GPL-2.0

//! Sending the packets of one run.
//!
//! ```text
//!               count reached                packet released, or stopped
//!   Sending -----------------------> Draining ---------------------------> finished
//!      |                                                                      ^
//!      +----------------------------------------------------------------------+
//!               stopped, link gone
//! ```
//!
//! A packet is held between sends while the generator keeps a reference on it (flag `SHARED`)
//! or the driver did not take it. A mode is a type that implements [`Mode`].

use crate::{
    abstractions::{
        clock,
        net::{self, BhDisabled, RxStatus, SharedSkb, SkbRef, TxQueue, TxStatus},
    },
    build::{Builder, Lack},
    device::Device,
    flows::Slots,
};
use kernel::sync::Arc;
use rpktgen_core::run::{self, End, Pace, Run};

/// When a packet that the driver still holds is looked at again, in nanoseconds: soon at first,
/// then twice as late each time, up to the second figure.
const DRAIN_POLL_NS: (u64, u64) = (20_000, 10_000_000);

/// How many packets may fail to be transformed, one after the other, before there is a wait.
const MAX_UNTRANSFORMED: u32 = 4096;

/// How many packets of a burst are sent at a time, so that requests are heard, and bottom halves
/// are on, in between.
const MAX_START: u32 = 4096;
/// The same for the receive path, which takes a microsecond or more for each.
const MAX_RECEIVE: u32 = 64;

/// How long to wait before the next try to make a packet, in nanoseconds.
const RETRY_NS: u64 = 1_000_000;
/// The same for the flows' slots, which are megabytes.
const RETRY_FLOWS_NS: u64 = 100_000_000;

/// A run of one device, owned by its worker.
pub(crate) struct Transmission {
    device: Arc<Device>,
    run: Run,
    builder: Builder,
    /// The builder's slots are for other flows than the run's.
    flows_outdated: bool,
    held: Held,
    /// Length, page fragments and queue of the held packet.
    len: usize,
    frags: u16,
    queue: u16,
    /// Sends of the held packet so far.
    uses: u32,
    /// What is left of a burst that is sent in pieces.
    burst_left: u32,
    /// Whether the last send went out; if not, it is tried again.
    last_ok: bool,
    /// How the link ended the run, if it has.
    link_lost: Option<End>,
    /// Something of the device has changed that the plan does not know of yet.
    stale: bool,
    /// A packet was built in this run.
    built: bool,
    /// Why there was no packet, which the result says.
    lack: Option<Lack>,
    /// Packets in a row that were not transformed.
    untransformed: u32,
    /// The count is reached; holds the time between two looks at the last packet.
    draining: Option<u64>,
    /// Nothing is to be done before this time; 0 for at once.
    not_before_ns: u64,
    cpu: u32,
}

/// The packet kept from one send to the next.
enum Held {
    None,
    /// A reference stays with us whatever becomes of the others.
    Shared(SharedSkb),
    /// Built and not taken yet.
    Sole(SkbRef),
}

/// What a step came to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// There is more to do.
    Continue,
    /// The run is over: [`Transmission::finish`] it.
    Finished(End),
}

impl Transmission {
    /// Begins a run of `device` on `cpu`. Process context.
    pub(crate) fn start(device: Arc<Device>, cpu: u32) -> Self {
        let facts = device.facts(cpu);
        let run = Run::start(&mut device.state().lock().shared, &facts);
        Self {
            device,
            flows_outdated: run.flow_key().slots != 0,
            run,
            builder: Builder::new(),
            held: Held::None,
            len: 0,
            frags: 0,
            queue: 0,
            uses: 0,
            burst_left: 0,
            last_ok: true,
            link_lost: None,
            stale: false,
            built: false,
            lack: None,
            untransformed: 0,
            draining: None,
            not_before_ns: 0,
            cpu,
        }
    }

    /// Whether this is a run of `device`.
    pub(crate) fn is_of(&self, device: &Arc<Device>) -> bool {
        Arc::ptr_eq(&self.device, device)
    }

    /// When the next step is due, in nanoseconds of `CLOCK_MONOTONIC`: 0 for at once,
    /// `u64::MAX` for never.
    #[inline]
    pub(crate) fn due(&self) -> u64 {
        if self.link_lost.is_some() {
            return 0;
        }
        if self.draining.is_some() {
            return self.not_before_ns;
        }
        if self.burst_left > 0 {
            return 0;
        }
        let pace = if self.last_ok {
            self.run.pace()
        } else {
            self.run.again()
        };
        match pace {
            Pace::Never => u64::MAX,
            _ if self.not_before_ns != 0 => self.not_before_ns,
            Pace::None => 0,
            Pace::At(time) => time,
        }
    }

    /// Adds to the time in which the run had nothing to do or no CPU.
    pub(crate) fn idle(&mut self, ns: u64) {
        self.run.idle(ns);
    }

    /// How the state of the netdev ends the run, if it does.
    #[inline]
    fn link_end(&self) -> Option<End> {
        let netdev = self.device.netdev();
        if !netdev.is_running() {
            Some(End::Down)
        } else if !netdev.carrier_ok() {
            Some(End::NoCarrier)
        } else {
            None
        }
    }

    /// Exchanges configuration and counters with the shared side, and looks at the link, which
    /// ends a run however far off its next packet is. Process context.
    pub(crate) fn sync(&mut self) {
        self.link_lost = self.link_end();
        let facts = self.device.facts(self.cpu);
        let way = (self.run.mode(), self.run.shared());
        let flows = self.run.flow_key();
        self.run
            .sync(&mut self.device.state().lock().shared, &facts);
        if way != (self.run.mode(), self.run.shared()) {
            // Built for the other way of sending.
            self.held = Held::None;
            self.burst_left = 0;
        }
        self.flows_outdated |= flows != self.run.flow_key();
    }

    /// Ends the run and publishes its result. Process context.
    pub(crate) fn finish(self, end: End) {
        let held = !matches!(self.held, Held::None);
        let frags = if held || self.built && self.run.counts_as_kept() {
            self.frags.into()
        } else {
            -1
        };
        // What the run refers to goes before anyone sees that it is over.
        let Self {
            device,
            run,
            builder,
            held,
            ..
        } = self;
        drop((builder, held));
        let now = clock::monotonic_ns();
        run.finish(&mut device.state().lock().shared, frags, now, end);
    }

    /// Does what is due: sends once, or looks whether the last packet is back. `seen_ns` is a time
    /// by which it was due. Process context.
    #[inline]
    pub(crate) fn step(&mut self, seen_ns: u64) -> Step {
        self.not_before_ns = 0;
        if let Some(end) = self.link_lost {
            return Step::Finished(end);
        }
        if self.draining.is_some() {
            return self.drain();
        }
        if self.stale {
            self.stale = false;
            self.sync();
            return Step::Continue;
        }
        if self.run.impossible() {
            return Step::Finished(End::Stopped);
        }
        if self.flows_outdated && !self.renew_flows() {
            self.starve(Lack::Memory, RETRY_FLOWS_NS);
            return Step::Continue;
        }
        // With bottom halves off from here to the end of the send, a device that is taken down
        // waits for it.
        let bh = BhDisabled::new();
        if let Some(end) = self.link_end() {
            return Step::Finished(end);
        }
        if self.burst_left == 0 {
            if let Err(lack) = self.have_packet() {
                drop(bh);
                self.go_without(lack);
                return Step::Continue;
            }
            if self.last_ok && self.run.pace() != Pace::None {
                self.run.paced(seen_ns);
            }
            self.burst_left = self.run.burst();
        }
        let sent = match self.run.mode() {
            run::Mode::StartXmit => StartXmit::send(self, &bh),
            run::Mode::NetifReceive => NetifReceive::send(self, &bh),
            run::Mode::QueueXmit => QueueXmit::send(self, &bh),
        };
        drop(bh);
        if let Err(lack) = sent {
            self.go_without(lack);
            return Step::Continue;
        }
        self.untransformed = 0;
        if self.lack.is_some() {
            self.recover();
        }
        // The count is looked at after a whole burst.
        if self.burst_left > 0 || !self.run.complete() {
            return Step::Continue;
        }
        self.draining = Some(DRAIN_POLL_NS.0);
        self.drain()
    }

    /// Makes fresh slots for the run's flows; false if there is no memory for them.
    #[cold]
    fn renew_flows(&mut self) -> bool {
        // Not both at a time.
        self.builder.slots = Slots::NONE;
        let Ok(slots) = Slots::new(&self.run.flow_key()) else {
            return false;
        };
        self.builder.slots = slots;
        self.flows_outdated = false;
        true
    }

    /// There was no packet. One that was not transformed is an error; other flows go on, unless
    /// none of them has sent since all could have.
    #[cold]
    fn go_without(&mut self, lack: Lack) {
        if lack != Lack::Memory {
            self.run.error();
            self.untransformed = self.untransformed.saturating_add(1);
            if self.untransformed <= self.run.flow_round().min(MAX_UNTRANSFORMED) {
                return;
            }
        }
        self.starve(lack, RETRY_NS);
    }

    /// Nothing can be sent: says so, and tries again later.
    #[cold]
    fn starve(&mut self, lack: Lack, pause_ns: u64) {
        if self.lack != Some(lack) {
            self.lack = Some(lack);
            self.device.state().lock().shared.result = lack.text();
        }
        self.not_before_ns = clock::monotonic_ns().saturating_add(pause_ns);
    }

    /// Something was sent again: takes back what the result says, if it still does.
    #[cold]
    fn recover(&mut self) {
        if let Some(lack) = self.lack.take() {
            let result = &mut self.device.state().lock().shared.result;
            if *result == lack.text() {
                result.set(b"Starting");
            }
        }
    }

    /// Sees to it that a packet is held; builds one when the held one has had its sends.
    #[inline]
    fn have_packet(&mut self) -> Result<(), Lack> {
        let keep = match self.held {
            Held::None => false,
            Held::Sole(_) => true,
            Held::Shared(_) if self.last_ok => {
                self.uses = self.uses.saturating_add(1);
                self.uses < self.run.clone_skb()
            }
            Held::Shared(_) => true,
        };
        if keep {
            Ok(())
        } else {
            self.build()
        }
    }

    fn build(&mut self) -> Result<(), Lack> {
        self.held = Held::None;
        let packet = self.builder.packet(&mut self.run, self.device.netdev())?;
        self.built = true;
        self.len = packet.len;
        self.frags = packet.frags;
        self.queue = packet.queue;
        self.uses = 0;
        self.held = if self.run.shared() {
            Held::Shared(packet.skb.share())
        } else {
            Held::Sole(packet.skb.into())
        };
        Ok(())
    }

    /// Waits for the time that the last packet uses up, and for the references given away,
    /// without keeping the CPU for long.
    fn drain(&mut self) -> Step {
        let Some(pause) = self.draining else {
            return Step::Finished(End::Complete);
        };
        let (now, end) = (clock::monotonic_ns(), self.run.end_ns());
        if now < end {
            self.not_before_ns = end;
            return Step::Continue;
        }
        if !matches!(&self.held, Held::Shared(skb) if skb.users() > 1) {
            return Step::Finished(End::Complete);
        }
        self.not_before_ns = now.saturating_add(pause);
        self.draining = Some(pause.saturating_mul(2).min(DRAIN_POLL_NS.1));
        Step::Continue
    }
}

/// A way to send: one type each.
trait Mode {
    /// Sends the held packet, as often as is left of the burst but not for long at a time, and
    /// takes that off what is left: all of it if the burst ends before its time. A packet that
    /// comes back is held for the next try; one that was given away for good is not held any more.
    ///
    /// # Errors
    ///
    /// Nothing was sent, as something was lacking.
    fn send(tx: &mut Transmission, bh: &BhDisabled) -> Result<(), Lack>;
}

/// Straight to the driver's transmit function.
struct StartXmit;

impl Mode for StartXmit {
    #[inline]
    fn send(tx: &mut Transmission, bh: &BhDisabled) -> Result<(), Lack> {
        let burst = core::mem::take(&mut tx.burst_left);
        let Some(queue) = TxQueue::new(tx.device.netdev(), tx.queue) else {
            // The device has fewer queues now. The next packet is made for one it has.
            tx.stale = true;
            tx.held = Held::None;
            return Ok(());
        };
        let mut queue = queue.lock(bh);
        if queue.is_stopped() {
            tx.last_ok = false;
            return Ok(());
        }
        let (sent, failure) = match core::mem::replace(&mut tx.held, Held::None) {
            Held::None => return Ok(()),
            Held::Sole(skb) => match queue.start_xmit(skb, false) {
                Ok(TxStatus::Ok) => (1, None),
                Ok(status) => (0, Some(status)),
                Err((status, skb)) => {
                    tx.held = Held::Sole(skb);
                    (0, Some(status))
                }
            },
            Held::Shared(skb) => {
                let piece = burst.min(MAX_START);
                let outcome = start_burst(&mut queue, &skb, piece);
                if outcome.0 == piece {
                    tx.burst_left = burst.saturating_sub(piece);
                }
                tx.held = Held::Shared(skb);
                outcome
            }
        };
        drop(queue);
        if sent != 0 {
            tx.last_ok = true;
            tx.run.sent(sent, tx.len);
        }
        match failure {
            None => {}
            Some(TxStatus::Busy) => tx.last_ok = false,
            Some(TxStatus::Error(_)) => {
                tx.run.refused(tx.len);
                tx.last_ok = false;
            }
            Some(TxStatus::Ok | TxStatus::Dropped) => tx.run.refused(tx.len),
        }
        Ok(())
    }
}

/// Hands over up to `burst` references. Returns how many the driver sent and what ended the
/// burst before its time.
#[inline]
fn start_burst(
    queue: &mut net::TxQueueGuard<'_>,
    skb: &SharedSkb,
    burst: u32,
) -> (u32, Option<TxStatus>) {
    let mut references = skb.burst(burst);
    let mut sent: u32 = 0;
    while let Some(reference) = references.take() {
        let more = references.left() > 0;
        match queue.start_xmit(reference, more) {
            Ok(TxStatus::Ok) => sent = sent.wrapping_add(1),
            // What came back is given back here: ours stays.
            Ok(status) | Err((status, _)) => return (sent, Some(status)),
        }
        if more && queue.is_stopped() {
            break;
        }
    }
    (sent, None)
}

/// Into the receive path, as if it had arrived on the device.
struct NetifReceive;

impl Mode for NetifReceive {
    #[inline]
    fn send(tx: &mut Transmission, bh: &BhDisabled) -> Result<(), Lack> {
        tx.last_ok = true;
        let burst = core::mem::take(&mut tx.burst_left);
        match core::mem::replace(&mut tx.held, Held::None) {
            Held::None => {}
            Held::Sole(skb) => receive(&mut tx.run, skb, tx.len, bh),
            Held::Shared(skb) => {
                let piece = burst.min(MAX_RECEIVE);
                tx.burst_left = burst.saturating_sub(piece);
                for number in 0..piece {
                    // A buffer that others hold, too, must not get into the stack: a tc action
                    // or an XDP program that moves its headers would be a bug of ours.
                    let Some(copy) = skb.duplicate() else {
                        tx.burst_left = 0;
                        tx.last_ok = number > 0;
                        break;
                    };
                    receive(&mut tx.run, copy, tx.len, bh);
                }
                tx.held = Held::Shared(skb);
            }
        }
        if tx.last_ok {
            Ok(())
        } else {
            Err(Lack::Memory)
        }
    }
}

/// Delivers one packet. One that nobody wanted counts as sent and as an error.
#[inline]
fn receive(run: &mut Run, skb: SkbRef, len: usize, bh: &BhDisabled) {
    let status = net::netif_receive_skb(skb, bh);
    run.sent(1, len);
    if status == RxStatus::Drop {
        run.error();
    }
}

/// Through the qdisc, as a protocol would send.
struct QueueXmit;

impl Mode for QueueXmit {
    #[inline]
    fn send(tx: &mut Transmission, bh: &BhDisabled) -> Result<(), Lack> {
        tx.last_ok = true;
        tx.burst_left = 0;
        // The plan keeps no shared packet in this mode.
        let Held::Sole(skb) = core::mem::replace(&mut tx.held, Held::None) else {
            return Ok(());
        };
        match net::dev_queue_xmit(skb, bh) {
            Ok(()) => tx.run.sent(1, tx.len),
            Err(_) => tx.run.refused(tx.len),
        }
        Ok(())
    }
}
