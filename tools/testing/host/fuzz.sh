#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# fuzz.sh: the core under its fuzz targets (rust/core/fuzz) for a minute, or for
# FUZZ_SECONDS. Runs on the machine itself, in the toolchain environment; the
# checkout is only read. What a run comes to is printed as notes at the end.

set -euo pipefail
# shellcheck source=tools/testing/lib.sh
source "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"

CORE_FUZZ=$TEST_ROOT/rust/core/fuzz
FUZZ_SECONDS=${FUZZ_SECONDS:-60}
FIGURES=$(mktemp)
trap 'sed "s/^/# /" "$FIGURES"; rm -f -- "$FIGURES"' EXIT

corpus_hash() {
	find "$CORE_FUZZ/corpus" -type f -print0 | sort -z | xargs -0 sha256sum | sha256sum
}

test_target() { # TARGET SECONDS
	local before
	before=$(corpus_hash)
	"$CORE_FUZZ/run" --seconds "$2" "$1" >"$TEST_DIR/out" || fail "$(<"$TEST_DIR/out")"
	check_match "$(<"$TEST_DIR/out")" "^$1: [1-9][0-9]* executions .*, [1-9][0-9]* of [1-9][0-9]* edges covered" "figures"
	cat -- "$TEST_DIR/out" >>"$FIGURES"
	check_eq "$(corpus_hash)" "$before" "the corpus after fuzzing"
}

# A defect is planted into what the core hands over, not into the core.
test_defect_is_found() {
	local input
	check_status 1 env RPKTGEN_FUZZ_FAULT=y "$CORE_FUZZ/run" --seconds 30 frames
	check_match "$OUT" "^frames: found an input" "what is said first"
	check_match "$OUT" "fn found_by_fuzzing" "the test"
	check_match "$OUT" 'write\(&mut device, b"vlan_id [0-9]+", (true|false), false\)' "its statements"
	check_match "$OUT" "first byte that differs: Some\(15\)" "what differs"
	input=$(sed -n 's/^the input: *//p' <<<"$OUT")
	[[ -f $input ]] || fail "no input was kept: $OUT"
	defer rm -f -- "$input"
	# It is not the core's.
	check_status 0 "$CORE_FUZZ/run" --explain frames "$input"
	check_match "$OUT" "passes$" "the input without the planted defect"
}

test_refused() {
	check_status 2 "$CORE_FUZZ/run" nonsense
	check_match "$ERR" "no target 'nonsense': choose from commands frames" "explanation"
	check_status 2 "$CORE_FUZZ/run" --seconds 0
	check_match "$ERR" "--seconds needs a number" "explanation"
	check_status 2 "$CORE_FUZZ/run" --explain frames /nonexistent
	check_match "$ERR" "cannot read the file '/nonexistent'" "explanation"
}

if [[ ! $FUZZ_SECONDS =~ ^[1-9][0-9]{0,5}$ ]]; then
	echo "fuzz.sh: FUZZ_SECONDS=$FUZZ_SECONDS: a number from 1 to 999999 is needed" >&2
	exit 2
fi
ktap_test "bad command lines are refused" test_refused
ktap_test "a planted defect is found and explained" test_defect_is_found
ktap_test "commands, texts and errnos are the oracle's" test_target commands $(((FUZZ_SECONDS + 1) / 2))
ktap_test "packets are the oracle's, byte for byte" test_target frames $(((FUZZ_SECONDS + 1) / 2))
ktap_run
