#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The module and network namespaces come and go a thousand times. Runs inside a lab
# kernel.
#
# LOADS=N, NAMESPACES=N: so many times each, 1000 by default, fewer in debug
# kernels.

# shellcheck source=tools/testing/robust/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

LOADS=${LOADS:-$(by_machine 1000 50)}
NAMESPACES=${NAMESPACES:-$(by_machine 1000 50)}

free_kib() {
	echo 3 >/proc/sys/vm/drop_caches
	awk '/^MemFree:/ { print $2 }' /proc/meminfo
}

# A cycle may not keep a page: what is lost in all of them is at most that of a busy kernel.
# That frees the memory of a namespace a while after it is gone, when others go.
check_memory() { # BEFORE CYCLES
	local lost until=$((SECONDS + 120))
	while
		lost=$(($1 - $(free_kib)))
		((lost >= $2 * 4 + 8192 && SECONDS < until))
	do
		unshare -n sleep 1
	done
	figure "$lost KiB less memory after $2 cycles"
	((lost < $2 * 4 + 8192)) || fail "$lost KiB are lost in $2 cycles"
}

# Every fourth is left as it was loaded; the others have devices, were run, or run.
test_loads() {
	local i before begin=$SECONDS running=0
	add_dummy d0 2
	! is_loaded || unload
	# What is allocated once.
	load
	device d0
	unload
	before=$(free_kib)
	for ((i = 1; i <= LOADS; i++)); do
		insmod "$MODULE_KO" || fail "cycle $i: not loaded"
		if ((i % 4)); then
			echo "add_device d0@0" >"$PROC/kpktgend_0"
			echo "add_device d0@1" >"$PROC/kpktgend_$LAST"
		fi
		if ((i % 4 == 2)); then
			echo start >"$PROC/pgctrl"
			[[ $(<"$PROC/d0@1") == *"pkts-sofar: 1000 "* ]] || fail "cycle $i: not sent: $(<"$PROC/d0@1")"
		elif ((i % 4 == 3)) && is_ours; then
			echo "count 0" >"$PROC/d0@0"
			start_behind d0@0
			running=$((running + 1))
		fi
		rmmod "$MODULE" || fail "cycle $i: not unloaded"
		[[ ! -e $PROC ]] || fail "cycle $i: $PROC is still there"
		if ((i % 4 == 3)) && is_ours; then check_start_returns; fi
	done
	figure "$LOADS times loaded and unloaded, $running of them while packets were sent, in $((SECONDS - begin)) s"
	check_eq "$(threads)" 0 "threads"
	check_memory "$before" "$LOADS"
	check_quick 1000 ip link del d0
	ip link add d0 type dummy
}

test_namespaces() {
	local before begin=$SECONDS
	# What is allocated once.
	"$TEST_ROOT/tools/testing/robust/namespace-cycles" 12
	wait_for 60 no_threads_of_others
	before=$(free_kib)
	"$TEST_ROOT/tools/testing/robust/namespace-cycles" "$NAMESPACES" >said || fail "$(<said)"
	figure "$(<said), in $((SECONDS - begin)) s"
	wait_for 60 no_threads_of_others
	check_memory "$before" "$NAMESPACES"
	check_alive
}

no_threads_of_others() { (($(threads) <= LAST + 1)); }

module_test "$LOADS times loaded and unloaded" reloading test_loads
module_test "$NAMESPACES namespaces come and go, idle and running" ours_only test_namespaces

ktap_run
