#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# How long the module, a net device and a network namespace take to go while something
# runs on them: a table of microseconds. Runs inside a lab kernel.

# shellcheck source=tools/testing/robust/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

REMOVALS=${REMOVALS:-$(by_machine 25 5)}
# So many microseconds, and what the machine takes anyway.
LIMIT=$((200000 * SLOW))
# When others take the CPU away, one in so many tables is enough.
TRIES=3

test_removal() { # WHAT MODE DELAY-NAME COMMAND...
	local try p50 p99 max idle
	for ((try = 1; try <= TRIES; try++)); do
		MODULE_KO="$MODULE_KO" python3 "$TEST_ROOT/tools/testing/robust/removal.py" \
			"$1" "$REMOVALS" "count 0" "xmit_mode $2" "${@:4}" >took || fail "no times"
		read -r p50 p99 max idle <took
		figure "$(printf '%-10s %-13s %-6s %7d %7d %7d %7d' "$1" "$2" "$3" "$p50" "$p99" "$max" "$idle")"
		if ! is_ours || ((p99 <= LIMIT + idle)); then return 0; fi
	done
	fail "99 of 100 removals take up to $p99 us, more than $LIMIT us and the $idle us without a run"
}

header() {
	figure "$REMOVALS removals each, in us; idle: the 99th percentile without a run"
	figure "$(printf '%-10s %-13s %-6s %7s %7s %7s %7s' what mode delay p50 p99 max idle)"
}

ktap_test "a table of times" header
for what in netdev namespace module; do
	guard=()
	[[ $what != module ]] || guard=(reloading)
	for mode in "${MODES[@]}"; do
		module_test "$what goes: $mode, no delay" "${guard[@]}" test_removal "$what" "$mode" 0
		module_test "$what goes: $mode, 1 s" "${guard[@]}" test_removal "$what" "$mode" "1 s" "delay 1000000000"
		module_test "$what goes: $mode, never" "${guard[@]}" test_removal "$what" "$mode" never "delay 2147483647"
	done
done
ktap_run
