// SPDX-License-Identifier: GPL-2.0

//! Making a packet: the next values of what varies, a buffer, the bytes.

use crate::abstractions::{clock, net, random};
use rpktgen_core::run::{Mode, Random, Run};

/// The kernel's random numbers for the fields that vary.
struct KernelRandom;

impl Random for KernelRandom {
    #[inline]
    fn u32(&mut self) -> u32 {
        random::get_u32()
    }

    #[inline]
    fn below(&mut self, n: u32) -> u32 {
        random::get_u32_below(n)
    }
}

/// A packet ready to be sent in the mode of its run.
pub(crate) struct Packet {
    /// The buffer.
    pub(crate) skb: net::SkBuff,
    /// Length of the frame as built, in bytes.
    pub(crate) len: usize,
    /// Transmit queue it is made for.
    pub(crate) queue: u16,
}

/// Makes the next packet of `run`. Any context.
///
/// Returns `None` when there is no memory for it; the fields that vary have then moved on, as
/// for a packet that was lost.
pub(crate) fn packet(run: &mut Run, netdev: &net::Device) -> Option<Packet> {
    let shape = run.next(&mut KernelRandom);
    let mut skb = net::SkBuff::alloc(netdev, shape.len)?;
    let wall = run.timestamps().then(clock::wall);
    run.write(skb.frame(), &shape, wall);
    skb.set_layout(&net::Layout {
        network: shape.l2_len,
        transport: shape.l4_offset,
        protocol: shape.protocol,
        queue: shape.queue,
        priority: shape.priority,
        csum_partial: shape.csum_partial,
    });
    if run.mode() == Mode::NetifReceive {
        skb = skb.into_received(netdev);
    }
    Some(Packet {
        skb,
        len: shape.len,
        queue: shape.queue,
    })
}
