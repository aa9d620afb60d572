#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Nothing in the core crate may panic: in the kernel that is BUG(). Compiles it as the kernel
# does (optimised, overflow checks on), with a caller for every generic function, and fails if an
# object refers to a panic, or to 128-bit arithmetic, which the kernel turns into one.
#
# Usage: no-panic.sh      RUSTC, NM: the tools to use.

set -euo pipefail

rustc=${RUSTC:-rustc}
nm=${NM:-nm}
forbidden='panic|unwrap_failed|expect_failed|slice_.*_fail|len_mismatch|__u?(div|mod|mulo)ti'
here=$(cd "$(dirname "$0")" && pwd)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

flags=(--edition 2021 -C opt-level=2 -C panic=abort -C overflow-checks=on
	-C debug-assertions=off -C codegen-units=1 -C symbol-mangling-version=v0
	-C embed-bitcode=no -D warnings)

"$rustc" "${flags[@]}" --crate-type rlib --crate-name rpktgen_core \
	"--emit=metadata=$out/librpktgen_core.rmeta,obj=$out/core.o" "$here/../lib.rs"
"$rustc" "${flags[@]}" --crate-type rlib --crate-name caller \
	"--extern=rpktgen_core=$out/librpktgen_core.rmeta" \
	"--emit=obj=$out/caller.o" "$here/no-panic/caller.rs"

status=0
for object in core caller; do
	symbols=$("$nm" "$out/$object.o")
	# An object without any function would pass for the wrong reason.
	if ! grep -q ' T ' <<<"$symbols"; then
		echo "no-panic: $object.o defines nothing" >&2
		status=1
	fi
	if grep -E " U .*($forbidden)" <<<"$symbols"; then
		echo "no-panic: $object.o refers to the above" >&2
		status=1
	fi
done
exit "$status"
