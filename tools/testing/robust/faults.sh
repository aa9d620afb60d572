#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Allocations that fail: each one of a command, each one of a run, all of them for ever.
# Errors are clean, nothing is half done, runs go on when there is memory again and can be
# stopped when there is none; the kernel log is not flooded. Leaks are found by the lab
# (kmemleak). Runs inside a lab kernel with failslab, as uml-debug and qemu-debug are.

# shellcheck source=tools/testing/robust/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

FAILSLAB=/sys/kernel/debug/failslab
# More than any command needs.
MOST=400
# What a command may say then. The C module calls a missing file EINVAL or ENODEV, so we
# do; see Documentation/parity.rst.
NO_MEMORY='@(ENOMEM|EINVAL|ENODEV)'

configure() { # NAME [COMMAND...]
	device "$1" "pkt_size 60" "dst 198.18.0.42" "dst_mac 02:00:00:00:00:01" "${@:2}"
}

# Whoever is marked fails, PERCENT of the times.
failures() { # PERCENT
	[[ -d $FAILSLAB ]] || skip "this kernel has no failslab"
	defer sh -c "echo 0 >$FAILSLAB/probability"
	echo 0 >"$FAILSLAB/verbose"
	echo N >"$FAILSLAB/ignore-gfp-wait"
	echo Y >"$FAILSLAB/task-filter"
	echo -1 >"$FAILSLAB/times"
	echo "$1" >"$FAILSLAB/probability"
}

worker() { worker_pid kpktgend_0; }

# The thread is there from its first run on.
warm_up() { # DEVICE
	put "$1" "count 1"
	start
	put "$1" "clear_counters"
}

## Commands

fail_nth() { "$TEST_ROOT/tools/testing/robust/fail-nth.py" "$@"; }

# each_failing CHECK ACTION...: with the first allocation failing, the second and so on
# until it has no more. CHECK is told the outcome of each. FROM skips those before.
each_failing() {
	local n outcome where errors=0
	for ((n = ${FROM:-1}; n < ${FROM:-1} + MOST; n++)); do
		read -r outcome where _ < <(fail_nth "$n" "${@:2}")
		# shellcheck disable=SC2053 # a pattern
		[[ $outcome == ok || $outcome == $NO_MEMORY ]] || fail "allocation $n of '${*:2}': $outcome"
		[[ $outcome == ok ]] || errors=$((errors + 1))
		"$1" "$outcome" || fail "allocation $n of '${*:2}': $outcome, but $1 says no"
		if [[ $where == beyond ]]; then
			[[ $outcome == ok ]] || fail "'${*:2}' without failures: $outcome"
			figure "${*:2:2}: $((n - 1)) allocations, $errors of which it cannot do without"
			return 0
		fi
	done
	fail "'${*:2}' has no end of allocations"
}

test_add_device() {
	failures 0
	add_dummy d0
	each_failing added_or_not write "$PROC/kpktgend_0" "add_device d0"
}

# Wholly there, and then it works; or not at all.
added_or_not() { # OUTCOME
	if [[ $1 == ok ]]; then
		[[ -e $PROC/d0 && $(listed kpktgend_0 Stopped) == d0 ]] || return 1
		put pgctrl reset
	fi
	check_nothing_left
}

# A command is done or not; the file can be read.
test_command() { # COMMAND
	failures 0
	add_dummy d0
	configure d0
	each_failing is_readable write "$PROC/d0" "$1"
	start
	read_summary d0
}

is_readable() { [[ $(<"$PROC/d0") == Params:* ]]; }

test_read() { # FILE
	failures 0
	add_dummy d0
	configure d0
	each_failing true read "$PROC/$1"
}

# Where a device could not be started, its result says so; there is no start that waits
# for ever.
test_start() {
	failures 0
	add_dummy d0
	configure d0 "count 5"
	each_failing started_or_not write "$PROC/pgctrl" start
}

started_or_not() { # OUTCOME
	nothing_runs || return 1
	[[ $(result d0) == @(OK: *|"Error starting") ]]
}

# Threads are made by kthreadd: it has no memory for them.
# A namespace has threads of its own, made when they are first needed.
test_thread() {
	local n outcome refused=0
	failures 0
	for n in {1..60}; do
		ip netns add "n$n"
		defer ip netns del "n$n"
		ip netns exec "n$n" ip link set lo up
		outcome=$(ip netns exec "n$n" "$TEST_ROOT/tools/testing/robust/first-run" "$n")
		read -ra outcome <<<"$outcome"
		case ${outcome[1]} in
		OK:) ;;
		"Error") refused=$((refused + 1)) ;;
		*) fail "allocation $n of kthreadd: ${outcome[*]}" ;;
		esac
		[[ ${outcome[0]} == 0 ]] || break
	done
	((n > 2)) || fail "no allocation of kthreadd failed"
	figure "thread: $((n - 1)) allocations, $refused of which it cannot do without in two tries"
}

# No thread can be made at all: the result says so, and the next start tries again.
test_no_thread() {
	failures 100
	ip netns add bare
	defer ip netns del bare
	defer sh -c "echo 0 >/proc/2/make-it-fail"
	ip netns exec bare ip link set lo up
	echo 1 >/proc/2/make-it-fail
	ip netns exec bare sh -c "
		echo 'add_device lo' >$PROC/kpktgend_0 && echo 'count 5' >$PROC/lo && echo start >$PROC/pgctrl &&
		sed -n 's/^Result: //p' $PROC/lo" >without
	echo 0 >/proc/2/make-it-fail
	check_eq "$(<without)" "Error starting" "result without a thread"
	check_match "$(ip netns exec bare sh -c "echo start >$PROC/pgctrl && cat $PROC/lo")" ", 5 \(58byte" "result with a thread"
}

# The module's own are the last ones of loading it.
test_load() {
	failures 0
	# What KASAN knows of a module's variables stays there when the module is gone.
	[[ ${LAB_MACHINE-} != uml-debug ]] || skip "a second load is reported by KASAN in UML"
	unload
	FROM=$(($(allocations load "$MODULE_KO") - 60))
	unload
	each_failing loaded_or_not load "$MODULE_KO"
	load
}

# How many there are in all.
allocations() { # ACTION...
	local outcome where left
	read -r outcome where left < <(fail_nth 1000000 "$@")
	[[ "$outcome $where" == "ok beyond" ]] || fail "'$*': $outcome $where"
	echo $((1000000 - left))
}

loaded_or_not() { # OUTCOME
	if [[ $1 == ok ]]; then
		[[ -e $PROC/pgctrl ]] && is_loaded || return 1
		unload
	fi
	[[ ! -e $PROC ]] && ! is_loaded
}

# A namespace has all of its files, or it is not made. The module's own allocations are
# the last thirty.
test_namespace() {
	failures 0
	# The kernel's own have other errnos.
	NO_MEMORY='E*'
	FROM=$(($(allocations namespace) - 50)) each_failing true namespace
	check_alive
}

test_rename() {
	failures 0
	add_dummy d0
	configure d0
	# Some of the kernel's own are about telling others, ENOBUFS.
	NO_MEMORY='E*'
	each_failing same_name rename d0 d1
}

# The file has the device's name, or the one before if there was no memory for a new one;
# in any case there is one and it works.
same_name() { # OUTCOME
	local name
	name=$(files)
	name=${name%% *}
	[[ $name == d[01] && $(listed kpktgend_0 Stopped) == "$name" ]] || fail "files: $(files)"
	writes "$name" "count 7" >/dev/null
	[[ $(value "$name" count) == 7 ]] || fail "$name does not take commands"
	put pgctrl reset
	[[ ! -e /sys/class/net/d1 ]] || ip link set d1 down name d0
	ip link set d0 up
	configure d0
}

## Runs

# The Nth allocation of the thread fails, for each N: the run is complete all the same.
test_each_of_run() { # PACKETS COMMAND...
	local n pid packets=$1 got outcomes=''
	failures 0
	add_dummy d0
	# So that the receive path does not keep packets.
	tc qdisc add dev d0 clsact
	tc filter add dev d0 ingress matchall action drop
	configure d0 "${@:2}"
	warm_up d0
	pid=$(worker)
	for n in 1 2 3 4 5 6 7 8 9 10 20 30; do
		put d0 "count $packets" "clear_counters"
		got=$(tx_packets d0)
		echo "$n" >"/proc/$pid/fail-nth"
		check_quick 10000 start
		[[ $(result d0) == "Error starting" ]] && outcomes+=" $n" && continue
		read_summary d0
		((SENT >= packets && SENT < packets + 8)) || fail "allocation $n: $SENT packets"
		[[ " $* " == *netif_receive* ]] || check_eq $(($(tx_packets d0) - got)) "$SENT" "packets of d0"
		[[ $(<"/proc/$pid/fail-nth") == 0 ]] || break
	done
	echo 0 >"/proc/$pid/fail-nth"
	figure "up to allocation $n of ${*:2}; could not start:${outcomes:- never}"
}

# Every other one fails, all the time.
test_half() { # COMMAND...
	local pid got
	failures 0
	add_dummy d0
	configure d0 "$@"
	warm_up d0
	pid=$(worker)
	put d0 "count 300"
	got=$(tx_packets d0)
	echo 1 >"/proc/$pid/make-it-fail"
	echo 50 >"$FAILSLAB/probability"
	check_quick 20000 start
	echo 0 >"/proc/$pid/make-it-fail"
	read_summary d0
	check_eq "$SENT" 300 "packets"
	[[ " $* " == *netif_receive* ]] || check_eq $(($(tx_packets d0) - got)) 300 "packets of d0"
}

# There is no memory, for ever: the result says so, the log does not, stop is answered;
# and with memory the run goes on.
test_for_ever() { # COMMAND...
	local pid before lines
	failures 0
	add_dummy d0
	configure d0 "$@"
	warm_up d0
	pid=$(worker)
	put d0 "count 0"
	start_behind d0
	lines=$(dmesg | wc -l)
	echo 1 >"/proc/$pid/make-it-fail"
	echo 100 >"$FAILSLAB/probability"
	sleep 0.3
	! is_ours || check_result d0 "No memory"
	before=$(sofar d0)
	sleep 0.5
	check_eq "$(sofar d0)" "$before" "packets without memory"
	echo 0 >"/proc/$pid/make-it-fail"
	wait_for 10 more_than "$before"
	! is_ours || check_result d0 Starting
	echo 1 >"/proc/$pid/make-it-fail"
	sleep 0.2
	check_quick 2000 stop_and_wait
	echo 0 >"/proc/$pid/make-it-fail"
	read_summary d0
	lines=$(($(dmesg | wc -l) - lines))
	figure "$lines lines in the kernel log: $*"
	((lines <= 20)) || fail "$lines lines in the kernel log"
}

more_than() { (($(sofar d0) > $1)); }

stop_and_wait() {
	put pgctrl stop
	wait "$STARTER" || fail "the writer of start ended with status $?"
}

# What else ends a run ends one that has no memory.
test_ended_by() { # COMMAND...
	local pid
	failures 0
	ip link add d0 type dummy
	quiet_device d0
	ip link set d0 up
	configure d0
	warm_up d0
	pid=$(worker)
	put d0 "count 0"
	start_behind d0
	echo 1 >"/proc/$pid/make-it-fail"
	echo 100 >"$FAILSLAB/probability"
	sleep 0.2
	check_quick 2000 "$@"
	wait "$STARTER" || :
	echo 0 >"$FAILSLAB/probability"
	[[ ! -e /sys/class/net/d0 ]] || ip link del d0
	# Not loaded again: see test_load.
	! is_loaded || check_alive
}

module_test "add_device: each allocation fails" ours_only test_add_device
module_test "start: each allocation fails" ours_only test_start
module_test "thread: each allocation of kthreadd fails" ours_only test_thread
module_test "thread: all allocations of kthreadd fail" ours_only test_no_thread
module_test "load: each allocation fails" ours_only test_load
module_test "namespace: each allocation fails" ours_only test_namespace
module_test "rename: each allocation fails" ours_only test_rename
for command in "flows 1000" "imix_weights 64,7 576,4" "frags 4" "mpls 1,2" "clear_counters"; do
	module_test "$command: each allocation fails" ours_only test_command "$command"
done
for file in d0 kpktgend_0 pgctrl; do
	module_test "reading $file: each allocation fails" ours_only test_read "$file"
done

module_test "a run: each allocation fails" ours_only test_each_of_run 100
module_test "a run with fragments: each allocation fails" ours_only test_each_of_run 100 "frags 3" "pkt_size 9000"
module_test "a run with flows: each allocation fails" ours_only test_each_of_run 100 "flows 100" "flowlen 3"
module_test "a run of bursts: each allocation fails" ours_only test_each_of_run 96 "burst 8" "clone_skb 3"
module_test "a run of received bursts: each allocation fails" ours_only test_each_of_run 96 "xmit_mode netif_receive" "burst 8"
module_test "a run through a qdisc: each allocation fails" ours_only test_each_of_run 100 "xmit_mode queue_xmit"
module_test "a run of a node's memory: each allocation fails" ours_only test_each_of_run 100 "flag NODE" "node 0"
for mode in "${MODES[@]}"; do
	module_test "$mode: every other allocation fails" ours_only test_half "xmit_mode $mode"
	module_test "$mode: no memory for ever" test_for_ever "xmit_mode $mode"
	module_test "$mode: no memory for ever, not shared" test_for_ever "xmit_mode $mode" "flag !SHARED"
done
module_test "netif_receive: no memory for copies" test_for_ever "xmit_mode netif_receive" "burst 64"
module_test "no memory, and the device goes down" ours_only test_ended_by ip link set d0 down
module_test "no memory, and the device is removed" ours_only test_ended_by ip link del d0
module_test "no memory, and the pktgen device is removed" ours_only test_ended_by put kpktgend_0 rem_device_all
module_test "no memory, and the module is unloaded" ours_only test_ended_by unload
ktap_run
