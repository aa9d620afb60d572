// SPDX-License-Identifier: GPL-2.0
//! The only door to the kernel's file systems.
//!
//! Everything else asks a [`System`]; tests hand in one of their own, with devices that vanish
//! and files that fail.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// More than any file of the generator holds; what is longer is something else.
const READ_LIMIT: u64 = 1 << 20;

/// Access to `/proc` and `/sys`. Paths are always the absolute ones of the running kernel.
pub trait System: Send + Sync {
    /// Names in the directory `dir`, in no particular order.
    fn list(&self, dir: &Path) -> io::Result<Vec<OsString>>;

    /// Whole content of `file`.
    fn read(&self, file: &Path) -> io::Result<Vec<u8>>;

    /// Hands `data` to the kernel in one write(2): a command split in two is two commands.
    /// May block for as long as the command takes.
    fn write(&self, file: &Path, data: &[u8]) -> io::Result<()>;

    /// Like [`System::read`], as text. What is not UTF-8 becomes U+FFFD: an interface name may
    /// hold any byte, and must not hide everything else.
    fn read_text(&self, file: &Path) -> io::Result<String> {
        let bytes = self.read(file)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

/// The machine this runs on, or a copy of its `/proc` and `/sys` below another directory.
#[derive(Debug)]
pub struct Host {
    root: PathBuf,
}

impl Host {
    /// `root` is `/`, or the directory that stands for it.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    fn at(&self, path: &Path) -> PathBuf {
        // A path that is still absolute would replace the root in join().
        self.root.join(path.strip_prefix("/").unwrap_or(path))
    }
}

impl System for Host {
    fn list(&self, dir: &Path) -> io::Result<Vec<OsString>> {
        fs::read_dir(self.at(dir))?
            .map(|entry| Ok(entry?.file_name()))
            .collect()
    }

    fn read(&self, file: &Path) -> io::Result<Vec<u8>> {
        let mut data = Vec::new();
        File::open(self.at(file))?
            .take(READ_LIMIT + 1)
            .read_to_end(&mut data)?;
        if data.len() as u64 > READ_LIMIT {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "longer than 1 MiB, so not a file of the packet generator",
            ));
        }
        Ok(data)
    }

    fn write(&self, file: &Path, data: &[u8]) -> io::Result<()> {
        // Neither O_CREAT nor O_TRUNC: the file is there or the command is for nobody.
        let written = OpenOptions::new()
            .write(true)
            .open(self.at(file))?
            .write(data)?;
        if written != data.len() {
            return Err(io::Error::new(
                io::ErrorKind::WriteZero,
                format!("took {written} of {} bytes", data.len()),
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn root_stands_for_slash() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir_all(dir.path().join("proc/net")).unwrap();
        fs::write(dir.path().join("proc/net/x"), b"a\xffb\n").unwrap();
        let host = Host::new(dir.path());
        assert_eq!(host.list(Path::new("/proc/net")).unwrap(), ["x"]);
        assert_eq!(
            host.read_text(Path::new("/proc/net/x")).unwrap(),
            "a\u{fffd}b\n"
        );
        host.write(Path::new("/proc/net/x"), b"c").unwrap();
        assert_eq!(host.read(Path::new("/proc/net/x")).unwrap(), b"c\xffb\n");
    }

    #[test]
    fn writing_never_creates() {
        let dir = tempfile::tempdir().unwrap();
        let host = Host::new(dir.path());
        let error = host.write(Path::new("/pgctrl"), b"start").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        assert!(host.list(Path::new("/")).unwrap().is_empty());
    }

    #[test]
    fn endless_files_end() {
        let error = Host::new("/").read(Path::new("/dev/zero")).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidData);
    }
}
