#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The sample scripts: every option, what they refuse and how, what arrives at the
# other end, and what they leave behind. Runs inside a lab kernel.
#
# MODULE_KO names the module to test with: RPKTGEN_KO by default, the C module's
# PKTGEN_KO to see that the scripts serve both.

# shellcheck source=tools/testing/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

MODULE_KO=${MODULE_KO:-${RPKTGEN_KO:?names the module to test}}
MODULE=$(basename "$MODULE_KO" .ko)
PROC=/proc/net/pktgen
SIMPLE=$TEST_ROOT/samples/rpktgen_sample01_simple.sh
BURST=$TEST_ROOT/samples/rpktgen_sample03_burst_single_flow.sh
MAC=02:00:00:00:00:01

[[ -d $PROC ]] || insmod "$MODULE_KO"

reset() { echo reset >"$PROC/pgctrl"; }

# No device file, and none on a worker.
check_nothing_left() {
	local file
	for file in "$PROC"/*; do
		[[ ${file##*/} == @(pgctrl|kpktgend_+([0-9])) ]] || fail "left behind: $file"
	done
}

packets_sent() { # DEV
	[[ $(<"$PROC/$1") =~ pkts-sofar:\ ([0-9]+) ]] || fail "no packet counter in $PROC/$1"
	echo "${BASH_REMATCH[1]}"
}

is_sending() { # DEV
	[[ -e $PROC/$1 ]] && (($(packets_sent "$1") > 0))
}

# The last line of a result, in what a sample printed; the C module has none.
check_ended() { # OUTPUT WHY
	[[ $MODULE != rpktgen ]] || check_match "$1" "errors: [0-9]+"$'\n'"  ended: $2($|"$'\n'")" "how the run ended"
}

## Command line

test_usage_error() { # WANTED-MESSAGE COMMAND...
	local message=$1
	shift
	check_status 2 "$@"
	check_match "$ERR" "$message" "message"
	check_match "$ERR" "Usage: " "usage on stderr"
	check_eq "$OUT" "" "stdout"
}

test_help() {
	local option
	check_status 2 "$BURST" -h
	check_eq "$ERR" "" "stderr"
	for option in i s d m p k t f c n b w 6 a v x h; do
		check_match "$OUT" "  -$option " "usage"
	done
	check_match "$OUT" "\(BURST\) .*\[32\]" "this script's own default"
}

test_usage_error_touches_nothing() {
	add_dummy d0
	defer reset
	echo "add_device d0" >"$PROC/kpktgend_0"
	check_status 2 "$SIMPLE" -i d0
	[[ -e $PROC/d0 ]] || fail "a usage error removed a device that was configured before"
}

# What goes wrong before the kernel is asked: status 5, one line.
test_bad_value() { # OPTION... ; fails for both samples
	local script
	add_dummy d0
	for script in "$SIMPLE" "$BURST"; do
		check_status 5 "$script" -i d0 -m "$MAC" -n 1 "$@"
		check_match "$ERR" "^[^"$'\n'"]+$" "one line"
	done
}

## What the options set

# Configure only (-a), then look at the device file.
# Usage: test_option WANTED [VARIABLE=VALUE]... -- OPTION...; WANTED are regular
# expressions separated by ';', those after '!' must not match.
test_option() {
	local wanted=$1 environment=() regex text regexes script dev
	shift
	while [[ $1 != -- ]]; do
		environment+=("$1")
		shift
	done
	shift
	IFS=';' read -ra regexes <<<"$wanted"

	add_dummy d0 2
	defer reset
	for script in "$SIMPLE" "$BURST"; do
		reset
		env "${environment[@]}" "$script" -i d0 -m "$MAC" -a "$@"
		dev=d0
		[[ $script == "$SIMPLE" ]] || dev=d0@0
		text=$(<"$PROC/$dev")
		for regex in "${regexes[@]}"; do
			case $regex in
			!*) check_no_match "$text" "${regex#!}" "$script" ;;
			*) check_match "$text" "$regex" "$script" ;;
			esac
		done
	done
}

test_burst_option() { # OPTIONS WANTED-LINE, empty: none
	add_dummy d0
	defer reset
	# shellcheck disable=SC2086 # zero to two words
	"$BURST" -i d0 -a $1
	if [[ -n $2 ]]; then
		check_match "$(<"$PROC/d0@0")" "$2" "device file"
	else
		check_no_match "$(<"$PROC/d0@0")" "burst:" "device file"
	fi
}

test_workers() {
	add_dummy d0 2
	defer reset
	"$BURST" -i d0 -a -t 2
	check_match "$(<"$PROC/kpktgend_0")" "Stopped: d0@0 "$'\n' "worker 0"
	check_match "$(<"$PROC/kpktgend_1")" "Stopped: d0@1 "$'\n' "worker 1"
	reset
	"$BURST" -i d0 -a -f 1
	[[ ! -e $PROC/d0@0 ]] || fail "-f 1 used worker 0"
	check_match "$(<"$PROC/kpktgend_1")" "Stopped: d0@1 "$'\n' "worker 1"
}

test_worker_missing() {
	add_dummy d0
	check_status 3 "$BURST" -i d0 -n 1 -f 4095
	check_match "$ERR" "kpktgend_4095 does not exist; .*-f, -t" "message"
	check_nothing_left
}

test_options_without_effect() {
	add_dummy d0
	check_status 0 "$SIMPLE" -i d0 -m "$MAC" -n 10 -t 2
	check_match "$ERR" "warning: .*-t and -f" "-t"
	check_status 0 "$SIMPLE" -i d0 -m "$MAC" -n 10 -b 8
	check_match "$ERR" "warning: .*-b" "-b"
}

test_verbose() {
	add_dummy d0
	check_status 0 "$SIMPLE" -i d0 -m "$MAC" -n 10
	check_eq "$ERR" "" "without -v"
	check_status 0 "$SIMPLE" -i d0 -m "$MAC" -n 10 -v
	check_match "$ERR" "stopped" "with -v"
}

# Every command, in order.
test_commands_simple() {
	add_dummy d0
	check_status 0 "$SIMPLE" -x -i d0 -m "$MAC" -n 10 -p 1000-2000 -k
	check_eq "${ERR//"$PROC/"/}" "reset > pgctrl
rem_device_all > kpktgend_0
add_device d0 > kpktgend_0
count 10 > d0
clone_skb 0 > d0
pkt_size 60 > d0
delay 0 > d0
flag NO_TIMESTAMP > d0
dst_mac $MAC > d0
dst_min 198.18.0.42 > d0
dst_max 198.18.0.42 > d0
flag UDPDST_RND > d0
udp_dst_min 1000 > d0
udp_dst_max 2000 > d0
flag UDPCSUM > d0
flag UDPSRC_RND > d0
udp_src_min 9 > d0
udp_src_max 109 > d0
start > pgctrl
reset > pgctrl" "commands"
}

test_commands_burst() {
	local dev wanted="reset > pgctrl"
	add_dummy d0 2
	check_status 0 "$BURST" -x -i d0 -n 64 -t 2 -6 -c 3
	for cpu in 0 1; do
		dev=d0@$cpu
		wanted+="
rem_device_all > kpktgend_$cpu
add_device $dev > kpktgend_$cpu
flag QUEUE_MAP_CPU > $dev
count 64 > $dev
clone_skb 3 > $dev
pkt_size 60 > $dev
delay 0 > $dev
flag NO_TIMESTAMP > $dev
dst_mac 90:e2:ba:ff:ff:ff > $dev
dst6_min FD00::1 > $dev
dst6_max FD00::1 > $dev
burst 32 > $dev"
	done
	check_eq "${ERR//"$PROC/"/}" "$wanted
start > pgctrl
reset > pgctrl" "commands"
}

## Sending

test_simple_count() {
	add_dummy d0
	check_status 0 "$SIMPLE" -i d0 -m "$MAC" -n 1000
	check_match "$OUT" "Params: count 1000 " "the whole file is printed"
	check_match "$OUT" "pkts-sofar: 1000  errors: 0" "counters"
	check_match "$OUT" "Result: OK: .* 1000 \(60byte" "result"
	check_ended "$OUT" "count reached"
	check_eq "$(tx_packets d0)" 1000 "device counter"
	check_nothing_left
}

test_simple_default_count() {
	add_dummy d0
	check_status 0 "$SIMPLE" -i d0 -m "$MAC"
	check_eq "$(tx_packets d0)" 100000 "device counter"
}

# A burst is never cut: 1000 packets in bursts of 32 are 1024.
test_burst_count() { # OPTIONS PACKETS
	add_dummy d0
	# shellcheck disable=SC2086 # several words
	check_status 0 "$BURST" -i d0 -n 1000 $1
	check_match "$OUT" "d0@0:"$'\n'"  Result: OK: .* $2 \(60byte.*"$'\n'"  [0-9]+pps .* errors: 0" "result"
	check_ended "$OUT" "count reached"
	check_eq "$(tx_packets d0)" "$2" "device counter"
	check_nothing_left
}

test_two_workers() {
	add_dummy d0 2
	check_status 0 "$BURST" -i d0 -n 6400 -t 2
	check_match "$OUT" "d0@0:"$'\n'"  Result: OK: .* 6400 \(" "worker 0"
	check_match "$OUT" "d0@1:"$'\n'"  Result: OK: .* 6400 \(" "worker 1"
	check_eq "$(tx_packets d0)" 12800 "device counter"
}

test_delay() {
	add_dummy d0
	check_status 0 "$SIMPLE" -i d0 -m "$MAC" -n 50 -w 1000000
	[[ $OUT =~ Result:\ OK:\ ([0-9]+)\(c ]] || fail "no result: $OUT"
	# A run's first two packets may leave without waiting.
	((BASH_REMATCH[1] >= 47000)) || fail "50 packets, 1 ms apart, took only ${BASH_REMATCH[1]} us"
}

# Count at the far end of a veth pair what is as asked for, and nothing else.
test_arrival() { # FLOWER-MATCH OPTION...
	local match=$1 text
	shift
	add_veth v0 v1
	tc qdisc add dev v1 clsact
	# shellcheck disable=SC2086 # the match is several words
	tc filter add dev v1 ingress pref 1 $match action drop || skip "no tc flower"
	check_status 0 "$BURST" -i v0 -b 0 -n 500 "$@"
	text=$(tc -s filter show dev v1 ingress)
	check_match "$text" "Sent [0-9]+ bytes 500 pkt" "packets as asked for"
	check_nothing_left
}

## Refusals

test_refused() { # WANTED-MESSAGE SCRIPT OPTION...
	local message=$1
	shift
	add_dummy d0
	add_veth v0 v1
	ip link add down0 type dummy
	defer ip link del down0
	check_status 5 "$@"
	check_match "$ERR" "$message" "message"
	check_match "$ERR" "^[^"$'\n'"]+$" "one line"
	check_no_match "$OUT" "Sending" "started in spite of it"
	check_nothing_left
}

test_added_twice() {
	add_dummy d0
	defer reset
	"$SIMPLE" -i d0 -m "$MAC" -a
	check_status 5 "$SIMPLE" -i d0 -m "$MAC" -a
	check_match "$ERR" "add_device d0' > .*Device or resource busy.*reset" "message"
	[[ -e $PROC/d0 ]] || fail "the first one was removed"
}

test_not_writable() {
	check_status 4 as_nobody bash -c "source samples/functions.sh; pg_ctrl reset"
	check_match "$ERR" "'reset': $PROC/pgctrl is not writable for user [a-z0-9]+$" "message"
}

# The kernel takes the write and complains in the Result text only.
test_refusal_in_result() {
	add_dummy d0
	check_status 0 env APPEND=yes bash -c "source '$TEST_ROOT/samples/functions.sh'
		pg_thread 0 add_device d0
		pg_set d0 'flag NOSUCH'
		echo went on"
	defer reset
	check_match "$ERR" "warning: 'flag NOSUCH' > .*NOSUCH.*unknown" "message"
	check_eq "$OUT" "went on" "stdout"
}

test_device_removed_while_sending() {
	local pid status=0
	add_dummy d1
	"$BURST" -i d1 -n 0 >out 2>err &
	pid=$!
	wait_for 10 is_sending d1@0
	ip link del d1
	ip link add d1 type dummy # for the deferred removal
	wait "$pid" || status=$?
	# The device goes down before it goes away: the result may just be read.
	case $status in
	0) check_match "$(<out)" "Result: OK: [0-9]+\(c" "result" ;;
	3) check_match "$(<err)" "d1@0 was removed (while it was sending|before its result was read)" "message" ;;
	*) fail "exit status $status: $(<err)" ;;
	esac
}

# The script in the documentation that shows how to write one.
test_documented_script() {
	add_dummy d0
	awk '/^An own script/ { on = 1 } on && sub(/^\t/, "") { print }' \
		"$TEST_ROOT/Documentation/samples.rst" >own.sh
	[[ $(wc -l <own.sh) -ge 8 ]] || fail "no script found"
	cd "$TEST_ROOT"
	check_status 0 bash "$TEST_DIR/own.sh" -i d0
	check_match "$OUT" "^d0:"$'\n'"  Result: OK: .* 1000 \(" "result"
	check_eq "$(tx_packets d0)" 1000 "device counter"
}

## Append

test_append() {
	add_dummy d0 2
	add_dummy d1
	defer reset
	check_status 0 "$BURST" -i d0 -a -n 320 -t 2
	check_match "$OUT" "d0@0 d0@1: configured.*echo start" "what to do next"
	check_status 0 "$SIMPLE" -i d1 -m "$MAC" -a -n 100
	check_eq "$(tx_packets d0)+$(tx_packets d1)" 0+0 "packets before the start"
	echo start >"$PROC/pgctrl"
	check_eq "$(tx_packets d0)+$(tx_packets d1)" 640+100 "packets after it"
}

## Ends that nobody asked for

test_carrier_lost() {
	add_dummy d0
	"$BURST" -i d0 -n 0 >out 2>err &
	wait_for 10 is_sending d0@0
	ip link set d0 carrier off
	wait $! || fail "exit status $?"
	check_match "$(<out)" "^Sending on d0; \^C stops."$'\n'"d0@0:"$'\n'"  Result: OK: [0-9]+\(c" "result"
	check_ended "$(<out)" "no carrier"
	check_eq "$(<err)" "" "stderr"
	check_nothing_left
}

## Signals

# Background jobs of a script ignore SIGINT; a terminal's do not.
start_endless() { # SCRIPT OPTION...
	setsid env --default-signal=INT "$@" -n 0 >out 2>err &
	PID=$!
}

test_interrupt() { # TARGET DEV SCRIPT OPTION...; TARGET is "script" or "group"
	local target=$1 dev=$2 status=0
	shift 2
	add_dummy d0 2
	start_endless "$@"
	wait_for 10 is_sending "$dev"
	if [[ $target == group ]]; then
		kill -INT -- "-$PID"
	else
		kill -INT "$PID"
	fi
	wait "$PID" || status=$?
	check_eq "$status" 0 "exit status"
	check_match "$(<out)" "Result: OK: [0-9]+\(c[0-9]+\+d[0-9]+\) usec, [1-9][0-9]* \(" "result"
	check_ended "$(<out)" stopped
	check_eq "$(<err)" "" "stderr"
	check_nothing_left
}

test_interrupt_two_workers() {
	test_interrupt group d0@1 "$BURST" -i d0 -t 2
	check_match "$(<out)" "d0@0:"$'\n'"  Result: OK: .*d0@1:"$'\n'"  Result: OK: " "both results"
}

# Before the workers have begun.
test_early_interrupt() {
	local status=0
	add_dummy d0
	start_endless "$BURST" -i d0
	wait_for 10 grep -q Sending out
	kill -INT -- "-$PID"
	wait "$PID" || status=$?
	check_nothing_left
	# Either caught, or just before the script was ready to catch it.
	((status == 0 || status == 130)) || fail "exit status $status"
}

test_terminate() {
	local status=0
	add_dummy d0
	start_endless "$BURST" -i d0
	wait_for 10 is_sending d0@0
	kill -TERM "$PID"
	wait "$PID" || status=$?
	check_eq "$status" 143 "exit status"
	check_nothing_left
}

## Root and the module

# Nobody may not be able to see the checkout: take a copy.
as_nobody() {
	[[ -d samples ]] || cp -r "$TEST_ROOT/samples" .
	chmod 755 . samples
	setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
}

# A directory with stand-ins for commands that are not to be run for real: they
# note how they were called.
fake_command() { # NAME EXIT-STATUS
	mkdir -p "$TEST_DIR/bin"
	printf '#!/bin/sh\necho "%s $*" >>"%s/calls"\nexit %s\n' "$1" "$TEST_DIR" "$2" >"$TEST_DIR/bin/$1"
	chmod 755 "$TEST_DIR/bin" "$TEST_DIR/bin/$1"
	touch "$TEST_DIR/calls"
	chmod 666 "$TEST_DIR/calls"
}

test_sudo() {
	local script=samples/${SIMPLE##*/}
	fake_command sudo 0
	check_status 0 as_nobody env PATH="$TEST_DIR/bin:$PATH" bash "$script" -i d0 -m "$MAC" -d "10.0.0.1/8"
	check_match "$(<calls)" "^sudo -E -- [^ ]*bash $script -i d0 -m $MAC -d 10.0.0.1/8$" "call"
}

test_no_sudo() {
	mkdir bin
	ln -s "$(command -v dirname)" "$(command -v mktemp)" "$(command -v rm)" "$(command -v id)" bin
	chmod 755 bin
	check_status 1 as_nobody env PATH="$TEST_DIR/bin" "$BASH" "samples/${SIMPLE##*/}" -i d0 -m "$MAC"
	check_match "$ERR" "must be run as root" "message"
}

test_no_capability() {
	unshare -Ur true 2>/dev/null || skip "no user namespaces"
	check_status 5 unshare -Urn bash -c "
		ip link add d0 type dummy && ip link set d0 up && '$SIMPLE' -i d0 -m $MAC -n 1"
	check_match "$ERR" "'reset' > .*Operation not permitted.*CAP_NET_ADMIN" "message"
}

reload_module() {
	[[ -d $PROC ]] || insmod "$MODULE_KO"
}

test_loads_named_module() {
	add_dummy d0
	rmmod "$MODULE"
	defer reload_module
	check_status 0 env RPKTGEN_KO="$MODULE_KO" "$SIMPLE" -i d0 -m "$MAC" -n 10
	check_eq "$(tx_packets d0)" 10 "device counter"
}

test_proc_dir() {
	add_dummy d0
	[[ $MODULE == rpktgen ]] || skip "$MODULE has no procdir parameter"
	rmmod "$MODULE"
	defer reload_module
	defer rmmod "$MODULE"
	check_status 0 env PROC_DIR=/proc/net/other RPKTGEN_KO="$MODULE_KO" "$SIMPLE" -x -i d0 -m "$MAC" -n 10
	check_match "$ERR" "start > /proc/net/other/pgctrl" "commands"
	check_eq "$(tx_packets d0)" 10 "device counter"
}

test_module_search_order() {
	rmmod "$MODULE"
	defer reload_module
	fake_command modprobe 1
	check_status 3 env -u RPKTGEN_KO PATH="$TEST_DIR/bin:$PATH" "$SIMPLE" -i d0 -m "$MAC"
	check_match "$ERR" "^[^"$'\n'"]*no module[^"$'\n'"]*RPKTGEN_KO[^"$'\n'"]*$" "one clear line"
	check_eq "$(<calls)" "modprobe -q rpktgen"$'\n'"modprobe -q pktgen" "calls"
	check_status 3 env -u RPKTGEN_KO PATH="$TEST_DIR/bin:$PATH" PROC_DIR=/proc/net/other "$SIMPLE" -i d0 -m "$MAC"
	check_eq "$(tail -n +3 calls)" "modprobe -q rpktgen procdir=other" "calls for another directory"
}

test_broken_module() {
	rmmod "$MODULE"
	defer reload_module
	echo "not a module" >broken.ko
	check_status 3 env RPKTGEN_KO="$TEST_DIR/broken.ko" "$SIMPLE" -i d0 -m "$MAC"
	check_match "$ERR" "cannot load $TEST_DIR/broken.ko" "message"
}

for name in simple burst; do
	script=$SIMPLE
	[[ $name == simple ]] || script=$BURST
	ktap_test "$name: an unknown option is a usage error" \
		test_usage_error "unknown option -z" "$script" -i d0 -m "$MAC" -z
	ktap_test "$name: -i is required" test_usage_error "no device given" "$script" -m "$MAC"
	ktap_test "$name: an option without its argument is a usage error" \
		test_usage_error "option -n needs an argument" "$script" -i d0 -m "$MAC" -n
	ktap_test "$name: a stray argument is a usage error" \
		test_usage_error "unexpected argument 'd0'" "$script" -m "$MAC" d0
	for option in s t f c n b w; do
		ktap_test "$name: -$option takes a number only" \
			test_usage_error "must be a number, not '1e3'" "$script" -i d0 -m "$MAC" "-$option" 1e3
	done
done
ktap_test "simple: -m is required" test_usage_error "no destination MAC address" "$SIMPLE" -i d0
ktap_test "-t 0 is a usage error" test_usage_error "at least 1" "$BURST" -i d0 -t 0
ktap_test "IP6 in the environment must be 6" test_usage_error "IP6 must be 6" env IP6=yes "$BURST" -i d0
ktap_test "-h shows every option and this script's defaults" test_help
ktap_test "a usage error leaves configured devices alone" test_usage_error_touches_nothing

for value in 10.0.0 10.0.0.256 10.0.0.1/33 10.0.0.1/ host ::1; do
	ktap_test "-d $value is refused" test_bad_value -d "$value"
done
for value in 1::2::3 fd00::12345 fd00: 1:2:3:4:5:6:7 ::/129 10.0.0.1 ::1.2.3; do
	ktap_test "-6 -d $value is refused" test_bad_value -6 -d "$value"
done
for value in 0 65536 20-10 a 1-2-3 5-; do
	ktap_test "-p $value is refused" test_bad_value -p "$value"
done

ktap_test "defaults" test_option \
	"min_pkt_size: 60  max_pkt_size: 60;delay: 0  clone_skb: 0;dst_min: 198.18.0.42  dst_max: 198.18.0.42;udp_dst_min: 9  udp_dst_max: 9;NO_TIMESTAMP;!UDPCSUM;!UDPDST_RND" --
ktap_test "-s sets the size" test_option "min_pkt_size: 124  max_pkt_size: 124" -- -s 124
ktap_test "-d sets one address" test_option "dst_min: 10.1.2.3  dst_max: 10.1.2.3" -- -d 10.1.2.3
ktap_test "-d with a prefix sets a range" \
	test_option "dst_min: 10.1.2.0  dst_max: 10.1.3.255" -- -d 10.1.2.3/23
ktap_test "-m sets the destination MAC address" \
	test_option "dst_mac: 02:0a:0b:0c:0d:0e" -- -m 02:0a:0b:0c:0d:0e
ktap_test "-p sets one port" test_option "udp_dst_min: 53  udp_dst_max: 53;UDPDST_RND" -- -p 53
ktap_test "-p sets a port range" test_option "udp_dst_min: 1000  udp_dst_max: 2000;UDPDST_RND" -- -p 1000-2000
ktap_test "-k asks for checksums" test_option "UDPCSUM" -- -k
ktap_test "-c sets clone_skb" test_option "clone_skb: 7" -- -c 7
ktap_test "-n sets the count" test_option "count 1234 " -- -n 1234
ktap_test "-w sets the delay" test_option "delay: 5000" -- -w 5000
ktap_test "-6 sends to an IPv6 address" \
	test_option "min_daddr: fd00::1  max_daddr: fd00::1;cur_daddr: fd00::1" -- -6
ktap_test "-6 -d with a prefix sets the masks" \
	test_option "min_daddr: fd00:1::  max_daddr: fd00:1::ffff:ffff:ffff" -- -6 -d fd00:1::/80
ktap_test "variables can be preset in the environment" test_option \
	"count 77 ;min_pkt_size: 200;min_daddr: fd00::7;udp_dst_min: 5;UDPCSUM" \
	COUNT=77 PKT_SIZE=200 IP6=6 DEST_IP=fd00::7 DST_PORT=5-6 UDP_CSUM=yes --
ktap_test "an option goes before the environment" test_option "count 78 " COUNT=77 -- -n 78
ktap_test "burst: 32 by default" test_burst_option "" "burst: 32"
ktap_test "burst: -b sets the burst" test_burst_option "-b 7" "burst: 7"
ktap_test "burst: -b 08 is decimal" test_burst_option "-b 08" "burst: 8"
ktap_test "burst: -b 0 sets none" test_burst_option "-b 0" ""
ktap_test "burst: each worker uses its CPU's queue" test_burst_option "" "QUEUE_MAP_CPU"
ktap_test "burst: -t and -f choose the workers" test_workers
ktap_test "burst: a worker that does not exist is named" test_worker_missing
ktap_test "simple: options without effect are told" test_options_without_effect
ktap_test "-v says what is done" test_verbose
ktap_test "simple: commands and their order" test_commands_simple
ktap_test "burst: commands and their order" test_commands_burst

ktap_test "simple: sends what -n says" test_simple_count
ktap_test "simple: sends 100000 by default" test_simple_default_count
ktap_test "burst: -n 1000 in bursts of 32" test_burst_count "" 1024
ktap_test "burst: -n 1000 without bursts" test_burst_count "-b 0" 1000
ktap_test "burst: -n 1000, each packet ten times" test_burst_count "-b 0 -c 10" 1000
ktap_test "burst: two workers" test_two_workers
ktap_test "-w keeps packets apart" test_delay
ktap_test "-d and -p ranges arrive as asked for" test_arrival \
	"protocol ip flower dst_ip 10.1.2.0/24 ip_proto udp dst_port 1000-1999" -d 10.1.2.0/24 -p 1000-2000
ktap_test "-6 arrives as asked for" test_arrival \
	"protocol ipv6 flower dst_ip fd00:1::/80 ip_proto udp dst_port 53" -6 -d fd00:1::/80 -p 53
ktap_test "-m arrives as asked for" test_arrival \
	"protocol ip flower dst_mac 02:0a:0b:0c:0d:0e" -m 02:0a:0b:0c:0d:0e

ktap_test "burst: refused on veth, with the way out" \
	test_refused "'burst 32' > $PROC/v0@0 failed: Operation not supported \(last Result: .*-b 0" "$BURST" -i v0 -n 1
ktap_test "simple: clone_skb refused on veth, with the way out" \
	test_refused "'clone_skb 5' > $PROC/v0 failed: Operation not supported .*-c 0" "$SIMPLE" -i v0 -m "$MAC" -c 5 -n 1
ktap_test "a bad MAC address is refused" \
	test_refused "'dst_mac 02:00' > $PROC/d0 failed: Invalid argument" "$SIMPLE" -i d0 -m 02:00
ktap_test "a device that does not exist is refused" \
	test_refused "'add_device nope' > $PROC/kpktgend_0 failed: No such device .*ip link" "$SIMPLE" -i nope -m "$MAC"
ktap_test "a device that is down is refused" \
	test_refused "'add_device down0' > .*Network is down .*ip link set" "$SIMPLE" -i down0 -m "$MAC"
ktap_test "a device that is on a worker already is refused" test_added_twice
ktap_test "files that are not writable are named" test_not_writable
ktap_test "a complaint in the Result text is shown" test_refusal_in_result
ktap_test "a device that goes away is told" test_device_removed_while_sending

ktap_test "the script in the documentation works" test_documented_script

ktap_test "-a adds and starts nothing" test_append

ktap_test "burst: says that the carrier was lost" test_carrier_lost

ktap_test "simple: ^C prints the result" test_interrupt group d0 "$SIMPLE" -i d0 -m "$MAC"
ktap_test "burst: ^C prints both workers' results" test_interrupt_two_workers
ktap_test "a signal to the script alone is enough" test_interrupt script d0@0 "$BURST" -i d0
ktap_test "^C while the next packet is due in 2 s" test_interrupt group d0 "$SIMPLE" -i d0 -m "$MAC" -w 2000000000
ktap_test "^C before the workers have begun" test_early_interrupt
ktap_test "SIGTERM ends the run" test_terminate

ktap_test "not root: runs through sudo with the same arguments" test_sudo
ktap_test "not root and no sudo: one clear line" test_no_sudo
ktap_test "root of a user namespace only: one clear line" test_no_capability
ktap_test "loads the module that RPKTGEN_KO names" test_loads_named_module
ktap_test "loads it for the directory that PROC_DIR names" test_proc_dir
ktap_test "looks for rpktgen, then for pktgen" test_module_search_order
ktap_test "a module that cannot be loaded is named" test_broken_module

ktap_run
