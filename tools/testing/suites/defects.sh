#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What the C module does wrong and rpktgen must not: those of the defects listed in
# Documentation/parity.rst that only a kernel shows and no other suite meets. Runs
# inside a lab kernel with two CPUs.

# shellcheck source=tools/testing/ipsec.sh
source "$(dirname "${BASH_SOURCE[0]}")/../ipsec.sh"

# listen_behind OUTPUT PROGRAM [ARG...]: a listener in the background, its process in BEHIND.
listen_behind() {
	rm -f ready
	timeout 20 "${@:2}" >"$1" &
	BEHIND=$!
	wait_for 10 test -e ready
}

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
	listen_behind got python3 "$TEST_ROOT/tools/testing/payload.py" frame v1 1000
	wait "$BEHIND"
	check_eq "$(<got)" "1000 came, 0 changed" "payloads"
	put pgctrl stop
	check_start_returns
	check_match "$(result v0)" "^$SUMMARY" "result"
	check_eq "$(tx_packets v0)" "$(sofar v0)" "packets"
}

## D-20: flows of an earlier configuration

# The destinations of a run's packets, on one line in their order.
destinations() { # COUNT
	listen_behind got "$TEST_ROOT/tools/testing/frames" v1 "$1"
	start
	wait "$BEHIND"
	cut -d ' ' -f 4 got | xargs
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
	local i text padding times
	times=$(by_machine 20 2)
	printf -v padding '%*s' 1100 ''
	add_dummy d0
	device d0 "debug 1"
	defer disable_debug
	for text in "count 5" "count 5\n" "count 5\0" "count 5$padding" "${padding}count 5" "flag nonsense"; do
		for ((i = 0; i < times; i++)); do
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

# Who decrypts in place must not write to what other packets have, too. The pktgen header of
# a packet for port 9 begins as an ESP header with this SPI.
test_fragments_are_shared() {
	add_peer
	in_peer ip xfrm state add src "$SOURCE" dst "$TARGET" proto esp spi 0xbe9be955 mode transport \
		aead 'rfc4106(gcm(aes))' "$(key 20)" 128 encap espinudp 9 9 0.0.0.0
	listen_behind got ip netns exec peer python3 "$TEST_ROOT/tools/testing/payload.py" socket "$TARGET"
	device v0 "count 20" "src_min $SOURCE" "dst $TARGET" "dst_mac $PEER_MAC" "pkt_size 1000" "frags 1" \
		"udp_dst_min 9" "udp_dst_max 11" "delay 1000000"
	start
	wait "$BEHIND"
	check_eq "$(<got)" "10 came, 0 changed" "payloads"
	# Those for port 9 were taken for ESP.
	check_match "$(xfrm_errors in_peer)" "XfrmInStateProtoError=10" "errors of the peer"
}

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

## D-31: packets that cannot be made

# One flow's association cannot be used. The other flow is not held up by it.
test_unfit_flow() {
	local begin lines
	add_peer
	add_association aes transport 0x1002 198.18.0.2
	association_words aes transport 0x1003 198.18.0.3
	ip xfrm state add "${WORDS[@]}" dir in
	configure v0 "count 5000" "dst_min 198.18.0.2" "dst_max 198.18.0.3" "flows 2" "flowlen 10" "flag FLOW_SEQ"
	dmesg -C
	begin=$(now_ms)
	start
	(($(now_ms) - begin < 2000 * SLOW)) || fail "$(($(now_ms) - begin)) ms for 5000 packets"
	read_summary v0
	check_eq "$SENT" 5000 "packets sent"
	check_match "$(ip -s xfrm state get src "$SOURCE" dst 198.18.0.2 proto esp spi 0x1002)" \
		"\(bytes\), 5000\(packets\)" "packets transformed"
	((ERRORS > 4900 && ERRORS <= 5010)) || fail "$ERRORS errors of as many packets of the other flow"
	lines=$(dmesg | grep -c rpktgen) || :
	((lines <= 2)) || fail "$lines lines in the kernel log"
}

# Nothing can be sent, until the association can be used.
test_unfit_until_replaced() {
	add_peer
	association_words aes transport 0x1001
	ip xfrm state add "${WORDS[@]}" dir in
	configure v0 "count 0" "flowlen 10" "flag FLOW_SEQ"
	dmesg -C
	start_behind
	wait_for 5 says_why
	put v0 "tos 01"
	ip xfrm state flush
	in_peer ip xfrm state flush
	add_association aes transport 0x1001
	wait_for 5 is_sending v0
	# What a command said since stays.
	check_result v0 "OK: tos=0x01"
	put pgctrl stop
	check_start_returns
	(($(dmesg | grep -c rpktgen) <= 2)) || fail "$(dmesg | grep -c rpktgen) lines in the kernel log"
}

says_why() {
	[[ $(result v0) == "ERROR: IPsec: the security association cannot be used: it is for incoming packets" ]]
}

# A table that changes makes a new message possible: not one for each change.
test_unfit_log() {
	local i
	add_peer
	association_words aes transport 0x1001
	ip xfrm state add "${WORDS[@]}" dir in
	configure v0 "count 0"
	start_behind
	dmesg -C
	for ((i = 1; i <= 500; i++)); do put v0 "flows $i"; done
	put pgctrl stop
	check_start_returns
	(($(dmesg | grep -c rpktgen) <= 30)) || fail "$(dmesg | grep -c rpktgen) lines in the kernel log"
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
module_test "D-24: the parameter debug" reloading test_debug_parameter
module_test "D-25: fragments are charged to who receives them" test_fragment_truesize
module_test "D-25: fragments are not written to by who decrypts" test_fragments_are_shared
module_test "D-26: bits of sizes in a range" test_rates "min_pkt_size 60" "max_pkt_size 1514" "flag TXSIZE_RND"
module_test "D-26: bits of a mix of sizes" test_rates "imix_weights 64,7 576,4 1500,1"
module_test "D-26: bits of frames that are raised to their headers" test_rates "pkt_size 42" "vlan_id 5"
module_test "D-26: automatic size with a tag" test_automatic_size 62 "vlan_id 5"
module_test "D-26: automatic size with two tags" test_automatic_size 66 "vlan_id 5" "svlan_id 6"
module_test "D-26: automatic size with labels and IPv6" test_automatic_size 90 "mpls 1,2,3" "dst6 fd00::1"
module_test "D-31: a flow that cannot send does not hold up another" test_unfit_flow
module_test "D-31: nothing can be sent until it can" test_unfit_until_replaced
module_test "D-31: an association that cannot be used does not flood the log" test_unfit_log
module_test "D-32: devices without flows cost less than 16 KiB" test_memory
ktap_run
