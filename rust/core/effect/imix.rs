// SPDX-License-Identifier: GPL-2.0

//! What `imix_weights` does.

use super::fitting_size;
use crate::command::{at_end, Target};
use crate::imix::{Entry, Imix};
use crate::scan::Scanner;
use crate::{Error, Result};

/// `imix_weights`: pairs of size and weight. A refused list leaves the one before in force; no
/// list at all is refused as well, but switches the mix off; strict mode does not refuse that.
pub(crate) fn imix_weights(t: &mut Target<'_>, scan: &mut Scanner<'_>) -> Result {
    if t.device.config.clone_skb > 0 {
        return Err(Error::Invalid);
    }
    if scan.is_blank() {
        t.device.config.imix = Imix::NONE;
        // What fails in strict mode changes nothing, so there this does not fail.
        return t.refused_unless_strict();
    }
    let imix = match read(scan) {
        Ok(imix) => imix,
        Err(error) => {
            if t.strict {
                t.complain("a list of at most 20 SIZE,WEIGHT is needed");
            }
            return Err(error);
        }
    };
    at_end(t, scan)?;
    // The result stays as it was.
    t.device.config.imix = imix;
    Ok(())
}

/// Reads pairs with one space between them. Any other byte behind a pair ends the list.
fn read(scan: &mut Scanner<'_>) -> Result<Imix> {
    let mut imix = Imix::NONE;
    loop {
        if imix.is_full() {
            return Err(Error::TooBig);
        }
        let size = scan.decimal(10).value;
        if !scan.eat(b',') {
            return Err(Error::Invalid);
        }
        let weight = scan.decimal(10).value;
        if weight == 0 {
            return Err(Error::Invalid);
        }
        imix.push(Entry {
            size: fitting_size(size),
            weight,
        });
        if !scan.eat(b' ') {
            return Ok(imix);
        }
    }
}
