// SPDX-License-Identifier: GPL-2.0

//! IPsec: security associations, and packets transformed by them.
//!
//! C header: [`include/net/xfrm.h`](srctree/include/net/xfrm.h)

use super::{bindings, Device, Net, SkBuff};

mod output;
mod state;

pub(crate) use state::State;
