#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What the C module does wrong and rpktgen must not: those of the defects listed in
# Documentation/parity.rst that only a kernel shows and no other suite meets. Runs
# inside a lab kernel with two CPUs.

# shellcheck source=tools/testing/module.sh
source "$(dirname "${BASH_SOURCE[0]}")/../module.sh"

## D-17: memory of a node

test_node_range() {
	local number
	add_dummy d0
	device d0 "node 0"
	for number in 1 63 64 1023 1024 65535 2147483647 2147483648 4294967295 4294967296 9999999999; do
		[[ ! -e /sys/devices/system/node/node$number ]] || continue
		check_write d0 "node $number" $((5 + ${#number}))
		check_result d0 "ERROR: node not possible"
	done
	check_eq "$(value d0 node)" 0 "node"
}

# The page of the fragments changes hands while packets refer to it.
test_node_while_running() {
	local i
	add_veth v0 v1
	device v0 "count 0" "frags 4" "pkt_size 1500" "node 0"
	start_behind v0
	for ((i = 0; i < 200; i++)); do
		put v0 "flag NODE" "frags $((i % 18))" "flag !NODE"
	done
	put pgctrl stop
	check_start_returns
	check_match "$(result v0)" "^$SUMMARY" "result"
	check_eq "$(tx_packets v0)" "$(sofar v0)" "packets"
}

## D-20: flows of an earlier configuration

# Writes the packets' destinations on one line; they are in order.
destinations() { # COUNT
	timeout 10 python3 "$TEST_ROOT/tools/testing/destinations.py" v1 "$1" &
	local pid=$!
	wait_for 5 test -e "$TEST_DIR/listening"
	start
	wait "$pid"
}

test_flows_anew() {
	add_veth v0 v1
	device v0 "count 3" "flows 2" "flowlen 2" "flag FLOW_SEQ" "dst_min 10.0.0.1" "dst_max 10.0.0.9"
	check_eq "$(destinations 3)" "10.0.0.2 10.0.0.2 10.0.0.3" "first run"
	put v0 "dst_min 10.1.0.1" "dst_max 10.1.0.9"
	check_eq "$(destinations 3)" "10.1.0.2 10.1.0.2 10.1.0.3" "run with other addresses"
	put v0 "flows 1"
	check_eq "$(destinations 3)" "10.1.0.2 10.1.0.2 10.1.0.3" "run with one flow"
}

## D-24: debugging

# Whatever is written, also without a NUL or a line feed at its end, as with debug off.
test_debug() {
	local i text padding
	printf -v padding '%*s' 1100 ''
	add_dummy d0
	device d0 "debug 1"
	defer disable_debug
	for text in "count 5" "count 5\n" "count 5\0" "count 5$padding" "${padding}count 5" "flag nonsense"; do
		for ((i = 0; i < 20; i++)); do
			check_match "$(writes d0 "$text")" '^[0-9]+$' "write of '$text'"
		done
	done
	check_write d0 nonsense EINVAL
	check_eq "$(value d0 count)" 5 "count"
	check_match "$(dmesg)" "d0: count 5" "kernel log"
}

disable_debug() { writes d0 "debug 0"; }

test_debug_parameter() {
	load_with debug=1
	defer unload
	add_dummy d0
	device d0 "count 4711"
	check_match "$(dmesg)" "d0: count 4711" "kernel log"
	put d0 "debug 0" "count 4712"
	check_no_match "$(dmesg)" "d0: count 4712" "kernel log"
}

## D-25: fragments

# A socket that has received them is charged for what they hold.
test_fragment_truesize() {
	local queued
	add_dummy d0
	ip address add 198.18.0.1/24 dev d0
	python3 -c '
import signal, socket
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
    s.setsockopt(socket.SOL_SOCKET, 33, 8 << 20)  # SO_RCVBUFFORCE
    s.bind(("198.18.0.1", 9))
    signal.pause()' &
	defer kill $!
	wait_for 5 listens
	device d0 "count 10" "xmit_mode netif_receive" "frags 4" "pkt_size 16058" \
		"dst_mac $(</sys/class/net/d0/address)" "dst_min 198.18.0.1" "src_min 198.18.0.2"
	start
	check_sent d0 10
	read -r _ queued _ < <(ss -Hnua 'sport = :9')
	((queued >= 160000)) || fail "$queued bytes for ten packets of 16000"
	check_match "$(result d0)" "16058byte,4frags" "result"
}

listens() { [[ -n $(ss -Hnua 'sport = :9') ]]; }

## D-26: sizes

# The bits are those that left, whatever the sizes.
test_rates() { # COMMAND...
	local sent bytes bits
	add_dummy d0
	device d0 "count 100000" "$@"
	bytes=$(</sys/class/net/d0/statistics/tx_bytes)
	start
	bytes=$(($(</sys/class/net/d0/statistics/tx_bytes) - bytes))
	read_summary d0
	check_eq "$SENT" 100000 "packets"
	sent=$((BPS * TOTAL_US / 8000000))
	bits=$((sent > bytes ? sent - bytes : bytes - sent))
	# The time is cut to microseconds.
	((bits * 500 < bytes)) || fail "$BPS bps in $TOTAL_US us are $sent bytes, $bytes were sent"
}

test_automatic_size() { # SIZE COMMAND...
	add_dummy d0
	device d0 "count 10" "${@:2}"
	start
	check_match "$(result d0)" "10 \($1byte,0frags\)" "result"
	check_eq "$(value d0 min_pkt_size)" "$1" "size chosen"
	check_eq "$(</sys/class/net/d0/statistics/tx_bytes)" $(($1 * 10)) "bytes sent"
}

## D-32: memory of a device that has no flows

test_memory() {
	local i before after
	add_dummy d0
	put kpktgend_0 "add_device d0"
	before=$(free_kib)
	for ((i = 0; i < 1000; i++)); do
		echo "add_device d0@$i" >"$PROC/kpktgend_0" || fail "device $i"
	done
	after=$(free_kib)
	echo "$((before - after)) KiB for 1000 devices"
	((before - after < 16 * 1000)) || fail "$((before - after)) KiB for 1000 devices"
}

free_kib() {
	echo 3 >/proc/sys/vm/drop_caches
	awk '/^MemFree:/ { print $2 }' /proc/meminfo
}

module_test "D-17: numbers that are no node are refused" test_node_range
module_test "D-17: another node while packets have fragments" test_node_while_running
module_test "D-20: flows begin anew" test_flows_anew
module_test "D-24: debug changes nothing for writers" test_debug
module_test "D-24: the parameter debug" test_debug_parameter
module_test "D-25: fragments are charged to who receives them" test_fragment_truesize
module_test "D-26: bits of sizes in a range" test_rates "min_pkt_size 60" "max_pkt_size 1514" "flag TXSIZE_RND"
module_test "D-26: bits of a mix of sizes" test_rates "imix_weights 64,7 576,4 1500,1"
module_test "D-26: bits of frames that are raised to their headers" test_rates "pkt_size 42" "vlan_id 5"
module_test "D-26: automatic size with a tag" test_automatic_size 62 "vlan_id 5"
module_test "D-26: automatic size with two tags" test_automatic_size 66 "vlan_id 5" "svlan_id 6"
module_test "D-26: automatic size with labels and IPv6" test_automatic_size 90 "mpls 1,2,3" "dst6 fd00::1"
module_test "D-32: devices without flows cost less than 16 KiB" test_memory
ktap_run
