// SPDX-License-Identifier: GPL-2.0

//! What the commands that set VLAN tags and MPLS labels do. A frame has either of them, and an
//! outer tag only with an inner one.

use core::fmt;

use crate::command::{at_end, Target};
use crate::config::Config;
use crate::flags::Flags;
use crate::scan::Scanner;
use crate::tags::{Labels, Vlan, BOTTOM_OF_STACK};
use crate::{Error, Result};

const MAX_VLAN_ID: u64 = 4095;
const MAX_PRIORITY: u64 = 7;
const MAX_CFI: u64 = 1;

/// `vlan_id`: a larger one removes both tags.
pub(crate) fn vlan_id(t: &mut Target<'_>, number: u64) -> Result {
    let config = &mut t.device.config;
    if number > MAX_VLAN_ID {
        config.vlans_off();
        return Ok(());
    }
    config.vlan.id = number as u16;
    config.vlan.on = true;
    config.mpls = Labels::NONE;
    t.ok(number)
}

/// `svlan_id`: a larger one, or one without an inner tag, removes both tags.
pub(crate) fn svlan_id(t: &mut Target<'_>, number: u64) -> Result {
    let config = &mut t.device.config;
    if number > MAX_VLAN_ID || !config.vlan.on {
        if t.strict && number <= MAX_VLAN_ID {
            return t.strict_error("there is no inner tag: set vlan_id first");
        }
        config.vlans_off();
        return Ok(());
    }
    config.svlan.id = number as u16;
    config.svlan.on = true;
    config.mpls = Labels::NONE;
    t.ok(number)
}

/// Stores a field of a tag that is on.
fn tag_field(
    t: &mut Target<'_>,
    number: u64,
    max: u64,
    on: bool,
    store: impl FnOnce(&mut Config, u8),
) -> Result {
    if on && number <= max {
        store(&mut t.device.config, number as u8);
        return t.ok(number);
    }
    let name = t.name();
    t.result(format_args!("ERROR: {name} must be 0-{max}"));
    t.refused()
}

/// `vlan_p` and `svlan_p`.
pub(crate) fn priority(
    t: &mut Target<'_>,
    number: u64,
    field: fn(&mut Config) -> &mut Vlan,
) -> Result {
    let on = field(&mut t.device.config).on;
    tag_field(t, number, MAX_PRIORITY, on, |c, priority| {
        field(c).priority = priority;
    })
}

/// `vlan_cfi` and `svlan_cfi`.
pub(crate) fn cfi(t: &mut Target<'_>, number: u64, field: fn(&mut Config) -> &mut Vlan) -> Result {
    let on = field(&mut t.device.config).on;
    tag_field(t, number, MAX_CFI, on, |c, cfi| {
        field(c).cfi = cfi;
    })
}

/// The entries of a label stack as the result shows them.
struct Shown<'a>(&'a [u32]);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for entry in self.0 {
            write!(f, "{separator}{entry:08x}")?;
            separator = ",";
        }
        Ok(())
    }
}

/// `mpls`: entries in hexadecimal, separated by commas. A first entry of 0, or one that is no
/// number, stands for no labels; a refused list leaves none either.
pub(crate) fn mpls(t: &mut Target<'_>, scan: &mut Scanner<'_>) -> Result {
    let mut labels = Labels::NONE;
    let read = read_labels(scan, &mut labels);
    if t.strict {
        // Nothing changes unless all of it is right.
        let refused = match read {
            Err(error) => Some(error),
            Ok(false) if !labels.is_empty() => Some(Error::Invalid),
            Ok(_) => None,
        };
        if let Some(error) = refused {
            t.complain("a list of at most 16 entries is needed");
            return Err(error);
        }
        if !labels.is_empty() {
            at_end(t, scan)?;
        }
    }
    let config = &mut t.device.config;
    if labels
        .entries()
        .iter()
        .any(|entry| entry & BOTTOM_OF_STACK != 0)
    {
        config.flags.set(Flags::MPLS_RND);
    }
    config.mpls = Labels::NONE;
    let complete = read?;
    if complete {
        config.mpls = labels;
    }
    let mpls = config.mpls;
    if !mpls.is_empty() {
        config.vlans_off();
    }
    t.ok(Shown(mpls.entries()))
}

/// Reads entries; `false` if one of them is no entry, which ends the list and empties it.
fn read_labels(scan: &mut Scanner<'_>, labels: &mut Labels) -> Result<bool> {
    loop {
        if labels.is_full() {
            return Err(Error::TooBig);
        }
        if scan.is_empty() {
            return Err(Error::Invalid);
        }
        let entry = scan.hex(8);
        if entry.value == 0 {
            return Ok(false);
        }
        // Eight digits are 32 bits.
        labels.push(entry.value as u32);
        if !scan.eat(b',') {
            return Ok(true);
        }
    }
}
