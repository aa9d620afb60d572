#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# How long a run takes to stop, whatever it is doing: a table of microseconds. Runs
# inside a lab kernel.

# shellcheck source=tools/testing/robust/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

STOPS=${STOPS:-200}
# The C module waits out a delay first.
is_ours || STOPS=10
# 99 of 100 within so many microseconds. An emulated machine, or one whose kernel checks
# every access, is that much slower. To it comes what the machine itself takes for the
# three wake-ups of a stop, when others keep it busy.
case ${LAB_MACHINE-} in
uml) LIMIT=20000 ;;
*) LIMIT=200000 ;;
esac
LIMIT_BURST=200000
# When others take the CPU away, one in so many tables is enough.
TRIES=3

test_latency() { # LIMIT MODE DELAY-NAME COMMAND...
	local try p50 p99 max machine limit=$1
	shift
	add_dummy d0
	device d0 "pkt_size 60" "count 0" "xmit_mode $1" "${@:3}"
	for ((try = 1; try <= TRIES; try++)); do
		python3 "$TEST_ROOT/tools/testing/robust/latency.py" d0 "$STOPS" >took || fail "no times"
		nothing_runs || fail "still running"
		read -r p50 p99 max machine <took
		figure "$(printf '%-13s %-11s %7d %7d %7d %7d' "$1" "$2" "$p50" "$p99" "$max" "$machine")"
		if ! is_ours || ((p99 <= limit + 3 * machine)); then return 0; fi
	done
	fail "99 of 100 stops take up to $p99 us, more than $limit us and three times $machine"
}

header() {
	figure "$STOPS stops each, in us; of the machine: the 99th percentile of waking a thread"
	figure "$(printf '%-13s %-11s %7s %7s %7s %7s' mode delay p50 p99 max machine)"
}

ktap_test "a table of times" header
for mode in "${MODES[@]}"; do
	module_test "stop: $mode, no delay" test_latency "$LIMIT" "$mode" 0
	module_test "stop: $mode, 1 ms" test_latency "$LIMIT" "$mode" "1 ms" "delay 1000000"
	module_test "stop: $mode, 1 s" test_latency "$LIMIT" "$mode" "1 s" "delay 1000000000"
	module_test "stop: $mode, never" test_latency "$LIMIT" "$mode" never "delay 2147483647"
	module_test "stop: $mode, 10 packets a second" ours_only test_latency "$LIMIT" "$mode" "pps 10" "pps 10"
done
module_test "stop: start_xmit, the largest burst" test_latency "$LIMIT_BURST" start_xmit "burst 65535" "burst 65535" "clone_skb 1000"
module_test "stop: netif_receive, the largest burst" test_latency "$LIMIT_BURST" netif_receive "burst 65535" "burst 65535"
ktap_run
