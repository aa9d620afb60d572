// SPDX-License-Identifier: GPL-2.0
//! Signals that ask for an end, turned into a flag.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

/// "The user wants this to end." Clones share the state.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Catches SIGINT, SIGTERM and SIGHUP from now on: the first one is noted, a second one ends
    /// the process at once with the status a shell expects (128 + signal).
    pub fn install() -> io::Result<Self> {
        let this = Self::default();
        for signal in [SIGHUP, SIGINT, SIGTERM] {
            // In this order: the shutdown looks at the flag before this signal has set it.
            signal_hook::flag::register_conditional_shutdown(signal, 128 + signal, this.0.clone())?;
            signal_hook::flag::register(signal, this.0.clone())?;
        }
        Ok(this)
    }

    /// What a signal does; for tests and for callers that decide to end by themselves.
    pub fn raise(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Was the end asked for?
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}
