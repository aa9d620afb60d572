// SPDX-License-Identifier: GPL-2.0
//! All files of a tree, read once.
//!
//! The generator does not hold still for a reader: devices and whole trees go away between the
//! listing and the read. What went away is reported as gone; what is there and cannot be read is
//! a [`Problem`] beside everything that could.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Serialize, Serializer};

use crate::error::{Error, Result};
use crate::system::System;
use crate::text::device::{self, Counters, DeviceText, Params};
use crate::text::result::{ns_per_packet, Phase, RunResult, Summary};
use crate::text::{control, thread};
use crate::tree::Tree;

/// A tree at one instant.
#[derive(Debug, Serialize)]
pub struct TreeStatus {
    /// The directory.
    #[serde(serialize_with = "lossy")]
    pub path: PathBuf,
    /// The line that names the generator.
    pub banner: String,
    /// The version in it.
    pub version: Option<String>,
    /// Its workers, by CPU.
    pub threads: Vec<ThreadStatus>,
    /// Devices that no worker names: caught in removal, or their worker's file cannot be read.
    pub unlisted: Vec<DeviceStatus>,
    /// Files that could not be read.
    pub problems: Vec<Problem>,
}

/// One worker.
#[derive(Debug, Serialize)]
pub struct ThreadStatus {
    /// Name of the worker and of its file.
    pub name: String,
    /// The CPU it is bound to.
    pub cpu: u32,
    /// Outcome of its last command, `NA` if there was none.
    pub result: Option<String>,
    /// Its devices: first those that run, each group with the newest first.
    pub devices: Vec<DeviceStatus>,
    /// Lines of its file that this version does not know.
    pub other: Vec<String>,
}

/// Does a device run?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// It sends.
    Running,
    /// It does not.
    Stopped,
    /// No worker says.
    Unknown,
}

/// One device.
#[derive(Debug, Serialize)]
pub struct DeviceStatus {
    /// Name as given to `add_device`.
    pub name: String,
    /// Name of its file (another one after the interface was renamed), null if it has none.
    pub file: Option<String>,
    /// Does it run?
    pub state: State,
    /// Parameters, null if its file was not read.
    pub params: Option<Params>,
    /// Counters, null if its file was not read.
    pub current: Option<Counters>,
    /// Rate since the start, while it runs.
    pub live: Option<Rate>,
    /// What its last command or run ended with.
    pub result: Option<RunResult>,
    /// Lines of its file that this version does not know.
    pub other: Vec<String>,
}

/// Speed of a run that has not ended.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rate {
    /// Since the start.
    pub elapsed_us: u64,
    /// Packets per second.
    pub pps: u64,
    /// Mean nanoseconds a packet.
    pub ns_per_packet: Option<f64>,
}

/// A file that could not be read.
#[derive(Debug, Serialize)]
pub struct Problem {
    /// The file.
    #[serde(serialize_with = "lossy")]
    pub path: PathBuf,
    /// What was tried and what the kernel said.
    pub message: String,
    /// The same, for the exit status.
    #[serde(skip)]
    pub error: Error,
}

impl Problem {
    fn new(path: PathBuf, error: &io::Error) -> Self {
        Self {
            message: format!("cannot read: {error}"),
            error: Error::io("read", &path, error),
            path,
        }
    }
}

impl TreeStatus {
    /// Reads every file of `tree`.
    ///
    /// Fails when the control file cannot be read: without it nothing else could.
    pub fn read(system: &dyn System, tree: &Tree) -> Result<Self> {
        let file = tree.control_file();
        let banner = system
            .read_text(&file)
            .map_err(|e| Error::io("read", &file, &e))?;
        let control = control::parse(&banner);
        let mut status = Self::read_workers(system, tree)?;
        status.banner = control.banner;
        status.version = control.version;
        Ok(status)
    }

    /// Like [`TreeStatus::read`], without the control file.
    pub fn read_workers(system: &dyn System, tree: &Tree) -> Result<Self> {
        let listing = tree.list(system)?;
        let mut problems = Vec::new();
        let mut files: Vec<_> = listing
            .devices
            .into_iter()
            .map(|name| read_device(system, tree, name))
            .collect();
        let mut threads = Vec::new();
        for (cpu, name) in listing.threads {
            let path = tree.file(&name);
            let text = match system.read_text(&path) {
                Ok(text) => thread::parse(&text),
                Err(e) => {
                    problems.push(Problem::new(path, &e));
                    continue;
                }
            };
            let running = text.running.into_iter().map(|n| (n, State::Running));
            let stopped = text.stopped.into_iter().map(|n| (n, State::Stopped));
            let devices = running
                .chain(stopped)
                .map(|(name, state)| DeviceStatus::new(name, state, &mut files, &mut problems))
                .collect();
            threads.push(ThreadStatus {
                name: name.to_string_lossy().into_owned(),
                cpu,
                result: text.result,
                devices,
                other: text.other,
            });
        }
        let unlisted = files
            .into_iter()
            .filter_map(|file| match file.content {
                Content::Text(text) => Some(DeviceStatus::from_text(
                    text.params.ifname.clone().unwrap_or(file.name.clone()),
                    State::Unknown,
                    Some(file.name),
                    *text,
                )),
                Content::Gone => None,
                Content::Unreadable(e) => {
                    problems.push(Problem::new(file.path, &e));
                    None
                }
            })
            .collect();
        Ok(Self {
            path: tree.path().to_path_buf(),
            banner: String::new(),
            version: None,
            threads,
            unlisted,
            problems,
        })
    }

    /// Every device with the worker it belongs to, if one names it.
    pub fn devices(&self) -> impl Iterator<Item = (Option<&ThreadStatus>, &DeviceStatus)> {
        let listed = self
            .threads
            .iter()
            .flat_map(|t| t.devices.iter().map(move |d| (Some(t), d)));
        listed.chain(self.unlisted.iter().map(|d| (None, d)))
    }

    /// Names of the devices that run.
    pub fn running(&self) -> Vec<&str> {
        self.devices()
            .filter(|(_, d)| d.state == State::Running)
            .map(|(_, d)| d.name.as_str())
            .collect()
    }

    /// The problems as errors.
    pub fn into_errors(self) -> impl Iterator<Item = Error> {
        self.problems.into_iter().map(|p| p.error)
    }
}

impl DeviceStatus {
    /// The device `name` of a worker's list, with its file taken out of `files`.
    fn new(
        name: String,
        state: State,
        files: &mut Vec<DeviceFile>,
        problems: &mut Vec<Problem>,
    ) -> Self {
        // A rename of the interface renames the file, not the device: the text knows better.
        let by_text = files.iter().position(|f| f.ifname() == Some(&name));
        let by_file = || {
            files
                .iter()
                .position(|f| f.ifname().is_none() && f.name == name)
        };
        let Some(file) = by_text.or_else(by_file).map(|i| files.swap_remove(i)) else {
            return Self::without_text(name, state, None);
        };
        match file.content {
            Content::Text(text) => Self::from_text(name, state, Some(file.name), *text),
            Content::Gone => Self::without_text(name, state, None),
            Content::Unreadable(e) => {
                problems.push(Problem::new(file.path, &e));
                Self::without_text(name, state, Some(file.name))
            }
        }
    }

    fn from_text(name: String, state: State, file: Option<String>, text: DeviceText) -> Self {
        let live = (state == State::Running)
            .then(|| Rate::of(&text.current))
            .flatten();
        Self {
            name,
            file,
            state,
            params: Some(text.params),
            current: Some(text.current),
            live,
            result: text.result,
            other: text.other,
        }
    }

    fn without_text(name: String, state: State, file: Option<String>) -> Self {
        Self {
            name,
            file,
            state,
            params: None,
            current: None,
            live: None,
            result: None,
            other: Vec::new(),
        }
    }

    /// What is known of its last run, once that has finished.
    pub fn summary(&self) -> Option<&Summary> {
        self.result.as_ref()?.summary.as_ref()
    }

    /// Where it is in the life of its result.
    pub fn phase(&self) -> Option<Phase> {
        self.result.as_ref().map(|r| r.phase)
    }
}

impl Rate {
    /// While a device runs, the "stopped" instant of its counters is now.
    fn of(current: &Counters) -> Option<Self> {
        let elapsed_us = current.stopped_us?.checked_sub(current.started_us?)?;
        let packets = current.packets?;
        let pps = u128::from(packets) * 1_000_000 / u128::from(elapsed_us.max(1));
        Some(Self {
            elapsed_us,
            pps: u64::try_from(pps).unwrap_or(u64::MAX),
            ns_per_packet: ns_per_packet(elapsed_us, packets),
        })
    }
}

/// A path that is not UTF-8 is no reason to keep all the rest from a program.
fn lossy<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&path.to_string_lossy())
}

/// A device's file and what reading it gave.
struct DeviceFile {
    name: String,
    path: PathBuf,
    content: Content,
}

enum Content {
    Text(Box<DeviceText>),
    Gone,
    Unreadable(io::Error),
}

impl DeviceFile {
    fn ifname(&self) -> Option<&String> {
        match &self.content {
            Content::Text(text) => text.params.ifname.as_ref(),
            _ => None,
        }
    }
}

fn read_device(system: &dyn System, tree: &Tree, name: OsString) -> DeviceFile {
    let path = tree.file(&name);
    let content = match read_or_gone(system, &path) {
        Ok(Some(text)) => Content::Text(Box::new(device::parse(&text))),
        Ok(None) => Content::Gone,
        Err(e) => Content::Unreadable(e),
    };
    DeviceFile {
        name: name.to_string_lossy().into_owned(),
        path,
        content,
    }
}

/// The text of `file`; `None` if it does not exist any more.
fn read_or_gone(system: &dyn System, file: &Path) -> io::Result<Option<String>> {
    const EIO: i32 = 5;
    let mut read = system.read_text(file);
    if matches!(&read, Err(e) if e.raw_os_error() == Some(EIO)) {
        // procfs answers EIO when the file went away after it was opened: a second open tells.
        read = system.read_text(file);
    }
    match read {
        Ok(text) => Ok(Some(text)),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(e),
    }
}
