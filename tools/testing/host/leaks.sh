#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Memory that is lost on purpose is found by a debug kernel, whoever lost it: the module
# leak beside this loses some in four ways. Runs on the machine itself.

set -euo pipefail
# shellcheck source=tools/testing/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

in_lab() { # SCRIPT
	"$TEST_ROOT/tools/lab/exec" --machine uml-debug --timeout 300 --out "$PWD/result" -- bash -euc "$1"
}

# Into the directory that is LAB_OUT in there.
build_leak() {
	local assignments KDIR='' TOOLCHAIN=''
	assignments=$("$TEST_ROOT/tools/lab/query" uml-debug)
	eval "$assignments"
	mkdir result
	# shellcheck disable=SC2086 # settings of make
	"$TEST_ROOT/tools/lab/env" --bind "$KDIR" --bind "$PWD/result" -- \
		make -C "$KDIR" $TOOLCHAIN M="$TEST_ROOT/tools/testing/host/leak" MO="$PWD/result" modules
}

test_found() {
	local name
	build_leak
	# shellcheck disable=SC2016 # for the shell in there
	check_status 123 in_lab '
		insmod "$LAB_OUT/leak.ko"
		echo 1 >/sys/module/leak/parameters/lose
		exit 0'
	# exec shows the first few only.
	grep -o 'kmemleak:   comm "[^"]*"' result/kernel.log | cut -d '"' -f 2 | sort | uniq -c >told
	cat told
	for name in bash insmod kpktgend_0 kworker; do
		grep -qw "$name" told || fail "what $name lost was not found"
	done
	# Nobody else's memory is taken for lost.
	check_eq "$(awk '{ lost += $1 } END { print lost <= 32 }' told)" 1 "no more than was lost"
}

# Nor where namespaces come and go, for which the kernel's own workers allocate much.
test_others() {
	# shellcheck disable=SC2016
	check_status 0 in_lab '
		insmod "$RPKTGEN_KO"
		for i in {1..20}; do
			ip netns add "n$i"
			ip netns exec "n$i" ip link set lo up
			ip netns exec "n$i" sh -c "echo add_device lo >/proc/net/pktgen/kpktgend_0"
		done
		for i in {1..20}; do ip netns del "n$i"; done
		sleep 2
		rmmod rpktgen'
}

ktap_test "what is lost is found, whoever lost it" test_found
ktap_test "nothing is lost where namespaces come and go" test_others
ktap_run
