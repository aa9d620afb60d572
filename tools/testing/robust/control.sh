#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Commands of many processes at once, and the proof that none is lost. The script
# beside it, rounds, says how. Runs inside a lab kernel.
#
# ROUNDS=N: play that many rounds, 10000 by default, fewer in debug kernels. SEED=N:
# with these delays. STORM=SECONDS: how long the processes go on without rounds.
# TOGETHER=N: so many times a start and a stop at the same moment.

# shellcheck source=tools/testing/robust/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

rounds=$TEST_ROOT/tools/testing/robust/rounds
ROUNDS=${ROUNDS:-$(by_machine 10000 300)}
seed=${SEED:-$RANDOM}
storm=${STORM:-$(by_machine 10 4)}
TOGETHER=${TOGETHER:-$(by_machine 1000 200)}

play() { # ROUNDS
	local line
	"$rounds" "$PROC" d0 "$1" "$seed" >said || fail "$(<said)"
	while IFS= read -r line; do figure "$line"; done <said
	check_alive
}

test_rounds() {
	add_dummy d0 4
	play "$ROUNDS"
}

# Whichever comes first, it comes first to all threads.
test_together() {
	((LAST > 0)) || skip "needs two CPUs"
	add_dummy d0 $((LAST + 1))
	"$TEST_ROOT/tools/testing/robust/together" "$PROC" d0 "$TOGETHER" >said 2>&1 || fail "$(<said)"
	figure "$(<said)"
	check_alive
}

# Without rounds, as fast as each can. Whoever writes start is never left alone.
test_storm() {
	add_dummy d0 4
	hammers "$storm" "add d0" "control start" "control stop" "control reset" remove write read
	check_consistent
	nothing_runs || fail "all have ended, but devices run"
	check_quick 1000 ip link del d0
	ip link add d0 type dummy
	check_alive
}

# Nobody stops: each of them has its runs ended by the signal or the removal alone.
test_storm_without_stop() {
	add_dummy d0 4
	hammers "$storm" "add d0" "control start" "control start" remove write
	check_consistent
	nothing_runs || fail "all have ended, but devices run"
}

module_test "$ROUNDS rounds of five processes: no command is lost" ours_only test_rounds
module_test "$TOGETHER times start and stop at once: all threads run, or none" ours_only test_together
module_test "seven processes without rounds" ours_only test_storm
module_test "five processes without a stop" ours_only test_storm_without_stop

# covered by suites/control.sh: test_two_starts, test_start_while_running, test_quick_stop,
# test_quick_reset; suites/thread.sh: test_add_race; suites/device.sh: test_readers_and_writers

ktap_run
