#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What "make run" runs in the lab kernel: its reading of the results must not take
# nonsense for a rate, and its verdict must not be good when packets are missing.

# shellcheck source=tools/testing/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
# shellcheck source=tools/demo/results.sh
source "$TEST_ROOT/tools/demo/results.sh"

MODULE_KO=${MODULE_KO:-${RPKTGEN_KO:?names the module to test}}
MODULE=$(basename "$MODULE_KO" .ko)

# A device's result as the samples print it.
result() { # THREAD PACKETS ERRORS [USEC]
	echo "d0@$1:"
	echo "  Result: OK: ${4:-1000}(c${4:-1000}+d0) usec, $2 (60byte,0frags)"
	echo "  2500000pps 1200Mb/sec (1200000000bps) errors: $3"
}

test_parse() { # TEXT WANTED
	check_eq "$(parse_results <<<"$1")" "$2" "parsed"
}

test_parse_never() { # TEXT...: none of them is a result
	local text
	for text in "$@"; do
		check_eq "$(parse_results <<<"$text")" "" "parsed from: $text"
	done
}

GOOD="$(result 0 2500 0)"

test_verdict() { # STATUS MESSAGE THREADS COUNT BURST RESULTS
	local status=0
	report_mode mode "$3" "$4" "$5" "$6" || status=$?
	check_eq "$status" "$1" "status"
	check_eq "$MODE_ERROR" "$2" "message"
}

test_table() {
	local text
	text=$(table_header; report_mode "start_xmit" 2 2500 1 "$(result 0 2500 0; result 1 2500 0 500)")
	check_eq "$text" "\
mode                   thread    packets         pps  ns a packet  errors
start_xmit                  0       2500     2500000        400.0       0
                            1       2500     2500000        200.0       0
                        total       5000     5000000        200.0       0" "table"
}

test_demo() {
	local mode
	[[ ! -d /proc/net/pktgen ]] || rmmod "$MODULE"
	check_status 0 env RPKTGEN_KO="$MODULE_KO" "$TEST_ROOT/tools/demo/first-packets.sh"
	for mode in "start_xmit, burst 32" netif_receive "queue_xmit, fq_codel"; do
		check_match "$OUT" "$mode +0 +[1-9][0-9]* +[1-9][0-9]* +[0-9]+\.[0-9] +0"$'\n' "table"
	done
	[[ $OUT == *"Linux $(uname -r),"* ]] || fail "no kernel release in: $OUT"
	[[ ! -d /proc/net/pktgen ]] || fail "the module is still loaded"
	[[ ! -e /sys/class/net/demo0 ]] || fail "demo0 is left behind"
}

# A qdisc that loses packets while it tells the sender that all is well: the
# verdict must notice although every Result says OK.
test_demo_notices_loss() {
	[[ ! -d /proc/net/pktgen ]] || rmmod "$MODULE"
	tc qdisc add dev lo root netem loss 10% 2>/dev/null || skip "no netem qdisc"
	tc qdisc del dev lo root
	mkdir bin
	cat >bin/tc <<END
#!/bin/bash
$(command -v tc) "\${@/#fq_codel/netem}" \$([[ "\$*" != *fq_codel* ]] || echo loss 10%)
END
	chmod +x bin/tc
	check_status 1 env PATH="$TEST_DIR/bin:$PATH" RPKTGEN_KO="$MODULE_KO" "$TEST_ROOT/tools/demo/first-packets.sh"
	check_match "$ERR" "queue_xmit, fq_codel: 100000 packets sent, but [89][0-9]{4} arrived" "verdict"
	[[ ! -d /proc/net/pktgen ]] || fail "the module is still loaded"
	[[ ! -e /sys/class/net/demo0 ]] || fail "demo0 is left behind"
}

test_demo_without_module() {
	check_status 1 env -u RPKTGEN_KO "$TEST_ROOT/tools/demo/first-packets.sh"
	check_match "$ERR" "^[^"$'\n'"]*RPKTGEN_KO is not set[^"$'\n'"]*$" "one clear line"
	check_status 1 env RPKTGEN_KO=/nonexistent.ko "$TEST_ROOT/tools/demo/first-packets.sh"
	check_match "$ERR" "cannot load /nonexistent.ko" "message"
}

ktap_test "results: one device" test_parse "$GOOD" "0 2500 2500000 1000 0"
ktap_test "results: two devices among other lines" test_parse \
	"Sending"$'\n'"$(result 0 10 1)"$'\n\n'"$(result 12 30 0 7)"$'\n'"bye" \
	"0 10 2500000 1000 1"$'\n'"12 30 2500000 7 0"
ktap_test "results: with how the runs ended" test_parse \
	"$GOOD"$'\n  ended: count reached\n'"$(result 1 30 0 7)"$'\n  ended: stopped' \
	"0 2500 2500000 1000 0"$'\n'"1 30 2500000 7 0"
ktap_test "results: nothing" test_parse_never "" $'\n' "d0@0:"
ktap_test "results: not run, running, failed" test_parse_never \
	$'d0@0:\n  Result: Idle' $'d0@0:\n  Result: Starting' $'d0@0:\n  Result: No memory' \
	$'d0@0:\n  Result: OK: burst=32'
ktap_test "results: cut off after any byte" bash -c "
	source '$TEST_ROOT/tools/demo/results.sh'
	text='$GOOD'
	for ((i = 0; i < \${#text}; i++)); do
		[[ -z \$(parse_results <<<\"\${text:0:i}\") ]] || { echo \"taken: \${text:0:i}\"; exit 1; }
	done"
ktap_test "results: no device, lines swapped or interrupted" test_parse_never \
	"${GOOD#*$'\n'}" \
	$'d0@0:\n  2500000pps 1200Mb/sec (1200000000bps) errors: 0\n  Result: OK: 1000(c1000+d0) usec, 2500 (60byte,0frags)' \
	$'d0@0:\n  Result: OK: 1000(c1000+d0) usec, 2500 (60byte,0frags)\nnoise\n  2500000pps 1200Mb/sec (1200000000bps) errors: 0'
ktap_test "results: not numbers" test_parse_never \
	"${GOOD/2500 /-2500 }" "${GOOD/2500 /x }" "${GOOD/errors: 0/errors: }" "${GOOD/2500000pps/pps}" "${GOOD/@0/@x}"

ktap_test "verdict: as asked for" test_verdict 0 "" 1 2500 1 "$GOOD"
ktap_test "verdict: one burst more" test_verdict 0 "" 1 2490 32 "$GOOD"
ktap_test "verdict: more than a burst too much" test_verdict 1 \
	"thread 0 sent 2500 packets, 2468 were asked for" 1 2468 32 "$GOOD"
ktap_test "verdict: one packet short" test_verdict 1 \
	"thread 0 sent 2500 packets, 2501 were asked for" 1 2501 32 "$GOOD"
ktap_test "verdict: no packet" test_verdict 1 \
	"thread 0 sent 0 packets, 2500 were asked for" 1 2500 32 "$(result 0 0 0)"
ktap_test "verdict: errors" test_verdict 1 "thread 0 had 3 errors" 1 2500 1 "$(result 0 2500 3)"
ktap_test "verdict: the first thread fails, the second is well" test_verdict 1 \
	"thread 0 sent 7 packets, 2500 were asked for" 2 2500 1 "$(result 0 7 0; result 1 2500 0)"
ktap_test "verdict: a thread is missing" test_verdict 1 "1 of 2 threads gave a result" 2 2500 1 "$GOOD"
ktap_test "verdict: no result at all" test_verdict 1 "0 of 2 threads gave a result" 2 2500 1 ""
ktap_test "table: columns and totals" test_table

ktap_test "first packets: all modes" test_demo
ktap_test "first packets: lost packets are noticed" test_demo_notices_loss
ktap_test "first packets: no module, one clear line" test_demo_without_module

ktap_run
