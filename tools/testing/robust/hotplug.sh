#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Hardware that comes and goes: CPUs under their threads, drivers under the devices.
# Runs inside a lab kernel with four CPUs that can be taken offline, drivers that
# are modules, and an igb NIC as eth0.
#
# TOGGLES=N: so many times a CPU goes and comes while everything runs, 30 by default.

# shellcheck source=tools/testing/robust/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

TOGGLES=${TOGGLES:-$(by_machine 30 10)}

offline() { echo 0 >"/sys/devices/system/cpu/cpu$1/online"; }
online() { echo 1 >"/sys/devices/system/cpu/cpu$1/online"; }

# cpu_test TITLE FUNCTION [ARG...]: on a machine where CPUs can go, all of them there.
cpu_test() { module_test "$1" with_cpus "${@:2}"; }

with_cpus() {
	[[ -e /sys/devices/system/cpu/cpu3/online ]] || skip "needs four CPUs that can be taken offline"
	defer all_online
	"$@"
}

all_online() {
	local file
	for file in /sys/devices/system/cpu/cpu*/online; do
		[[ $(<"$file") == 1 ]] || echo 1 >"$file"
	done
}

has_thread() { cat /proc/[0-9]*/comm 2>/dev/null | grep -qx "kpktgend_$1"; }

ended() { # DEVICE HOW
	read_summary "$1"
	check_eq "$ENDED" "$2" "how the run of $1 ended"
}

# Watches a thread until it is gone. Prints for how many milliseconds at a time, at most,
# it ran on another CPU than its own.
strays() { # CPU PID
	# shellcheck disable=SC2016 # perl's variables
	taskset -c 0 perl -e '
		use Time::HiRes qw(time);
		my ($cpu, $pid) = @ARGV;
		my ($since, $most) = (0, 0);
		open(my $ready, ">", "ready") or die;
		while (open(my $file, "<", "/proc/$pid/stat")) {
			my $line = <$file> // last;
			# From the state on, the third field; the 39th is the CPU.
			my @fields = split " ", $line =~ s/.*\) //r;
			$since = 0, next if $fields[0] ne "R" || $fields[36] == $cpu;
			$since ||= time;
			$most = time - $since if time - $since > $most;
		}
		printf "%d\n", $most * 1000' "$1" "$2"
}

## CPUs

# Its runs end and say why, others go on; the thread is back when it is needed.
test_offline_running() { # MODE
	local before watch
	add_dummy d0 4
	endless "$1" 1:d0@1 2:d0@2
	strays 2 "$(worker_pid kpktgend_2)" >strayed &
	watch=$!
	wait_for 5 test -e ready
	check_quick 5000 offline 2
	! is_running d0@2 || fail "it runs on a CPU that is not there"
	ended d0@2 "CPU offline"
	! has_thread 2 || fail "the thread is still there"
	wait "$watch"
	figure "$1: the thread ran for $(<strayed) ms on another CPU"
	(($(<strayed) <= 100 * SLOW)) || fail "the thread ran for $(<strayed) ms on another CPU"
	is_running d0@1 || fail "another CPU's run has ended"
	before=$(sofar d0@1)
	wait_for 5 sends_more d0@1 "$before"
	put pgctrl stop
	check_start_returns
	ended d0@1 stopped
	check_eq "$(files)" "d0@1 d0@2 kpktgend_0 kpktgend_1 kpktgend_2 kpktgend_3 pgctrl" "files"
	[[ $1 == netif_receive ]] ||
		check_eq "$(tx_packets d0)" $(($(sofar d0@1) + $(sofar d0@2))) "packets of the device"

	# A start without that CPU runs the others and says what is missing.
	put d0@1 "count 10"
	put d0@2 "count 10"
	start
	check_ten d0@1
	check_result d0@2 "ERROR: CPU 2 is not online"
	online 2
	start
	check_ten d0@2
	check_eq "$(awk '/^Cpus_allowed_list/ { print $2 }' "/proc/$(worker_pid kpktgend_2)/status")" 2 "CPUs of kpktgend_2"
	check_quick 2000 ip link del d0
	ip link add d0 type dummy
}

# Nobody takes what dummy receives: in that mode each is an error.
check_ten() { # DEVICE
	read_summary "$1"
	check_eq "$SENT packets, $ENDED" "10 packets, count reached" "$1"
}

sends_more() { (($(sofar "$1") > $2)); }

# It does not wait for the delay.
test_offline_waiting() { # DELAY
	add_dummy d0 4
	add 3 d0@3 "count 0" "delay $1"
	start_behind
	wait_for 10 is_running d0@3
	check_quick 5000 offline 3
	check_start_returns
	ended d0@3 "CPU offline"
}

test_offline_idle() {
	add_dummy d0 4
	add 3 d0@3 "count 10"
	offline 3
	put d0@3 "count 20"
	check_result d0@3 "OK: count=20"
	online 3
	start
	check_sent d0@3 20
}

# Gone after loading, and before a device is added.
test_offline_add() {
	load
	add_dummy d0 4
	offline 3
	add 3 d0@3 "count 10"
	check_eq "$(listed kpktgend_3 Stopped)" d0@3 "devices"
	start
	check_result d0@3 "ERROR: CPU 3 is not online"
	check_eq "$(threads)" 0 "threads"
	put d0@3 "count 20"
	check_quick 1000 put kpktgend_3 rem_device_all
	check_nothing_left
	add 3 d0@3 "count 10"
	online 3
	start
	check_sent d0@3 10
	offline 3
	check_quick 1000 put pgctrl reset
	check_nothing_left
	check_quick 1000 ip link del d0
	ip link add d0 type dummy
}

# Not there when the module is loaded: its file comes with it, in every namespace.
test_late() {
	unload
	ip netns add before
	defer ip netns del before
	offline 2
	load
	ip netns add after
	defer ip netns del after
	check_eq "$(files)" "kpktgend_0 kpktgend_1 kpktgend_3 pgctrl" "files without it"
	online 2
	check_eq "$(files)" "kpktgend_0 kpktgend_1 kpktgend_2 kpktgend_3 pgctrl" "files with it"
	check_eq "$(ip netns exec before ls "$PROC" | xargs)" "kpktgend_0 kpktgend_1 kpktgend_2 kpktgend_3 pgctrl" "files in a namespace"
	check_eq "$(ip netns exec after ls "$PROC" | xargs)" "kpktgend_0 kpktgend_1 kpktgend_2 kpktgend_3 pgctrl" "files in another"
	check_eq "$(threads)" 0 "threads"
	add 2 lo "count 10"
	start
	check_sent lo 10
	check_eq "$(threads)" 1 "threads"
	unload
	check_eq "$(threads)" 0 "threads without the module"
}

test_unload_offline() {
	add_dummy d0 4
	add 2 d0@2 "count 10"
	start
	offline 2
	check_quick 3000 unload
	online 2
	load
	add 2 d0@2 "count 10"
	start
	check_sent d0@2 10
}

# The first CPU stays.
toggle() { # TIMES
	local i cpu
	for ((i = 0; i < $1; i++)); do
		cpu=$((1 + RANDOM % 3))
		offline "$cpu"
		online "$cpu"
	done
}

# Against everything that users do; then all is as before.
test_toggle_storm() {
	local action pid pids=() begin=$SECONDS
	add_dummy d0 4
	for action in "add d0" remove "control start" "control stop reset" write read; do
		# shellcheck disable=SC2086 # an action and its arguments
		"$TEST_ROOT/tools/testing/robust/hammer" 3600 $action >>out 2>&1 &
		pids+=($!)
	done
	toggle "$TOGGLES"
	for pid in "${pids[@]}"; do
		! has_ended "$pid" || fail "one of them failed: $(<out)"
		kill "$pid"
		wait "$pid" || :
	done
	figure "$TOGGLES times a CPU went and came in $((SECONDS - begin)) s"
	nothing_runs || fail "all have ended, but devices run"
	check_consistent
	put pgctrl reset
	check_nothing_left
	for cpu in 0 1 2 3; do
		add "$cpu" "d0@$cpu" "count 10"
	done
	start
	for cpu in 0 1 2 3; do check_sent "d0@$cpu" 10; done
}

# Loading and unloading take part in what CPUs go through, too.
test_toggle_load() {
	local i pid
	unload
	for ((i = 0; ; i++)); do
		toggle 1
		echo >>toggled
	done &
	pid=$!
	for ((i = 0; i < TOGGLES; i++)); do
		load
		device lo "count 10"
		start
		[[ $(result lo) == *", 10 ("* ]] || fail "cycle $i: $(result lo)"
		unload
	done
	! has_ended "$pid" || fail "a CPU did not go, or not come"
	kill "$pid"
	wait "$pid" || :
	all_online
	figure "$TOGGLES times loaded and unloaded while a CPU went and came $(wc -l <toggled) times"
	load
	check_alive
}

## Drivers

is_modular() { [[ -e /sys/module/$1/initstate ]]; }

# The module of a software device: its devices go all at once.
test_driver_dummy() { # MODE
	modprobe dummy numdummies=0
	is_modular dummy || skip "dummy is no module of this kernel"
	ip link add d0 numtxqueues 2 type dummy
	ip link add d1 type dummy
	quiet_device d0
	quiet_device d1
	ip link set d0 up
	ip link set d1 up
	endless "$1" 0:d0@0 1:d0@1 2:d1
	check_quick 3000 rmmod dummy
	check_start_returns
	check_nothing_left
	[[ ! -e /sys/class/net/d0 ]] || fail "d0 is still there"
	check_alive
	modprobe dummy numdummies=0
}

# That of a NIC, with its rings full of our packets.
test_driver_nic() { # MODE
	if [[ ! -e /sys/class/net/eth0 ]] || ! is_modular igb; then
		skip "needs an igb NIC whose driver is a module"
	fi
	quiet_device eth0
	ip link set eth0 up
	wait_for 20 has_carrier eth0
	endless "$1" 0:eth0@0 1:eth0@1
	check_quick 10000 rmmod igb
	check_start_returns
	check_nothing_left
	modprobe igb
	wait_for 20 test -e /sys/class/net/eth0
	check_alive
}

for mode in "${MODES[@]}"; do
	cpu_test "a CPU goes while $mode runs, and comes back" ours_only test_offline_running "$mode"
done
cpu_test "a CPU goes while its thread waits for seconds" ours_only test_offline_waiting 9999999999
cpu_test "a CPU goes while its thread waits for ever" ours_only test_offline_waiting 2147483647
cpu_test "a CPU goes and comes while its device is idle" ours_only test_offline_idle
cpu_test "a CPU goes between loading and add_device" ours_only test_offline_add
cpu_test "a CPU that comes after loading gets its file, in every namespace" ours_only test_late
cpu_test "unload while a CPU is gone" ours_only test_unload_offline
cpu_test "CPUs go and come $TOGGLES times against all else in loops" ours_only test_toggle_storm
cpu_test "CPUs go and come $TOGGLES times while the module is loaded and unloaded" ours_only test_toggle_load

for mode in "${MODES[@]}"; do
	module_test "the module of dummy goes while $mode runs" ours_only test_driver_dummy "$mode"
done
for mode in "${MODES[@]}"; do
	module_test "the module of a NIC goes while $mode runs" ours_only test_driver_nic "$mode"
done

ktap_run
