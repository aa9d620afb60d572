#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Packets through IPsec: the peer's kernel decrypts and checks them and hands them
# to a socket, and ipsec.py looks at frames without a kernel. Runs inside a lab
# kernel with two CPUs; see tools/testing/ipsec.sh for the network.

# shellcheck source=tools/testing/ipsec.sh
source "$(dirname "${BASH_SOURCE[0]}")/../ipsec.sh"

## What arrives

# The UDP payload is what the size leaves after the headers, those of IPsec included.
test_delivered() { # ALGORITHM MODE HEADER-LENGTH [PACKET-SIZE [COMMAND...]]
	local proto=esp size=${4-200}
	[[ $1 != ah* ]] || proto=ah
	add_peer
	add_association "$1" "$2" 0x1001
	add_policy "$proto" "$2"
	configure v0 "count 300" "spi 4097" "pkt_size $size" "${@:5}"
	deliver 300 $((size - 42 - $3)) 14
}

# Without spi the addresses tell which one.
test_by_addresses() {
	add_peer
	add_association aes transport 0x1001
	# Others that do not match come before it.
	ip xfrm state add src "$SOURCE" dst 198.18.0.9 proto esp spi 0x2001 auth 'hmac(sha1)' "$(key 20)" enc 'cbc(aes)' "$(key 16)"
	ip xfrm state add src 198.18.0.9 dst "$TARGET" proto esp spi 0x2002 auth 'hmac(sha1)' "$(key 20)" enc 'cbc(aes)' "$(key 16)"
	add_policy esp transport
	configure v0 "count 300"
	listen "$TARGET"
	start
	check_sent v0 300
	check_heard "300 of $((200 - 42 - 24)) right"
	check_eq "$(xfrm_errors in_peer)" "" "errors of the peer"
}

test_tagged() { # DEVICE L2-LENGTH MODE HEADER-LENGTH COMMAND...
	add_peer
	move_addresses "$1"
	add_association aes "$3" 0x1001
	add_policy esp "$3"
	configure v0 "count 300" "spi 4097" "${@:5}"
	deliver 300 $((200 - $2 - 28 - $4)) "$2"
}

# Each flow has its own, and a new one when it begins with another destination.
test_flows() {
	local n
	add_peer
	for n in 3 4; do in_peer ip addr add "198.18.0.$n/24" dev v1; done
	for n in 2 3 4; do add_association aes transport "0x100$n" "198.18.0.$n"; done
	configure v0 "count 60" "dst_min 198.18.0.2" "dst_max 198.18.0.4" "flows 2" "flowlen 5" "flag FLOW_SEQ"
	listen 198.18.0.2 198.18.0.3 198.18.0.4
	start
	check_sent v0 60
	check_heard "60 of 134 right"
	for n in 2 3 4; do
		check_match "$(ip -s xfrm state get src "$SOURCE" dst "198.18.0.$n" proto esp spi "0x100$n")" \
			"\(bytes\), 20\(packets\)" "association of flow $n"
	done
	check_eq "$(xfrm_errors in_peer)" "" "errors of the peer"
}

# A flow that begins with a destination that has none goes as it is.
test_flows_without() {
	add_peer
	in_peer ip addr add "198.18.0.3/24" dev v1
	add_association aes transport 0x1002 198.18.0.2
	configure v0 "count 40" "dst_min 198.18.0.2" "dst_max 198.18.0.3" "flowlen 10" "flag FLOW_SEQ"
	listen 198.18.0.2 198.18.0.3
	start
	check_sent v0 40
	check_heard "40 of 134 158 right"
	check_eq "$(association packets)" 20 "packets of the association"
}

# Where there is none, a packet leaves as it is. Without spi only those in transport
# mode are looked for.
test_none() { # COMMAND...
	add_peer
	association_words aes tunnel 0x1001
	ip xfrm state add "${WORDS[@]/192.0.2/198.18.0}"
	configure v0 "count 100" "$@"
	listen "$TARGET"
	start
	check_sent v0 100
	check_heard "100 of 158 right"
	check_eq "$(association packets)" 0 "packets of the association"
}

# Sender and receiver are one: the association takes back what it sent.
test_netif_receive() { # COMMAND...
	add_dummy d0
	ip addr add "$TARGET/24" dev d0
	defer ip xfrm state flush
	association_words aes transport 0x1001
	ip xfrm state add "${WORDS[@]}"
	PEER_MAC=$(</sys/class/net/d0/address)
	in_peer() { "$@"; }
	configure d0 "xmit_mode netif_receive" "count 200" "spi 4097" "$@"
	listen "$TARGET"
	start
	check_sent d0 200
	check_heard "200 of 134 right"
	check_eq "$(association oseq)" 200 "last number"
}

test_queue_xmit() {
	add_peer
	add_association aes tunnel 0x1001
	add_policy esp tunnel
	tc qdisc add dev v0 root handle 1: prio
	configure v0 "xmit_mode queue_xmit" "count 300" "spi 4097"
	deliver 300 $((200 - 42 - 44)) 14
	check_match "$(tc -s qdisc show dev v0)" "Sent [0-9]+ bytes 300 pkt \(dropped 0" "qdisc"
}

# What looks at the packet before the driver still finds the tag first.
test_queue_xmit_tagged() {
	add_peer
	move_addresses v1.10
	add_association aes transport 0x1001
	add_policy esp transport
	tc qdisc add dev v0 clsact
	tc filter add dev v0 egress protocol 802.1q matchall action pass
	configure v0 "xmit_mode queue_xmit" "count 300" "spi 4097" "vlan_id 10"
	deliver 300 $((200 - 46 - 24)) 18
	check_match "$(tc -s filter show dev v0 egress)" "Sent [0-9]+ bytes 300 pkt" "filter for VLAN packets"
}

# NAT traversal: the peer takes it from a UDP socket.
test_udp_encapsulation() {
	add_peer
	ALGORITHMS[aes]+=" encap espinudp 4500 4500 0.0.0.0"
	add_association aes transport 0x1001
	add_policy esp transport
	behind encapsulated encapsulate
	defer kill "$BEHIND"
	configure v0 "count 300" "spi 4097"
	deliver 300 $((200 - 42 - 32)) 14
}

# One packet that is sent several times has one number.
test_shared() {
	add_peer
	add_dummy d0
	add_association aes transport 0x1001
	configure d0 "count 300" "spi 4097" "clone_skb 10"
	start
	check_sent d0 300
	check_eq "$(association packets) $(association oseq)" "30 30" "packets and last number of the association"
}

# Two workers share an association: each packet has a number of its own.
test_two_workers() {
	add_peer
	add_dummy d0
	add_dummy d1
	add_association gcm transport 0x1001
	configure d0 "count 20000" "spi 4097"
	configure d1@1 "count 20000" "spi 4097"
	start
	check_sent d0 20000
	check_sent d1@1 20000
	check_eq "$(association packets) $(association oseq)" "40000 40000" "packets and last number"
}

## Frames, looked at without the kernel

# The kernel has no MPLS: here it is to be seen that the labels stay in front.
test_mpls() { # LABELS MODE
	local -r l2=$((14 + 4 * $1))
	local labels="mpls 00000011" n
	for ((n = 1; n < $1; n++)); do labels+=,$(printf %08x $((n * 4096 + 255))); done
	add_peer
	add_association null "$2" 0x1001
	configure v0 "count 3" "spi 4097" "$labels" "flag !IPSEC"
	capture 3
	start
	wait "$CAPTURE"
	mv frames plain
	put v0 "flag IPSEC"
	capture 3
	start
	check_sent v0 3
	inspect "$l2"
	check_match "$(<fields)" "^link [0-9a-f]{24}8847" "frames"
	check_eq "$(<numbers)" "1 2 3" "sequence numbers"
	check_eq "$(cut -c "1-$((l2 * 2))" frames)" "$(cut -c "1-$((l2 * 2))" plain)" "link-layer headers"
}

# A UDP checksum that the device would have completed is complete.
test_checksum() { # MODE HEADER-LENGTH
	add_peer
	add_association null "$1" 0x1001
	add_policy esp "$1"
	check_match "$(ethtool -k v0)" "tx-checksumming: on" "v0"
	configure v0 "count 300" "spi 4097" "flag UDPCSUM"
	capture 3
	deliver 300 $((200 - 42 - $2)) 14
	inspect 14
	check_match "$(<fields)" "udp 00090009 checksum" "frames"
}

# The C module's frames, but for the number, which is 0 in all of its packets.
test_as_reference() { # ALGORITHM
	local ours=$MODULE_KO
	add_peer
	association_words "$1" transport 0x1001
	unload
	as_module "${PKTGEN_KO:?}"
	sent_as theirs
	check_eq "$(<numbers)" "0 0 0" "numbers of the C module"
	unload
	as_module "$ours"
	sent_as ours
	check_eq "$(<numbers)" "1 2 3" "numbers"
	diff theirs ours
}

as_module() { # MODULE-FILE
	MODULE_KO=$1 MODULE=$(basename "$1" .ko)
	load
}

sent_as() { # FILE
	ip xfrm state add "${WORDS[@]}"
	configure v0 "count 3" "spi 4097" "src_mac 02:00:00:00:00:02"
	capture 3
	start
	inspect 14
	mv fields "$1"
	ip xfrm state flush
}

# IPv6 has no flows to look associations up for.
test_ipv6() {
	add_peer
	add_association aes transport 0x1001
	configure v0 "count 10" "spi 4097" "dst6 2001:db8::2" "src6 2001:db8::1"
	start
	check_result v0 "ERROR: flag IPSEC is for IPv4: clear it, or IPV6"
	check_eq "$(tx_packets v0)" 0 "packets of v0"
}

module_test "ESP, null encryption" test_delivered null transport 8
module_test "ESP, AES-CBC" test_delivered aes transport 24
module_test "ESP, AES-GCM" test_delivered gcm transport 16
module_test "ESP, extended sequence numbers" test_delivered esn transport 24
module_test "AH" test_delivered ah transport 24
module_test "AH, SHA-256 and extended sequence numbers" test_delivered ah-esn transport 32
module_test "ESP in tunnel mode" test_delivered aes tunnel 44
module_test "ESP in tunnel mode, AES-GCM" test_delivered gcm tunnel 36
module_test "ESP in tunnel mode with traffic flow padding" test_delivered padded tunnel 44
module_test "AH in tunnel mode" test_delivered ah tunnel 44
module_test "ESP in BEET mode" test_delivered aes beet 32
module_test "ESP in UDP" test_udp_encapsulation
module_test "ESP, fragments" test_delivered aes transport 24 200 "frags 3"
module_test "ESP, fragments of several pages" test_delivered aes tunnel 44 9000 "frags 16"
module_test "ESP, AES-GCM, fragments of several pages" test_delivered gcm transport 16 9000 "frags 17"
module_test "AH, fragments of several pages" test_delivered ah transport 24 9000 "frags 16"
module_test "the smallest packet" test_delivered aes tunnel 44 102
module_test "an association found by addresses" test_by_addresses
module_test "VLAN" test_tagged v1.10 18 transport 24 "vlan_id 10"
module_test "VLAN, tunnel mode" test_tagged v1.10 18 tunnel 44 "vlan_id 10"
module_test "QinQ" test_tagged v1.20.10 22 transport 24 "vlan_id 10" "svlan_id 20"
module_test "QinQ, tunnel mode" test_tagged v1.20.10 22 tunnel 44 "vlan_id 10" "svlan_id 20"
module_test "one MPLS label" test_mpls 1 transport
module_test "16 MPLS labels, tunnel mode" test_mpls 16 tunnel
module_test "UDP checksum" test_checksum transport 8
module_test "UDP checksum, tunnel mode" test_checksum tunnel 28
module_test "flows in sequence, each with its association" test_flows
module_test "a flow without association" test_flows_without
module_test "netif_receive" test_netif_receive
module_test "queue_xmit" test_queue_xmit
module_test "queue_xmit, VLAN" test_queue_xmit_tagged
module_test "a packet sent several times" test_shared
module_test "two workers with one association" test_two_workers
module_test "ESP frames as those of the C module" test_as_reference null
module_test "AH frames as those of the C module" test_as_reference ah
module_test "no association with that SPI" test_none "spi 4098"
module_test "an association in tunnel mode is found by its SPI only" test_none
module_test "IPv6 is refused" test_ipv6
ktap_run
