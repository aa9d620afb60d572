// SPDX-License-Identifier: GPL-2.0
//! The one error type of the command, and what its kinds mean to a script.

use std::fmt;
use std::io;
use std::path::Path;
use std::process::ExitCode;

/// What went wrong, as far as the exit status tells it.
///
/// The numbers are an interface, documented in `Documentation/cli.rst`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A run had errors, or a file could not be read or written.
    Failed = 1,
    /// The command line asks for something impossible or ambiguous.
    Usage = 2,
    /// The kernel refused for lack of privilege.
    Permission = 3,
    /// The module, a directory or a device is not there.
    Missing = 4,
}

impl Kind {
    /// The kind that an error of the kernel belongs to.
    pub fn of(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::PermissionDenied => Kind::Permission,
            io::ErrorKind::NotFound => Kind::Missing,
            _ => Kind::Failed,
        }
    }
}

/// One line for the user: what was tried, what the kernel said, what to do.
#[derive(Debug)]
pub struct Error {
    kind: Kind,
    message: String,
}

/// Result of everything in this crate that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// An error with a message of its own.
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
        }
    }

    /// The kernel refused to `action` (a verb: "read", "write to", "list") the file `path`.
    pub fn io(action: &str, path: &Path, error: &io::Error) -> Self {
        let kind = Kind::of(error);
        let hint = match kind {
            Kind::Permission => "; run it as root",
            Kind::Missing => "; is the module still loaded?",
            Kind::Failed | Kind::Usage => "",
        };
        Self::new(
            kind,
            format!("cannot {action} {}: {error}{hint}", path.display()),
        )
    }

    /// The kind, for callers that treat some errors differently.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The status the process ends with.
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(self.kind as u8)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernel_errors_map_to_documented_statuses() {
        // (errno, kind): EPERM, EACCES, ENOENT, EIO, EINVAL
        let table = [
            (1, Kind::Permission),
            (13, Kind::Permission),
            (2, Kind::Missing),
            (5, Kind::Failed),
            (22, Kind::Failed),
        ];
        for (errno, kind) in table {
            let error = Error::io(
                "read",
                Path::new("/proc/x"),
                &io::Error::from_raw_os_error(errno),
            );
            assert_eq!(error.kind(), kind, "errno {errno}");
            assert!(error.to_string().starts_with("cannot read /proc/x: "));
            assert!(!error.to_string().contains('\n'));
        }
    }
}
