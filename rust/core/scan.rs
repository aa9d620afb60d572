// SPDX-License-Identifier: GPL-2.0

//! To be filled in.
