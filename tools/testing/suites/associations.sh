#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Security associations that cannot be used, or that go away while packets are made
# with them; and that all references on them are given back. Runs inside a lab
# kernel with two CPUs; see tools/testing/ipsec.sh for the network.

# shellcheck source=tools/testing/ipsec.sh
source "$(dirname "${BASH_SOURCE[0]}")/../ipsec.sh"

## Associations that cannot be used

# Nothing leaves, neither transformed nor readable; the kernel log says why, once.
refuse() { # REASON [COMMAND...]
	dmesg -C
	configure v0 "count 100" "spi 4097" "flows 3" "${@:2}"
	start_behind
	wait_for 10 says_ipsec_error v0
	put pgctrl stop
	check_start_returns
	read_summary v0
	check_eq "$SENT $(tx_packets v0)" "0 0" "packets in the summary and of v0"
	check_eq "$(dmesg | sed -n 's/.*rpktgen: //p')" "security association $ASKED_FOR cannot be used: $1" "kernel log"
}
ASKED_FOR="with SPI 0x1001"

says_ipsec_error() { [[ $(result "$1") == "ERROR: IPsec:"* ]]; }

# cryptd makes an asynchronous algorithm of another, and is then what the name means.
test_asynchronous() { # ALGORITHM KIND NAME [COMMAND...]
	add_peer
	"$TOOL" algorithm "$2" "cryptd($3)"
	association_words "$1" transport 0x1001
	ip xfrm state add "${WORDS[@]}"
	grep -q 'driver *: cryptd' /proc/crypto || fail "no algorithm by cryptd"
	refuse "its algorithms are asynchronous ones" "${@:4}"
}

test_asynchronous_by_addresses() {
	ASKED_FOR="from $SOURCE to $TARGET"
	test_asynchronous sha256 aead 'echainiv(authenc(hmac(sha256),cbc(aes)))' "spi 0"
}

# One that a key manager has begun to negotiate has no keys yet.
test_larval() {
	add_peer
	ip xfrm state allocspi src "$SOURCE" dst "$TARGET" proto esp mode transport min 0x1001 max 0x1001
	refuse "it is not valid (any more)"
}

test_compression() {
	add_peer
	ip xfrm state add src "$SOURCE" dst "$TARGET" proto comp spi 0x1001 mode transport comp deflate
	refuse "it is no ESP or AH in transport, tunnel or BEET mode"
}

test_inbound() {
	add_peer
	association_words aes transport 0x1001
	ip xfrm state add "${WORDS[@]}" dir in
	refuse "it is for incoming packets"
}

## Associations that go away

# Sends until the association ends; nothing leaves then.
until_it_ends() { # COUNTER COMMAND...
	local count before
	dmesg -C
	before=$(xfrm_counter "$1")
	start_behind v0
	"${@:2}"
	wait_for 10 says_ipsec_error v0
	count=$(tx_packets v0)
	((count > 0)) || fail "nothing was sent"
	sleep 0.3
	check_eq "$(tx_packets v0)" "$count" "packets after the end"
	# It is tried again a thousand times a second, not more.
	before=$(($(xfrm_counter "$1") - before))
	((before > 2 && before < 3000)) || fail "$1 rose by $before"
	check_eq "$(dmesg | grep -c rpktgen)" 0 "lines in the kernel log"
}

stop_sending() {
	check_quick 1000 put pgctrl stop
	check_start_returns
	read_summary v0
	check_eq "$SENT" "$(tx_packets v0)" "packets in the summary"
}

test_deleted() { # COMMAND...
	add_peer
	add_association aes transport 0x1001
	configure v0 "count 0" "spi 4097"
	until_it_ends XfrmOutStateInvalid "$@"
	stop_sending
}

# A new one in its place is taken up.
test_replaced() {
	local count
	add_peer
	add_association null transport 0x1001
	add_policy esp transport
	configure v0 "count 0" "spi 4097"
	until_it_ends XfrmOutStateInvalid ip xfrm state flush
	count=$(tx_packets v0)
	in_peer ip xfrm state flush
	add_association gcm transport 0x1001
	wait_for 10 sends_more_than "$count"
	stop_sending
	check_eq "$(association packets in_peer) $(xfrm_errors in_peer)" "$((SENT - count)) " "packets of the new one"
}

sends_more_than() { (($(tx_packets v0) > $1)); }

test_expired() { # COUNTER LIMIT...
	add_peer
	add_association aes transport 0x1001 "$TARGET" "${@:2}"
	configure v0 "count 0" "spi 4097"
	until_it_ends "$1" true
	stop_sending
}

test_packet_limit() {
	test_expired XfrmOutStateInvalid limit packet-hard 5000
	check_eq "$SENT" 5000 "packets sent"
}

# The last number of an association that may not begin again is the end of it.
test_numbers_used_up() {
	add_peer
	add_association aes transport 0x1001 "$TARGET" replay-oseq 0xffffff00
	configure v0 "count 0" "spi 4097"
	until_it_ends XfrmOutStateSeqError true
	stop_sending
	check_eq "$SENT" 255 "packets sent"
}

test_extended_numbers() {
	add_peer
	ALGORITHMS[esn]+=" replay-oseq 0xffffff00 replay-seq 0xffffff00"
	add_association esn transport 0x1001
	add_policy esp transport
	configure v0 "count 1000" "spi 4097"
	listen "$TARGET"
	start
	check_sent v0 1000
	check_heard "1000 of 134 right"
	check_eq "$(xfrm_errors in_peer)" "" "errors of the peer"
}

# All references are given back: with its last one, an association frees what it has of
# an algorithm that no other test uses.
test_references() { # COMMAND...
	add_peer
	add_association bare transport 0x1001
	check_eq "$(bare_users)" 3 "users of the algorithm with an association of sender and peer"
	"$@"
	ip xfrm state flush
	in_peer ip xfrm state flush
	wait_for 20 bare_unused
}

bare_users() {
	sed -n '/^name *: echainiv(authenc(digest_null,cbc(aes)))$/,/^refcnt/s/^refcnt *: //p' /proc/crypto
}

# But by the kernel itself.
bare_unused() { [[ $(bare_users) == 1 ]]; }

# The associations are those of a run: its end gives them back, not the device's.
run_many_flows() {
	configure v0 "count 3000" "spi 4097" "flows 1000"
	start
	check_sent v0 3000
}

change_while_running() {
	configure v0 "count 0" "spi 4097" "flows 1000"
	start_behind v0
	put v0 "flows 5"
	put v0 "flag !IPSEC"
	put v0 "flag IPSEC"
	put v0 "spi 4098"
	sleep 0.2
	stop_sending
}

remove_while_running() {
	configure v0 "count 0" "spi 4097" "flows 1000"
	start_behind v0
	put kpktgend_0 rem_device_all
	check_start_returns
}

unload_while_running() {
	configure v0 "count 0" "spi 4097" "flows 1000"
	start_behind v0
	unload
	wait_for 10 has_ended "$STARTER"
}

# The namespace of sender and associations goes, while they are used.
delete_namespace_while_running() {
	ip netns add sender
	association_words bare transport 0x1001
	ip -n sender xfrm state add "${WORDS[@]}"
	ip -n sender link add d0 type dummy
	ip -n sender link set d0 up
	# shellcheck disable=SC2016 # for the shell in there
	ip netns exec sender bash -ec '
		echo "add_device d0" >"$1/kpktgend_0"
		for command in "${@:2}"; do echo "$command" >"$1/d0"; done
	' - "$PROC" "count 0" "spi 4097" "flows 1000" "dst $TARGET" "flag IPSEC"
	start_in_namespace &
	wait_for 10 namespace_sends
	ip netns del sender
	# The writer of start holds the namespace until it ends.
	kill $!
	wait $! || :
}

# For the background: the job is the writer itself.
start_in_namespace() { exec ip netns exec sender sh -c "echo start >$PROC/pgctrl"; }

namespace_sends() {
	(($(ip netns exec sender cat /sys/class/net/d0/statistics/tx_packets) > 0))
}

module_test "asynchronous ESP is refused" test_asynchronous sha256 aead 'echainiv(authenc(hmac(sha256),cbc(aes)))'
module_test "asynchronous ESP is refused, found by addresses" test_asynchronous_by_addresses
module_test "asynchronous AH is refused" test_asynchronous ah-esn hash 'hmac(sha256)'
module_test "an association without keys yet is refused" test_larval
module_test "compression is refused" test_compression
module_test "an association of incoming packets is refused" test_inbound
module_test "an association deleted while sending" test_deleted ip xfrm state delete src "$SOURCE" dst "$TARGET" proto esp spi 0x1001
module_test "all associations flushed while sending" test_deleted ip xfrm state flush
module_test "an association replaced while sending" test_replaced
module_test "a limit in seconds" test_expired XfrmOutStateInvalid limit time-hard 1
module_test "a limit in packets" test_packet_limit
module_test "a limit in bytes" test_expired XfrmOutStateInvalid limit byte-hard 1000000
module_test "the last sequence number" test_numbers_used_up
module_test "extended sequence numbers go on" test_extended_numbers
module_test "references after a run" test_references run_many_flows
module_test "references after changes while running" test_references change_while_running
module_test "references of a device removed while running" test_references remove_while_running
module_test "references of a module unloaded while running" test_references unload_while_running
module_test "references of a namespace deleted while running" test_references delete_namespace_while_running
ktap_run
