// SPDX-License-Identifier: GPL-2.0
//! Where the generator's files are: one directory below `/proc/net` for each loaded module.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};

use crate::error::{Error, Kind, Result};
use crate::system::System;

/// Directory in which modules create their trees.
pub const PROC_NET: &str = "/proc/net";

const CONTROL: &str = "pgctrl";
const THREAD_PREFIX: &str = "kpktgend_";

/// The CPU of a worker's file name, `kpktgend_<cpu>`.
pub fn thread_cpu(name: &str) -> Option<u32> {
    let digits = name.strip_prefix(THREAD_PREFIX)?;
    if !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    digits.parse().ok()
}

/// A command for the `pgctrl` file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// Runs every device of every worker; the write returns when all have finished.
    Start,
    /// Asks every worker to stop; the write does not wait for it.
    Stop,
    /// Removes every device.
    Reset,
}

impl Control {
    /// The word the kernel knows.
    pub fn word(self) -> &'static str {
        match self {
            Control::Start => "start",
            Control::Stop => "stop",
            Control::Reset => "reset",
        }
    }
}

impl fmt::Display for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// The names in a tree at one instant.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// Files of workers with their CPU, by CPU.
    pub threads: Vec<(u32, OsString)>,
    /// Files of devices, by name.
    pub devices: Vec<OsString>,
    has_control: bool,
}

/// One generator's directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    path: PathBuf,
}

impl Tree {
    /// The tree at `path`, if it is one.
    pub fn open(system: &dyn System, path: &Path) -> Result<Self> {
        let tree = Self {
            path: path.to_path_buf(),
        };
        let listing = tree.list(system)?;
        if !listing.has_control {
            return Err(Error::new(
                Kind::Missing,
                format!(
                    "{} is no directory of the packet generator: it has no {CONTROL}; \
                     see what /proc/net has",
                    path.display()
                ),
            ));
        }
        Ok(tree)
    }

    /// Every tree below [`PROC_NET`], by name. `procdir=` lets a module use any name, so what
    /// counts is the content.
    pub fn find_all(system: &dyn System) -> Result<Vec<Self>> {
        let net = Path::new(PROC_NET);
        let mut names = system.list(net).map_err(|e| Error::io("list", net, &e))?;
        names.sort();
        let trees: Vec<_> = names
            .iter()
            .map(|name| Self {
                path: net.join(name),
            })
            // Plain files (ENOTDIR) and directories that just went away are no trees.
            .filter(|tree| {
                tree.list(system)
                    .is_ok_and(|l| l.has_control && !l.threads.is_empty())
            })
            .collect();
        if trees.is_empty() {
            return Err(Error::new(
                Kind::Missing,
                format!(
                    "no packet generator below {PROC_NET}: load one \
                     (insmod rpktgen.ko, or modprobe pktgen)"
                ),
            ));
        }
        Ok(trees)
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Path of the file `name` in the tree.
    pub fn file(&self, name: impl AsRef<OsStr>) -> PathBuf {
        self.path.join(name.as_ref())
    }

    /// Path of the control file.
    pub fn control_file(&self) -> PathBuf {
        self.file(CONTROL)
    }

    /// The names in the tree now.
    pub fn list(&self, system: &dyn System) -> Result<Listing> {
        let names = system
            .list(&self.path)
            .map_err(|e| Error::io("list", &self.path, &e))?;
        let mut listing = Listing::default();
        for name in names {
            if name == CONTROL {
                listing.has_control = true;
            } else if let Some(cpu) = name.to_str().and_then(thread_cpu) {
                listing.threads.push((cpu, name));
            } else {
                listing.devices.push(name);
            }
        }
        listing.threads.sort();
        listing.devices.sort();
        Ok(listing)
    }

    /// Writes `command` to the control file. [`Control::Start`] blocks while the run lasts.
    pub fn control(&self, system: &dyn System, command: Control) -> Result<()> {
        let file = self.control_file();
        system.write(&file, command.word().as_bytes()).map_err(|e| {
            if e.raw_os_error() == Some(EPERM) {
                // Unlike the other files, this one asks for a capability, not for an owner.
                return Error::new(
                    Kind::Permission,
                    format!(
                        "cannot write \"{command}\" to {}: {e}; \
                         it takes CAP_NET_ADMIN in the initial user namespace: run it as root, \
                         not in a container",
                        file.display()
                    ),
                );
            }
            Error::io(&format!("write \"{command}\" to"), &file, &e)
        })
    }
}

const EPERM: i32 = 1;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thread_names() {
        let table = [
            ("kpktgend_0", Some(0)),
            ("kpktgend_127", Some(127)),
            ("kpktgend_", None),
            ("kpktgend_+1", None),
            ("kpktgend_1x", None),
            ("kpktgend_99999999999", None),
            ("eth0@0", None),
        ];
        for (name, cpu) in table {
            assert_eq!(thread_cpu(name), cpu, "{name}");
        }
    }
}
