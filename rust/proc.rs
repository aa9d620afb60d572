// SPDX-License-Identifier: GPL-2.0

//! The files: between procfs and the grammar and texts of `rpktgen_core`.

use crate::{
    abstractions::{
        clock, cred,
        errno::eopnotsupp,
        net,
        procfs::{Handler, Output},
    },
    device::Device,
    instance::Instance,
    name::Name,
    worker::Worker,
};
use core::fmt;
use kernel::{
    prelude::*,
    str::BStr,
    sync::{Arc, ArcBorrow},
    uaccess::UserSliceReader,
};
use rpktgen_core::{
    command, show,
    text::{Sink, Text},
};

/// Bytes of a write that are looked at. No command is nearly as long, but any number of blanks
/// may stand before its argument; what comes behind is ignored.
const MAX_COMMAND: usize = 65536;

/// `pgctrl`.
pub(crate) struct ControlFile(pub(crate) Arc<Instance>);

/// `kpktgend_<cpu>`.
pub(crate) struct ThreadFile {
    pub(crate) instance: Arc<Instance>,
    pub(crate) worker: Arc<Worker>,
}

impl Handler for ControlFile {
    fn net(this: ArcBorrow<'_, Self>) -> &'static net::Net {
        this.0.net()
    }

    fn show(_this: ArcBorrow<'_, Self>, out: &mut Output<'_>) -> Result {
        show::control(out).map_err(|_| EIO)
    }

    fn write(this: ArcBorrow<'_, Self>, input: UserSliceReader) -> Result {
        match command::control(&read_as_admin(input)?).map_err(errno)? {
            command::Control::Start => this.0.start(),
            command::Control::Stop => this.0.stop(),
            command::Control::Reset => this.0.reset(),
        }
        Ok(())
    }
}

impl Handler for ThreadFile {
    fn net(this: ArcBorrow<'_, Self>) -> &'static net::Net {
        this.instance.net()
    }

    fn show(this: ArcBorrow<'_, Self>, out: &mut Output<'_>) -> Result {
        let devices = this.worker.devices().lock();
        let mut names: KVec<(Name, bool)> = KVec::with_capacity(devices.len(), GFP_KERNEL)?;
        for device in devices.iter() {
            let state = device.state().lock();
            names.push((state.name, state.shared.running), GFP_KERNEL)?;
        }
        drop(devices);
        let with = |wanted: bool| {
            names
                .iter()
                .filter(move |(_, running)| *running == wanted)
                .map(|(name, _)| name.as_bytes())
        };
        show::thread(out, with(true), with(false), &this.worker.result().lock()).map_err(|_| EIO)
    }

    fn write(this: ArcBorrow<'_, Self>, input: UserSliceReader) -> Result {
        let input = read_as_admin(input)?;
        match command::thread(&input).map_err(errno)? {
            command::Thread::AddDevice(name) => {
                let outcome = this.instance.add_device(name, &this.worker);
                let text = match outcome {
                    Ok(()) => "OK: add_device=",
                    Err(_) => "ERROR: can not add device ",
                };
                this.say(|result| {
                    result.set(text.as_bytes());
                    result.push_bytes(name);
                });
                if let (Err(error), true) = (outcome, net::ratelimit()) {
                    pr_info!(
                        "cannot add device {}: {:?}\n",
                        BStr::from_bytes(name),
                        error
                    );
                }
                outcome
            }
            command::Thread::RemoveAll => {
                this.instance.remove_devices_of(&this.worker);
                this.say(|result| result.set(b"OK: rem_device_all"));
                Ok(())
            }
            command::Thread::MaxBeforeSoftirq => {
                this.say(|result| {
                    result.set(b"OK: Note! max_before_softirq is obsoleted -- Do not use")
                });
                Ok(())
            }
        }
    }
}

impl ThreadFile {
    fn say(&self, text: impl FnOnce(&mut Text)) {
        text(&mut self.worker.result().lock());
    }
}

impl Handler for Device {
    fn net(this: ArcBorrow<'_, Self>) -> &'static net::Net {
        this.net()
    }

    fn show(this: ArcBorrow<'_, Self>, out: &mut Output<'_>) -> Result {
        if this.state().lock().shared.running {
            this.worker().refresh();
        }
        let state = this.state().lock();
        show::device(
            out,
            &state.shared,
            state.name.as_bytes(),
            this.netdev().address(),
            clock::monotonic_ns(),
        )
        .map_err(|_| EIO)
    }

    fn write(this: ArcBorrow<'_, Self>, input: UserSliceReader) -> Result {
        this.command(&read_as_admin(input)?).map_err(errno)
    }
}

impl Sink for Output<'_> {
    fn write_bytes(&mut self, bytes: &[u8]) -> fmt::Result {
        self.append(bytes);
        Ok(())
    }
}

/// The command in a write of someone who may give one.
///
/// The files of a user namespace's network namespace belong to its root, who must not get at the
/// machine's transmit paths, nor hold up the removal of a file by a write that never ends.
fn read_as_admin(input: UserSliceReader) -> Result<KVVec<u8>> {
    if !cred::net_admin() {
        return Err(EPERM);
    }
    read(input)
}

/// The command in a write. An empty write is none.
fn read(mut input: UserSliceReader) -> Result<KVVec<u8>> {
    let len = input.len().min(MAX_COMMAND);
    if len == 0 {
        return Err(EINVAL);
    }
    let mut command = KVVec::from_elem(0, len, GFP_KERNEL)?;
    input.read_slice(&mut command)?;
    Ok(command)
}

/// The errno of an error of the grammar.
fn errno(error: rpktgen_core::Error) -> Error {
    match error {
        rpktgen_core::Error::Invalid => EINVAL,
        rpktgen_core::Error::NotSupported => eopnotsupp(),
        rpktgen_core::Error::TooBig => E2BIG,
    }
}
