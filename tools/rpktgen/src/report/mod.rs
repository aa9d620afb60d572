// SPDX-License-Identifier: GPL-2.0
//! What is printed: a table for a terminal, lines for a pipe, JSON for a program.

pub mod json;
pub mod lines;
pub mod settings;
pub mod style;
pub mod table;

mod figures;

use std::io::{self, Write};

use crate::error::{Error, Kind, Result};
use crate::snapshot::TreeStatus;
use style::Style;

/// The form of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Aligned columns for a person.
    Table(Style),
    /// One tab-separated line a device, without any decoration.
    Lines,
    /// The versioned document of `schemas/`.
    Json,
}

impl Format {
    /// The whole report on `trees`.
    pub fn render(self, trees: &[TreeStatus]) -> Result<String> {
        match self {
            Format::Table(style) => Ok(table::render(trees, style)),
            Format::Lines => Ok(lines::render(trees)),
            Format::Json => json::render(trees),
        }
    }
}

/// Prints `text` to standard output.
///
/// A reader that has seen enough (`| head`) is no error.
pub fn print(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() != io::ErrorKind::BrokenPipe => Err(Error::new(
            Kind::Failed,
            format!("cannot write to standard output: {e}"),
        )),
        _ => Ok(()),
    }
}

/// `text` with control characters made visible: names come from the system, and a terminal obeys.
pub fn visible(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { '\u{fffd}' } else { c })
        .collect()
}
