#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The same commands to rpktgen and to the C module pktgen, side by side in one
# kernel: the same outcomes, texts and frames, but for the differences that
# tools/testing/parity/known/ names. PARITY_SEED and PARITY_ROUNDS are those of
# the random sequences.

# shellcheck source=tools/testing/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

RPKTGEN_KO=${RPKTGEN_KO:?names the module to test}
PKTGEN_KO=${PKTGEN_KO:?names the C module to compare with}

# -B: the checkout is read-only.
parity() {
	python3 -B "$TEST_ROOT/tools/testing/parity" "$@"
}

load_both() {
	[[ -d /proc/net/pktgen ]] || insmod "$PKTGEN_KO"
	[[ -d /proc/net/rpktgen ]] || insmod "$RPKTGEN_KO" procdir=rpktgen
}

test_comparison() {
	python3 -B "$TEST_ROOT/tools/testing/parity/tests.py"
}

# Compared with itself the C module has none of the differences that are named, and
# the cases that name them must fail for that, all others pass.
test_against_itself() {
	load_both
	check_status 1 parity run --ours pktgen queues
	check_match "$OUT" "known difference 'first-queue' did not show" "output"
	check_no_match "$OUT" $'\n  after ' "output"
	check_status 0 parity run --ours pktgen queues "of lo"
}

# Each group has a namespace of its own, and the C module sleeps most of the time:
# groups run side by side from the first test of a group on.
start_groups() {
	[[ ! -e $results/started ]] || return 0
	load_both
	touch "$results/started"
	export -f parity
	# shellcheck disable=SC2016 # the inner shell's parameters
	cut -d' ' -f1 <<<"$groups" | setsid xargs -P 3 -I{} bash -c '
		status=0
		parity run "$1" >"$2/$1.log" 2>&1 || status=$?
		echo "$status" >"$2/$1.new"
		mv "$2/$1.new" "$2/$1.status"' - {} "$results" >/dev/null 2>&1 &
}

test_group() { # GROUP
	start_groups
	wait_for 300 test -f "$results/$1.status"
	cat "$results/$1.log"
	exit "$(<"$results/$1.status")"
}

test_random() {
	load_both
	parity random --seed "${PARITY_SEED:-1}" --rounds "${PARITY_ROUNDS:-3000}"
}

test_document() {
	parity doc "$TEST_ROOT/Documentation/parity.rst"
}

groups=$(parity groups)
results=$(mktemp -d)
trap 'rm -rf -- "$results"' EXIT

ktap_test "the comparison notices what it should" test_comparison
ktap_test "the C module is not taken for rpktgen" test_against_itself
while read -r group cases; do
	ktap_test "$group: $cases sequences" test_group "$group"
done <<<"$groups"
ktap_test "random sequences" test_random
ktap_test "the documented differences are those of the suite" test_document

ktap_run
