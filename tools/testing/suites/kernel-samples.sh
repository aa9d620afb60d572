#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The sample and benchmark scripts in samples/pktgen of the running kernel's source,
# unmodified, with our module: what they print, what leaves, what they refuse. Runs
# inside a lab kernel with two CPUs.
#
# MODULE_KO names the module to test with: RPKTGEN_KO by default, PKTGEN_KO to see
# what they make of the C module.

# shellcheck source=tools/testing/drop-in.sh
source "$(dirname "${BASH_SOURCE[0]}")/../drop-in.sh"

MAC=02:00:00:00:00:01
declare -A SCRIPTS=(
	[simple]=pktgen_sample01_simple.sh
	[multiqueue]=pktgen_sample02_multiqueue.sh
	[burst]=pktgen_sample03_burst_single_flow.sh
	[flows]=pktgen_sample04_many_flows.sh
	[per-thread]=pktgen_sample05_flow_per_thread.sh
	[receive]=pktgen_bench_xmit_mode_netif_receive.sh
	[qdisc]=pktgen_bench_xmit_mode_queue_xmit.sh
)

# script NAME: its path, in SCRIPT.
script() {
	need_source "samples/pktgen/${SCRIPTS[$1]}"
	SCRIPT=$KSOURCE/samples/pktgen/${SCRIPTS[$1]}
}

# Run a script to its end. What it says is in OUT and ERR afterwards.
run() { # NAME OPTION...
	script "$1"
	check_status 0 "$SCRIPT" -m "$MAC" "${@:2}"
	check_no_complaint
}

# On standard error there are remarks, which are the scripts', and results other
# than OK, which are the module's.
check_no_complaint() {
	local line
	while IFS= read -r line; do
		[[ $line == "" || $line == "WARN : Missing destination "* || $line == "Running... ctrl^C to stop" || $line == Done ]] ||
			fail "on standard error: $ERR"
	done <<<"$ERR"
}

# printed DEVICE PACKETS SIZE ERRORS: a regular expression for what most of the
# scripts print of a device when it has sent. They show two lines behind the first
# of a result; the C module has only one there.
printed() {
	local result='Result: OK: [0-9]+\(c[0-9]+\+d[0-9]+\) usec, '
	printf 'Device: %s\n%s%s \(%sbyte,0frags\)\n  [0-9]+pps [0-9]+Mb/sec \([0-9]+bps\) errors: %s' "$1" "$result" "$2" "$3" "$4"
	[[ $MODULE != rpktgen ]] || printf '\n  ended: %s' "${ENDED:-count reached}"
}

# Of WORKERS devices of one net device.
check_printed() { # DEVICE WORKERS PACKETS SIZE [ERRORS]
	local worker expected=()
	for ((worker = 0; worker < $2; worker++)); do
		expected+=("$(printed "$1@$worker" "$3" "$4" "${5:-0}")")
	done
	check_match "$OUT" "^$(IFS=$'\n' && echo "${expected[*]}")$" "results"
}

# All that left a net device in its life.
check_device() { # DEVICE PACKETS SIZE
	local statistics=/sys/class/net/$1/statistics
	check_eq "$(<"$statistics/tx_packets") $(<"$statistics/tx_bytes")" "$2 $(($2 * $3))" "packets and bytes of $1"
}

## Counts, on a device that takes everything

# The first script prints the whole device file, and has one worker only.
test_simple() { # PACKETS SIZE OPTION...
	add_dummy d0
	run simple -i d0 -n "$1" "${@:3}"
	check_match "$OUT" "^Result device: d0"$'\n'"Params: count $1 " "the device file"
	check_match "$OUT" "pkts-sofar: $1  errors: 0" "counters"
	check_match "$OUT" "Result: OK: [0-9]+\(c[0-9]+\+d[0-9]+\) usec, $1 \($2byte,0frags\)" "result"
	check_device d0 "$1" "$2"
	check_nothing_left
}

test_simple_default() {
	add_dummy d0
	run simple -i d0
	check_device d0 100000 60
}

# A burst is sent whole: PACKETS for each worker may be more than was asked for.
test_count() { # NAME PACKETS SIZE OPTION...
	add_dummy d0 2
	run "$1" -i d0 -t 2 "${@:4}"
	check_printed d0 2 "$2" "$3"
	check_device d0 $((2 * $2)) "$3"
	check_nothing_left
}

test_one_worker() { # NAME
	add_dummy d0 2
	run "$1" -i d0 -n 64 -f 1
	check_match "$OUT" "^$(printed d0@1 64 60 0)$" "result of worker 1 alone"
	check_device d0 64 60
}

# The receive path drops what is for another host, which counts as an error.
test_receive() { # PACKETS SIZE OPTION...
	add_dummy d0
	count_received d0
	run receive -i d0 -t 2 "${@:3}"
	check_printed d0 2 "$1" "$2" "$1"
	check_received d0 $((2 * $1))
	check_eq "$(tx_packets d0)" 0 "packets that left d0"
	check_nothing_left
}

# Before the packets are dropped a filter sees them.
count_received() { # DEVICE
	tc qdisc add dev "$1" clsact
	tc filter add dev "$1" ingress matchall action pass
}

check_received() { # DEVICE PACKETS
	check_match "$(tc -s filter show dev "$1" ingress)" "Sent [0-9]+ bytes $2 pkt" "filter of $1"
}

# Workers that meet at a queue may find it full; this one is long enough for all.
test_qdisc() { # PACKETS SIZE OPTION...
	add_dummy d0 2
	ip link set d0 txqueuelen 10000
	tc qdisc add dev d0 root handle 1: prio
	run qdisc -i d0 -t 2 "${@:3}"
	check_printed d0 2 "$1" "$2"
	check_match "$(tc -s qdisc show dev d0)" "prio 1: .*Sent $((2 * $1 * $2)) bytes $((2 * $1)) pkt \(dropped 0" "qdisc"
	check_device d0 $((2 * $1)) "$2"
	check_nothing_left
}

## Frames, at the other end of a veth pair

# Run a script on v0; the frames that arrive at v1 are in the file of that name.
capture() { # PACKETS NAME OPTION...
	add_veth v0 v1
	"$TEST_ROOT/tools/testing/frames" v1 "$1" >frames &
	defer kill_quietly $!
	wait_for 10 test -e ready
	run "$2" -i v0 -n "$1" "${@:3}"
	wait_for 10 has_ended $!
	check_eq "$(rx_packets v1)" "$1" "packets of v1"
}

# It has ended, unless frames were missing.
kill_quietly() { kill "$1" 2>/dev/null; }

# all CONDITION, count CONDITION: of the frames' fields, in awk.
# shellcheck disable=SC2016 # awk's
FIELDS='bytes = $1; mac = $2; src = $3; dst = $4; sport = $5; dport = $6; checksum = $7'

all() {
	awk "{ $FIELDS } !($1) && bad++ < 3 { print } END { exit bad || !NR }" frames || fail "not so in all frames: $1"
}

count() {
	awk "{ $FIELDS } $1 { n++ } END { print n + 0 }" frames
}

# A fair choice is further off than six standard deviations once in 500 million times.
about() { # CONDITION WANTED
	local n
	n=$(count "$1")
	awk -v n="$n" -v wanted="$2" -v all="$(wc -l <frames)" \
		'BEGIN { exit (n - wanted) ^ 2 > 36 * wanted * (1 - wanted / all) }' ||
		fail "$n frames instead of about $2: $1"
}

# Each worker has a source address of its own; the other scripts draw a port.
test_frames() { # NAME OPTION...
	capture 500 "$1" "${@:2}"
	all "mac == \"$MAC\" && dst == \"198.18.0.42\" && dport == 9 && checksum == \"none\" && bytes == 60"
	case $1 in
	simple | multiqueue)
		all "sport >= 9 && sport < 109"
		about "sport < 59" 250
		;;
	per-thread) all 'src == "198.18.1.1" && sport == 9' ;;
	*) all "sport == 9" ;;
	esac
}

test_frames_6() { # NAME OPTION...
	capture 200 "$1" -6 -s 100 "${@:2}"
	all "mac == \"$MAC\" && dst == \"fd00::1\" && dport == 9 && bytes == 100"
}

# The destinations in a network of IPv4 are used in order, each for as many frames as
# a flow is long. The first frame is the second's.
test_network() { # FLOWLEN NAME OPTION...
	local i
	capture 600 "$2" -d 198.18.0.0/24 "${@:3}"
	for ((i = 0; i < 600; i++)); do echo "198.18.0.$(((i / $1 + 1) % 256))"; done >wanted
	diff <(awk '{ print $4 }' frames) wanted >differences || fail "destinations: $(head -n 5 differences)"
}

# One of IPv6 at random. Texts of this network sort as the addresses do.
test_network_6() { # NAME OPTION...
	capture 1000 "$1" -6 -d fd00::1000/120 "${@:2}"
	all 'dst ~ /^fd00::10[0-9a-f][0-9a-f]$/'
	about 'dst >= "fd00::1080"' 500
}

# The end of a range of ports is not in it.
test_ports() { # NAME OPTION...
	capture 1000 "$1" -p 1000-2000 "${@:2}"
	all "dport >= 1000 && dport < 2000"
	about "dport < 1500" 500
}

test_port() { # NAME OPTION...
	capture 10 "$1" -p 4000 "${@:2}"
	all "dport == 4000"
}

test_checksum() { # NAME OPTION...
	capture 50 "$1" -k "${@:2}"
	all 'checksum == "sum"'
}

# Sources are drawn for each packet; it is the destination that makes a flow.
test_flows_source() {
	capture 1000 flows
	all 'dst == "198.18.0.42" && src ~ /^198\.1[89]\./'
	about 'src ~ /^198\.18\./' 500
}

# The script has one range of sources for both families and takes it for a mistake when
# -6 is given. It goes on without: what is sent is as asked for.
test_flows_6() {
	add_dummy d0
	script flows
	check_status 0 "$SCRIPT" -i d0 -m "$MAC" -n 1000 -6 -s 100
	check_match "$ERR" "Invalid IP6 address: 198.18.0.0" "message"
	check_printed d0 1 1000 100
	check_device d0 1000 100
	check_nothing_left
}

# What a receiver needs burst for is the receiving itself.
test_receive_veth() {
	add_veth v0 v1
	count_received v0
	run receive -i v0 -n 2048
	check_printed v0 1 2048 60 2048
	check_received v0 2048
}

## Without an end

# As a ^C does it, once the devices send.
interrupt() { # SIGNAL NAME OPTION...
	local pid device
	script "$2"
	# A shell ignores the signal in what it starts behind it.
	env --default-signal=INT "$SCRIPT" -m "$MAC" -n 0 "${@:3}" >out 2>err &
	pid=$!
	for device in "${DEVICES[@]}"; do wait_for 30 is_sending "$device"; done
	kill "-$1" "$pid"
	wait_for 30 has_ended "$pid"
	STATUS=0
	wait "$pid" || STATUS=$?
	OUT=$(<out) ERR=$(<err)
}

# A queue that two workers fill drops some, so of the qdisc benchmark there is one.
test_endless() { # NAME WORKERS
	DEVICES=(d0@0)
	[[ $2 == 1 ]] || DEVICES+=(d0@1)
	add_dummy d0 2
	[[ $1 != qdisc ]] || tc qdisc add dev d0 root handle 1: prio
	interrupt INT "$1" -i d0 -t "$2"
	check_eq "$STATUS" 0 "status of the script"
	check_no_complaint
	check_sum "$(tx_packets d0)" "$2"
	check_nothing_left
}

# What is printed of the workers adds up to PACKETS. They were stopped.
check_sum() { # PACKETS WORKERS
	local packets total=0 ENDED=stopped
	check_printed d0 "$2" '[0-9]+' 60 '[0-9]+'
	while read -r packets; do
		((packets > 0)) || fail "a worker sent nothing"
		total=$((total + packets))
	done < <(grep -oP 'usec, \K[0-9]+' <<<"$OUT")
	check_eq "$total" "$1" "packets in the results"
}

test_endless_simple() {
	DEVICES=(d0)
	add_dummy d0
	interrupt INT simple -i d0
	check_eq "$STATUS" 0 "status of the script"
	check_no_complaint
	check_match "$OUT" "usec, $(tx_packets d0) \(60byte," "result"
	check_nothing_left
}

test_endless_receive() {
	DEVICES=(d0@0)
	add_dummy d0
	count_received d0
	interrupt INT receive -i d0
	check_eq "$STATUS" 0 "status of the script"
	[[ $(tc -s filter show dev d0 ingress) =~ \ ([0-9]+)\ pkt ]] || fail "no filter"
	check_sum "${BASH_REMATCH[1]}" 1
	check_nothing_left
}

# A test of netfilter ends a benchmark by its death.
test_terminated() {
	DEVICES=(d0@0)
	add_dummy d0
	interrupt TERM receive -i d0
	check_eq "$STATUS" 143 "status of the script"
	nothing_runs || fail "packets are still being sent"
}

## Several scripts, one run

test_append() { # NAME
	add_dummy d0 2
	run "$1" -i d0 -n 64 -a
	check_match "$OUT" "^Append mode: config done" "remark"
	run "$1" -i d0 -n 32 -f 1 -a
	check_eq "$(tx_packets d0)" 0 "packets before the start"
	start
	check_sent d0@0 64
	check_sent d0@1 32
	check_eq "$(tx_packets d0)" 96 "packets of d0"
}

test_append_simple() {
	add_dummy d0
	add_dummy d1
	run simple -i d0 -n 10 -a
	run simple -i d1 -n 20 -a
	check_eq "$(listed kpktgend_0 Stopped)" "d1 d0" "devices of worker 0"
	start
	check_sent d0 10
	check_sent d1 20
}

# It runs, and just leaves what it made.
test_append_bench() { # NAME ERRORS
	add_dummy d0
	run "$1" -i d0 -n 1024 -a
	check_sent d0@0 1024 "$2"
}

## Refusals

# Nothing half done is left: the scripts reset when they end.
test_refused() { # STATUS MESSAGE NAME OPTION...
	add_dummy d0
	add_veth v0 v1
	script "$3"
	check_status "$1" "$SCRIPT" -m "$MAC" "${@:4}"
	check_match "$ERR" "$2" "message"
	check_nothing_left
	check_eq "$(tx_packets d0) $(tx_packets v0)" "0 0" "packets"
}

test_added_twice() {
	add_dummy d0
	run multiqueue -i d0 -a
	check_status 5 "$SCRIPT" -i d0 -m "$MAC" -a
	check_match "$ERR" "add_device d0@0 > $PROC/kpktgend_0" "message"
	[[ -e $PROC/d0@0 ]] || fail "the first one was removed"
}

## Around them

test_debug() {
	add_dummy d0
	script simple
	check_status 0 "$SCRIPT" -v -x -i d0 -m "$MAC" -n 10
	check_match "$OUT" "cmd: start > $PROC/pgctrl" "commands"
	check_match "$ERR" "INFO : COUNT=10" "remarks"
}

# The scripts load the module by its C name.
test_loads_module() {
	add_dummy d0
	check_loaded ""
	run simple -i d0 -n 10
	check_loaded rpktgen
	check_device d0 10 60
}

module_test "sample 01: packets, bytes and results" test_simple 1000 60
module_test "sample 01: another size" test_simple 1000 1500 -s 1500
module_test "sample 01: clones" test_simple 1000 60 -c 10
module_test "sample 01: IPv6" test_simple 1000 100 -6 -s 100
module_test "sample 01: 100000 packets unless told otherwise" test_simple_default
module_test "sample 02: packets, bytes and results" test_count multiqueue 1000 60 -n 1000
module_test "sample 02: one worker, the second" test_one_worker multiqueue
module_test "sample 02: IPv6, clones" test_count multiqueue 1000 100 -n 1000 -6 -s 100 -c 10
module_test "sample 03: packets, bytes and results" test_count burst 6400 60 -n 6400
module_test "sample 03: a burst is sent whole" test_count burst 1024 60 -n 1000
module_test "sample 03: without bursts" test_count burst 1000 60 -n 1000 -b 0
module_test "sample 03: IPv6, clones" test_count burst 1024 100 -n 1024 -6 -s 100 -c 64
module_test "sample 03: one worker, the second" test_one_worker burst
module_test "sample 04: packets, bytes and results" test_count flows 1000 60 -n 1000
module_test "sample 04: sources" test_flows_source
module_test "sample 04: IPv6" test_flows_6
module_test "sample 05: packets, bytes and results" test_count per-thread 6400 60 -n 6400
module_test "sample 05: IPv6" test_count per-thread 6400 100 -n 6400 -6 -s 100
module_test "sample 05: one worker, the second" test_one_worker per-thread
module_test "receive benchmark: packets and results" test_receive 10240 60 -n 10240
module_test "receive benchmark: IPv6, other bursts" test_receive 1000 100 -n 1000 -b 10 -6 -s 100
module_test "receive benchmark: veth" test_receive_veth
module_test "qdisc benchmark: packets, bytes and results" test_qdisc 1000 60 -n 1000
module_test "qdisc benchmark: IPv6" test_qdisc 1000 100 -n 1000 -6 -s 100

for name in simple multiqueue "burst -b 0" flows "per-thread -b 0" qdisc; do
	read -ra options <<<"$name"
	title=${SCRIPTS[${options[0]}]}
	length=1
	[[ $name != flows ]] || length=10
	module_test "$title: frames" test_frames "${options[@]}"
	module_test "$title: -d, a network" test_network "$length" "${options[@]}"
	module_test "$title: -p, ports" test_ports "${options[@]}"
	[[ $name == flows ]] || module_test "$title: -6, frames" test_frames_6 "${options[@]}"
	[[ $name == qdisc ]] || module_test "$title: -k, frames" test_checksum "${options[@]}"
done
module_test "sample 01: -p, one port" test_port simple
module_test "sample 02: -6 -d, a network" test_network_6 multiqueue

module_test "sample 01: interrupted" test_endless_simple
module_test "sample 02: interrupted" test_endless multiqueue 2
module_test "sample 03: interrupted" test_endless burst 2
module_test "sample 04: interrupted" test_endless flows 2
module_test "sample 05: interrupted" test_endless per-thread 2
module_test "receive benchmark: interrupted" test_endless_receive
module_test "receive benchmark: terminated" test_terminated
module_test "qdisc benchmark: interrupted" test_endless qdisc 1

module_test "sample 01: appended" test_append_simple
for name in multiqueue burst flows per-thread; do
	module_test "${SCRIPTS[$name]}: appended" test_append "$name"
done
module_test "receive benchmark: appended" test_append_bench receive 1024
module_test "qdisc benchmark: appended" test_append_bench qdisc 0

module_test "sample 03: bursts on veth" test_refused 5 'Write error\(1\) occurred cmd: "burst 32 > ' burst -i v0
module_test "sample 05: bursts on veth" test_refused 5 'Write error\(1\) occurred cmd: "burst 32 > ' per-thread -i v0
module_test "sample 01: clones on veth" test_refused 5 'Write error\(1\) occurred cmd: "clone_skb 2 > ' simple -i v0 -c 2
module_test "sample 02: a device that is not there" test_refused 5 'add_device nosuch@0 > ' multiqueue -i nosuch
module_test "sample 02: a worker that is not there" test_refused 3 'kpktgend_2 does not exists' multiqueue -i d0 -t 3
module_test "sample 04: bursts" test_refused 1 "Bursting not supported" flows -i d0 -b 2
module_test "qdisc benchmark: bursts" test_refused 1 "Bursting not supported" qdisc -i d0 -b 2
module_test "sample 01: a bad address" test_refused 5 "Invalid IP address" simple -i d0 -d 198.18.0.256
module_test "sample 02: a device added twice" test_added_twice

module_test "verbose and debug" test_debug
drop_in_test "a script that loads the module itself" test_loads_module

ktap_run
