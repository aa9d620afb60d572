# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# For the suites that send through IPsec: a peer, security associations of both
# ends, and what they count. Sourced; brings module.sh with it.
#
#	worker --> v0 ============= v1, 198.18.0.2   socket, a policy wants
#	        198.18.0.1       |  namespace peer   IPsec for it
#	        192.0.2.1        |  192.0.2.2: end of the tunnels
#	        (in packets
#	        only)

# shellcheck source=tools/testing/module.sh
source "$(dirname "${BASH_SOURCE[0]}")/module.sh"

TOOL=$TEST_ROOT/tools/testing/ipsec.py
SOURCE=198.18.0.1 TARGET=198.18.0.2
OUTER_SOURCE=192.0.2.1 OUTER_TARGET=192.0.2.2

# key BYTES: 0x000102...
key() {
	local i
	printf 0x
	for ((i = 0; i < $1; i++)); do printf '%02x' "$i"; done
}

# In the words of ip xfrm state add. With a window, the peer refuses what comes twice
# or has no number.
declare -A ALGORITHMS=(
	[null]="replay-window 32 auth hmac(sha1) $(key 20) enc ecb(cipher_null) NONE"
	[aes]="replay-window 32 auth hmac(sha1) $(key 20) enc cbc(aes) $(key 16)"
	[gcm]="replay-window 32 aead rfc4106(gcm(aes)) $(key 20) 128"
	[sha256]="auth-trunc hmac(sha256) $(key 32) 128 enc cbc(aes) $(key 16)"
	[bare]="auth digest_null NONE enc cbc(aes) $(key 16)"
	[esn]="replay-window 64 flag esn auth hmac(sha1) $(key 20) enc cbc(aes) $(key 16)"
	[padded]="replay-window 32 tfcpad 500 auth hmac(sha1) $(key 20) enc cbc(aes) $(key 16)"
	[ah]="replay-window 32 auth hmac(sha1) $(key 20)"
	[ah-esn]="replay-window 64 flag esn auth-trunc hmac(sha256) $(key 32) 128"
)

in_peer() { ip netns exec peer "$@"; }

add_peer() {
	ip netns add peer
	defer ip netns del peer
	ip link add v0 type veth peer name v1 netns peer
	defer ip link del v0
	defer ip xfrm state flush
	quiet_device v0
	in_peer sh -c 'echo 1 >/proc/sys/net/ipv6/conf/all/disable_ipv6; echo 1 >/proc/sys/net/ipv6/conf/default/disable_ipv6'
	ip link set v0 mtu 9500 up
	in_peer ip link set lo up
	in_peer ip link set v1 mtu 9500 up
	in_peer ip addr add "$TARGET/24" dev v1
	in_peer ip addr add "$OUTER_TARGET/24" dev v1
	wait_for 5 has_carrier v0
	PEER_MAC=$(in_peer cat /sys/class/net/v1/address)
}

# The addresses of the peer are those of a VLAN now; v1.20.10: of VLAN 10 within 20.
move_addresses() { # DEVICE
	local parent=v1 tag
	for tag in ${1//./ }; do
		[[ $tag != v1 ]] || continue
		in_peer ip link add link "$parent" name "$parent.$tag" type vlan id "$tag"
		parent+=.$tag
		in_peer ip link set "$parent" up
	done
	in_peer ip addr flush dev v1
	in_peer ip addr add "$TARGET/24" dev "$1"
	in_peer ip addr add "$OUTER_TARGET/24" dev "$1"
}

# How ip xfrm state add is told of an association, in WORDS.
association_words() { # ALGORITHM MODE SPI [TARGET]
	local proto=esp source=$SOURCE target=${4-$TARGET} words
	[[ $1 != ah* ]] || proto=ah
	[[ $2 == transport ]] || source=$OUTER_SOURCE target=$OUTER_TARGET
	read -ra words <<<"${ALGORITHMS[$1]}"
	# A key of no bytes is no word.
	words=("${words[@]/#NONE/}")
	WORDS=(src "$source" dst "$target" proto "$proto" spi "$3" mode "$2" "${words[@]}")
	[[ $2 != beet ]] || WORDS+=(sel src "$SOURCE" dst "$TARGET")
}

# One of the sender and, for the same packets, of the peer.
add_association() { # ALGORITHM MODE SPI [TARGET [WORD-FOR-THE-SENDER...]]
	association_words "${@:1:4}"
	in_peer ip xfrm state add "${WORDS[@]}"
	ip xfrm state add "${WORDS[@]}" "${@:5}"
}

# For its socket the peer takes from SOURCE only what has come through IPsec as this.
add_policy() { # esp|ah MODE
	local source=$SOURCE target=$TARGET
	[[ $2 == transport ]] || source=$OUTER_SOURCE target=$OUTER_TARGET
	in_peer ip xfrm policy add src "$SOURCE" dst "$TARGET" proto udp dport 9 dir in \
		tmpl src "$source" dst "$target" proto "$1" mode "$2"
}

# A command of ipsec.py in the background, its process in BEHIND, once it is ready.
behind() { # OUTPUT COMMAND [ARG...]
	rm -f ready
	in_peer "$TOOL" "${@:2}" >"$1" &
	BEHIND=$!
	wait_for 10 test -e ready
}

# A socket on each of these addresses of the peer.
listen() { # ADDRESS...
	behind got listen "$@"
	LISTENER=$BEHIND
}

# What has come there by now.
check_heard() { # WANTED
	in_peer "$TOOL" heard
	wait "$LISTENER"
	check_eq "$(<got)" "$1" "datagrams in the sockets"
}

# The next COUNT frames at the peer, in the file frames.
capture() { # COUNT
	behind frames capture "$1"
	CAPTURE=$BEHIND
}

# Their fields, in the file fields.
inspect() { # L2-LENGTH
	wait "$CAPTURE"
	"$TOOL" inspect "$1" <frames >fields
}

# configure DEVICE [COMMAND...]: what all runs have in common.
configure() {
	device "$1" "src_min $SOURCE" "src_max $SOURCE" "dst $TARGET" "dst_mac $PEER_MAC" "pkt_size 200" \
		"flag IPSEC" "flows 1" "${@:2}"
}

# A run that has no packets to send does not end by itself.
start() {
	check_eq "$(timeout 20 "$TEST_ROOT/tools/testing/write" "$PROC/pgctrl" start)" 5 "write start"
}

# What ip says of an association: packets, bytes, and the last number given.
association() { # packets|bytes|oseq [COMMAND-PREFIX]
	local text
	text=$("${@:2}" ip -s xfrm state list)
	case $1 in
	oseq) [[ $text =~ (oseq|Tx:)\ 0x([0-9a-f]+) ]] && echo $((0x${BASH_REMATCH[2]})) ;;
	*) [[ $text =~ current:[[:space:]]+([0-9]+)\(bytes\),\ ([0-9]+)\(packets\) ]] &&
		if [[ $1 == bytes ]]; then echo "${BASH_REMATCH[1]}"; else echo "${BASH_REMATCH[2]}"; fi ;;
	esac
}

# Counters of the kernel that are not 0, "Name=number" each.
xfrm_errors() { # [COMMAND-PREFIX]
	# shellcheck disable=SC2016 # for awk
	"$@" awk '$2 != 0 { printf "%s=%s ", $1, $2 }' /proc/net/xfrm_stat
}

# The number of one of them.
xfrm_counter() { # NAME
	awk -v name="$1" '$1 == name { print $2 }' /proc/net/xfrm_stat
}

# A run whose packets arrive: all of them, decrypted, in order, and both ends agree
# on their number.
deliver() { # PACKETS UDP-PAYLOAD L2-LENGTH
	local bytes before
	before=$(cat /sys/class/net/v0/statistics/tx_bytes)
	listen "$TARGET"
	start
	check_sent v0 "$1"
	check_heard "$1 of $2 right"
	check_eq "$(xfrm_errors in_peer)" "" "errors of the peer"
	check_eq "$(association packets) $(association oseq)" "$1 $1" "packets and last number of the sender"
	check_eq "$(association packets in_peer)" "$1" "packets of the peer"
	bytes=$(($(cat /sys/class/net/v0/statistics/tx_bytes) - before))
	check_eq "$(association bytes)" $((bytes - $1 * $3)) "bytes of the association"
	check_eq "$SIZE" $((bytes / $1)) "length of a packet in the summary"
}
