#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What comes and goes under the module, many at once and against everything else
# that users do. Documentation/robustness.rst says what is tested where. Runs inside a
# lab kernel.
#
# STORM=SECONDS: how long everything happens at once, 3 by default.

# shellcheck source=tools/testing/robust/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

storm=${STORM:-$(by_machine 3 2)}
start_elsewhere=$TEST_ROOT/tools/testing/robust/start-elsewhere

# covered by robust/cycles.sh (loading and unloading a thousand times)
# covered by suites/lifecycle.sh: test_open_files, test_unload_while_read, test_unload_running,
# test_unload_waiting, test_after_pktgen, test_side_by_side; host/late-pktgen.sh

## The module goes

# In the middle of all that users do, and with two namespaces.
test_unload_storm() {
	local round pid pids
	for ((round = 1; round <= 5; round++)); do
		pids=()
		add_two
		ip netns add other
		for action in "add d0 d1" "add d0 d1" remove "control start" "control stop reset" write read; do
			# shellcheck disable=SC2086 # an action and its arguments
			"$TEST_ROOT/tools/testing/robust/hammer" --to-the-end 20 $action >>out 2>&1 &
			pids+=($!)
		done
		sleep "0.$((round * 2))"
		check_quick 3000 unload
		for pid in "${pids[@]}"; do
			wait "$pid" || fail "round $round: $(<out)"
		done
		[[ ! -e $PROC ]] || fail "round $round: $PROC is still there"
		check_eq "$(threads)" 0 "threads"
		check_quick 2000 ip link del d0
		check_quick 2000 ip link del d1
		ip netns del other
		load
	done
	check_alive
}

add_two() {
	local name
	for name in d0 d1; do
		ip link add "$name" numtxqueues 2 type dummy
		quiet_device "$name"
		ip link set "$name" up
	done
}

## Net devices go

# covered by suites/lifecycle.sh: test_delete_running, test_delete_veth_peer, test_delete_loop
configure_64() { # MODE
	local i
	for ((i = 0; i < 64; i++)); do
		add $((i % (LAST + 1))) "d0@$i" "xmit_mode $1" "count 0"
	done
}

delete_d0() { ip link del d0; }

move_d0() { ip link set d0 netns other; }

test_64_idle() { # ACTION
	ip netns add other
	defer ip netns del other
	ip link add d0 type dummy
	quiet_device d0
	ip link set d0 up
	configure_64 start_xmit
	check_quick 1000 "$1"
	check_nothing_left
	check_alive
}

test_64_running() { # MODE ACTION
	ip netns add other
	defer ip netns del other
	ip link add d0 numtxqueues 2 type dummy
	quiet_device d0
	ip link set d0 up
	configure_64 "$1"
	start_behind d0@0 d0@63
	check_quick 2000 "$2"
	check_start_returns
	check_nothing_left
	check_alive
}

# covered by robust/hotplug.sh (a driver's module that goes)

## Names

# covered by suites/lifecycle.sh: test_rename, test_rename_running, test_rename_onto_another
rename_hammers() { # ACTION...
	add_dummy d0 2
	# Any odd number of renames may be the last: a hammer goes the whole round.
	hammers "$storm" "rename d0 x0 y0" "add d0 x0 y0" "$@"
	check_consistent
	put pgctrl reset
	check_nothing_left
	check_quick 1000 ip link del d0
	ip link add d0 type dummy
	check_alive
}

test_rename_remove() { rename_hammers remove; }
test_rename_reset() { rename_hammers "control reset"; }
test_rename_all() { rename_hammers remove "control reset" "control start" "control stop" write read; }

# Two that take each other's names.
test_rename_two() {
	add_dummy d0
	add_dummy d1
	hammers "$storm" "rename d0 x0" "rename d1 x1" "add d0 d1 x0 x1" "remove" "control reset" read
	check_consistent
}

## Namespaces

in_ns() { ip netns exec other "$@"; }

# covered by suites/lifecycle.sh: test_netns_configured, test_netns_running, test_unload_with_netns,
# test_move_running; robust/cycles.sh (a thousand)
# The writer of start is outside: only its open file keeps it.
test_netns_dies_running() { # MODE
	local i
	for ((i = 0; i < 5; i++)); do
		ip netns add other
		# shellcheck disable=SC2016 # for the shell in there
		in_ns bash -ec '
			ip link add d0 type dummy
			ip link set d0 up
			ip link set lo up
			for name in d0 lo; do
				echo "add_device $name" >"$1/kpktgend_0"
				echo "xmit_mode $2" >"$1/$name"
				echo "count 0" >"$1/$name"
			done' - "$PROC" "$1"
		"$start_elsewhere" other >started &
		wait_for 10 ns_sends
		ip netns del other
		# Its open file keeps the namespace, whose runs end with it.
		! has_ended $! || fail "start has returned: $(<started)"
		kill -KILL $!
		wait_for 10 has_ended $!
		wait $! || :
	done
	wait_for 20 no_more_threads
	check_alive
}

ns_sends() {
	local text
	text=$(in_ns cat "$PROC/d0" "$PROC/lo")
	[[ $text =~ pkts-sofar:\ [1-9].*pkts-sofar:\ [1-9] ]]
}

no_more_threads() { (($(threads) <= LAST + 1)); }

# Everything in two namespaces at once, with the net device that goes to and fro.
test_netns_move_storm() {
	local pid pids=() moves=0 until
	ip netns add other
	defer ip netns del other
	add_dummy d0 2
	for action in "add d0" remove "control start stop reset" write read; do
		# shellcheck disable=SC2086 # an action and its arguments
		"$TEST_ROOT/tools/testing/robust/hammer" "$storm" $action >>out 2>&1 &
		pids+=($!)
		# shellcheck disable=SC2086
		in_ns "$TEST_ROOT/tools/testing/robust/hammer" "$storm" $action >>out 2>&1 &
		pids+=($!)
	done
	until=$((SECONDS + storm))
	while ((SECONDS < until)); do
		ip link set d0 up
		ip link set d0 netns other
		in_ns ip link set d0 up
		in_ns ip link set d0 netns 1
		moves=$((moves + 2))
	done
	for pid in "${pids[@]}"; do
		wait "$pid" || fail "$(<out)"
	done
	figure "$moves moves against $(xargs <out)"
	check_consistent
	in_ns sh -c "echo reset >$PROC/pgctrl"
	check_alive
}

# covered by robust/namespaces.sh (five hundred namespaces)
# covered by robust/hotplug.sh (CPUs)
# covered by robust/control.sh (five processes, ten thousand rounds)

## Writers that are killed

# covered by suites/control.sh: test_signal, test_caught_signal, test_early_signal
test_killed_writers() {
	local i pid pids action
	add_dummy d0 2
	for ((i = 0; i < 20; i++)); do
		pids=()
		for action in "add d0" remove "control start" "control start stop reset" write read; do
			# shellcheck disable=SC2086 # an action and its arguments
			"$TEST_ROOT/tools/testing/robust/hammer" 20 $action >>out 2>&1 &
			pids+=($!)
		done
		sleep "0.1$((i % 10))"
		for pid in "${pids[@]}"; do kill -KILL "$pid"; done
		for pid in "${pids[@]}"; do
			wait_for 5 has_ended "$pid"
			wait "$pid" || :
		done
		[[ ! -s out ]] || fail "round $i: $(<out)"
		nothing_runs || fail "round $i: the writers are gone, but devices run"
		check_consistent
	done
	check_quick 1000 ip link del d0
	ip link add d0 type dummy
	check_alive
}

module_test "unload in the middle of everything, five times" ours_only reloading test_unload_storm

for action in delete_d0 move_d0; do
	module_test "${action%_d0} a net device with 64 devices" ours_only test_64_idle "$action"
	for mode in "${MODES[@]}"; do
		module_test "${action%_d0} a net device with 64 devices while $mode runs" ours_only test_64_running "$mode" "$action"
	done
done

module_test "rename in a loop against rem_device_all in a loop" ours_only test_rename_remove
module_test "rename in a loop against reset in a loop" ours_only test_rename_reset
module_test "rename in a loop against all else in loops" ours_only test_rename_all
module_test "rename two in loops against rem_device_all and reset in loops" ours_only test_rename_two

for mode in "${MODES[@]}"; do
	module_test "a namespace goes with who started $mode from outside" ours_only test_netns_dies_running "$mode"
done
module_test "a net device moves between namespaces against all else in loops" ours_only test_netns_move_storm

module_test "SIGKILL to all writers at any moment" ours_only test_killed_writers

ktap_run
