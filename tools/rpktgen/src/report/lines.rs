// SPDX-License-Identifier: GPL-2.0
//! Tab-separated lines, for pipes: a header, then one line a device, then one for each worker
//! without devices. Figures are bare numbers; what is unknown is `-`.

use std::fmt::Display;

use super::figures::Figures;
use super::settings::settings;
use super::visible;
use crate::snapshot::{DeviceStatus, State, ThreadStatus, TreeStatus};

const HEADER: [&str; 13] = [
    "tree",
    "thread",
    "device",
    "state",
    "packets",
    "errors",
    "elapsed_us",
    "pps",
    "bps",
    "ns_per_packet",
    "settings",
    "result",
    "ended",
];

/// The report on `trees`.
pub fn render(trees: &[TreeStatus]) -> String {
    let mut text = HEADER.join("\t");
    text.push('\n');
    for tree in trees {
        let path = tree.path.to_string_lossy();
        for (thread, device) in tree.devices() {
            line(&mut text, device_fields(&path, thread, device));
        }
        for thread in tree.threads.iter().filter(|t| t.devices.is_empty()) {
            let mut fields = HEADER.map(|_| "-".to_owned());
            let [first, second, .., result, _] = &mut fields;
            *first = path.clone().into_owned();
            *second = thread.name.clone();
            *result = thread.result.clone().unwrap_or_else(|| "-".to_owned());
            line(&mut text, fields);
        }
    }
    text
}

fn device_fields(
    tree: &str,
    thread: Option<&ThreadStatus>,
    device: &DeviceStatus,
) -> [String; HEADER.len()] {
    let figures = Figures::of(device);
    let state = match device.state {
        State::Running => "running",
        State::Stopped => "stopped",
        State::Unknown => "unknown",
    };
    [
        tree.to_owned(),
        or_dash(thread.map(|t| &t.name)),
        device.name.clone(),
        state.to_owned(),
        or_dash(figures.packets),
        or_dash(figures.errors),
        or_dash(figures.elapsed_us),
        or_dash(figures.pps),
        or_dash(figures.bps),
        or_dash(figures.ns_per_packet),
        or_dash(device.params.as_ref().map(|p| settings(p).join(" "))),
        or_dash(device.result.as_ref().map(|r| &r.text)),
        or_dash(device.summary().and_then(|s| s.ended.as_ref())),
    ]
}

fn or_dash(value: Option<impl Display>) -> String {
    value.map_or_else(|| "-".to_owned(), |v| v.to_string())
}

/// A result may have several lines; here it gets a space for each line feed.
fn line(text: &mut String, fields: [String; HEADER.len()]) {
    let fields = fields.map(|f| visible(&f.replace(['\n', '\t'], " ")));
    text.push_str(&fields.join("\t"));
    text.push('\n');
}
