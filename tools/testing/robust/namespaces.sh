#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What the module costs where nobody uses it: threads, and the time to make network
# namespaces. Runs inside a lab kernel.
#
# NAMESPACES=N: as many of them, 500 by default.

# shellcheck source=tools/testing/robust/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

NAMESPACES=${NAMESPACES:-$(by_machine 500 50)}

# Makes them and holds them while a command runs; US and HELD_THREADS are what it took.
with_namespaces() { # COUNT COMMAND [ARG...]
	local said
	mkfifo hold said
	"$TEST_ROOT/tools/testing/robust/namespaces" "$1" <hold >said &
	HOLDER=$!
	exec {hold}>hold {said}<said
	read -r US HELD_THREADS <&"$said" || fail "the namespaces could not be made"
	"${@:2}"
	exec {hold}>&- {said}<&-
	wait "$HOLDER"
	rm hold said
}

# The first test: nobody has used what was just loaded.
test_no_threads() {
	# Reading is no use.
	cat "$PROC"/* >/dev/null
	put pgctrl stop reset start
	check_eq "$(threads)" 0 "threads after loading, reading, and a start of nothing"
}

test_first_use() {
	writes "kpktgend_$LAST" "add_device nosuch0" nonsense rem_device_all >/dev/null
	check_eq "$(threads)" 0 "threads after commands that failed"
	add "$LAST" lo "count 5"
	check_eq "$(threads)" 1 "threads after a device was added"
	worker_pid "kpktgend_$LAST" >/dev/null
	start
	check_sent lo 5
	put pgctrl reset
	(($(threads) <= 1)) || fail "$(threads) threads after one CPU was used"
}

test_cost() {
	local without with count
	unload
	check_eq "$(threads)" 0 "threads without the module"
	with_namespaces "$NAMESPACES" true
	without=$US
	# They go in the background.
	sleep 1
	load
	with_namespaces "$NAMESPACES" check_use
	with=$US count=$HELD_THREADS
	wait_for 60 no_threads_of_others
	figure "$NAMESPACES namespaces on $((LAST + 1)) CPUs: $without us each without the module, $with us with $MODULE, $count threads"
	if is_ours; then
		check_eq "$count" 0 "threads for $NAMESPACES namespaces that nobody uses"
		# Directory, files and so on; no thread. Much room for a busy machine.
		((with < 3 * without + 3000)) || fail "$with us for a namespace, $without us without the module"
	fi
	unload
}

# The same in a kernel that cannot load the module twice.
test_use() {
	with_namespaces "$NAMESPACES" check_use
	wait_for 60 no_threads_of_others
	figure "$NAMESPACES namespaces on $((LAST + 1)) CPUs: $US us each with $MODULE, $HELD_THREADS threads"
}

# The last of them works as any does, and has threads of its own for what it uses.
check_use() {
	local before
	before=$(threads)
	nsenter --net="/proc/$HOLDER/ns/net" bash -ec "
		ip link set lo up
		cd $PROC
		[[ -e kpktgend_$LAST ]]
		echo add_device lo >kpktgend_$LAST
		echo count 7 >lo
		echo start >pgctrl
		grep -q 'pkts-sofar: 7 ' lo
		echo reset >pgctrl" || fail "the last namespace is not usable"
	! is_ours || check_eq "$(threads)" $((before + 1)) "threads when one of them is used"
}

no_threads_of_others() { (($(threads) <= LAST + 1)); }

module_test "no threads after loading, reading, stopping, starting nothing" ours_only test_no_threads
module_test "a thread comes with the first device of its CPU" ours_only test_first_use
module_test "$NAMESPACES namespaces: time for each, with and without; threads" reloading test_cost
module_test "$NAMESPACES namespaces: each is usable, and has no thread before" test_use

ktap_run
