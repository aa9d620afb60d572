// SPDX-License-Identifier: GPL-2.0

//! Taking elements out of a vector.
//!
//! `KVec::retain` indexes, and the compiler does not see that it cannot panic; the module must
//! hold no panicking path.

use kernel::prelude::*;

/// Takes the first element that `which` picks.
pub(crate) fn first<T>(list: &mut KVec<T>, which: impl Fn(&T) -> bool) -> Option<T> {
    let index = list.iter().position(which)?;
    list.remove(index).ok()
}

/// Drops all elements that `which` picks, keeping the order of the others.
pub(crate) fn all<T>(list: &mut KVec<T>, which: impl Fn(&T) -> bool) {
    while first(list, &which).is_some() {}
}
