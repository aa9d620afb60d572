// SPDX-License-Identifier: GPL-2.0
//! Signals that ask for an end, turned into a flag.

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use crate::system::{Host, System};

/// "The user wants this to end." Clones share the state.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Catches SIGINT, SIGTERM and SIGHUP from now on: the first one is noted, a second one ends
    /// the process at once with the status a shell expects (128 + signal).
    ///
    /// A signal that is ignored (`nohup`) stays ignored.
    pub fn install() -> io::Result<Self> {
        let this = Self::default();
        let ignored = ignored_signals(&Host::new("/"));
        for signal in [SIGHUP, SIGINT, SIGTERM] {
            if ignored & (1 << (signal - 1)) != 0 {
                continue;
            }
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

/// Set of the signals that this process ignores, bit 0 for signal 1. sigaction(2) would tell as
/// well, but is unsafe to call.
fn ignored_signals(system: &dyn System) -> u64 {
    let status = system
        .read_text(Path::new("/proc/self/status"))
        .unwrap_or_default();
    status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mask_of_ignored_signals() {
        let dir = tempfile::tempdir().unwrap();
        let host = Host::new(dir.path());
        assert_eq!(ignored_signals(&host), 0);
        std::fs::create_dir_all(dir.path().join("proc/self")).unwrap();
        let file = dir.path().join("proc/self/status");
        std::fs::write(
            file,
            "SigBlk:\t0000000000000000\nSigIgn:\t0000000000001003\n",
        )
        .unwrap();
        assert_eq!(ignored_signals(&host), 0x1003);
        // Rust's run time ignores SIGPIPE, signal 13.
        assert_ne!(ignored_signals(&Host::new("/")) & (1 << 12), 0);
    }
}
