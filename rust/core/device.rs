// SPDX-License-Identifier: GPL-2.0

//! The side of a pktgen device that readers and writers of its file see.
//!
//! The module keeps it under a lock. While a run lasts, the worker owns a
//! [`Run`](crate::run::Run) and exchanges both in [`Run::sync`](crate::run::Run::sync): what the
//! worker advanced comes here, what commands changed goes there.

use crate::config::{Config, Defaults};
use crate::imix::Tally;
use crate::text::Text;

/// What a run counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Packets sent.
    pub sofar: u64,
    /// Bytes sent, without FCS.
    pub tx_bytes: u64,
    /// Packets that were refused.
    pub errors: u64,
    /// Time spent waiting, in nanoseconds.
    pub idle_ns: u64,
    /// Sequence number of the next packet.
    pub seq_num: u32,
    /// Packets sent with each size of a mix.
    pub imix: Tally,
}

impl Counters {
    /// The counters at the start of a run and after `clear_counters`.
    pub const CLEARED: Self = Self {
        sofar: 0,
        tx_bytes: 0,
        errors: 0,
        idle_ns: 0,
        seq_num: 1,
        imix: Tally::NONE,
    };
}

/// The values of the varying fields, as the last built packet has them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Current {
    /// IPv4 source, host byte order.
    pub saddr: u32,
    /// IPv4 destination, host byte order.
    pub daddr: u32,
    /// IPv6 source.
    pub saddr6: [u8; 16],
    /// IPv6 destination.
    pub daddr6: [u8; 16],
    /// UDP source port.
    pub udp_src: u16,
    /// UDP destination port.
    pub udp_dst: u16,
    /// Configured size in bytes; the frame may be longer.
    pub pkt_size: u32,
    /// Transmit queue.
    pub queue_map: u16,
    /// Offset from the source MAC.
    pub src_mac_offset: u32,
    /// Offset from the destination MAC.
    pub dst_mac_offset: u32,
    /// IPv4 identification of the next packet.
    pub ip_id: u16,
    /// Flows begun since the start.
    pub flows: u32,
}

/// Which values commands set since the worker last looked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Touched(u16);

impl Touched {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const COUNTERS: Self = Self(1 << 0);
    pub(crate) const SADDR: Self = Self(1 << 1);
    pub(crate) const DADDR: Self = Self(1 << 2);
    pub(crate) const UDP_SRC: Self = Self(1 << 3);
    pub(crate) const UDP_DST: Self = Self(1 << 4);
    pub(crate) const PKT_SIZE: Self = Self(1 << 5);
    pub(crate) const SADDR6: Self = Self(1 << 6);
    pub(crate) const DADDR6: Self = Self(1 << 7);
    pub(crate) const SRC_MAC_OFFSET: Self = Self(1 << 8);
    pub(crate) const DST_MAC_OFFSET: Self = Self(1 << 9);

    pub(crate) const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// A pktgen device as its file shows it.
#[derive(Clone)]
pub struct Device {
    /// What commands configured; a start stores here what it chose.
    pub config: Config,
    /// Values of the varying fields.
    pub current: Current,
    /// Counters.
    pub counters: Counters,
    /// Outcome of the last command or run.
    pub result: Text,
    /// Monotonic time of the last start, in nanoseconds.
    pub started_ns: u64,
    /// Monotonic time of the last stop, in nanoseconds.
    pub stopped_ns: u64,
    /// Whether a run lasts.
    pub running: bool,
    /// What commands set that the worker has not taken over yet.
    pub(crate) touched: Touched,
    /// Counts commands, so that the worker sees when its plan is outdated.
    pub(crate) generation: u32,
}

impl Device {
    /// A fresh device.
    pub const fn new(defaults: &Defaults) -> Self {
        Self {
            config: Config::new(defaults),
            current: Current {
                saddr: 0,
                daddr: 0,
                saddr6: [0; 16],
                daddr6: [0; 16],
                udp_src: 0,
                udp_dst: 0,
                pkt_size: 0,
                queue_map: 0,
                src_mac_offset: 0,
                dst_mac_offset: 0,
                ip_id: 0,
                flows: 0,
            },
            counters: Counters {
                sofar: 0,
                tx_bytes: 0,
                errors: 0,
                idle_ns: 0,
                seq_num: 0,
                imix: Tally::NONE,
            },
            result: Text::new(),
            started_ns: 0,
            stopped_ns: 0,
            running: false,
            touched: Touched::NONE,
            generation: 0,
        }
    }

    /// Notes that a command set a value that the worker advances as well.
    pub(crate) fn touch(&mut self, what: Touched) {
        self.touched = Touched(self.touched.0 | what.0);
    }

    /// Notes that a command was carried out.
    pub(crate) fn changed(&mut self) {
        self.generation = self.generation.wrapping_add(1);
    }
}
