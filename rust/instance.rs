// SPDX-License-Identifier: GPL-2.0

//! The generator of one network namespace: its workers, devices and proc tree.

use crate::{
    abstractions::{
        cpu::HotplugGuard,
        errno, hotplug, net, params,
        procfs::{self, Dir, File},
    },
    activity::Activity,
    crew::Crew,
    device::Device,
    mailbox::Request,
    name::{self, Name},
    proc::{ControlFile, ThreadFile},
    take,
    worker::Worker,
};
use core::cell::Cell;
use kernel::{
    new_mutex,
    prelude::*,
    str::CString,
    sync::{
        atomic::{Atomic, Relaxed},
        Arc, ArcBorrow, Mutex,
    },
};

/// While this lives, devices can be added.
///
/// A device holds a reference on its netdev that only the notifier has it give back. So the gate
/// opens once the notifier is registered and closes before it goes: what was added by then is
/// removed when the kernel replays the netdevs to it.
pub(crate) struct Gate(());

static OPEN: Atomic<bool> = Atomic::new(false);

impl Gate {
    /// Opens it.
    pub(crate) fn open() -> Self {
        OPEN.store(true, Relaxed);
        Self(())
    }

    /// Asked with the roster locked, which orders it with a removal.
    fn is_open() -> bool {
        OPEN.load(Relaxed)
    }
}

impl Drop for Gate {
    fn drop(&mut self) {
        OPEN.store(false, Relaxed);
    }
}

/// How long `stop` waits for the workers to answer.
const STOP_PATIENCE_MS: u32 = 20;

static ID: net::PerNetId = net::PerNetId::new();
static HOTPLUG_ID: hotplug::Id = hotplug::Id::new();

/// Looks whether the tree can be made where the parameter `procdir` says.
///
/// # Errors
///
/// `EINVAL` for a name that is none, `EBUSY` if there is something already; both are logged. Not
/// `EEXIST`, which means that a module of this name is loaded: modprobe takes it for success, and
/// newer kernels turn it into `EBUSY`.
pub(crate) fn check_directory(name: &CStr) -> Result {
    let bytes = name.to_bytes();
    if bytes.is_empty() || bytes.contains(&b'/') || bytes == b"." || bytes == b".." {
        pr_err!("procdir={}: not the name of a directory\n", name);
        return Err(EINVAL);
    }
    let path = CString::try_from_fmt(fmt!("/proc/net/{}", name))?;
    if procfs::exists(&path) {
        pr_err!(
            "/proc/net/{} exists: unload pktgen first, or load rpktgen with procdir=NAME\n",
            name
        );
        return Err(EBUSY);
    }
    Ok(())
}

/// One namespace's generator.
#[pin_data]
pub(crate) struct Instance {
    net: &'static net::Net,
    activity: Arc<Activity>,
    #[pin]
    crew: Crew,
    #[pin]
    roster: Mutex<Roster>,
    #[pin]
    parts: Mutex<Option<Parts>>,
}

/// Which devices there are. Without a directory it is closed: none can be added.
#[derive(Default)]
struct Roster {
    dir: Option<Arc<Dir>>,
    entries: KVec<Entry>,
}

/// A device and its file.
struct Entry {
    device: Arc<Device>,
    _file: File<Device>,
}

/// What must end before the instance can: dropped in this order.
struct Parts {
    subscription: Option<hotplug::Subscription<Instance>>,
    _control: File<ControlFile>,
    files: KVec<File<ThreadFile>>,
}

impl net::PerNet for Instance {
    fn id() -> &'static net::PerNetId {
        &ID
    }

    fn init(net: &'static net::Net) -> Result<Arc<Self>> {
        let dir = Arc::new(Dir::new(net, params::procdir())?, GFP_KERNEL)?;
        let activity = Activity::new()?;
        let instance = Arc::pin_init(
            pin_init!(Self {
                net,
                activity,
                crew <- Crew::new(),
                // Closed until all is there: a device added before would outlive a failure below.
                roster <- new_mutex!(Roster::default(), "Instance::roster"),
                parts <- new_mutex!(None, "Instance::parts"),
            }),
            GFP_KERNEL,
        )?;

        // In this order no CPU is missed: one that comes before the guard is among those online,
        // one that comes after it finds all in place.
        let subscription = hotplug::Subscription::new(instance.clone())?;
        // Made before the guard, so that on an error its files go without it: their handlers take
        // the hotplug lock.
        let mut files = KVec::new();
        let hotplug = HotplugGuard::new();
        for cpu in hotplug.online() {
            files.reserve(1, GFP_KERNEL)?;
            let file = instance.employ(&dir, cpu)?;
            let _ = files.push_within_capacity(file);
        }
        let handler = Arc::new(ControlFile(instance.clone()), GFP_KERNEL)?;
        let control = File::new(&dir, c"pgctrl", handler)?;
        *instance.parts.lock() = Some(Parts {
            subscription: Some(subscription),
            _control: control,
            files,
        });
        instance.roster.lock().dir = Some(dir);
        drop(hotplug);
        Ok(instance)
    }

    fn exit(this: Arc<Self>) {
        // First, so that whoever is told of a CPU finds all in place.
        let subscription = match &mut *this.parts.lock() {
            Some(parts) => parts.subscription.take(),
            None => None,
        };
        drop(subscription);
        let dir = this.roster.lock().dir.take();
        this.remove_all(|_| true);
        let parts = this.parts.lock().take();
        // Handlers of these files take the locks above, so none is held here. They also wait for
        // the threads, which therefore go last.
        drop(parts);
        this.crew.dismiss();
        drop(dir);
    }
}

impl hotplug::Listener for Instance {
    fn id() -> &'static hotplug::Id {
        &HOTPLUG_ID
    }

    fn online(this: ArcBorrow<'_, Self>, cpu: u32) {
        let Some(dir) = this.roster.lock().dir.clone() else {
            return;
        };
        // Room first: a file may not be removed here, as its handlers take the hotplug lock.
        let room = match &mut *this.parts.lock() {
            Some(parts) => parts.files.reserve(1, GFP_KERNEL).map_err(Error::from),
            None => Err(ENODEV),
        };
        match room.and_then(|()| Arc::from(this).employ(&dir, cpu)) {
            Ok(file) => {
                if let Some(parts) = &mut *this.parts.lock() {
                    let _ = parts.files.push_within_capacity(file);
                }
            }
            // It was here before.
            Err(EEXIST) => {}
            Err(error) => pr_warn!("no worker for CPU {}: {:?}\n", cpu, error),
        }
    }

    fn offline(this: ArcBorrow<'_, Self>, cpu: u32) {
        this.crew.lose(cpu);
    }
}

impl Instance {
    /// The namespace.
    pub(crate) fn net(&self) -> &'static net::Net {
        self.net
    }

    /// Takes a worker for a CPU on, and makes its file.
    ///
    /// # Errors
    ///
    /// `EEXIST` if there is one; `ENOMEM`.
    fn employ(self: &Arc<Self>, dir: &Arc<Dir>, cpu: u32) -> Result<File<ThreadFile>> {
        let worker = Worker::new(cpu, self.activity.clone())?;
        let name = CString::try_from_fmt(fmt!("kpktgend_{cpu}"))?;
        let handler = Arc::new(
            ThreadFile {
                instance: self.clone(),
                worker: worker.clone(),
            },
            GFP_KERNEL,
        )?;
        self.crew.enlist(worker.clone())?;
        // Whoever writes to the file finds the worker enlisted.
        File::new(dir, &name, handler).inspect_err(|_| self.crew.discharge(&worker))
    }

    /// Runs all devices and waits until none runs any more. A signal stops them.
    pub(crate) fn start(&self) {
        self.crew.start();
        self.crew.flush();
        if self.activity.wait_none().is_err() {
            self.crew.stop();
            self.crew.flush();
        }
    }

    /// Stops all devices. They have stopped on return, but those of workers that are in a driver's
    /// hands for long.
    pub(crate) fn stop(&self) {
        self.crew.stop();
        self.crew
            .flush_for(kernel::time::msecs_to_jiffies(STOP_PATIENCE_MS));
    }

    /// Removes all devices. They are gone on return.
    pub(crate) fn reset(&self) {
        self.remove_all(|_| true);
    }

    /// Removes all devices of one worker. They are gone on return.
    pub(crate) fn remove_devices_of(&self, worker: &Worker) {
        self.remove_all(|device| core::ptr::eq(device.worker(), worker));
    }

    /// Adds a device to a worker.
    ///
    /// # Errors
    ///
    /// `EBUSY` if there is one of that name, `ENODEV` if there is no such netdev, `EINVAL` if it
    /// is not an Ethernet one or the name cannot be that of a file, `ENETDOWN` if it is down,
    /// `ENOMEM`.
    pub(crate) fn add_device(&self, text: &[u8], worker: &Arc<Worker>) -> Result {
        let name = Name::new(text)?;
        let hotplug = HotplugGuard::new();
        let mut roster = self.roster.lock();
        let dir = roster.dir.clone().ok_or(ENODEV)?;
        if !Gate::is_open() {
            return Err(ENODEV);
        }
        if roster
            .entries
            .iter()
            .any(|entry| entry.device.is_named(&name))
        {
            return Err(EBUSY);
        }
        let netdev =
            net::Device::by_name(self.net, &name::cstring(name.netdev())?).ok_or(ENODEV)?;
        if !netdev.is_ethernet() {
            return Err(EINVAL);
        }
        if !netdev.is_running() {
            return Err(errno::enetdown());
        }
        if !name.is_file_name() {
            return Err(EINVAL);
        }
        roster.entries.reserve(1, GFP_KERNEL)?;
        let mut devices = worker.devices().lock();
        devices.reserve(1, GFP_KERNEL)?;
        let device = Device::new(name, self.net, netdev, worker.clone())?;
        // The room was reserved above, so these cannot fail and nothing is left half done.
        let file = File::new(&dir, &name.to_cstring()?, device.clone())?;
        let _ = devices.insert_within_capacity(0, device.clone());
        let _ = roster.entries.push_within_capacity(Entry {
            device,
            _file: file,
        });
        drop(devices);
        // Whoever adds a device will start it. If there is no thread now, the start says so.
        let _ = self.crew.prepare(&hotplug, worker);
        Ok(())
    }

    /// Gives up the devices of a netdev that goes. Their results go with them, so that what they
    /// sent is logged.
    pub(crate) fn unregister(&self, netdev: &net::DeviceRef) {
        let which = |device: &Device| device.netdev().is(netdev);
        let mut roster = self.roster.lock();
        self.end_runs(&roster, which);
        for entry in &roster.entries {
            if which(&entry.device) && netdev.is_unregistering() {
                entry.device.log_loss();
            }
        }
        take::all(&mut roster.entries, |entry| which(&entry.device));
    }

    /// Has the runs on a netdev look at its link, which may have gone.
    pub(crate) fn link_changed(&self, netdev: &net::DeviceRef) {
        for entry in &self.roster.lock().entries {
            if entry.device.netdev().is(netdev) {
                entry.device.worker().refresh_soon();
            }
        }
    }

    /// Follows a netdev's new name, in the devices' names and those of their files. A device
    /// whose new name is taken, or cannot be a file's, keeps the old one.
    pub(crate) fn rename(&self, netdev: &net::DeviceRef) {
        let mut roster = self.roster.lock();
        let Some(dir) = roster.dir.clone() else {
            return;
        };
        for index in 0..roster.entries.len() {
            let Some(entry) = roster.entries.get(index) else {
                break;
            };
            if !entry.device.netdev().is(netdev) {
                continue;
            }
            let device = entry.device.clone();
            let name = device.name().renamed(netdev.name().to_bytes());
            let mut others = roster.entries.iter();
            if others.any(|other| other.device.is_named(&name)) || !name.is_file_name() {
                pr_err!("{}: no device file can have this name\n", name.as_bstr());
                continue;
            }
            let file = name
                .to_cstring()
                .and_then(|name| File::new(&dir, &name, device.clone()));
            match (file, roster.entries.get_mut(index)) {
                (Ok(file), Some(entry)) => {
                    device.state().lock().name = name;
                    entry._file = file;
                }
                _ => pr_err!("{}: no device file could be made\n", name.as_bstr()),
            }
        }
    }

    /// Removes the devices that `which` picks: ends their runs, then their files and references.
    fn remove_all(&self, which: impl Fn(&Device) -> bool) {
        let mut roster = self.roster.lock();
        self.end_runs(&roster, &which);
        take::all(&mut roster.entries, |entry| which(&entry.device));
    }

    /// Ends the runs of the devices that `which` picks, and takes them from their workers. Workers
    /// that run none of them are not asked.
    fn end_runs(&self, roster: &Roster, which: impl Fn(&Device) -> bool) {
        if !roster.entries.iter().any(|entry| which(&entry.device)) {
            return;
        }
        for worker in self.crew.workers() {
            // A device starts to run under this lock, and only as one of the worker's.
            let running = Cell::new(false);
            take::all(&mut worker.devices().lock(), |device| {
                let ours = which(device);
                if ours && device.state().lock().shared.running {
                    running.set(true);
                }
                ours
            });
            if running.get() {
                worker.mailbox().post(Request::Prune);
                worker.mailbox().flush();
            }
        }
    }
}

/// The instance that `netdev` belongs to.
pub(crate) fn of(netdev: &net::DeviceRef) -> Option<ArcBorrow<'_, Instance>> {
    netdev.pernet::<Instance>()
}
