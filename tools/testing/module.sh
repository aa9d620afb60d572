# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# For the suites that test the module itself: loading it, writing commands, and
# looking at what its files say. Sourced; brings lib.sh with it.
#
# MODULE_KO names the module to test: RPKTGEN_KO by default, PKTGEN_KO to see
# what the C module makes of a suite.

# shellcheck source=tools/testing/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

MODULE_KO=${MODULE_KO:-${RPKTGEN_KO:?names the module to test}}
MODULE=$(basename "$MODULE_KO" .ko)
PROC=/proc/net/pktgen
# shellcheck disable=SC2034 # for the suites
VERSION_LINE="Packet Generator for packet performance testing. Version: 2.75"
# What begins a run's summary, and what a summary of a run without errors ends with.
SUMMARY='OK: ([0-9]+)\(c([0-9]+)\+d([0-9]+)\) usec, ([0-9]+) \((-?[0-9]+)byte,(-?[0-9]+)frags\)'
SUMMARY+=$'\n''  ([0-9]+)pps ([0-9]+)Mb/sec \(([0-9]+)bps\) errors: ([0-9]+)'

# The last CPU, which is the first where there is only one.
# shellcheck disable=SC2034 # for the suites
LAST=$(($(nproc --all) - 1))

# module_test TITLE reloading FUNCTION [ARG...]: it loads the module anew. UML has no
# KASAN for the memory of modules, but the marks of one that is gone stay there, and
# the next is reported when it is copied to the same place.
reloading() {
	[[ ${LAB_MACHINE-} != uml-debug ]] || skip "KASAN in UML cannot load a module twice"
	"$@"
}

# module_test TITLE two_workers FUNCTION [ARG...]
two_workers() {
	((LAST > 0)) || skip "needs two CPUs"
	"$@"
}

is_loaded() { [[ -e /sys/module/$MODULE ]]; }

# Afresh, with these parameters or with none.
load_with() { # PARAMETER...
	! is_loaded || unload
	insmod "$MODULE_KO" "$@"
}

load() {
	local none=()
	load_with "${none[@]}"
}

unload() { rmmod "$MODULE"; }

# module_test DESCRIPTION FUNCTION [ARG...]: a test that begins with the module
# loaded and nothing configured, and that leaves nothing configured behind.
module_test() {
	ktap_test "$1" with_module "${@:2}"
}

with_module() {
	is_loaded || load
	defer reset_all
	reset_all
	"$@"
}

reset_all() {
	[[ ! -e $PROC/pgctrl ]] || echo reset >"$PROC/pgctrl"
}

# writes FILE TEXT...: what write(2) says to each; see the script of that name.
writes() {
	local file=$1
	[[ $file == /* ]] || file=$PROC/$file
	"$TEST_ROOT/tools/testing/write" "$file" "${@:2}"
}

check_write() { # FILE TEXT WANTED
	check_eq "$(writes "$1" "$2")" "$3" "write '$2' to $1"
}

# put FILE COMMAND...: commands that must succeed.
put() {
	local file=$1 command
	for command in "${@:2}"; do
		echo "$command" >"$PROC/$file" || fail "'$command' > $file"
	done
}

# device NAME [COMMAND...]: add one to worker 0 (NAME@N: to worker N, or to the last one)
# and configure it.
device() {
	local worker=0
	[[ $1 != *@+([0-9]) ]] || worker=${1#*@}
	((worker <= LAST)) || worker=$LAST
	put "kpktgend_$worker" "add_device $1"
	put "$@"
}

# By a process of its own: any signal to the writer ends the runs, and this shell
# may be told at any time that a child has ended.
start() { check_write pgctrl start 5; }

# What is after "Result: ", which may be several lines.
result() { # FILE
	local text
	text=$(<"$PROC/$1")
	[[ $text == *"Result: "* ]] || fail "$1 has no Result line: $text"
	echo "${text#*Result: }"
}

check_result() { # FILE WANTED
	check_eq "$(result "$1")" "$2" "Result of $1"
}

# value FILE LABEL: the number or word after "LABEL: ", or "LABEL ".
value() {
	local text
	text=$(<"$PROC/$1")
	[[ $text =~ (^|[[:space:]])"$2":?\ +([^[:space:]]+) ]] || fail "$1 has no '$2': $text"
	echo "${BASH_REMATCH[2]}"
}

sofar() { value "$1" pkts-sofar; }

# The run is over with a summary; its fields are in the variables.
read_summary() { # FILE
	local text
	text=$(result "$1")
	[[ $text =~ ^$SUMMARY($'\n''  ended: '(.*))?$ ]] || fail "$1 has no summary: $text"
	# shellcheck disable=SC2034 # for the callers
	TOTAL_US=${BASH_REMATCH[1]} BUSY_US=${BASH_REMATCH[2]} IDLE_US=${BASH_REMATCH[3]} \
		SENT=${BASH_REMATCH[4]} SIZE=${BASH_REMATCH[5]} FRAGS=${BASH_REMATCH[6]} \
		PPS=${BASH_REMATCH[7]} MBPS=${BASH_REMATCH[8]} BPS=${BASH_REMATCH[9]} ERRORS=${BASH_REMATCH[10]} \
		ENDED=${BASH_REMATCH[12]}
}

check_sent() { # FILE PACKETS [ERRORS]
	read_summary "$1"
	check_eq "$SENT sent, $ERRORS errors" "$2 sent, ${3:-0} errors" "summary of $1"
}

# The names in the tree, on one line.
files() {
	local paths=("$PROC"/*)
	echo "${paths[*]##*/}"
}

# The devices after "Running:" or "Stopped:", newest first.
listed() { # WORKER-FILE Running|Stopped
	local line
	while IFS= read -r line; do
		if [[ $line == "$2: "* ]]; then
			line=${line#"$2: "}
			echo "${line% }"
			return
		fi
	done <"$PROC/$1"
	fail "$1 has no line '$2: '"
}

is_running() { # DEVICE
	local file
	for file in "$PROC"/kpktgend_*; do
		[[ " $(listed "${file##*/}" Running) " != *" $1 "* ]] || return 0
	done
	return 1
}

nothing_runs() {
	local file
	for file in "$PROC"/kpktgend_*; do
		[[ -z $(listed "${file##*/}" Running) ]] || return 1
	done
}

is_sending() { # DEVICE
	[[ -e $PROC/$1 ]] && (($(sofar "$1") > 0))
}

# start_behind DEVICE...: start in the background, its process in STARTER; returns
# when these devices send. Signals have their default action there, as in a shell
# that a user types into.
start_behind() {
	local device
	env --default-signal "$TEST_ROOT/tools/testing/write" "$PROC/pgctrl" start >"$TEST_DIR/start" &
	STARTER=$!
	for device in "$@"; do
		wait_for 10 is_sending "$device"
	done
}

# The start in the background comes back, as a write that succeeded.
check_start_returns() {
	wait_for 10 has_ended "$STARTER"
	wait "$STARTER" || fail "the writer of start ended with status $?"
	check_eq "$(<"$TEST_DIR/start")" 5 "write start"
}

has_ended() { # PID
	local stat
	{ read -r stat <"/proc/$1/stat"; } 2>/dev/null || return 0
	[[ ${stat##*) } == Z* ]]
}

# No device file, and none listed by a worker.
check_nothing_left() {
	local file
	for file in "$PROC"/*; do
		[[ ${file##*/} == @(pgctrl|kpktgend_+([0-9])) ]] || fail "left behind: $file"
		[[ $file == */pgctrl ]] || check_eq \
			"$(listed "${file##*/}" Running)$(listed "${file##*/}" Stopped)" "" "devices of ${file##*/}"
	done
}

now_ms() { echo $((${EPOCHREALTIME/./} / 1000)); }

# check_quick MILLISECONDS COMMAND [ARG...]
check_quick() {
	local limit=$(($1 * SLOW)) begin taken
	shift
	begin=$(now_ms)
	"$@"
	taken=$(($(now_ms) - begin))
	echo "'$*' took $taken ms"
	((taken <= limit)) || fail "'$*' took $taken ms, more than $limit"
}

worker_pid() { # WORKER-FILE, of the first namespace that has one
	local stat line
	for stat in /proc/[0-9]*/stat; do
		{ read -r line <"$stat"; } 2>/dev/null || continue
		[[ $line == *" ($1) "* ]] || continue
		echo "${line%% *}"
		return
	done
	fail "no thread $1"
}

cpu_ticks() { # PID: user and system time
	local stat
	read -r stat <"/proc/$1/stat"
	# shellcheck disable=SC2086 # to be split
	set -- ${stat##*) }
	echo $((${12} + ${13}))
}
