// SPDX-License-Identifier: GPL-2.0

//! The side of a pktgen device that its worker owns while a run lasts.

pub use crate::config::Mode;
use crate::device::{Counters, Device};

/// What a run must know of the net device and its surroundings.
#[derive(Clone, Copy, Debug)]
pub struct StartFacts {
    /// MAC address of the net device.
    pub dev_mac: [u8; 6],
    /// First IPv4 address of the net device.
    pub ifa_local: Option<[u8; 4]>,
    /// Number of transmit queues in use.
    pub real_num_tx_queues: u16,
    /// Whether the net device can send one packet buffer several times.
    pub tx_sharing: bool,
    /// Whether the net device fills in UDP checksums over IPv4.
    pub csum_ipv4: bool,
    /// Whether the net device fills in UDP checksums over IPv6.
    pub csum_ipv6: bool,
    /// First link-local IPv6 address of the net device.
    pub link_local6: Option<[u8; 16]>,
    /// Number of the worker's CPU.
    pub cpu: u16,
    /// Monotonic time in nanoseconds.
    pub now_ns: u64,
}

/// Random numbers.
pub trait Random {
    /// A uniform 32-bit number.
    fn u32(&mut self) -> u32;
    /// A uniform number below `n`, which is not 0.
    fn below(&mut self, n: u32) -> u32;
}

/// When the next packet is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// At once.
    None,
    /// At that monotonic time in nanoseconds.
    At(u64),
    /// Never, until the configuration changes.
    Never,
}

/// The measures of one packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Length of the frame in bytes.
    pub len: usize,
    /// Transmit queue.
    pub queue: u16,
    /// Priority of the packet buffer.
    pub priority: u32,
    /// Offset of the network header.
    pub l2_len: u16,
    /// Offset of the UDP header.
    pub l4_offset: u16,
    /// Ethernet type in host byte order.
    pub protocol: u16,
    /// Whether the net device completes the UDP checksum.
    pub csum_partial: bool,
}

/// A run, owned by its worker.
pub struct Run {
    /// The worker's counters; [`sync`](Self::sync) publishes them.
    pub counters: Counters,
}

impl Run {
    /// Prepares a device and begins a run.
    pub fn start(_device: &mut Device, _facts: &StartFacts) -> Run {
        Run {
            counters: Counters::CLEARED,
        }
    }
    /// How packets leave.
    pub fn mode(&self) -> Mode {
        Mode::StartXmit
    }
    /// Whether the worker keeps a reference to sent packets.
    pub fn shared(&self) -> bool {
        true
    }
    /// Copies sent in one go.
    pub fn burst(&self) -> u32 {
        1
    }
    /// Sends of each packet.
    pub fn clone_skb(&self) -> u32 {
        0
    }
    /// Whether packets carry the time.
    pub fn timestamps(&self) -> bool {
        true
    }
    /// Advances the varying fields for one packet.
    pub fn next(&mut self, _rng: &mut impl Random) -> Shape {
        Shape {
            len: 60,
            queue: 0,
            priority: 0,
            l2_len: 14,
            l4_offset: 34,
            protocol: 0x0800,
            csum_partial: false,
        }
    }
    /// Fills a frame of `shape.len` bytes.
    pub fn write(&mut self, _frame: &mut [u8], _shape: &Shape, _wall: Option<(u32, u32)>) {}
    /// Counts `n` packets of `len` bytes handed to the driver or the qdisc.
    pub fn sent(&mut self, _n: u32, _len: usize) {}
    /// Counts `n` packets handed to the receive path.
    pub fn received(&mut self, _n: u32) {}
    /// Counts a refused packet.
    pub fn error(&mut self) {}
    /// Whether as many packets were sent as configured.
    pub fn complete(&self) -> bool {
        true
    }
    /// When the next packet is due.
    pub fn pace(&self) -> Pace {
        Pace::None
    }
    /// The wait for the last [`pace`](Self::pace) is over.
    pub fn paced(&mut self, _now_ns: u64) {}
    /// Counts time spent waiting.
    pub fn idle(&mut self, _ns: u64) {}
    /// Exchanges state with the shared side.
    pub fn sync(&mut self, _device: &mut Device, _facts: &StartFacts) {}
    /// Ends the run.
    pub fn finish(self, _device: &mut Device, _frags: i32, _now_ns: u64) {}
}
