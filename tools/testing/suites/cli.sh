#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The rpktgen command against a real module: what it says is what the kernel says,
# and what it starts, stops and resets is. Runs inside a lab kernel with two CPUs;
# MODULE_KO=$PKTGEN_KO runs it against the C module.

# shellcheck source=tools/testing/module.sh
source "$(dirname "${BASH_SOURCE[0]}")/../module.sh"

# In the lab it is on the path.
CLI=${RPKTGEN_CLI:-$(command -v rpktgen || true)}
: "${CLI:?no rpktgen to test on the path}"

# json TEXT EXPRESSION: a value of the document TEXT, as python3 prints it. In the
# expression t is the first tree and d its devices by name.
json() {
	python3 -c '
import json, sys
t = json.loads(sys.argv[1])["trees"][0]
d = {x["name"]: x for y in t["threads"] for x in y["devices"]}
print(eval(sys.argv[2]))' "$1" "$2"
}

check_json() { # EXPRESSION WANTED; of the output of check_status
	check_eq "$(json "$OUT" "$1")" "$2" "$1"
}

# The command failed and said why in one line, with nothing beside it.
check_refused() { # STATUS REGEX [ARG...]
	check_status "$1" "$CLI" "${@:3}"
	check_eq "$OUT" "" "output"
	check_match "$ERR" "^rpktgen: [^"$'\n'"]*$2[^"$'\n'"]*$" "message"
}

# cli_behind NAME ARG...: run in the background, its process in CLI_PID; its output
# goes to NAME.out and NAME.err. Signals have their default action there.
cli_behind() {
	local name=$1
	env --default-signal "$CLI" "${@:2}" >"$name.out" 2>"$name.err" &
	CLI_PID=$!
	# Until then it ignores SIGINT, as what a shell starts behind it does.
	until [[ /proc/$CLI_PID/exe -ef $CLI ]] || has_ended "$CLI_PID"; do :; done
}

check_ends() { # NAME STATUS; sets OUT and ERR
	local status=0
	wait_for 15 has_ended "$CLI_PID"
	wait "$CLI_PID" || status=$?
	OUT=$(<"$1.out") ERR=$(<"$1.err")
	check_eq "$status" "$2" "status ($ERR)"
}

is_ours() { [[ $MODULE == rpktgen ]]; }

ours_only() { is_ours || skip "the C module has no such thing"; }

## status

test_fresh() {
	check_status 0 "$CLI" status
	check_eq "$(cut -f 1-4 <<<"$OUT")" "$(printf '%s\t%s\t%s\t%s\n' tree thread device state \
		"$PROC" kpktgend_0 - - "$PROC" kpktgend_1 - -)" "first columns"
	check_eq "$ERR" "" "messages"
	check_status 0 "$CLI" status --json
	check_json 't["path"], t["version"], t["problems"]' "('$PROC', '2.75', [])"
}

# Each optional line of a device's text, some in one device, the rest in another:
# none may be unknown, in the module that runs here.
test_all_lines_known() {
	add_dummy d0 4
	device d0@0 "count 7" "min_pkt_size 100" "max_pkt_size 200" "delay 1000" \
		"skb_priority 3" "dst 198.18.0.42" "src_min 198.18.0.1" "dst_mac 02:00:00:00:00:01" \
		"udp_src_min 5" "udp_src_max 6" "queue_map_min 1" "queue_map_max 2" \
		"burst 4" "flag NO_TIMESTAMP" "flag UDPSRC_RND" "xmit_mode netif_receive"
	device d0@1 "xmit_mode queue_xmit" "count 0" "delay 2147483647" "dst6 fd00::2" "tos 0f" \
		"traffic_class f0" "vlan_id 7" "svlan_id 8" "node 0" "flows 8" "flowlen 4" \
		"imix_weights 100,1 200,2" "src_mac_count 3" "frags 5" "spi 9" "flag IPSEC" "flag FLOW_SEQ"
	check_status 0 "$CLI" status --json
	check_json '[x["other"] for x in d.values()] + [x["other"] for x in t["threads"]]' "[[], [], [], []]"
	check_json 'len(d), t["unlisted"]' "(2, [])"
	check_json 'd["d0@0"]["params"]["count"], d["d0@0"]["params"]["burst"]' "(7, 4)"
	check_json 'd["d0@0"]["params"]["xmit_mode"], d["d0@1"]["params"]["xmit_mode"]' \
		"('netif_receive', 'queue_xmit')"
	check_json '"NO_TIMESTAMP" in d["d0@0"]["params"]["flags"]' True
	check_json 'd["d0@1"]["params"]["delay_ns"] == 2**64 - 1' True
	check_json '[d["d0@1"]["params"][k] for k in ("frags", "flows", "flowlen", "node", "spi")]' "[5, 8, 4, 0, 9]"
	check_json 'len(d["d0@1"]["params"]["imix_weights"]), len(d["d0@1"]["current"]["imix_size_counts"])' "(2, 2)"
	check_json '[x["params"][k] for x in d.values() for k in ("count", "min_pkt_size", "frags", "flows",
		"queue_map_min", "src_mac", "udp_dst_max", "dst_mac_count")].count(None)' 0
	check_json '[x["current"][k] for x in d.values() for k in ("packets", "started_us", "seq_num",
		"cur_saddr", "cur_udp_dst", "cur_queue_map", "flows")].count(None)' 0
}

test_rates() {
	ours_only
	add_dummy d0 2
	device d0@0 "count 100" "pps 10k"
	device d0@1 "count 100" "bps 1G"
	check_status 0 "$CLI" status --json
	check_json '[(x["params"]["pps"], x["params"]["bps"], x["other"]) for x in d.values()]' \
		"[(10000, None, []), (None, 1000000000, [])]"
	check_status 0 "$CLI" status
	check_match "$OUT" "d0@0	.* count=100 pps=10000 .*d0@1	.* count=100 bps=1000000000 " "settings"
	put d0@0 "delay 5"
	check_status 0 "$CLI" status --json
	check_json '[d["d0@0"]["params"][k] for k in ("pps", "bps", "delay_ns")]' "[None, None, 5]"
}

test_running() {
	add_dummy d0
	device d0 "count 0"
	start_behind d0
	check_status 0 "$CLI" status --json
	check_json 'd["d0"]["state"], d["d0"]["result"]["phase"]' "('running', 'starting')"
	check_json 'd["d0"]["live"]["pps"] > 0 and d["d0"]["live"]["ns_per_packet"] > 0' True
	check_json 'len(t["threads"]), t["threads"][0]["devices"][0]["name"]' "(2, 'd0')"
	echo stop >"$PROC/pgctrl"
	check_start_returns
}

test_terminal() {
	add_dummy d0
	device d0 "count 1000"
	start
	OUT=$(TERM=xterm NO_COLOR='' python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' "$CLI" status)
	check_match "$OUT" $'\e\[1m'"$PROC, version 2.75, 2 threads, 1 device, 0 running" "heading"
	check_match "$OUT" "kpktgend_0.*d0.*stopped.* 1,000 .*finished" "device"
	check_match "$OUT" "without devices: kpktgend_1" "idle worker"
	check_no_match "$(TERM=xterm "$CLI" status)" $'\e' "colours in a pipe"
}

test_renamed() {
	add_dummy d0
	device d0 "count 10"
	ip link set d0 down
	ip link set d0 name d1
	defer ip link del d1
	# Before that: the C module never lets go of a renamed interface.
	defer reset_all
	ip link set d1 up
	check_status 0 "$CLI" status --json
	check_json 'len(d), t["unlisted"], t["problems"]' "(1, [], [])"
	check_json '[x["file"] for x in d.values()]' "['d1']"
}

## start, stop, reset

# What the document in OUT says of the end of a run; the C module does not say.
check_ended() { # DEVICE WHY
	local wanted=None
	! is_ours || wanted=$2
	check_json "d['$1']['result']['summary']['ended']" "$wanted"
	check_json "d['$1']['other']" "[]"
}

test_start() {
	add_dummy d0 2
	device d0@0 "count 1000" "pkt_size 60"
	device d0@1 "count 2000" "pkt_size 60"
	check_status 0 "$CLI" start --json
	check_eq "$ERR" "" "messages"
	check_eq "$(tx_packets d0)" 3000 "packets of the device"
	check_sent d0@0 1000
	check_json 'd["d0@0"]["result"]["summary"]["packets"], d["d0@1"]["result"]["summary"]["packets"]' "(1000, 2000)"
	check_json 'd["d0@0"]["result"]["summary"]["pps"]' "$PPS"
	check_json 'd["d0@0"]["result"]["summary"]["elapsed_us"]' "$TOTAL_US"
	check_json 'd["d0@0"]["result"]["summary"]["bps"]' "$BPS"
	check_ended d0@0 "count reached"
	# Again: counters begin anew.
	check_status 0 "$CLI" start
	check_eq "$(tx_packets d0)" 6000 "packets of the device"
}

test_start_blocks() {
	local begin
	add_dummy d0
	device d0 "count 50" "delay 10000000"
	begin=$(now_ms)
	check_status 0 "$CLI" start
	(($(now_ms) - begin >= 450)) || fail "returned after $(($(now_ms) - begin)) ms"
}

test_start_nothing() {
	check_refused 4 "no device is configured in $PROC" start
}

test_start_without_link() {
	add_dummy d0
	device d0 "count 10"
	ip link set d0 down
	check_status 1 "$CLI" start
	check_match "$ERR" "the run failed: d0 sent nothing: " "message"
	! is_ours || check_match "$ERR" "nothing: netdev down$" "reason"
	check_match "$OUT" "kpktgend_0	d0	stopped	0" "report"
}

# Nobody asked the run to end, although its count is endless.
test_broken_off() { # WHY COMMAND...
	ours_only
	add_dummy d0 2
	device d0@0 "count 0"
	device d0@1 "count 10"
	cli_behind run start --json
	wait_for 10 is_sending d0@0
	wait_for 10 has_sent d0@1 10
	"${@:2}"
	check_ends run 1
	check_match "$ERR" "^rpktgen: the run failed: d0@0 sent [0-9]+ packets: $1$" "message"
	check_ended d0@0 "$1"
	check_ended d0@1 "count reached"
	OUT=$(TERM=xterm NO_COLOR='' python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' "$CLI" status)
	check_match "$OUT" "d0@0.*stopped.*ended: $1.*d0@1.*stopped.*finished" "table"
}

has_sent() { # DEVICE PACKETS
	(($(sofar "$1") >= $2)) && ! is_running "$1"
}

test_start_twice() {
	add_dummy d0
	device d0 "count 0"
	start_behind d0
	check_refused 1 "already running in $PROC: d0" start
	is_running d0 || fail "the run was disturbed"
	check_status 0 "$CLI" stop
	check_start_returns
}

test_signal() { # NAME
	add_dummy d0 2
	device d0@0 "count 0"
	device d0@1 "count 0"
	cli_behind run start --json
	wait_for 10 is_sending d0@0
	wait_for 10 is_sending d0@1
	kill -s "$1" "$CLI_PID"
	check_ends run 0
	nothing_runs || fail "still running"
	check_eq "$ERR" "" "messages"
	check_json 'sum(x["result"]["summary"]["packets"] for x in d.values())' "$(tx_packets d0)"
	check_ended d0@0 stopped
	check_ended d0@1 stopped
}

# As early as it gets: the workers may not have seen the start.
test_signal_at_once() {
	local delay
	add_dummy d0
	device d0 "count 0"
	for delay in 0.01 0.03 0.05 0.1 0.15; do
		cli_behind run start
		sleep "$delay"
		kill -s INT "$CLI_PID"
		wait_for 15 has_ended "$CLI_PID"
		sleep 0.3
		nothing_runs || fail "runs on after ^C at $delay s"
	done
}

test_ignored_signal() {
	add_dummy d0
	device d0 "count 0"
	(trap '' HUP && exec "$CLI" start >run.out 2>run.err) &
	CLI_PID=$!
	wait_for 10 is_sending d0
	kill -s HUP "$CLI_PID"
	sleep 0.5
	is_running d0 || fail "a SIGHUP that was ignored (nohup) stopped the run"
	kill -s TERM "$CLI_PID"
	check_ends run 0
}

test_stop() {
	add_dummy d0
	device d0 "count 0"
	cli_behind run start
	wait_for 10 is_sending d0
	check_status 0 "$CLI" stop
	check_match "$OUT" "d0	stopped	$(tx_packets d0)	" "report"
	nothing_runs || fail "still running"
	check_ends run 0
	check_status 0 "$CLI" stop
}

# Ended before its count: the one who waits must learn it.
test_stop_short_of_count() {
	add_dummy d0
	device d0 "count 100000" "delay 1000000"
	cli_behind run start
	wait_for 10 is_sending d0
	check_status 0 "$CLI" stop
	check_ends run 1
	check_match "$ERR" "d0 sent [0-9]+ of 100000 packets(: stopped|)$" "message"
}

test_reset() {
	add_dummy d0 2
	device d0@0 "count 0"
	device d0@1 "count 0"
	start_behind d0@0
	check_status 0 "$CLI" reset
	check_eq "$OUT" "$PROC: 2 devices removed" "report"
	check_nothing_left
	check_start_returns
	check_status 0 "$CLI" reset
	check_eq "$OUT" "$PROC: 0 devices removed" "report"
}

## Refusals

as_user() { setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }

test_not_permitted() {
	local command
	add_dummy d0
	device d0 "count 10"
	# The build directory may be closed to others.
	install -m 755 "$CLI" /tmp/rpktgen-user
	defer rm /tmp/rpktgen-user
	for command in status start stop reset; do
		check_status 3 as_user /tmp/rpktgen-user "$command"
		check_eq "$OUT" "" "output"
		check_match "$ERR" "^rpktgen: cannot .*$PROC/.*Permission denied" "message"
	done
	for command in start stop reset; do
		check_status 3 setpriv --bounding-set=-net_admin --inh-caps=-net_admin "$CLI" "$command"
		check_match "$ERR" "$PROC/pgctrl: Operation not permitted.*CAP_NET_ADMIN" "message"
	done
	check_eq "$(tx_packets d0)" 0 "packets sent"
	[[ -e $PROC/d0 ]] || fail "reset was carried out"
}

test_no_module() {
	local command
	unload
	for command in status start stop reset; do
		check_refused 4 "no packet generator below /proc/net" "$command"
	done
	check_refused 4 "cannot list $PROC: No such file" status --proc "$PROC"
	load
}

test_two_trees() {
	[[ -n ${PKTGEN_KO-} && $MODULE_KO != "$PKTGEN_KO" ]] || skip "takes both modules"
	unload
	load_with procdir=other
	defer load
	defer unload
	insmod "$PKTGEN_KO"
	defer rmmod pktgen
	check_refused 2 "say which with --proc \(/proc/net/other or $PROC\)" reset
	check_status 0 "$CLI" status
	check_eq "$(cut -f 1 <<<"$OUT" | sort -u | xargs)" "/proc/net/other $PROC tree" "trees"
	check_status 0 "$CLI" reset --proc /proc/net/other
	check_eq "$OUT" "/proc/net/other: 0 devices removed" "report"
}

module_test "status of a fresh module" test_fresh
module_test "status knows every line" test_all_lines_known
module_test "status of a device with a rate" test_rates
module_test "status of a run" test_running
module_test "status on a terminal" test_terminal
module_test "status of a renamed interface" test_renamed
module_test "start runs to the end" test_start
module_test "start blocks" test_start_blocks
module_test "start without devices" test_start_nothing
module_test "start without link" test_start_without_link
module_test "start of a run whose device goes down" test_broken_off "netdev down" ip link set d0 down
module_test "start of a run whose carrier is lost" test_broken_off "no carrier" ip link set d0 carrier off
module_test "start while running" test_start_twice
module_test "start ends on SIGINT" test_signal INT
module_test "start ends on SIGTERM" test_signal TERM
module_test "start ends on an early SIGINT" test_signal_at_once
module_test "start respects nohup" test_ignored_signal
module_test "stop ends a run" test_stop
module_test "stop short of the count" test_stop_short_of_count
module_test "reset during a run" test_reset
module_test "not permitted" test_not_permitted
module_test "no module" test_no_module
module_test "two trees" test_two_trees
ktap_run
