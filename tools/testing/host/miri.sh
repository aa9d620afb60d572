#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# miri.sh: the core's tests under Miri, which finds undefined behaviour and
# what only some targets do wrong. Miri comes with nightly toolchains only, so
# this uses the machine's own rustup, where it has one.

set -euo pipefail
# shellcheck source=tools/testing/lib.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"
# shellcheck source=tools/lab/lib.sh
source "$TEST_ROOT/tools/lab/lib.sh"

INSTALL="rustup toolchain install nightly --profile minimal --component miri,rust-src"
# Nothing is to be installed behind the user's back.
export RUSTUP_AUTO_INSTALL=0

# Skips the test unless Miri is there.
need_miri() {
	local component components
	command -v rustup >/dev/null || skip "there is no rustup; Miri needs it: $INSTALL"
	components=$(rustup component list --toolchain nightly --installed 2>/dev/null) ||
		skip "there is no nightly toolchain: $INSTALL"
	for component in miri rust-src; do
		grep -q "^$component\(-\|$\)" <<<"$components" || skip "the nightly toolchain has no $component: $INSTALL"
	done
}

miri() { # [TARGET...] -- ARG...
	rustup run nightly cargo miri "$@"
}

test_core() { # [OPTION...]
	need_miri
	local version
	version=$(rustup run nightly rustc --version | tr -cs '[:alnum:]\n' _)
	cargo_in_cache
	export MIRI_SYSROOT=$LAB_CACHE/miri/$version CARGO_TARGET_DIR=$LAB_CACHE/target/miri
	unset RUSTFLAGS RUSTC RUSTC_WRAPPER MIRI_LIB_SRC
	make_dirs "$LAB_CACHE/lock" "$LAB_CACHE/miri" "$CARGO_TARGET_DIR"
	lock miri
	miri setup
	# One test reads the documentation.
	MIRIFLAGS=-Zmiri-disable-isolation miri test --locked --manifest-path "$TEST_ROOT/rust/core/Cargo.toml" "$@"
}

ktap_test "the core's tests under Miri" test_core
ktap_run
