// SPDX-License-Identifier: GPL-2.0

//! The network stack: devices, packet buffers, transmit queues, namespaces.

use super::bindings;

mod bh;
mod device;
mod namespace;
mod notifier;
mod skbuff;
mod stack;
mod txq;
#[cfg(all(CONFIG_XFRM, CONFIG_NET_PKTGEN, not(RPKTGEN_NO_IPSEC)))]
mod xfrm;
#[cfg(not(all(CONFIG_XFRM, CONFIG_NET_PKTGEN, not(RPKTGEN_NO_IPSEC))))]
#[path = "xfrm/none.rs"]
mod xfrm;

pub(crate) use bh::BhDisabled;
pub(crate) use device::{Device, DeviceRef};
pub(crate) use namespace::{Net, PerNet, PerNetId, Registration as PerNetRegistration};
pub(crate) use notifier::{Event, Listener, Registration as NotifierRegistration};
pub(crate) use skbuff::{Layout, SharedSkb, SkBuff, SkbRef};
pub(crate) use stack::{dev_queue_xmit, netif_receive_skb, ratelimit, RxStatus};
pub(crate) use txq::{TxQueue, TxQueueGuard, TxStatus};
pub(crate) use xfrm::State;
