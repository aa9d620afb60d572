// SPDX-License-Identifier: GPL-2.0
//! A generator's directory made of plain files, and the real binary to point at it.

#![allow(dead_code)] // each test binary uses its part

use std::fs::{self, Permissions};
use std::os::unix::fs::{symlink, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub const BANNER: &str = "Packet Generator for packet performance testing. Version: 2.75\n";
pub const FRESH: &str = include_str!("../golden/fresh-lo.txt");
pub const RAN: &str = include_str!("../golden/everything-v4.txt");
pub const RUNS: &str = include_str!("../golden/everything-v6.txt");
/// What the C module does not have: a rate that holds for packets, and how the run ended.
pub const LIMITED: &str = include_str!("../golden/rate.txt");

/// A directory that stands for `/`, removed at the end.
pub struct Root {
    dir: tempfile::TempDir,
}

impl Root {
    pub fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        // The tests look into it as another user, too.
        fs::set_permissions(dir.path(), Permissions::from_mode(0o755)).unwrap();
        fs::create_dir_all(dir.path().join("proc/net")).unwrap();
        let root = Self { dir };
        // What else is there must not disturb.
        root.file("proc/net/dev", "Inter-|   Receive\n");
        fs::create_dir(root.path("proc/net/stat")).unwrap();
        root
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.dir.path().join(path)
    }

    pub fn file(&self, path: &str, text: &str) {
        fs::write(self.path(path), text).unwrap();
        fs::set_permissions(self.path(path), Permissions::from_mode(0o600)).unwrap();
    }

    pub fn link(&self, path: &str, target: &str) {
        symlink(target, self.path(path)).unwrap();
    }

    /// A tree with three workers: one with two devices, one that runs a device, one without.
    pub fn tree(&self, name: &str) {
        let file = |file: &str, text: &str| self.file(&format!("proc/net/{name}/{file}"), text);
        fs::create_dir(self.path("proc/net").join(name)).unwrap();
        file("pgctrl", BANNER);
        file(
            "kpktgend_0",
            "Running: \nStopped: eth4@0 lo@0 \nResult: OK: add_device=eth4@0\n",
        );
        file("kpktgend_1", "Running: eth4@1 \nStopped: \nResult: NA\n");
        file("kpktgend_10", "Running: \nStopped: \nResult: NA\n");
        file("lo@0", FRESH);
        file("eth4@0", RAN);
        file("eth4@1", RUNS);
    }

    /// Runs the command with this root.
    pub fn run(&self, args: &[&str]) -> Ran {
        Ran::of(self.command().args(args).output().unwrap())
    }

    pub fn command(&self) -> Command {
        let mut command = Command::new(binary());
        command.arg("--root").arg(self.dir.path());
        command
    }
}

pub fn binary() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_rpktgen"))
}

/// How a command ended.
#[derive(Debug)]
pub struct Ran {
    pub status: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Ran {
    pub fn of(output: Output) -> Self {
        Self {
            status: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// It ended with `status`, one line on standard error that holds all of `words`, no output.
    #[track_caller]
    pub fn refused(&self, status: i32, words: &[&str]) {
        assert_eq!(self.status, Some(status), "{self:?}");
        assert_eq!(self.out, "", "{self:?}");
        assert_eq!(self.err.lines().count(), 1, "{self:?}");
        assert!(self.err.starts_with("rpktgen: "), "{self:?}");
        for word in words {
            assert!(self.err.contains(word), "{word}: {self:?}");
        }
    }

    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}: {self:?}"))
    }
}
