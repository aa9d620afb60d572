#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Runs: how many packets leave, through which queue, at what pace, and what the
# summary says of them. Runs inside a lab kernel with two CPUs.
#
#	worker --start_xmit-----> d0 (dummy)        v0 ======= v1
#	       --queue_xmit--> qdisc -> d0        (veth pair, counted and
#	       --netif_receive-> d0 as a receiver  captured at v1)

# shellcheck source=tools/testing/module.sh
source "$(dirname "${BASH_SOURCE[0]}")/../module.sh"

# What every run of the suite has in common.
configure() { # NAME [COMMAND...]
	device "$1" "pkt_size 60" "dst 198.18.0.42" "dst_mac 02:00:00:00:00:01" "${@:2}"
}

statistic() { # DEVICE NAME
	cat "/sys/class/net/$1/statistics/$2"
}

## Counts

# The device's own counters say the same as the summary.
test_start_xmit() { # PACKETS COMMAND...
	add_dummy d0
	configure d0 "${@:2}"
	start
	check_sent d0 "$1"
	check_eq "$(statistic d0 tx_packets) $(statistic d0 tx_bytes)" "$1 $(($1 * 60))" "packets and bytes of d0"
	check_eq "$(value d0 pkts-sofar) $(value d0 seq_num)" "$1 $(($1 + 1))" "pkts-sofar and seq_num"
}

test_veth() { # PACKETS COMMAND...
	add_veth v0 v1
	configure v0 "${@:2}"
	start
	check_sent v0 "$1"
	wait_for 5 received v1 "$1"
	check_eq "$(statistic v1 rx_packets) $(statistic v1 rx_bytes)" "$1 $(($1 * 60))" "packets and bytes of v1"
}

received() { (($(statistic "$1" rx_packets) >= $2)); }

# A packet filter on the ingress path counts what comes in.
test_netif_receive() { # PACKETS COMMAND...
	add_dummy d0
	tc qdisc add dev d0 clsact
	tc filter add dev d0 ingress matchall action drop
	configure d0 "xmit_mode netif_receive" "${@:2}"
	start
	# A drop is counted as an error, too.
	check_sent d0 "$1" "$1"
	check_match "$(tc -s filter show dev d0 ingress)" "Sent [0-9]+ bytes $1 pkt \(dropped $1" "filter"
	check_eq "$(statistic d0 tx_packets)" 0 "packets that went out"
}

# A socket keeps what it receives: such packets must not come in again.
test_netif_receive_socket() {
	add_dummy d0
	ip addr add 198.18.0.42/24 dev d0
	ip addr add 198.18.1.1/24 dev d0
	configure d0 "xmit_mode netif_receive" "burst 8" "count 100" "src_min 198.18.0.1" "udp_dst_min 4000" "udp_dst_max 4000" \
		"dst_mac $(<"/sys/class/net/d0/address")"
	python3 - >got <<-END &
	import socket, time
	s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
	s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
	s.bind(("198.18.0.42", 4000))
	open("ready", "w").close()
	s.settimeout(2)
	seen = []
	try:
	    while True:
	        seen.append(s.recv(2000))
	except socket.timeout:
	    pass
	print(len(seen), all(len(d) == 18 and d[:4] == bytes.fromhex("be9be955") for d in seen))
	END
	wait_for 10 test -e ready
	start
	read_summary d0
	wait $!
	check_eq "$(<got)" "$SENT True" "datagrams that the socket got"
	((SENT >= 100 && SENT < 108)) || fail "$SENT packets for a count of 100 in bursts of 8"
}

test_queue_xmit() { # PACKETS COMMAND...
	add_dummy d0
	tc qdisc add dev d0 root handle 1: prio
	configure d0 "xmit_mode queue_xmit" "${@:2}"
	start
	check_sent d0 "$1"
	check_match "$(tc -s qdisc show dev d0)" "prio 1: .*Sent $(($1 * 60)) bytes $1 pkt \(dropped 0" "qdisc"
	check_eq "$(statistic d0 tx_packets)" "$1" "packets of d0"
}

# What a qdisc drops is an error and does not count.
test_queue_xmit_drops() {
	add_dummy d0
	# 16 packets a second leave, three wait, the others are dropped.
	tc qdisc add dev d0 root handle 1: tbf rate 8kbit burst 100 limit 200
	configure d0 "xmit_mode queue_xmit" "count 0" "delay 1000000"
	start_behind d0
	wait_for 10 has_errors d0
	put pgctrl stop
	check_start_returns
	read_summary d0
	check_eq "$SENT+$ERRORS" "$(sofar d0)+$(value d0 errors)" "counters"
	((SENT < ERRORS)) || fail "$SENT packets sent, $ERRORS dropped"
	check_match "$(tc -s qdisc show dev d0)" "\(dropped $ERRORS, " "drops of the qdisc"
}

has_errors() { (($(value "$1" errors) >= 10)); }

## Summary

test_summary() { # COMMAND...
	local elapsed pps
	add_dummy d0
	configure d0 "count 20000" "$@"
	start
	read_summary d0
	check_eq "$SIZE $FRAGS $ERRORS" "60 0 0" "size, fragments, errors"
	# Each is cut to microseconds.
	((TOTAL_US - BUSY_US - IDLE_US <= 1 && TOTAL_US >= BUSY_US + IDLE_US)) ||
		fail "total of $TOTAL_US us, but $BUSY_US us busy and $IDLE_US us idle"
	local begun ended
	begun=$(value d0 started) ended=$(value d0 stopped)
	elapsed=$((${ended%us} - ${begun%us}))
	((TOTAL_US - elapsed <= 1 && elapsed - TOTAL_US <= 1)) || fail "total of $TOTAL_US us, but from start to stop $elapsed us"
	check_eq "$(value d0 idle)" "${IDLE_US}us" "idle"
	# The time is shown in microseconds, computed with in nanoseconds.
	pps=$((SENT * 1000000 / TOTAL_US))
	((PPS <= pps && PPS >= SENT * 1000000 / (TOTAL_US + 1))) || fail "$PPS pps, but $SENT packets in $TOTAL_US us"
	check_eq "$BPS $MBPS" "$((PPS * 60 * 8)) $((PPS * 60 * 8 / 1000000))" "bits"
}

test_summary_without_reference() {
	add_dummy d0
	configure d0 "flag !SHARED" "count 10"
	start
	check_sent d0 10
	check_eq "$FRAGS" -1 "fragments without a packet held"
}

# A run without a packet, with the text that scripts look for.
test_no_carrier() {
	add_dummy d0
	ip link set d0 carrier off
	configure d0 "count 10"
	check_quick 1000 start
	check_sent d0 0
	check_eq "$FRAGS $PPS $BPS" "-1 0 0" "fragments and rates"
	ip link set d0 carrier on
	start
	check_sent d0 10
}

# The run ends by itself; what was sent until then stays true.
test_ends() { # MODE COMMAND...: the command makes the device unable to send
	add_dummy d0
	configure d0 "xmit_mode $1" "count 0"
	start_behind d0
	"${@:2}"
	check_start_returns
	read_summary d0
	((SENT > 0)) || fail "nothing was sent"
	[[ $1 == netif_receive ]] || check_eq "$(statistic d0 tx_packets)" "$SENT" "packets of d0"
	nothing_runs || fail "still running"
}

# All is sent, and only the time of the last packets is to pass: 100 s.
test_ends_at_last() { # WANTED COMMAND...
	add_dummy d0
	configure d0 "count 10" "burst 100" "pps 1"
	start_behind d0
	wait_for 5 has_sent d0 100
	"${@:2}"
	check_start_returns
	read_summary d0
	[[ $MODULE != rpktgen ]] || check_eq "$ENDED" "$1" "how it ended"
}

has_sent() { (($(sofar "$1") >= $2)); }

test_peer_gone() {
	add_veth v0 v1
	configure v0 "count 0"
	start_behind v0
	ip link set v1 down
	check_start_returns
	read_summary v0
	((SENT > 0)) || fail "nothing was sent"
}

## Pace

# check_pace FILE PACKETS NANOSECONDS: that many packets, so far apart, within 5 %.
# A late packet is made up for by the next ones, so the machine's other work shows
# only if it takes the CPU away at the very end: 50 ms for that.
check_pace() {
	local wanted=$(($2 * $3 / 1000))
	read_summary "$1"
	check_eq "$SENT" "$2" "packets"
	# The first two of a first run leave at once.
	((TOTAL_US >= (wanted - 2 * $3 / 1000) * 95 / 100 && TOTAL_US <= wanted * 105 / 100 + 50000)) ||
		fail "$2 packets $3 ns apart took $TOTAL_US us"
}

test_pace() { # COMMAND PACKETS NANOSECONDS
	add_dummy d0
	configure d0 "$1" "count $2"
	check_eq "$(value d0 delay)" "$3" "delay"
	start
	check_pace d0 "$2" "$3"
	((IDLE_US * 100 >= TOTAL_US * 50)) || fail "idle for $IDLE_US of $TOTAL_US us only"
}

# The delay is one of iterations: a burst goes out at once.
test_pace_burst() {
	add_dummy d0
	configure d0 "burst 10" "delay 10000000" "count 1000"
	start
	read_summary d0
	check_eq "$SENT" 1000 "packets"
	((TOTAL_US >= 950000 && TOTAL_US <= 1100000)) || fail "100 bursts 10 ms apart took $TOTAL_US us"
}

# A command takes effect on a run under way.
test_live_delay() {
	local before
	add_dummy d0
	configure d0 "count 0" "delay 1000000000"
	start_behind d0
	put d0 "delay 1000000"
	before=$(sofar d0)
	sleep 1.5
	(($(sofar d0) - before >= 300)) || fail "$(($(sofar d0) - before)) packets in 1.5 s at 1 ms"
	put d0 "delay 2147483647"
	sleep 0.1
	before=$(sofar d0)
	sleep 0.5
	check_eq "$(sofar d0)" "$before" "packets while the delay is never"
	put d0 "count 5" "delay 0"
	check_start_returns
	read_summary d0
}

# All of them wait while none has anything to do.
test_idle_of_several() {
	local name
	add_dummy d0
	configure d0@0.a "count 0" "pps 5"
	configure d0@0.b "count 0" "delay 2147483647"
	start_behind d0@0.a
	sleep 1
	put pgctrl stop
	check_start_returns
	for name in d0@0.a d0@0.b; do
		read_summary "$name"
		((BUSY_US < TOTAL_US / 2)) || fail "$name: busy for $BUSY_US of $TOTAL_US us"
	done
}

# So does a rate, also where the next packets would not have been due for long. The
# numbers are packets a second.
test_live_rate() { # SLOW FAST FEWEST MOST
	local begin before sent us
	add_dummy d0
	configure d0 "count 0" "burst 64" "clone_skb 1000" "$1"
	start_behind
	wait_for 5 is_running d0
	sleep 1
	put d0 "$2"
	sleep 0.2
	begin=${EPOCHREALTIME/./} before=$(sofar d0)
	sleep 1
	sent=$(($(sofar d0) - before)) us=$((${EPOCHREALTIME/./} - begin))
	((sent * 1000000 >= $3 * us && sent * 1000000 <= $4 * us)) || fail "$sent packets in $us us after '$2'"
	put pgctrl stop
	check_start_returns
	read_summary d0
}

test_live_count() {
	add_dummy d0
	configure d0 "count 0" "delay 100000"
	start_behind d0
	put d0 "count 1"
	check_start_returns
	read_summary d0
}

## Workers

# Devices of one worker take turns; each keeps its own count and pace.
test_two_devices_paced() {
	add_dummy d0
	add_dummy d1
	configure d0 "count 200" "delay 2000000"
	configure d1 "count 100" "delay 4000000"
	start
	check_pace d0 200 2000000
	check_pace d1 100 4000000
	check_eq "$(statistic d0 tx_packets) $(statistic d1 tx_packets)" "200 100" "packets of the devices"
}

test_two_devices_at_full_speed() {
	add_dummy d0
	add_dummy d1
	configure d0 "count 100000" "clone_skb 1000"
	configure d1 "count 50000" "clone_skb 1000"
	start
	check_sent d0 100000
	check_sent d1 50000
}

# An endless device does not starve its neighbour.
test_endless_neighbour() {
	add_dummy d0
	add_dummy d1
	configure d0 "count 10000"
	configure d1 "count 0"
	start_behind d1
	wait_for 10 stopped_with_summary d0
	check_sent d0 10000
	is_running d1 || fail "d1 stopped"
	put pgctrl stop
	check_start_returns
}

# One that is due only now and then gets its turns beside one that is always due.
test_endless_beside_paced() {
	add_dummy d0
	add_dummy d1
	configure d0 "count 500" "delay 1000000"
	configure d1 "count 0"
	start_behind d1
	wait_for 10 stopped_with_summary d0
	check_pace d0 500 1000000
	put pgctrl stop
	check_start_returns
}

stopped_with_summary() { [[ $(result "$1") =~ ^OK:\ [0-9]+\(c ]]; }

# Both workers run at the same time, each on its own CPU.
test_two_workers() {
	local cpu stat before after ran=()
	add_dummy d0 2
	configure d0@0 "count 0" "flag QUEUE_MAP_CPU"
	configure d0@1 "count 0" "flag QUEUE_MAP_CPU"
	start_behind d0@0 d0@1
	for cpu in 0 1; do
		ran+=("$(cpu_of "$(worker_pid "kpktgend_$cpu")")")
		before[cpu]=$(sofar "d0@$cpu")
	done
	check_eq "${ran[*]}" "0 1" "CPUs that the threads run on"
	sleep 0.5
	for cpu in 0 1; do
		after[cpu]=$(sofar "d0@$cpu")
		((after[cpu] > before[cpu] + 1000)) || fail "worker $cpu sent $((after[cpu] - before[cpu])) packets in half a second"
		check_eq "$(value "d0@$cpu" cur_queue_map)" "$cpu" "queue of worker $cpu"
	done
	put pgctrl stop
	check_start_returns
	check_eq "$(statistic d0 tx_packets)" $(($(sofar d0@0) + $(sofar d0@1))) "packets of d0"
}

cpu_of() { # PID
	local stat
	read -r stat <"/proc/$1/stat"
	# shellcheck disable=SC2086 # to be split
	set -- ${stat##*) }
	echo "${37}"
}

# Both workers send the same device's packets; none is lost or counted twice.
test_two_workers_one_queue() {
	add_dummy d0 1
	configure d0@0 "count 100000" "burst 8" "clone_skb 100"
	configure d0@1 "count 100000" "burst 8" "clone_skb 100"
	start
	check_sent d0@0 100000
	check_sent d0@1 100000
	check_eq "$(statistic d0 tx_packets)" 200000 "packets of d0"
}

## Queues

# The packets each queue of the qdisc "mq" has sent, in the order of the queues.
queue_packets() { # DEVICE
	# shellcheck disable=SC2016 # perl's variables
	tc -s qdisc show dev "$1" | perl -ne '
		$queue = hex $1 if / parent [0-9a-f]+:([0-9a-f]+) /;
		$packets[$queue - 1] = $1 if defined $queue && / Sent \d+ bytes (\d+) pkt/;
		END { print "@packets\n" }'
}

add_dummy_mq() { # QUEUES
	add_dummy d0 "$1"
	tc qdisc add dev d0 root handle 1: mq
	# A qdisc that is bypassed when empty counts all the same.
	check_eq "$(queue_packets d0 | wc -w)" "$1" "queues of mq"
}

test_queue_map_shown() {
	add_dummy d0 4
	configure d0 "count 8" "queue_map_min 1" "queue_map_max 2"
	start
	check_eq "$(value d0 queue_map_min) $(value d0 queue_map_max) $(value d0 cur_queue_map)" "1 2 2" "after 8 packets on 1 and 2"
	put d0 "queue_map_min 9" "queue_map_max 99"
	start
	# Cut to what there is, for good.
	check_eq "$(value d0 queue_map_min) $(value d0 queue_map_max) $(value d0 cur_queue_map)" "3 3 3" "after 9 to 99"
}

# queue_xmit: the stack takes the queue that the packet says, counted from 1.
test_queue_map_qdisc() { # WANTED COMMAND...
	add_dummy_mq 4
	configure d0 "xmit_mode queue_xmit" "count 1200" "${@:2}"
	start
	check_sent d0 1200
	check_eq "$(queue_packets d0)" "$1" "packets by queue"
}

test_queue_map_rnd_qdisc() {
	local packets i
	add_dummy_mq 4
	configure d0 "xmit_mode queue_xmit" "count 2000" "flag QUEUE_MAP_RND" "queue_map_min 1" "queue_map_max 4"
	start
	read -ra packets < <(queue_packets d0)
	check_eq "$((packets[0] + packets[1] + packets[2] + packets[3]))" 2000 "packets of all queues"
	for i in 0 1 2; do
		# 500 of 2000 in the middle, standard deviation under 20; map 4 does not exist.
		((packets[i] > 0)) || fail "queue $i was never chosen: ${packets[*]}"
	done
}

module_test "start_xmit: 1000 packets are 1000" test_start_xmit 1000 "count 1000"
module_test "start_xmit: one packet" test_start_xmit 1 "count 1"
module_test "start_xmit: clone_skb does not overshoot" test_start_xmit 1001 "count 1001" "clone_skb 100"
module_test "start_xmit: a burst is never cut" test_start_xmit 1024 "count 1000" "burst 32"
module_test "start_xmit: bursts of clones" test_start_xmit 1008 "count 1001" "burst 16" "clone_skb 10"
module_test "start_xmit: a burst larger than the count" test_start_xmit 100 "count 7" "burst 100"
module_test "start_xmit: without keeping a reference" test_start_xmit 1000 "flag !SHARED" "count 1000"
module_test "start_xmit: veth delivers every packet" test_veth 1000 "count 1000"
module_test "queue_xmit: veth delivers every packet" test_veth 1000 "xmit_mode queue_xmit" "count 1000"
module_test "queue_xmit: veth, without keeping a reference" test_veth 1000 "xmit_mode queue_xmit" "flag !SHARED" "count 1000"
module_test "netif_receive: 1000 packets come in" test_netif_receive 1000 "count 1000"
module_test "netif_receive: a burst is never cut" test_netif_receive 1024 "burst 32" "count 1000"
module_test "netif_receive: without keeping a reference" test_netif_receive 1000 "flag !SHARED" "count 1000"
module_test "netif_receive: a socket gets every packet once" test_netif_receive_socket
module_test "queue_xmit: 1000 packets go through the qdisc" test_queue_xmit 1000 "count 1000"
module_test "queue_xmit: clone_skb" test_queue_xmit 1000 "clone_skb 7" "count 1000"
module_test "queue_xmit: drops are errors and do not count" test_queue_xmit_drops

module_test "summary: the figures agree" test_summary
module_test "summary: with clones and bursts" test_summary "clone_skb 64" "burst 8"
module_test "summary: with a delay" test_summary "delay 20000"
module_test "summary: -1frags when no packet is kept" test_summary_without_reference
module_test "no carrier: a run of no packet, at once" test_no_carrier
for mode in start_xmit netif_receive queue_xmit; do
	module_test "$mode: loss of carrier ends the run" test_ends "$mode" ip link set d0 carrier off
	module_test "$mode: the device going down ends the run" test_ends "$mode" ip link set d0 down
done
module_test "the peer going down ends the run" test_peer_gone

module_test "delay keeps the pace: 1 ms" test_pace "delay 1000000" 1500 1000000
module_test "delay keeps the pace: 50 us" test_pace "delay 50000" 40000 50000
module_test "rate keeps the pace" test_pace "rate 1" 3000 480000
module_test "ratep keeps the pace" test_pace "ratep 2000" 3000 500000
module_test "a delay is one of bursts" test_pace_burst
for how in "netdev down:down" "no carrier:carrier off"; do
	# shellcheck disable=SC2086 # an attribute and its value
	module_test "link lost in the time of the last packets: ${how%:*}" \
		test_ends_at_last "${how%:*}" ip link set d0 ${how#*:}
done
module_test "link lost in the time of the last packets: stop" test_ends_at_last stopped put pgctrl stop
module_test "two devices of a thread wait at the same time" test_idle_of_several
module_test "delay and count of a running device" test_live_delay
module_test "a new rate of a running device: pps" test_live_rate "pps 1" "pps 1000" 500 1300
module_test "a new rate of a running device: bps" test_live_rate "bps 1" "bps 1G" 5000 2000000
module_test "a count that is reached already ends the run" test_live_count

module_test "two paced devices on a worker" test_two_devices_paced
module_test "two devices on a worker at full speed" test_two_devices_at_full_speed
module_test "an endless device and its neighbour" test_endless_neighbour
module_test "an endless device beside a paced one" test_endless_beside_paced
module_test "two workers run at the same time on their CPUs" test_two_workers
module_test "two workers on one queue" test_two_workers_one_queue

module_test "queue map: cut to the queues there are" test_queue_map_shown
module_test "queue map: one queue" test_queue_map_qdisc "0 0 1200 0" "queue_map_min 3" "queue_map_max 3"
module_test "queue map: in turn" test_queue_map_qdisc "0 600 600 0" "queue_map_min 2" "queue_map_max 3"
module_test "queue map: at random" test_queue_map_rnd_qdisc

ktap_run
