#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The first packets, inside a lab kernel: load rpktgen, send with two threads in
# each of its three modes, and show the rates. A dummy device takes the packets:
# it costs next to nothing, so that the figures are those of the generator.
#
#   start_xmit      generator -> driver
#   netif_receive   generator -> ingress path -> tc filter that takes all
#   queue_xmit      generator -> fq_codel qdisc, one a transmit queue -> driver
#
# Exit status 0 only if every thread sent exactly what was asked for, without an
# error, and the other end counted the same number.
set -euo pipefail
shopt -s inherit_errexit

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)
# shellcheck source=tools/demo/results.sh
source "$root/tools/demo/results.sh"
# shellcheck source=samples/functions.sh
source "$root/samples/functions.sh"

dev=demo0
threads=2
burst=32
xmit_count=500000
receive_count=100000
queue_count=50000

die() { err 1 "$@"; }

[[ -n ${RPKTGEN_KO:-} ]] || die "RPKTGEN_KO is not set: run this through tools/run"
module=$(basename "$RPKTGEN_KO" .ko)

load() {
	insmod "$RPKTGEN_KO" || die "cannot load $RPKTGEN_KO"
	loaded=yes
	echo "Loaded $module.ko into Linux $(uname -r), $(nproc) CPUs."
	echo "$PROC_DIR/pgctrl says: $(<"$PROC_DIR/pgctrl")"

	# One transmit queue a thread, else both would wait for the same lock.
	ip link add "$dev" numtxqueues "$threads" type dummy || die "cannot make a dummy device"
	# No neighbour discovery: only the generator's packets are to be counted.
	[[ ! -e /proc/sys/net/ipv6 ]] || echo 1 >"/proc/sys/net/ipv6/conf/$dev/disable_ipv6"
	ip link set "$dev" up
}

unload() {
	pg_ctrl reset
	ip link del "$dev"
	rmmod "$module" || die "cannot unload $module"
	loaded=
	PG_USED=
}

# After a failure: the rest of what load has made.
clean_up() {
	local status=$?
	trap_exit || true
	if [[ -n $loaded ]]; then
		ip link del "$dev" 2>/dev/null || true
		rmmod "$module" || true
	fi
	exit "$status"
}
loaded=
trap clean_up EXIT

# Both threads in one mode; prints the results.
send() { # COUNT COMMAND...
	local count=$1 thread command device
	local devs=()
	shift

	pg_ctrl reset
	for ((thread = 0; thread < threads; thread++)); do
		pg_thread "$thread" "add_device $dev@$thread"
		devs+=("$dev@$thread")
		for command in "count $count" "pkt_size 60" "flag NO_TIMESTAMP" "flag QUEUE_MAP_CPU" \
			"dst_mac $(<"/sys/class/net/$dev/address")" \
			"dst_min 198.18.0.42" "dst_max 198.18.0.42" "$@"; do
			pg_set "$dev@$thread" "$command"
		done
	done
	pg_run "${devs[@]}"
	for device in "${devs[@]}"; do
		pg_print_result "$device"
	done
}

# What the device itself counted: independent of what pktgen believes.
tx_packets() {
	echo "$(<"/sys/class/net/$dev/statistics/tx_packets")"
}

# What the tc filter counted.
filter_packets() {
	local text
	text=$(tc -s filter show dev "$dev" ingress)
	[[ $text =~ Sent\ [0-9]+\ bytes\ ([0-9]+)\ pkt ]] || die "cannot read the filter's counter: $text"
	echo "${BASH_REMATCH[1]}"
}

check() { # MODE COUNT BURST RESULTS ARRIVED
	report_mode "$1" "$threads" "$2" "$3" "$4" || die "$1: $MODE_ERROR"
	((MODE_PACKETS == $5)) || die "$1: $MODE_PACKETS packets sent, but $5 arrived"
}

start_xmit() {
	local results before
	before=$(tx_packets)
	results=$("$root/samples/rpktgen_sample03_burst_single_flow.sh" \
		-i "$dev" -t "$threads" -n "$xmit_count" -b "$burst")
	check "start_xmit, burst $burst" "$xmit_count" "$burst" "$results" $(($(tx_packets) - before))
}

netif_receive() {
	local results
	# "trap" takes the packet without counting it as dropped; pktgen reports
	# drops as errors.
	tc qdisc add dev "$dev" clsact
	tc filter add dev "$dev" ingress matchall action trap
	results=$(send "$receive_count" "xmit_mode netif_receive" "burst $burst")
	check netif_receive "$receive_count" "$burst" "$results" "$(filter_packets)"
	tc qdisc del dev "$dev" clsact
}

queue_xmit() {
	local results before thread
	# A thread has a queue of its own here, too. Packets of two threads in one
	# qdisc are dropped when one of them is kept waiting for longer than
	# net.core.qdisc_max_burst packets.
	tc qdisc replace dev "$dev" root handle 1: mq
	for ((thread = 0; thread < threads; thread++)); do
		tc qdisc replace dev "$dev" parent "1:$((thread + 1))" fq_codel
		printf '%x' $((1 << thread)) >"/sys/class/net/$dev/queues/tx-$thread/xps_cpus"
	done
	before=$(tx_packets)
	results=$(send "$queue_count" "xmit_mode queue_xmit")
	check "queue_xmit, fq_codel" "$queue_count" 1 "$results" $(($(tx_packets) - before))
	tc qdisc del dev "$dev" root
}

load
echo
table_header
start_xmit
netif_receive
queue_xmit
unload
echo
echo "Unloaded $module.ko."
