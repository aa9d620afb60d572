# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# For the suites in tools/testing/suites, which run inside a lab kernel and report
# in KTAP (Documentation/dev-tools/ktap.rst of the kernel). A suite sources this
# file, registers its tests, and ends with ktap_run:
#
#	test_count() {
#		add_dummy d0
#		...
#		check_eq "$(tx_packets d0)" 1000 "packets on the wire"
#	}
#	ktap_test "count limits the packets" test_count
#	ktap_run
#
# Each test runs in a shell of its own under "set -eu": the first command that
# fails ends it. What it prints is shown when it fails. ktap_run's status is 0 if
# no test failed.

set -euo pipefail
shopt -s inherit_errexit

TEST_ROOT=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)
export TEST_ROOT LC_ALL=C

KTAP_DESCRIPTIONS=()
KTAP_COMMANDS=()
KTAP_SKIP=4

# ktap_test DESCRIPTION FUNCTION [ARG...]: register one test.
ktap_test() {
	local description=$1
	shift
	# A "#" would begin a directive.
	KTAP_DESCRIPTIONS+=("${description//#/}")
	KTAP_COMMANDS+=("$(printf '%q ' "$@")")
}

# End the running test as failed or skipped.
fail() { # TEXT...
	echo "$*"
	exit 1
}

skip() { # TEXT...
	echo "$*" >"$TEST_DIR/skip"
	exit "$KTAP_SKIP"
}

# defer COMMAND [ARG...]: run at the end of the running test, last one first.
defer() {
	TEST_DEFERRED+=("$(printf '%q ' "$@")")
}

run_deferred() {
	local i
	set +e
	for ((i = ${#TEST_DEFERRED[@]} - 1; i >= 0; i--)); do
		eval "${TEST_DEFERRED[i]}"
	done
}

# One test in this (sub)shell. TEST_DIR is a directory of its own.
run_one_test() { # COMMAND
	TEST_DEFERRED=()
	trap run_deferred EXIT
	cd -- "$TEST_DIR"
	eval "$1"
}

ktap_run() {
	local i status failed=0 line description
	local total=${#KTAP_COMMANDS[@]}

	echo "KTAP version 1"
	echo "1..$total"
	for ((i = 0; i < total; i++)); do
		description=${KTAP_DESCRIPTIONS[i]}
		TEST_DIR=$(mktemp -d)

		# No "||" or "if" here: either would switch errexit off inside.
		set +e
		(
			set -e
			run_one_test "${KTAP_COMMANDS[i]}"
		) >"$TEST_DIR/log" 2>&1 </dev/null
		status=$?
		set -e

		if ((status == 0)); then
			echo "ok $((i + 1)) $description"
		elif ((status == KTAP_SKIP)) && [[ -f $TEST_DIR/skip ]]; then
			echo "ok $((i + 1)) $description # SKIP $(<"$TEST_DIR/skip")"
		else
			failed=$((failed + 1))
			while IFS= read -r line || [[ -n $line ]]; do
				echo "# $line"
			done <"$TEST_DIR/log"
			echo "# exit status $status"
			echo "not ok $((i + 1)) $description"
		fi
		rm -rf -- "$TEST_DIR"
	done
	((failed == 0))
}

## Checks

check_eq() { # GOT WANTED WHAT
	[[ $1 == "$2" ]] || fail "$3: got '$1', wanted '$2'"
}

check_match() { # TEXT REGEX WHAT
	[[ $1 =~ $2 ]] || fail "$3: no match for '$2' in: $1"
}

check_no_match() { # TEXT REGEX WHAT
	[[ ! $1 =~ $2 ]] || fail "$3: unwanted match for '$2' in: $1"
}

# Run a command that is expected to end with STATUS. Its output is in
# OUT and ERR afterwards.
check_status() { # STATUS COMMAND [ARG...]
	local wanted=$1 status=0
	shift
	"$@" >"$TEST_DIR/out" 2>"$TEST_DIR/err" || status=$?
	OUT=$(<"$TEST_DIR/out")
	ERR=$(<"$TEST_DIR/err")
	((status == wanted)) ||
		fail "'$*' ended with $status, wanted $wanted; stdout: $OUT; stderr: $ERR"
}

# by_machine VALUE DEBUG-VALUE: how much of something there is to be. A debug kernel is
# ten to fifty times slower, and finds in few rounds what others do not in many.
by_machine() {
	case ${LAB_MACHINE-} in
	*-debug) echo "$2" ;;
	*) echo "$1" ;;
	esac
}

# Everything takes so many times as long there.
SLOW=$(by_machine 1 10)

# Wait for a condition instead of sleeping for a guessed time.
wait_for() { # SECONDS COMMAND [ARG...]
	local until=$((SECONDS + $1 * SLOW))
	shift
	until "$@"; do
		((SECONDS <= until)) || fail "waited in vain for: $*"
		sleep 0.05
	done
}

## Devices; removed when the test ends

# Without this the kernel sends neighbour and multicast messages of its own when a
# device comes up, and counters are off by one now and then.
quiet_device() { # NAME
	local file=/proc/sys/net/ipv6/conf/$1/disable_ipv6
	[[ ! -e $file ]] || echo 1 >"$file"
}

add_dummy() { # NAME [QUEUES]
	ip link add "$1" numtxqueues "${2:-1}" type dummy
	defer ip link del "$1"
	quiet_device "$1"
	ip link set "$1" up
}

add_veth() { # NAME PEER
	ip link add "$1" type veth peer name "$2"
	defer ip link del "$1"
	quiet_device "$1"
	quiet_device "$2"
	ip link set "$1" up
	ip link set "$2" up
	wait_for 5 has_carrier "$1"
}

has_carrier() {
	[[ $(<"/sys/class/net/$1/carrier") == 1 ]]
}

tx_packets() { cat "/sys/class/net/$1/statistics/tx_packets"; }
rx_packets() { cat "/sys/class/net/$1/statistics/rx_packets"; }
