#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# tshark reads a thousand frames of everything the module can build and must see in
# them what was asked for: every layer, right lengths and checksums, and nothing to
# remark on. Runs inside a lab kernel with two CPUs and tshark, which
# LAB_PACKAGES=tshark adds to the environment.
#
#	soft:     v0 ====== v1            v0 has no checksum offload; captured at v1
#	receive:  v0 <-                   the reception of v0 itself
#	offload:  w0 ====== w1 -> x0 ====== x1
#	          w0 offloads checksums; w1 passes on what it gets to x0, which does
#	          not, so that the stack completes them; captured at x1

# shellcheck source=tools/testing/module.sh
source "$(dirname "${BASH_SOURCE[0]}")/../module.sh"

FRAMES=1000
CIPHER_KEY=0x000102030405060708090a0b0c0d0e0f
ICV_KEY=0x202122232425262728292a2b2c2d2e2f30313233
results=$(mktemp -d)
trap 'rm -rf -- "$results"' EXIT
VARIANTS=()

dissect() { python3 -B "$TEST_ROOT/tools/testing/dissect" "$@"; }

# variant DESCRIPTION PATH PROTOCOLS COMMAND... [-- CHECK...]
# PROTOCOLS are tshark's names of the layers up to UDP; tools/testing/dissect/checks.py
# has the CHECKs. The COMMAND "xfrm ..." is one of ip-xfrm: an association, its first use.
variant() {
	local name
	printf -v name '%02d' "${#VARIANTS[@]}"
	VARIANTS+=("$(printf '%q ' record "$name" "${@:2}")")
	ktap_test "$1" test_variant "$name" "$1"
}

add_pair() { # NAME PEER
	ip link add "$1" mtu 9000 type veth peer name "$2" mtu 9000
	quiet_device "$1"
	quiet_device "$2"
	ip link set "$1" up
	ip link set "$2" up
	wait_for 5 has_carrier "$1"
}

set_up() {
	command -v tshark >/dev/null || fail "no tshark in the environment: LAB_PACKAGES=tshark adds it"
	add_pair v0 v1
	add_pair w0 w1
	add_pair x0 x1
	ethtool -K v0 tx off >/dev/null
	ethtool -K x0 tx off >/dev/null
	tc qdisc add dev w1 clsact
	tc filter add dev w1 ingress matchall action mirred egress redirect dev x0
	load
	coproc RECORDER { dissect record v0 v1 w1 x1; }
	# Subshells do not get those of the coprocess.
	exec {FROM_RECORDER}<&"${RECORDER[0]}" {TO_RECORDER}>&"${RECORDER[1]}"
}

# The run of one variant, the frames it sent, and what is wanted of them.
record() { # NAME PATH PROTOCOLS COMMAND... [-- CHECK...]
	local name=$1 path=$2 protocols=$3 device=v0 taps=(v1) partial=0 partial_seen commands=() properties=() xfrm=()
	case $path in
	receive) taps=(v0) ;;
	offload) device=w0 taps=(w1 x1) partial="$FRAMES 0" ;;
	esac
	shift 3
	while (($#)) && [[ $1 != -- ]]; do
		case $1 in
		"flag UDPCSUM") properties+=(checksum) ;;
		"flag NO_TIMESTAMP") properties+=(timeless) ;;
		"xfrm "*) read -ra xfrm <<<"${1#xfrm }" ;;
		esac
		[[ $1 == "xfrm "* ]] || commands+=("$1")
		shift
	done
	printf '%s\n' "$FRAMES" "$protocols" "${properties[@]}" "${@:2}" >"$results/$name.want"

	reset_all
	if ((${#xfrm[@]})); then
		# What is transformed must be complete before.
		partial=${partial/$FRAMES/0}
		ip xfrm state flush
		# "-" is an empty key.
		ip xfrm state add src 198.18.0.1 dst 198.18.0.42 "${xfrm[@]/#-/}" auth "hmac(sha1)" $ICV_KEY
	fi
	device "$device" "count $FRAMES" "src_mac 02:00:00:00:00:01" "dst_mac 02:00:00:00:00:02" "${commands[@]}"
	echo "$results/$name.pcapng ${taps[*]}" >&"$TO_RECORDER"
	read -rt 60 -u "$FROM_RECORDER" partial_seen || fail "the capture has ended"
	check_eq "$partial_seen" "$partial" "frames with a checksum to complete at ${taps[*]}"
	read_summary "$device"
	check_eq "$SENT" "$FRAMES" "packets sent"
	# What is received and then dropped is an error, too.
	[[ $path == receive ]] || check_eq "$ERRORS" 0 "errors"
}

# All runs, and then tshark, once for all.
record_all() {
	local i name
	touch "$results/started"
	set_up
	for i in "${!VARIANTS[@]}"; do
		printf -v name '%02d' "$i"
		# As ktap_run does: a variant that fails ends itself alone.
		set +e
		(
			set -e
			eval "${VARIANTS[i]}"
			touch "$results/$name.ran"
		) >"$results/$name.log" 2>&1
		set -e
	done
	reset_all
	dissect judge "$results" $CIPHER_KEY $ICV_KEY
}

test_variant() { # NAME DESCRIPTION
	local file=$results/$1
	[[ -e $results/started ]] || record_all
	[[ -e $file.log ]] || fail "the preparations failed: see the first test"
	cat "$file.log"
	[[ -e $file.ran ]] || fail "the run failed"
	if [[ ! -e $file.right ]]; then
		cp -- "$file.pcapng" "$LAB_OUT/dissect-$1.pcapng"
		fail "$(cat "$file.wrong") [dissect-$1.pcapng]"
	fi
	echo "$2: $(<"$file.right")" >>"$LAB_OUT/figures"
}

V4=("src_min 198.18.0.1" "dst_min 198.18.0.42")
V6=("src6 2001:db8::1" "dst6 2001:db8::42")
ETH=eth:ethertype
VLAN=$ETH:vlan:ethertype
QINQ=$VLAN:vlan:ethertype
MPLS=$ETH:mpls
LABELS=(00064040 00065240 000664ff 00067601)
SIXTEEN=$(for ((i = 0; i < 16; i++)); do printf '%08x,' $((0x64040 + (i << 12))); done)
SIXTEEN=${SIXTEEN%,}

variant "IPv4" soft $ETH:ip:udp "pkt_size 60" "${V4[@]}" \
	-- ip.src=198.18.0.1 ip.dst=198.18.0.42 udp.srcport=9 udp.dstport=9 frame.len=60 \
	eth.src=02:00:00:00:00:01 eth.dst=02:00:00:00:00:02
variant "IPv6" soft $ETH:ipv6:udp "pkt_size 90" "${V6[@]}" \
	-- ipv6.src=2001:db8::1 ipv6.dst=2001:db8::42 udp.srcport=9 udp.dstport=9 frame.len=90
variant "no time stamp" soft $ETH:ip:udp "pkt_size 60" "flag NO_TIMESTAMP" "${V4[@]}"

# Checksums, by the module and left to the device
for path in soft offload; do
	variant "UDPCSUM $path, IPv4" $path $ETH:ip:udp "pkt_size 60" "flag UDPCSUM" "${V4[@]}"
	variant "UDPCSUM $path, IPv4, odd length" $path $ETH:ip:udp "pkt_size 1001" "flag UDPCSUM" "${V4[@]}"
	variant "UDPCSUM $path, IPv6" $path $ETH:ipv6:udp "pkt_size 90" "flag UDPCSUM" "${V6[@]}"
	variant "UDPCSUM $path, IPv6, odd length" $path $ETH:ipv6:udp "pkt_size 1001" "flag UDPCSUM" "${V6[@]}"
	variant "UDPCSUM $path, QinQ" $path $QINQ:ip:udp "flag UDPCSUM" "vlan_id 5" "svlan_id 7" "${V4[@]}"
	variant "UDPCSUM $path, MPLS, IPv6" $path $MPLS:ipv6:udp "flag UDPCSUM" "mpls ${LABELS[0]}" "${V6[@]}"
	variant "UDPCSUM $path, all lengths" $path $ETH:ip:udp "flag UDPCSUM" "${V4[@]}" \
		"min_pkt_size 60" "max_pkt_size 1059" -- frame.len=seq:60..1059
done
# The time stamp being out of it, the sum counts with the sequence number; with this
# port it comes to 0 in packet 500, which is sent as 0xffff.
variant "UDPCSUM, a sum of zero" soft $ETH:ip:udp "pkt_size 60" "flag UDPCSUM" "flag NO_TIMESTAMP" "${V4[@]}" \
	"udp_dst_min 51579" "udp_dst_max 51579" -- udp.checksum=once:0xffff

# Sizes
variant "42 bytes, raised" soft $ETH:ip:udp "pkt_size 42" "${V4[@]}" -- frame.len=58
variant "61 bytes" soft $ETH:ip:udp "pkt_size 61" "${V4[@]}" -- frame.len=61
variant "1513 bytes" soft $ETH:ip:udp "pkt_size 1513" "${V4[@]}" -- frame.len=1513
variant "1514 bytes" soft $ETH:ip:udp "pkt_size 1514" "${V4[@]}" -- frame.len=1514
variant "9000 bytes" soft $ETH:ip:udp "pkt_size 9000" "flag UDPCSUM" "${V4[@]}" -- frame.len=9000
variant "9000 bytes, IPv6" soft $ETH:ipv6:udp "pkt_size 9000" "flag UDPCSUM" "${V6[@]}" -- frame.len=9000
variant "sizes at random" soft $ETH:ip:udp "flag TXSIZE_RND" "min_pkt_size 60" "max_pkt_size 1515" "${V4[@]}" \
	-- frame.len=rnd:60..1514
variant "sizes at random, IPv6" soft $ETH:ipv6:udp "flag TXSIZE_RND" "min_pkt_size 78" "max_pkt_size 1515" "${V6[@]}" \
	-- frame.len=rnd:78..1514

# Tags and labels
for ip in ip ipv6; do
	addresses=("${V4[@]}")
	[[ $ip == ip ]] || addresses=("${V6[@]}")
	variant "VLAN, $ip" soft $VLAN:$ip:udp "vlan_id 5" "${addresses[@]}" \
		-- vlan.id=5 vlan.priority=0 vlan.dei=False
	variant "VLAN with p and cfi, $ip" soft $VLAN:$ip:udp "vlan_id 4095" "vlan_p 7" "vlan_cfi 1" "${addresses[@]}" \
		-- vlan.id=4095 vlan.priority=7 vlan.dei=True
	variant "VLAN ids at random, $ip" soft $VLAN:$ip:udp "vlan_id 5" "vlan_p 3" "flag VID_RND" "${addresses[@]}" \
		-- vlan.id=rnd:0..4095 vlan.priority=3
	variant "QinQ, $ip" soft $QINQ:$ip:udp "vlan_id 5" "svlan_id 7" "${addresses[@]}" \
		-- eth.type=0x8100 vlan.id=7,5 "vlan.etype[0]=0x8100"
	variant "QinQ with p and cfi, $ip" soft $QINQ:$ip:udp "vlan_id 5" "vlan_p 1" "vlan_cfi 1" \
		"svlan_id 7" "svlan_p 6" "${addresses[@]}" -- vlan.id=7,5 vlan.priority=6,1 vlan.dei=False,True
	variant "QinQ ids at random, $ip" soft $QINQ:$ip:udp "vlan_id 5" "svlan_id 7" "flag VID_RND" "flag SVID_RND" \
		"${addresses[@]}" -- "vlan.id[0]=rnd:0..4095" "vlan.id[1]=rnd:0..4095"
	variant "MPLS, 1 label, $ip" soft $MPLS:$ip:udp "mpls ${LABELS[3]}" "${addresses[@]}" \
		-- mpls.label=103 mpls.exp=3 mpls.bottom=1 mpls.ttl=1
	variant "MPLS, 3 labels, $ip" soft $MPLS:$ip:udp "mpls ${LABELS[0]},${LABELS[1]},${LABELS[2]}" "${addresses[@]}" \
		-- mpls.label=100,101,102 mpls.exp=0,1,2 mpls.bottom=0,0,1 mpls.ttl=64,64,255
	variant "MPLS, 16 labels, $ip" soft $MPLS:$ip:udp "mpls $SIXTEEN" "${addresses[@]}" \
		-- mpls.label=100,101,102,103,104,105,106,107,108,109,110,111,112,113,114,115 \
		mpls.bottom=0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1
	# Those with the bottom-of-stack bit are random.
	variant "MPLS labels at random, $ip" soft $MPLS:$ip:udp "mpls 00064140,00065240,00066540" "${addresses[@]}" \
		-- "mpls.label[0]=rnd:0..1048575" "mpls.label[1]=101" "mpls.label[2]=rnd:0..1048575" \
		mpls.exp=0,1,2 mpls.ttl=64,64,64
done

# Header fields
variant "tos" soft $ETH:ip:udp "tos b9" "${V4[@]}" -- ip.dsfield=0xb9
variant "traffic class" soft $ETH:ipv6:udp "traffic_class b9" "${V6[@]}" -- ipv6.tclass=0x000000b9
variant "ranges in order" soft $ETH:ip:udp "flag UDPCSUM" "src_min 198.18.0.250" "src_max 198.18.1.20" \
	"dst_min 198.19.0.0" "dst_max 198.19.0.99" "udp_src_min 1000" "udp_src_max 1100" "udp_dst_min 33400" "udp_dst_max 33500" \
	"src_mac 02:00:00:00:00:f8" "src_mac_count 16" "dst_mac 02:00:00:00:ff:fe" "dst_mac_count 5" \
	-- ip.src=seq:198.18.0.250..198.18.1.20 ip.dst=seq:198.19.0.0..198.19.0.99 \
	udp.srcport=seq:1000..1099 udp.dstport=seq:33400..33499 \
	eth.src=seq:02:00:00:00:00:f8..02:00:00:00:01:07 eth.dst=seq:02:00:00:00:ff:fe..02:00:00:01:00:02
variant "ranges at random" soft $ETH:ip:udp "flag UDPCSUM" "src_min 198.18.0.0" "src_max 198.19.0.0" \
	"dst_min 198.19.0.0" "dst_max 198.19.0.100" "udp_src_min 1" "udp_src_max 65535" "udp_dst_min 33400" "udp_dst_max 33500" \
	"src_mac_count 65536" "dst_mac_count 5" \
	"flag IPSRC_RND" "flag IPDST_RND" "flag UDPSRC_RND" "flag UDPDST_RND" "flag MACSRC_RND" "flag MACDST_RND" \
	-- ip.src=rnd:198.18.0.0..198.18.255.255 ip.dst=rnd:198.19.0.0..198.19.0.99 \
	udp.srcport=rnd:1..65534 udp.dstport=rnd:33400..33499 \
	eth.src=rnd:02:00:00:00:00:01..02:00:00:01:00:00 eth.dst=rnd:02:00:00:00:00:02..02:00:00:00:00:06
variant "any IPv4 destination" soft $ETH:ip:udp "flag UDPCSUM" "src_min 198.18.0.1" "dst_min 0.0.0.0" \
	"dst_max 255.255.255.255" "flag IPDST_RND" -- ip.dst=rnd:0.0.0.1..255.255.255.254
variant "IPv6 destinations" soft $ETH:ipv6:udp "flag UDPCSUM" "src6 2001:db8::1" "dst6_min 2001:db8::" \
	"dst6_max 2001:db8::ffff:ffff:ffff" -- ipv6.dst=rnd:2001:db8::..2001:db8::ffff:ffff:ffff
variant "everything at once" soft $QINQ:ip:udp "flag UDPCSUM" "src_min 198.18.0.0" "src_max 198.19.0.0" \
	"dst_min 198.19.0.0" "dst_max 198.19.255.255" "udp_src_min 1" "udp_src_max 65535" "udp_dst_min 1" "udp_dst_max 65535" \
	"src_mac_count 65536" "dst_mac_count 65536" "tos 2e" "vlan_id 1" "vlan_p 5" "svlan_id 1" "svlan_cfi 1" \
	"min_pkt_size 66" "max_pkt_size 1515" "flag TXSIZE_RND" "flag VID_RND" "flag SVID_RND" \
	"flag IPSRC_RND" "flag IPDST_RND" "flag UDPSRC_RND" "flag UDPDST_RND" "flag MACSRC_RND" "flag MACDST_RND" \
	-- ip.src=rnd:198.18.0.0..198.18.255.255 ip.dst=rnd:198.19.0.0..198.19.255.254 \
	udp.srcport=rnd:1..65534 udp.dstport=rnd:1..65534 frame.len=rnd:66..1514 ip.dsfield=0x2e \
	eth.src=rnd:02:00:00:00:00:01..02:00:00:01:00:00 eth.dst=rnd:02:00:00:00:00:02..02:00:00:01:00:01 \
	"vlan.id[0]=rnd:0..4095" "vlan.id[1]=rnd:0..4095" vlan.priority=0,5 vlan.dei=True,False
variant "everything at once, IPv6" soft $MPLS:ipv6:udp "flag UDPCSUM" "src6 2001:db8::1" "dst6_min 2001:db8::" \
	"dst6_max 2001:db8::ffff:ffff:ffff" "udp_src_min 1" "udp_src_max 65535" "udp_dst_min 1" "udp_dst_max 65535" \
	"src_mac_count 65536" "dst_mac_count 65536" "traffic_class 2e" "mpls 000641ff,000651ff" \
	"min_pkt_size 90" "max_pkt_size 1515" "flag TXSIZE_RND" \
	"flag UDPSRC_RND" "flag UDPDST_RND" "flag MACSRC_RND" "flag MACDST_RND" \
	-- ipv6.dst=rnd:2001:db8::..2001:db8::ffff:ffff:ffff udp.srcport=rnd:1..65534 udp.dstport=rnd:1..65534 \
	frame.len=rnd:90..1514 ipv6.tclass=0x0000002e "mpls.label[0]=rnd:0..1048575" "mpls.label[1]=rnd:0..1048575" \
	eth.src=rnd:02:00:00:00:00:01..02:00:00:01:00:00 eth.dst=rnd:02:00:00:00:00:02..02:00:00:01:00:01

# The other ways out of the module
for mode in netif_receive queue_xmit; do
	path=soft
	[[ $mode != netif_receive ]] || path=receive
	variant "$mode, IPv4" $path $ETH:ip:udp "xmit_mode $mode" "flag UDPCSUM" "${V4[@]}"
	variant "$mode, IPv6" $path $ETH:ipv6:udp "xmit_mode $mode" "flag UDPCSUM" "${V6[@]}"
	variant "$mode, VLAN" $path $VLAN:ip:udp "xmit_mode $mode" "flag UDPCSUM" "vlan_id 5" "vlan_p 3" "${V4[@]}" \
		-- vlan.id=5 vlan.priority=3
	variant "$mode, QinQ" $path $QINQ:ipv6:udp "xmit_mode $mode" "flag UDPCSUM" "vlan_id 5" "svlan_id 7" "${V6[@]}" \
		-- vlan.id=7,5
	variant "$mode, MPLS" $path $MPLS:ip:udp "xmit_mode $mode" "flag UDPCSUM" "mpls ${LABELS[0]},${LABELS[1]}" "${V4[@]}" \
		-- mpls.label=100,101
done
variant "queue_xmit, offloaded checksum" offload $ETH:ip:udp "xmit_mode queue_xmit" "flag UDPCSUM" "${V4[@]}"

# Sizes by weight, flows, fragments
variant "imix_weights" soft $ETH:ip:udp "flag UDPCSUM" "imix_weights 0,7 576,4 1500,1" "${V4[@]}" \
	-- frame.len=mix:58/58,576/33,1500/9
variant "imix_weights, IPv6" soft $ETH:ipv6:udp "flag UDPCSUM" "imix_weights 90,1 1000,1" "${V6[@]}" \
	-- frame.len=mix:90/50,1000/50
variant "flows one after the other" soft $ETH:ip:udp "flows 8" "flowlen 10" "flag FLOW_SEQ" \
	"dst_min 198.19.0.0" "dst_max 198.19.0.49" -- ip.dst=seq10:198.19.0.0..198.19.0.49
variant "flows at random" soft $ETH:ip:udp "flows 8" "flowlen 10" "flag IPDST_RND" \
	"dst_min 198.19.0.0" "dst_max 198.19.0.10" -- ip.dst=rnd:198.19.0.0..198.19.0.9
for path in soft offload; do
	for frags in 1 4 17; do
		variant "frags $frags, checksum $path" $path $ETH:ip:udp "flag UDPCSUM" "frags $frags" "pkt_size 1500" "${V4[@]}" \
			-- frame.len=1500
	done
	variant "frags of any length, checksum $path" $path $VLAN:ipv6:udp "flag UDPCSUM" "frags 4" "vlan_id 5" \
		"min_pkt_size 82" "max_pkt_size 1081" "${V6[@]}" -- frame.len=seq:82..1081
done
variant "frags of whole pages" soft $ETH:ip:udp "flag UDPCSUM" "frags 2" "pkt_size 9000" "${V4[@]}" -- frame.len=9000

# IPsec: tshark has the keys, verifies what ESP adds and decrypts it.
AES="enc cbc(aes) $CIPHER_KEY"
NULL="enc ecb(cipher_null) -"
ipsec() { # DESCRIPTION PROTOCOLS XFRM COMMAND... -- CHECK...
	variant "IPsec, $1" "$path" "$2" "xfrm $3" "flag UDPCSUM" "flag IPSEC" "flows 1" "${V4[@]}" "${@:4}"
}
path=soft
ipsec "ESP, transport" $ETH:ip:esp:udp "proto esp spi 0x100 mode transport $AES" "spi 256" \
	-- esp.spi=0x00000100 esp.sequence=seq:1..1000
ipsec "ESP, transport, by addresses" $ETH:ip:esp:udp "proto esp spi 0x100 mode transport $AES" \
	-- esp.spi=0x00000100 esp.sequence=seq:1..1000
ipsec "ESP, transport, plain" $ETH:ip:esp:udp "proto esp spi 0x200 mode transport $NULL" "spi 512" \
	-- esp.spi=0x00000200 esp.sequence=seq:1..1000
ipsec "ESP, transport, all lengths" $ETH:ip:esp:udp "proto esp spi 0x100 mode transport $AES" "spi 256" \
	"min_pkt_size 100" "max_pkt_size 1099" -- esp.sequence=seq:1..1000
ipsec "ESP, transport, frags" $ETH:ip:esp:udp "proto esp spi 0x100 mode transport $AES" "spi 256" \
	"frags 4" "pkt_size 1400" -- esp.sequence=seq:1..1000
ipsec "ESP, transport, QinQ" $QINQ:ip:esp:udp "proto esp spi 0x100 mode transport $AES" "spi 256" \
	"vlan_id 5" "svlan_id 7" -- vlan.id=7,5 esp.sequence=seq:1..1000
ipsec "ESP, transport, MPLS" $MPLS:ip:esp:udp "proto esp spi 0x100 mode transport $AES" "spi 256" \
	"mpls ${LABELS[0]},${LABELS[1]}" -- mpls.label=100,101 esp.sequence=seq:1..1000
ipsec "ESP, tunnel" $ETH:ip:esp:ip:udp "proto esp spi 0x100 mode tunnel $AES" "spi 256" "dst_min 198.18.9.9" \
	-- ip.dst=198.18.0.42,198.18.9.9 ip.src=198.18.0.1,198.18.0.1 esp.sequence=seq:1..1000
ipsec "ESP, tunnel, VLAN" $VLAN:ip:esp:ip:udp "proto esp spi 0x100 mode tunnel $AES" "spi 256" "vlan_id 5" \
	-- vlan.id=5 esp.sequence=seq:1..1000
ipsec "AH, transport" $ETH:ip:ah:udp "proto ah spi 0x300 mode transport" "spi 768" \
	-- ah.spi=0x00000300 ah.sequence=seq:1..1000
ipsec "AH, tunnel" $ETH:ip:ah:ip:udp "proto ah spi 0x300 mode tunnel" "spi 768" "dst_min 198.18.9.9" \
	-- ip.dst=198.18.0.42,198.18.9.9 ah.spi=0x00000300 ah.sequence=seq:1..1000
ipsec "ESP, transport, imix_weights" $ETH:ip:esp:udp "proto esp spi 0x100 mode transport $AES" "spi 256" \
	"imix_weights 100,1 1000,1" -- frame.len=mix:118/50,1014/50 esp.sequence=seq:1..1000
ipsec "ESP, transport, queue_xmit" $ETH:ip:esp:udp "proto esp spi 0x100 mode transport $AES" "spi 256" \
	"xmit_mode queue_xmit" -- esp.sequence=seq:1..1000
path=offload ipsec "ESP, transport, offload" $ETH:ip:esp:udp "proto esp spi 0x100 mode transport $AES" "spi 256" \
	-- esp.sequence=seq:1..1000
path=receive ipsec "ESP, transport, netif_receive" $ETH:ip:esp:udp "proto esp spi 0x100 mode transport $AES" "spi 256" \
	"xmit_mode netif_receive" -- esp.sequence=seq:1..1000

ktap_run
