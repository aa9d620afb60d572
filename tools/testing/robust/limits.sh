#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Settings at and beyond their ends: whatever is asked for, a run ends or can be stopped,
# and what the frames hold is within what was asked. Ranges are covered, ends included
# where the interface says so. Runs inside a lab kernel.

# shellcheck source=tools/testing/robust/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

configure() { # NAME [COMMAND...]
	device "$1" "pkt_size 100" "dst 198.18.0.42" "dst_mac 02:00:00:00:00:01" "${@:2}"
}

stop_and_wait() {
	put pgctrl stop
	wait "$STARTER" || fail "the writer of start ended with status $?"
}

# The values of a field in the next COUNT frames at v1, in the file seen: one "NUMBER
# VALUE" a line, sorted by value.
fields() { # FIELD COUNT
	local watcher
	rm -f listening
	"$TEST_ROOT/tools/testing/robust/fields.py" v1 "$1" "$2" >seen &
	watcher=$!
	wait_for 5 test -e listening
	start
	wait "$watcher"
}

## Ranges

# A field has each of the values WANTED, words of one or "FIRST-LAST", and no other.
test_range() { # FIELD WANTED COUNT COMMAND...
	local word wanted=() got n
	add_veth v0 v1
	configure v0 "count $3" "${@:4}"
	fields "$1" "$3"
	for word in $2; do
		if [[ $word == *-* ]]; then
			for ((n = ${word%-*}; n <= ${word#*-}; n++)); do wanted+=("$n"); done
		else
			wanted+=("$word")
		fi
	done
	got=$(cut -d' ' -f2 seen | paste -sd' ')
	check_eq "$got" "${wanted[*]}" "values of $1"
}

# Each size of a mix has its share. Of 8000 packets the standard deviation is below 45.
test_mix() {
	local number size share=0 sizes=0
	local -A weights=([64]=7 [576]=4 [1500]=1)
	add_veth v0 v1
	configure v0 "count 8000" "imix_weights 64,7 576,4 1500,1"
	fields size 8000
	while read -r number size; do
		[[ -n ${weights[$size]-} ]] || fail "a frame of $size bytes"
		sizes=$((sizes + 1))
		share=$((8000 * weights[$size] / 12))
		((number > share - 250 && number < share + 250)) || fail "$number frames of $size bytes, not $share"
	done <seen
	check_eq "$sizes" 3 "sizes"
}

# Of 4000 labels of 20 bits about 4 are drawn twice, and none of the outer tenths is
# missed; the other bits of the entry stay.
test_labels() {
	local distinct lowest highest
	add_veth v0 v1
	configure v0 "count 4000" "mpls 00001540" "flag MPLS_RND"
	fields label 4000
	distinct=$(wc -l <seen)
	lowest=$(head -n 1 seen) highest=$(tail -n 1 seen)
	((distinct > 3900)) || fail "$distinct labels in 4000 frames"
	((${lowest#* } < 104858 && ${highest#* } > 943718 && ${highest#* } < 1048576)) || fail "labels from $lowest to $highest"
}

# Where every address is one that nobody may send to, there is an end of drawing all the
# same, and nothing else is sent. The C module's thread draws for ever, and cannot be
# stopped.
test_unroutable() { # FIRST LAST
	local count=500 value low=0 high=0
	add_veth v0 v1
	configure v0 "count $count" "flag IPDST_RND" "dst_min $1" "dst_max $2"
	check_quick 10000 start
	check_sent v0 "$count"
	fields dst "$count"
	low=$(number "$1") high=$(number "$2")
	while read -r _ value; do
		((value >= low && value <= high)) || fail "destination $value is not from $low to $high"
	done <seen
}

number() { # ADDRESS
	local a b c d
	IFS=. read -r a b c d <<<"$1"
	echo $(((a << 24) + (b << 16) + (c << 8) + d))
}

## Amounts

# More than can be is cut to what can.
test_burst() { # VALUE STORED
	add_dummy d0
	configure d0 "burst $1"
	check_eq "$(value d0 burst)" "$2" "burst"
	put d0 "count 1"
	check_quick 5000 start
	check_sent d0 "$2"
	check_eq "$(tx_packets d0)" "$2" "packets of d0"
}

# No packet and no time: no division by either. A run that has begun has a summary, one
# that has not leaves all as it was; "Starting" stays of none.
test_at_once() { # MODE COMMAND...
	local i started begun=0
	add_dummy d0
	configure d0 "xmit_mode $1" "count 0" "${@:2}"
	for ((i = 0; i < 50; i++)); do
		put d0 "count 0"
		started=$(value d0 started)
		start_behind
		# The first one may come before start does.
		until has_ended "$STARTER"; do put pgctrl stop; done
		wait "$STARTER" || fail "the writer of start ended with status $?"
		if [[ $(value d0 started) == "$started" ]]; then
			check_result d0 "OK: count=0"
		else
			read_summary d0
			begun=$((begun + 1))
		fi
	done
	figure "$begun of 50 runs had begun when they were stopped: $*"
	((begun > 0)) || fail "no run had begun"
	check_alive
}

# More packets than 32 bits count, and their bytes: burst and size at their ends. The
# counters are those of the core, whose tests go to 64 bits.
test_bits() {
	add_dummy d0
	configure d0 "pkt_size 65535" "clone_skb 1000000" "burst 65535" "count 20000000"
	check_quick 60000 start
	read_summary d0
	((SENT >= 20000000)) || fail "$SENT packets"
	check_eq "$BPS" $((PPS * 65535 * 8)) "bits"
	check_eq "$(</sys/class/net/d0/statistics/tx_bytes)" $((SENT * 65535)) "bytes of d0"
}

# Everything in front of the payload that there can be, at once.
test_everything() { # COMMAND...
	add_dummy d0
	configure d0 "count 1000" "$@"
	check_quick 20000 start
	read_summary d0
	((SENT >= 1000)) || fail "$SENT packets"
	((SIZE * SENT == $(</sys/class/net/d0/statistics/tx_bytes))) || [[ " $* " == *"max_pkt_size"* ]] ||
		fail "$SENT packets of $SIZE bytes, but $(</sys/class/net/d0/statistics/tx_bytes) bytes"
}

## Under a run

# Fewer flows, more flows, none: while packets are made for them.
test_flows() { # COMMAND...
	local i
	add_dummy d0
	configure d0 "count 0" "dst_min 10.0.0.1" "dst_max 10.0.255.254" "flag IPDST_RND" "flows 65536" "flowlen 10" "$@"
	start_behind d0
	for ((i = 0; i < 100; i++)); do
		put d0 "flows $(((i * 7919) % 65537))" "flowlen $((i % 5))" "flows 1" "flows 0"
	done
	check_quick 1000 stop_and_wait
	read_summary d0
	check_eq "$(tx_packets d0)" "$SENT" "packets of d0"
}

# Associations come and go below the packets that they transform.
test_associations() { # MODE
	local i
	add_dummy d0
	ip xfrm state flush 2>/dev/null || skip "this kernel has no IPsec"
	defer ip xfrm state flush
	configure d0 "count 0" "xmit_mode $1" "src_min 198.18.0.1" "src_max 198.18.0.1" "flows 16" "flowlen 4" "flag IPSEC" "spi 4097"
	start_behind d0
	for ((i = 0; i < 60; i++)); do
		ip xfrm state add src 198.18.0.1 dst 198.18.0.42 proto esp spi 0x1001 mode transport \
			auth 'hmac(sha1)' 0x000102030405060708090a0b0c0d0e0f10111213 enc 'cbc(aes)' 0x000102030405060708090a0b0c0d0e0f
		sleep 0.01
		if ((i % 2)); then
			ip xfrm state flush
		else
			ip xfrm state delete src 198.18.0.1 dst 198.18.0.42 proto esp spi 0x1001
		fi
	done
	check_quick 1000 stop_and_wait
	read_summary d0
	[[ $1 == netif_receive ]] || check_eq "$(tx_packets d0)" "$SENT" "packets of d0"
}

module_test "range: UDP source ports in turn" test_range sport "100-109" 200 "udp_src_min 100" "udp_src_max 110"
module_test "range: UDP destination ports at random" test_range dport "100-109" 2000 "udp_dst_min 100" "udp_dst_max 110" "flag UDPDST_RND"
module_test "range: one port" test_range dport "100" 50 "udp_dst_min 100" "udp_dst_max 100"
module_test "range: the last port" test_range dport "65534" 50 "udp_dst_min 65534" "udp_dst_max 65535" "flag UDPDST_RND"
module_test "range: destinations in turn" test_range dst "167772161-167772170" 100 "dst_min 10.0.0.1" "dst_max 10.0.0.10"
module_test "range: destinations at random" test_range dst "167772161-167772169" 2000 "dst_min 10.0.0.1" "dst_max 10.0.0.10" "flag IPDST_RND"
module_test "range: sources in turn" test_range src "167772161-167772170" 100 "src_min 10.0.0.1" "src_max 10.0.0.10"
module_test "range: sources at random" test_range src "167772161-167772169" 2000 "src_min 10.0.0.1" "src_max 10.0.0.10" "flag IPSRC_RND"
module_test "range: minimum above maximum" test_range dst "167772170" 50 "dst_min 10.0.0.10" "dst_max 10.0.0.1"
module_test "range: 255.255.255.255" test_range dst "4294967295" 50 "dst_min 255.255.255.255" "dst_max 255.255.255.255"
module_test "range: up to 255.255.255.255" test_range dst "4294967293-4294967295" 90 "dst_min 255.255.255.253" "dst_max 255.255.255.255"
module_test "range: sizes in turn" test_range size "200-210" 220 "min_pkt_size 200" "max_pkt_size 210"
module_test "range: sizes at random" test_range size "200-209" 2000 "min_pkt_size 200" "max_pkt_size 210" "flag TXSIZE_RND"
module_test "range: source MAC addresses" test_range smac "0-9" 100 "src_mac 02:00:00:00:00:00" "src_mac_count 10"
module_test "range: destination MAC addresses at random" test_range dmac "0-9" 2000 "dst_mac 02:00:00:00:00:00" "dst_mac_count 10" "flag MACDST_RND"
module_test "range: VLAN ids at random" test_range vlan "0-4095" 100000 "vlan_id 1" "flag VID_RND"
module_test "range: labels at random" test_labels
module_test "range: a mix of sizes" test_mix
module_test "unroutable destinations only: 127/8" ours_only test_unroutable 127.0.0.0 127.255.255.255
module_test "unroutable destinations only: 224/4" ours_only test_unroutable 224.0.0.0 239.255.255.255

module_test "burst 4294967295" ours_only test_burst 4294967295 65535
module_test "burst 65535 and count 1" ours_only test_burst 65535 65535
module_test "count 1 with burst 32" test_burst 32 32
for mode in "${MODES[@]}"; do
	module_test "started and stopped at once: $mode" test_at_once "$mode"
	module_test "started and stopped at once: $mode, never" test_at_once "$mode" "delay 2147483647"
done
module_test "more bits than 40 of them count" ours_only test_bits
module_test "16 labels, IPv6, fragments" ours_only test_everything "mpls 1,2,3,4,5,6,7,8,9,a,b,c,d,e,f,10" "dst6 fd00::1" "frags 17" "pkt_size 1"
module_test "QinQ, IPv6, every flag" ours_only test_everything "vlan_id 5" "svlan_id 6" "dst6 fd00::1" "frags 3" "flag UDPCSUM" \
	"flag VID_RND" "flag SVID_RND" "flag UDPSRC_RND" "flag UDPDST_RND" "flag MACSRC_RND" "flag MACDST_RND" "flag TXSIZE_RND" "flag QUEUE_MAP_RND"
module_test "labels and tags one after the other" ours_only test_everything "mpls 1,2,3,4,5,6,7,8,9,a,b,c,d,e,f,10" "vlan_id 5" "svlan_id 6" "pkt_size 0"

module_test "flows change in a run" ours_only test_flows
module_test "flows change in a run: in sequence" ours_only test_flows "flag FLOW_SEQ"
for mode in "${MODES[@]}"; do
	module_test "associations deleted in a run: $mode" ours_only test_associations "$mode"
done
ktap_run
