// SPDX-License-Identifier: GPL-2.0

//! What happens to netdevs that devices are configured on.

use crate::{
    abstractions::net::{DeviceRef, Event, Listener},
    instance,
};

/// The module's ear.
pub(crate) struct Events;

impl Listener for Events {
    fn notify(event: Event, netdev: &DeviceRef) {
        let Some(instance) = instance::of(netdev) else {
            return;
        };
        match event {
            Event::Link => instance.link_changed(netdev),
            Event::Rename => instance.rename(netdev),
            Event::Unregister => instance.unregister(netdev),
        }
    }
}
