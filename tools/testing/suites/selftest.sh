#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The kernel's own selftest of /proc/net/pktgen, built from the running kernel's
# source as it is there, and what makes it meet our module: it loads "pktgen" by
# that name, so modprobe has to be configured. Runs inside a lab kernel of any kind.

# shellcheck source=tools/testing/drop-in.sh
source "$(dirname "${BASH_SOURCE[0]}")/../drop-in.sh"

SELFTESTS=tools/testing/selftests
SELFTEST=/tmp/proc_net_pktgen
# The number of its cases, which no kernel since 7.2 has fewer of.
CASES=49

## modprobe

count_of_new_device() {
	put kpktgend_0 "add_device lo"
	check_eq "$(value lo count)" "$1" "count of a new device"
}

# Without the sample there is nothing to see: the tests below could not fail.
test_not_configured() {
	rm /etc/modprobe.d/*
	modprobe pktgen
	check_loaded pktgen
}

test_modprobe() { # PARAMETER...
	modprobe pktgen "$@"
	check_loaded rpktgen
	count_of_new_device 77
	check_status 0 modprobe pktgen
	check_loaded rpktgen
}

test_options() { # MODULE
	echo "options $1 pg_count_d=77" >/etc/modprobe.d/options.conf
	test_modprobe
}

test_without_pktgen_ko() {
	rm "/usr/lib/modules/$(uname -r)/kernel/net/core/"*
	depmod
	test_modprobe pg_count_d=77
}

test_busybox() {
	busybox modprobe pktgen
	check_loaded rpktgen
}

test_remove() {
	modprobe pktgen
	check_status 1 rmmod pktgen
	check_match "$ERR" "Module pktgen is not currently loaded" "rmmod pktgen"
	check_loaded rpktgen
	modprobe -r pktgen
	check_loaded ""
	modprobe pktgen
	rmmod rpktgen
	check_loaded ""
}

# The C module can still be had, and is not replaced behind anyone's back.
test_c_module() {
	modprobe -C /dev/null pktgen
	check_loaded pktgen
	check_status 1 modprobe pktgen
	check_match "$ERR" "could not insert 'rpktgen': Device or resource busy" "modprobe pktgen"
	check_status 0 modprobe -r pktgen
	check_loaded pktgen
	rmmod pktgen
	modprobe pktgen
	check_loaded rpktgen
}

## The selftest

# Without optimization, which an emulated CPU would take half a minute longer for.
build_selftest() {
	need_source "$SELFTESTS"/{net/proc_net_pktgen.c,kselftest_harness.h}
	gcc -O0 -D_GNU_SOURCE -I"$KSOURCE/$SELFTESTS" -o "$SELFTEST" "$KSOURCE/$SELFTESTS/net/proc_net_pktgen.c"
}

run_selftest() {
	local log=$TEST_DIR/selftest status=0 passed
	"$SELFTEST" >"$log" 2>&1 || status=$?
	# Those that were skipped say so after their name.
	passed=$(grep -cE '^ok [0-9]+ proc_net_pktgen\.\w+$' "$log" || :)
	grep -vE '^ok |^# +(RUN|OK) ' "$log" || :
	check_eq "$passed passed, status $status" "$CASES passed, status 0" "the selftest"
	check_match "$(tail -n 1 "$log")" "^# Totals: pass:$CASES fail:0 xfail:0 xpass:0 skip:0 error:0$" "its totals"
	check_loaded rpktgen
	check_nothing_left
}

test_selftest() { # TIMES
	local i
	[[ -x $SELFTEST ]] || build_selftest
	for ((i = 1; i <= $1; i++)); do
		echo "run $i:"
		run_selftest
	done
}

drop_in_test "without the sample modprobe loads the C module" test_not_configured
drop_in_test "modprobe pktgen loads rpktgen, with its parameters" test_modprobe pg_count_d=77
drop_in_test "modprobe pktgen: options of pktgen in the configuration" test_options pktgen
drop_in_test "modprobe pktgen: options of rpktgen in the configuration" test_options rpktgen
drop_in_test "modprobe pktgen where there is no pktgen.ko" test_without_pktgen_ko
drop_in_test "modprobe pktgen of busybox" test_busybox
drop_in_test "modprobe -r pktgen, rmmod" test_remove
drop_in_test "the C module is loaded instead, on demand" test_c_module
drop_in_test "the kernel's selftest: $CASES cases, three times in a row" test_selftest 3

ktap_run
