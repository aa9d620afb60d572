// SPDX-License-Identifier: GPL-2.0
//! The figures of one device, wherever they come from: the summary of a finished run, or the
//! counters of one that lasts.

use crate::snapshot::DeviceStatus;

/// What a device did. `None` where nothing says.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Figures {
    pub(super) packets: Option<u64>,
    pub(super) errors: Option<u64>,
    pub(super) elapsed_us: Option<u64>,
    pub(super) pps: Option<u64>,
    pub(super) bps: Option<u64>,
    pub(super) ns_per_packet: Option<f64>,
}

impl Figures {
    pub(super) fn of(device: &DeviceStatus) -> Self {
        if let Some(summary) = device.summary() {
            return Self {
                packets: Some(summary.packets),
                errors: Some(summary.errors),
                elapsed_us: Some(summary.elapsed_us),
                pps: Some(summary.pps),
                bps: Some(summary.bps),
                ns_per_packet: summary.ns_per_packet,
            };
        }
        let current = device.current.as_ref();
        let live = device.live.as_ref();
        Self {
            packets: current.and_then(|c| c.packets),
            errors: current.and_then(|c| c.errors),
            elapsed_us: live.map(|l| l.elapsed_us),
            pps: live.map(|l| l.pps),
            bps: None,
            ns_per_packet: live.and_then(|l| l.ns_per_packet),
        }
    }
}
