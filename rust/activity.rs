// SPDX-License-Identifier: GPL-2.0

//! How many devices of a namespace are running, for those who wait until none is.

use kernel::{
    new_condvar, new_mutex,
    prelude::*,
    sync::{Arc, CondVar, Mutex},
};

/// The count of running devices.
#[pin_data]
pub(crate) struct Activity {
    #[pin]
    running: Mutex<usize>,
    #[pin]
    none: CondVar,
}

impl Activity {
    /// Nothing runs.
    pub(crate) fn new() -> Result<Arc<Self>> {
        Arc::pin_init(
            pin_init!(Self {
                running <- new_mutex!(0, "Activity::running"),
                none <- new_condvar!("Activity::none"),
            }),
            GFP_KERNEL,
        )
    }

    /// A device has started.
    pub(crate) fn enter(&self) {
        let mut running = self.running.lock();
        *running = running.saturating_add(1);
    }

    /// A device has stopped, its result published.
    pub(crate) fn leave(&self) {
        let mut running = self.running.lock();
        *running = running.saturating_sub(1);
        if *running == 0 {
            self.none.notify_all();
        }
    }

    /// Waits until no device runs.
    ///
    /// # Errors
    ///
    /// `EINTR` if a signal came first.
    pub(crate) fn wait_none(&self) -> Result {
        let mut running = self.running.lock();
        while *running != 0 {
            if self.none.wait_interruptible(&mut running) {
                return Err(EINTR);
            }
        }
        Ok(())
    }
}
