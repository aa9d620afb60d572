#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kpktgend_N: adding and removing devices, what the lists and results say, and
# that nothing holds a net device longer than it should. Runs inside a lab kernel
# with two CPUs; with one, some tests are skipped.

# shellcheck source=tools/testing/module.sh
source "$(dirname "${BASH_SOURCE[0]}")/../module.sh"

fresh_text=$'Running: \nStopped: \nResult: NA'

## The file

test_fresh() {
	local cpus file
	cpus=$(nproc --all)
	check_eq "$(find "$PROC" -name 'kpktgend_*' | wc -l)" "$cpus" "thread files for $cpus CPUs"
	for file in kpktgend_0 "kpktgend_$LAST"; do
		check_eq "$(<"$PROC/$file")" "$fresh_text" "$file"
		check_eq "$(wc -l <"$PROC/$file")" 3 "lines of $file"
		check_eq "$(stat -c '%a %F %U' "$PROC/$file")" "600 regular empty file root" "mode, kind and owner"
	done
}

test_refused() { # TEXT...
	local text before
	before=$(result kpktgend_0)
	for text in "$@"; do
		check_write kpktgend_0 "$text" EINVAL
	done
	check_result kpktgend_0 "$before"
}

# Cut after every byte; the last WHOLE-th and all after it are the command.
test_prefixes() { # TEXT WHOLE
	local i prefixes=() wanted=()
	for ((i = 0; i <= ${#1}; i++)); do
		prefixes+=("${1:0:i}")
		if ((i >= $2)); then wanted+=("$i"); else wanted+=(EINVAL); fi
	done
	prefixes+=("$1\0")
	if ((${#1} >= $2)); then wanted+=($((${#1} + 1))); else wanted+=(EINVAL); fi
	check_eq "$(writes kpktgend_0 "${prefixes[@]}" | xargs)" "${wanted[*]}" "outcomes"
}

test_legacy() {
	check_write kpktgend_0 "max_before_softirq 10000\n" 25
	check_result kpktgend_0 "OK: Note! max_before_softirq is obsoleted -- Do not use"
	check_write kpktgend_0 max_before_softirq 18
	((LAST == 0)) || check_result kpktgend_1 NA
}

## Adding

# add NAME WANTED: a failure leaves its text and no device.
check_add_fails() { # NAME ERRNO [SHOWN]
	check_write kpktgend_0 "add_device $1" "$2"
	check_result kpktgend_0 "ERROR: can not add device ${3-$1}"
	check_eq "$(listed kpktgend_0 Stopped)" "" "devices of the worker"
}

test_add() {
	add_dummy d0
	check_write kpktgend_0 "add_device d0" 13
	check_eq "$(<"$PROC/kpktgend_0")" $'Running: \nStopped: d0 \nResult: OK: add_device=d0' "kpktgend_0"
	((LAST == 0)) || check_eq "$(<"$PROC/kpktgend_1")" "$fresh_text" "kpktgend_1"
	check_eq "$(stat -c '%a %F %U' "$PROC/d0")" "600 regular empty file root" "mode, kind and owner"
	check_eq "$(value d0 ifname)" d0 "ifname"
}

test_add_suffixes() {
	local name names=("d0" "d0@0" "d0@1" "d0@" "d0@eth" "d0@a@b" "d0@%s%n%d" "d0@.." "d0@é")
	add_dummy d0
	for name in "${names[@]}"; do
		put "kpktgend_$LAST" "add_device $name"
		check_eq "$(value "$name" ifname)" "$name" "ifname"
	done
	check_eq "$(listed "kpktgend_$LAST" Stopped)" "d0@é d0@.. d0@%s%n%d d0@a@b d0@eth d0@ d0@1 d0@0 d0" "list, newest first"
}

# Every way to separate and end the words of a command.
test_add_forms() {
	local form
	add_dummy d0
	for form in "add_device d0" "add_device=d0" "add_device = d0" "\tadd_device\td0" "\"add_device\" \"d0\"" \
		"\n\nadd_device\nd0\n" "=add_device \"d0\" d1" "add_device d0\nadd_device d1" "add_device d0\0" \
		"add_device\0 d0" "add_device d0\r\n"; do
		[[ "$(writes kpktgend_0 "$form")" != E* ]] || fail "refused: $form"
		check_result kpktgend_0 "OK: add_device=d0"
		check_eq "$(listed kpktgend_0 Stopped)" d0 "after: $form"
		put kpktgend_0 rem_device_all
	done
}

test_add_counts_bytes() {
	local padding
	printf -v padding '%*s' 3000 ''
	add_dummy d0
	check_write kpktgend_0 "add_device d0\0" 14
	put kpktgend_0 rem_device_all
	check_write kpktgend_0 "add_device d0 and more" 22
	put kpktgend_0 rem_device_all
	check_write kpktgend_0 "add_device d0${padding}\n" 3014
	check_eq "$(listed kpktgend_0 Stopped)" d0 "devices of the worker"
}

test_add_twice() {
	add_dummy d0
	device d0@0
	check_write kpktgend_0 "add_device d0@0" EBUSY
	check_result kpktgend_0 "ERROR: can not add device d0@0"
	# A device belongs to one worker, whoever asks.
	check_write kpktgend_1 "add_device d0@0" EBUSY
	check_result kpktgend_1 "ERROR: can not add device d0@0"
	check_eq "$(listed kpktgend_0 Stopped)+$(listed kpktgend_1 Stopped)" "d0@0+" "devices"
	check_write kpktgend_1 "add_device d0@1" 15
	put kpktgend_0 rem_device_all
	check_write kpktgend_1 "add_device d0@0" 15
}

test_add_missing() {
	check_add_fails nosuch0 ENODEV
	check_add_fails nosuch0@0 ENODEV
	check_add_fails "" ENODEV
	check_add_fails "@0" ENODEV
	check_add_fails "%d" ENODEV
	check_add_fails "%s%s%n" ENODEV
	check_add_fails "." ENODEV
	check_add_fails ".." ENODEV
	check_write kpktgend_0 "add_device\n" ENODEV
	check_result kpktgend_0 "ERROR: can not add device "
}

# A slash would make the kernel warn.
test_add_slash() {
	add_dummy d0
	check_add_fails "d0@a/b" EINVAL
	check_add_fails "d0@/" EINVAL
	check_add_fails "d0@../d1" EINVAL
	check_nothing_left
}

test_no_log_flood() {
	local names before after
	# The kernel's limit is one of five seconds, and others may have used it up.
	sleep 5
	before=$(dmesg | grep -c "cannot add device") || :
	mapfile -t names < <(printf 'add_device nothing%d\n' {1..1000})
	check_eq "$(writes kpktgend_0 "${names[@]}" | sort | uniq -c | xargs)" "1000 ENODEV" "outcomes"
	after=$(dmesg | grep -c "cannot add device") || :
	((after > before && after - before < 100)) || fail "$((after - before)) lines in the kernel log for 1000 refusals"
}

test_add_down() {
	add_dummy d0
	ip link set d0 down
	check_add_fails d0 ENETDOWN
	ip link set d0 up
	device d0
}

# Names that are cut at 31 bytes, and names of devices longer than a name can be.
test_add_long() {
	local long=d0@aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd
	add_dummy d0
	check_write kpktgend_0 "add_device $long" $((11 + ${#long}))
	check_result kpktgend_0 "OK: add_device=${long:0:31}"
	check_eq "$(value "${long:0:31}" ifname)" "${long:0:31}" "ifname"
	check_write kpktgend_0 "add_device ${long:0:31}" EBUSY
	check_write kpktgend_0 "add_device ${long:0:31}e" EBUSY
	put kpktgend_0 rem_device_all
	check_add_fails abcdefghijklmnop ENODEV
	check_add_fails abcdefghijklmnopqrstuvwxyz01234567 ENODEV abcdefghijklmnopqrstuvwxyz01234
}

# The files that are always there cannot be taken.
test_add_reserved() {
	local name
	for name in pgctrl kpktgend_0; do
		ip link add "$name" type dummy
		defer ip link del "$name"
		ip link set "$name" up
		check_add_fails "$name" EINVAL
	done
	check_eq "$(<"$PROC/pgctrl")" "$VERSION_LINE" "pgctrl"
	device pgctrl@0 "count 5"
	start
	check_sent pgctrl@0 5
}

test_add_altname() {
	add_dummy d0
	ip link property add dev d0 altname alternative0
	device alternative0@0 "count 5"
	start
	check_sent alternative0@0 5
	check_eq "$(tx_packets d0)" 5 "packets of d0"
	check_quick 1000 ip link del d0
	check_nothing_left
}

test_loopback() {
	device lo@0 "count 5"
	start
	check_sent lo@0 5
}

## Lists

test_order() {
	local i
	add_dummy d0
	for ((i = 0; i < 5; i++)); do put kpktgend_0 "add_device d0@$i"; done
	check_eq "$(listed kpktgend_0 Stopped)" "d0@4 d0@3 d0@2 d0@1 d0@0" "stopped"
	for ((i = 0; i < 5; i++)); do put "d0@$i" "count 0" "delay 1000000"; done
	put d0@2 "count 1"
	start_behind d0@0 d0@4
	wait_for 5 [ "$(sofar d0@2)" == 1 ]
	check_eq "$(listed kpktgend_0 Running)" "d0@4 d0@3 d0@1 d0@0" "running"
	check_eq "$(listed kpktgend_0 Stopped)" "d0@2" "stopped"
	((LAST == 0)) || check_eq "$(listed kpktgend_1 Running)$(listed kpktgend_1 Stopped)" "" "the other worker's"
	# Also while devices run a worker takes devices, idle ones.
	put kpktgend_0 "add_device d0"
	check_eq "$(listed kpktgend_0 Stopped)" "d0 d0@2" "stopped"
	put pgctrl stop
	check_start_returns
	check_eq "$(listed kpktgend_0 Stopped)" "d0 d0@4 d0@3 d0@2 d0@1 d0@0" "stopped in the end"
	check_result d0 Idle
}

## Removing

test_remove() {
	add_dummy d0
	check_write kpktgend_0 rem_device_all 14
	check_result kpktgend_0 "OK: rem_device_all"
	put kpktgend_0 "add_device d0@0" "add_device d0@2"
	put kpktgend_1 "add_device d0@1"
	check_write kpktgend_0 "rem_device_all\0" 15
	check_eq "$(<"$PROC/kpktgend_0")" $'Running: \nStopped: \nResult: OK: rem_device_all' "kpktgend_0"
	check_eq "$(files)" "d0@1 kpktgend_0 kpktgend_1 pgctrl" "files"
	check_result kpktgend_1 "OK: add_device=d0@1"
	check_write kpktgend_1 "rem_device_all and more\n" 24
	check_nothing_left
}

test_remove_running() {
	add_dummy d0 2
	device d0@0 "count 0"
	device d0@1 "count 0"
	start_behind d0@0 d0@1
	check_quick 500 put kpktgend_0 rem_device_all
	[[ ! -e $PROC/d0@0 ]] || fail "d0@0 is still there"
	is_running d0@1 || fail "the other worker's device stopped"
	put kpktgend_1 rem_device_all
	check_start_returns
	check_nothing_left
}

test_add_remove_loop() {
	local i
	add_dummy d0
	for ((i = 0; i < 100; i++)); do
		check_eq "$(writes kpktgend_0 "add_device d0@0" "add_device d0" rem_device_all | xargs)" "15 13 14" "round $i"
	done
	check_nothing_left
}

# Both workers at the same time, over the same names: one of them gets each.
test_add_race() {
	local i
	add_dummy d0
	for ((i = 0; i < 2; i++)); do
		for ((j = 0; j < 100; j++)); do
			echo "add_device d0@$((j % 7))" >"$PROC/kpktgend_$i" 2>/dev/null || :
			((j % 10)) || echo rem_device_all >"$PROC/kpktgend_$i"
		done 2>/dev/null &
	done
	wait
	put kpktgend_0 rem_device_all
	put kpktgend_1 rem_device_all
	check_nothing_left
}

# The net device is free at once after each way to let go of it.
test_reference() { # FILE COMMAND
	add_dummy d0
	put kpktgend_0 "add_device d0@0" "add_device d0"
	put "kpktgend_$LAST" "add_device d0@1"
	[[ $# -eq 0 ]] || put "$1" "$2"
	check_quick 1000 ip link del d0
	check_nothing_left
}

test_reference_after_failure() {
	add_dummy d0
	writes kpktgend_0 "add_device d0@a/b" "add_device d0@0" "add_device d0@0" >/dev/null
	put kpktgend_0 rem_device_all
	check_quick 1000 ip link del d0
}

test_reference_down() {
	add_dummy d0
	ip link set d0 down
	check_write kpktgend_0 "add_device d0" ENETDOWN
	check_quick 1000 ip link del d0
}

## Threads

test_threads() {
	local cpu pid stat
	for cpu in 0 1; do
		pid=$(worker_pid "kpktgend_$cpu")
		check_eq "$(awk '/^Cpus_allowed_list/ { print $2 }' "/proc/$pid/status")" "$cpu" "CPUs of kpktgend_$cpu"
		read -r stat <"/proc/$pid/stat"
		# shellcheck disable=SC2086 # to be split
		set -- ${stat##*) }
		check_eq "${2} ${17} ${39}" "2 0 0" "parent (kthreadd), nice value and policy"
		check_status 1 taskset -p -c "$((1 - cpu))" "$pid"
		check_match "$ERR" "Invalid argument" "moving the thread"
	done
}

test_signals() {
	local pid signal
	add_dummy d0
	pid=$(worker_pid kpktgend_0)
	for signal in INT TERM KILL STOP HUP; do kill "-$signal" "$pid"; done
	sleep 0.2
	device d0 "count 10"
	start
	check_sent d0 10
	check_eq "$(worker_pid kpktgend_0)" "$pid" "thread"
}

module_test "a fresh file for each CPU" test_fresh
module_test "unknown commands are refused and leave the result" test_refused nonsense "add_devices d0" ADD_DEVICE \
	rem_device "rem_device_al" "rem_device_all_" add_device_d0 "start" "count 10" "\0add_device"
module_test "nothing, separators, a NUL are refused" test_refused "" "\n" " \t\r\n\"=" "\0" "=\0"
module_test "a name that is too long is refused" test_refused @39 @40 @4096 @65536 "max_before_softirqmax_before_softirqmax_before_softirq"
module_test "every prefix of nonsense is refused" test_prefixes forsureawrongcommand 99
module_test "every prefix of max_before_softirq but the whole is refused" test_prefixes max_before_softirq 18
module_test "every prefix of rem_device_all but the whole is refused" test_prefixes rem_device_all 14
module_test "max_before_softirq says that it is obsolete" test_legacy

module_test "add_device: file, list and result" test_add
module_test "add_device: names with suffixes" test_add_suffixes
module_test "add_device: separators, quotes, further words" test_add_forms
module_test "add_device: all bytes are counted" test_add_counts_bytes
module_test "add_device: a name twice is EBUSY" two_workers test_add_twice
module_test "add_device: no such device is ENODEV" test_add_missing
module_test "add_device: a slash in the name is EINVAL" test_add_slash
module_test "add_device: a thousand refusals do not flood the log" test_no_log_flood
module_test "add_device: down is ENETDOWN" test_add_down
module_test "add_device: long names are cut at 31 bytes" test_add_long
module_test "add_device: pgctrl and kpktgend_0 as names of devices" test_add_reserved
module_test "add_device: by an alternative name" test_add_altname
module_test "add_device: the loopback device" test_loopback

module_test "lists: newest first, running and stopped" test_order

module_test "rem_device_all: this worker's devices only" two_workers test_remove
module_test "rem_device_all: while they run" two_workers test_remove_running
module_test "a hundred rounds of adding and removing" test_add_remove_loop
module_test "adding and removing on two workers at once" two_workers test_add_race
module_test "the net device is free after rem_device_all" test_reference kpktgend_0 rem_device_all
module_test "the net device is free after reset" test_reference pgctrl reset
module_test "a net device goes while devices are configured" test_reference
module_test "the net device is free after add_device failed" test_reference_after_failure
module_test "the net device is free after it was down" test_reference_down

module_test "threads are bound to their CPUs" two_workers test_threads
module_test "threads ignore signals" test_signals

ktap_run
