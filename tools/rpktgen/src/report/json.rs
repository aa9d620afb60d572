// SPDX-License-Identifier: GPL-2.0
//! The document for programs. Its form is `schemas/rpktgen.status-1.schema.json`.

use serde::Serialize;

use crate::error::{Error, Kind, Result};
use crate::snapshot::TreeStatus;

/// Name and version of the document. A field may come without a new version; one that goes or
/// changes its meaning takes one.
pub const SCHEMA: &str = "rpktgen.status/1";

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    rpktgen: &'static str,
    trees: &'a [TreeStatus],
}

/// The document for `trees`.
pub fn render(trees: &[TreeStatus]) -> Result<String> {
    let document = Document {
        schema: SCHEMA,
        rpktgen: env!("CARGO_PKG_VERSION"),
        trees,
    };
    let mut text = serde_json::to_string_pretty(&document)
        .map_err(|e| Error::new(Kind::Failed, format!("cannot make the JSON document: {e}")))?;
    text.push('\n');
    Ok(text)
}
