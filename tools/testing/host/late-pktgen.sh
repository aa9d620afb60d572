#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The C module loaded while ours has its place in /proc/net. It does not look, so
# the kernel warns of the name that is taken, which no suite inside the lab would
# survive: this one boots a kernel for it, and wants that warning and no other.
# Runs on the machine itself.

set -euo pipefail
# shellcheck source=tools/testing/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

test_late_pktgen() {
	# shellcheck disable=SC2016 # for the shell in there
	check_status 123 "$TEST_ROOT/tools/lab/exec" --machine uml --cpus 2 -- bash -euc '
		insmod "$RPKTGEN_KO"
		echo add_device lo >/proc/net/pktgen/kpktgend_1
		if insmod "$PKTGEN_KO" 2>/dev/null; then
			echo "both in one directory"
		fi
		! grep "^pktgen " /proc/modules
		echo count 5 >/proc/net/pktgen/lo
		echo start >/proc/net/pktgen/pgctrl
		grep -o "pkts-sofar: .*" /proc/net/pktgen/lo
		rmmod rpktgen
		test ! -e /proc/net/pktgen
		insmod "$PKTGEN_KO"
		test -e /proc/net/pktgen/pgctrl'
	check_eq "$OUT" "pkts-sofar: 5  errors: 0" "what our module did after that"
	check_match "$ERR" "proc_dir_entry 'net/pktgen' already registered" "the warning"
	check_eq "$(grep -c '^---- the kernel reported:' <<<"$ERR")" 1 "reports"
	check_no_match "$ERR" "rpktgen\]" "our module in the report"
}

ktap_test "the C module comes later: refused, ours is not harmed" test_late_pktgen
ktap_run
