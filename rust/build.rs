// SPDX-License-Identifier: GPL-2.0

//! Making a packet: the next values of what varies, a buffer, the bytes.

use crate::{
    abstractions::{
        clock,
        memory::{Node, ZeroPage},
        net, random,
    },
    flows::Slots,
    ipsec::Refusal,
};
use kernel::prelude::*;
use rpktgen_core::{
    fragment::Split,
    run::{Memory, Mode, Random, Run},
    text::Text,
};

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
    /// How many page fragments it has.
    pub(crate) frags: u16,
    /// Transmit queue it is made for.
    pub(crate) queue: u16,
}

/// Why there is no packet.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lack {
    /// No memory.
    Memory,
    /// The security association of its flow cannot be used, for that reason.
    Unfit(&'static str),
    /// The security association of its flow did not transform it.
    Transformation,
}

impl Lack {
    /// The result to show.
    pub(crate) fn text(self) -> Text {
        let mut text = Text::new();
        match self {
            Self::Memory => text.set(b"No memory"),
            Self::Unfit(reason) => text.replace(format_args!(
                "ERROR: IPsec: the security association cannot be used: {reason}"
            )),
            Self::Transformation => {
                text.set(b"ERROR: IPsec: no packet can be transformed; see /proc/net/xfrm_stat")
            }
        }
        text
    }
}

impl From<Refusal> for Lack {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Unfit(reason) => Self::Unfit(reason),
            Refusal::Failed(ENOMEM) => Self::Memory,
            Refusal::Failed(_) => Self::Transformation,
        }
    }
}

/// What packets of one run are made with.
pub(crate) struct Builder {
    /// The slots of its flows.
    pub(crate) slots: Slots,
    /// The page that fragments refer to, and where it is from.
    page: Option<(Memory, ZeroPage)>,
}

impl Builder {
    /// Without slots and page: slots are the caller's to give, the page is made when needed.
    pub(crate) const fn new() -> Self {
        Self {
            slots: Slots::NONE,
            page: None,
        }
    }

    /// Makes the next packet of `run`. Any context.
    ///
    /// # Errors
    ///
    /// Where there is none, the fields that vary have moved on, as for a packet that was lost.
    #[inline]
    pub(crate) fn packet(&mut self, run: &mut Run, netdev: &net::Device) -> Result<Packet, Lack> {
        let shape = run.next(&mut self.slots.through(netdev), &mut KernelRandom);
        let linear = shape.len.saturating_sub(shape.split.total());
        let memory = run.memory();
        let mut skb = net::SkBuff::alloc(netdev, linear, memory.bound.then(|| node(memory)))
            .ok_or(Lack::Memory)?;
        let wall = run.timestamps().then(clock::wall);
        run.write(skb.frame(), wall);
        if shape.split.count != 0 {
            self.append(&mut skb, &shape.split, memory)
                .ok_or(Lack::Memory)?;
        }
        skb.set_layout(&net::Layout {
            network: shape.l2_len,
            transport: shape.l4_offset,
            protocol: shape.protocol,
            queue: shape.queue,
            priority: shape.priority,
            csum_partial: shape.csum_partial,
        });
        let mut len = shape.len;
        if let Some(flow) = shape.secured {
            skb = self.slots.transform(flow, skb, netdev, shape.l2_len)?;
            len = skb.wire_len();
        }
        if run.mode() == Mode::NetifReceive {
            skb = skb.into_received(netdev);
        }
        Ok(Packet {
            skb,
            len,
            frags: shape.split.count,
            queue: shape.queue,
        })
    }

    /// Appends page fragments. A page of another node than is wanted now is given up.
    fn append(&mut self, skb: &mut net::SkBuff, split: &Split, memory: Memory) -> Option<()> {
        if !matches!(&self.page, Some((from, _)) if *from == memory) {
            self.page = Some((memory, ZeroPage::alloc(node(memory))?));
        }
        let (_, page) = self.page.as_ref()?;
        skb.append(page, split.lengths());
        Some(())
    }
}

/// The node to take memory from; the worker's where none is configured.
fn node(memory: Memory) -> Node {
    let number = memory.node.map(u64::from);
    number.and_then(Node::new).unwrap_or(Node::LOCAL)
}
