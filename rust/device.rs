// SPDX-License-Identifier: GPL-2.0

//! A pktgen device: a netdev, and the configuration, result and figures that the device file
//! shows.
//!
//! While a run lasts, the worker has counters and cursors of its own and exchanges them with
//! the state here between two sends, when it is asked to.

use crate::{
    abstractions::{
        clock,
        memory::{Node, ZeroPage},
        net, params,
    },
    ipsec,
    name::Name,
    settings,
    worker::Worker,
};
use kernel::{
    new_mutex,
    prelude::*,
    str::BStr,
    sync::{Arc, Mutex},
};
use rpktgen_core::{command::Facts, device::Device as Shared, run::StartFacts};

/// A device that commands configure and a worker runs.
#[pin_data]
pub(crate) struct Device {
    net: &'static net::Net,
    netdev: net::Device,
    worker: Arc<Worker>,
    #[pin]
    state: Mutex<State>,
}

/// What the lock protects.
pub(crate) struct State {
    /// The name; it follows the netdev's.
    pub(crate) name: Name,
    /// Everything else that is shown.
    pub(crate) shared: Shared,
}

impl Device {
    /// A device of `worker` with the default configuration.
    pub(crate) fn new(
        name: Name,
        net: &'static net::Net,
        netdev: net::Device,
        worker: Arc<Worker>,
    ) -> Result<Arc<Self>> {
        let shared = Shared::new(&settings::defaults(netdev.tx_sharing()));
        Arc::pin_init(
            pin_init!(Self {
                net,
                netdev,
                worker,
                state <- new_mutex!(State { name, shared }, "Device::state"),
            }),
            GFP_KERNEL,
        )
    }

    /// The namespace it is in.
    pub(crate) fn net(&self) -> &'static net::Net {
        self.net
    }

    /// The netdev it sends to.
    #[inline]
    pub(crate) fn netdev(&self) -> &net::Device {
        &self.netdev
    }

    /// The worker that runs it.
    pub(crate) fn worker(&self) -> &Worker {
        &self.worker
    }

    /// The shared state.
    pub(crate) fn state(&self) -> &Mutex<State> {
        &self.state
    }

    /// Its name.
    pub(crate) fn name(&self) -> Name {
        self.state.lock().name
    }

    /// Whether this is a device of that name.
    pub(crate) fn is_named(&self, name: &Name) -> bool {
        self.name() == *name
    }

    /// Logs what it sent, if it ever did: its netdev is gone, and its file will be.
    pub(crate) fn log_loss(&self) {
        let state = self.state.lock();
        let counters = &state.shared.counters;
        if counters.sofar != 0 || counters.errors != 0 {
            pr_info!(
                "{}: netdev gone; {} packets sent, {} errors\n",
                state.name.as_bstr(),
                counters.sofar,
                counters.errors
            );
        }
    }

    /// Applies a command that was written to the device file.
    ///
    /// # Errors
    ///
    /// Those of the command; the state is then as the interface wants it.
    pub(crate) fn command(&self, input: &[u8]) -> rpktgen_core::Result {
        let facts = Facts {
            tx_sharing: self.netdev.tx_sharing(),
            ipsec: ipsec::AVAILABLE,
            node_possible: |number| Node::new(number).is_some(),
            set_debug: settings::set_debug,
        };
        let (outcome, running) = {
            let mut state = self.state.lock();
            let outcome =
                rpktgen_core::command::device(input, &mut state.shared, &facts, params::strict());
            (outcome, state.shared.running)
        };
        if settings::debug() {
            self.log(input, outcome);
        }
        if running {
            self.worker.refresh_soon();
        }
        outcome
    }

    /// Logs a command and what came of it; of a long one the beginning.
    fn log(&self, input: &[u8], outcome: rpktgen_core::Result) {
        const SHOWN: usize = 128;

        let name = self.name();
        let shown = input.get(..SHOWN).unwrap_or(input);
        let shown = BStr::from_bytes(shown.strip_suffix(b"\n").unwrap_or(shown));
        match outcome {
            Ok(()) => pr_info!("{}: {}\n", name.as_bstr(), shown),
            Err(error) => pr_info!("{}: {}: {:?}\n", name.as_bstr(), shown, error),
        }
    }

    /// What the netdev says of itself at this moment, for a run on `cpu`.
    pub(crate) fn facts(&self, cpu: u32) -> StartFacts {
        StartFacts {
            dev_mac: self.netdev.address(),
            ifa_local: self.netdev.first_ipv4(),
            real_num_tx_queues: u16::try_from(self.netdev.real_num_tx_queues()).unwrap_or(u16::MAX),
            tx_sharing: self.netdev.tx_sharing(),
            csum_ipv4: self.netdev.csum_ipv4(),
            csum_ipv6: self.netdev.csum_ipv6(),
            link_local6: self.netdev.link_local_ipv6(),
            max_frags: net::SkBuff::MAX_FRAGS,
            page_size: ZeroPage::SIZE,
            cpu: u16::try_from(cpu).unwrap_or(u16::MAX),
            now_ns: clock::monotonic_ns(),
        }
    }
}
