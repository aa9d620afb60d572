// SPDX-License-Identifier: GPL-2.0

//! rpktgen: a packet generator in the kernel, with the procfs interface of pktgen.
//!
//! A command's way: [`proc`] takes a write and lets `rpktgen_core` parse and apply it to a
//! [`device`]; `start` on [`instance`] is posted to the [`worker`] of each CPU, which makes
//! packets by [`build`] and sends them by [`xmit`]. [`notify`] hears of devices that go.
//!
//! Who owns what, which states there are, the order of locks and what a reader may see is in
//! `Documentation/design.rst`.

#![deny(unsafe_code)]

use kernel::prelude::*;

#[expect(unsafe_code)]
mod abstractions;
mod activity;
mod build;
mod crew;
mod device;
mod flows;
mod instance;
mod ipsec;
mod mailbox;
mod name;
mod notify;
mod proc;
mod take;
mod worker;
mod xmit;

use abstractions::{hotplug, net, params};
use instance::Instance;

module! {
    type: Rpktgen,
    name: "rpktgen",
    authors: ["The rpktgen developers"],
    description: "Packet generator with the interface of pktgen",
    license: "GPL",
    params: {
        pg_count_d: i32 {
            default: 1000,
            description: "Default number of packets to send",
        },
        pg_delay_d: i32 {
            default: 0,
            description: "Default delay between packets in nanoseconds",
        },
        pg_clone_skb_d: i32 {
            default: 0,
            description: "Default number of sends of one packet",
        },
        debug: i32 {
            default: 0,
            description: "Log what is written to device files",
        },
    },
}

/// The loaded module. The fields are dropped in order.
struct Rpktgen {
    _gate: instance::Gate,
    _notifier: net::NotifierRegistration<notify::Events>,
    _instances: net::PerNetRegistration<Instance>,
    _hotplug: hotplug::Registration<Instance>,
}

impl kernel::Module for Rpktgen {
    fn init(_module: &'static ThisModule) -> Result<Self> {
        settings::set_debug(settings::initial_debug());
        instance::check_directory(params::procdir())?;
        pr_info!(
            "Packet Generator for packet performance testing. Version: {}\n",
            rpktgen_core::show::VERSION
        );
        let hotplug = hotplug::Registration::new(c"net/rpktgen:online")?;
        let instances = net::PerNetRegistration::new()?;
        let notifier = net::NotifierRegistration::new()?;
        Ok(Self {
            _gate: instance::Gate::open(),
            _notifier: notifier,
            _instances: instances,
            _hotplug: hotplug,
        })
    }
}

/// What module parameters say, in the types of those who ask.
mod settings {
    use super::module_parameters as given;
    use core::borrow::Borrow;
    use kernel::sync::atomic::{Atomic, Relaxed};
    use rpktgen_core::config::Defaults;

    /// The parameter `debug`, and what the command of that name sets.
    static DEBUG: Atomic<u32> = Atomic::new(0);

    /// Whether commands are logged.
    pub(crate) fn debug() -> bool {
        DEBUG.load(Relaxed) != 0
    }

    /// Sets whether commands are logged: with 0 they are not.
    pub(crate) fn set_debug(level: u32) {
        DEBUG.store(level, Relaxed);
    }

    /// What the parameter says.
    pub(crate) fn initial_debug() -> u32 {
        // CAST: any number will do; a negative one is not 0.
        number(given::debug.value()) as u32
    }

    /// What a new device starts with, on a netdev that shares buffers or does not.
    pub(crate) fn defaults(tx_sharing: bool) -> Defaults {
        Defaults {
            // CAST: sign extension is what the C module does with a negative number.
            count: i64::from(number(given::pg_count_d.value())) as u64,
            delay_ns: i64::from(number(given::pg_delay_d.value())) as u64,
            clone_skb: if tx_sharing {
                number(given::pg_clone_skb_d.value())
            } else {
                0
            },
        }
    }

    /// A parameter's value, which Linux 7.2 gives by reference.
    fn number(value: impl Borrow<i32>) -> i32 {
        *value.borrow()
    }
}
