#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The test runner's own judgement: suites that pass, fail, stop in the middle or
# say something else than they should. Runs on the machine itself, boots nothing.

set -euo pipefail
# shellcheck source=tools/testing/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
# shellcheck source=tools/testing/results.sh
source "$TEST_ROOT/tools/testing/results.sh"

# FORMAT and STATUS are what a suite printed and how it ended, WANTED is
# "passed failed skipped", BROKEN a part of the reason why it is not believed.
test_results() { # FORMAT STATUS TEXT WANTED [BROKEN]
	printf '%b' "$3" >out
	"read_$1" out "$2"
	check_eq "$PASSED $FAILED $SKIPPED" "$4" "passed, failed, skipped ($BROKEN)"
	if [[ -z ${5-} ]]; then
		check_eq "$BROKEN" "" "reason"
	else
		check_match "$BROKEN" "$5" "reason"
	fi
}

ktap() { ktap_test "KTAP: $1" test_results ktap "${@:2}"; }
cargo() { ktap_test "cargo: $1" test_results cargo "${@:2}"; }

V='KTAP version 1\n'
ktap "all passed" 0 "${V}1..2\nok 1 a\nok 2 b\n" "2 0 0"
ktap "one failed" 1 "${V}1..2\nok 1 a\n# why\nnot ok 2 b\n" "1 1 0"
ktap "one skipped" 0 "${V}1..2\nok 1 a\nok 2 b # SKIP no netem\n" "1 0 1"
ktap "no newline at the end" 0 "${V}1..1\nok 1 a" "1 0 0"
ktap "nothing at all" 0 "" "0 1 0" "no test was announced"
ktap "no plan" 0 "${V}ok 1 a\n" "0 1 0" "no test was announced"
ktap "no tests" 0 "${V}1..0\n" "0 1 0" "no tests"
ktap "no version" 0 "1..1\nok 1 a\n" "0 1 0" "no test was announced"
ktap "fewer results than planned" 0 "${V}1..5\nok 1 a\nok 2 b\n" "2 3 0" "2 of 5 tests gave a result"
ktap "more results than planned" 0 "${V}1..1\nok 1 a\nok 2 b\n" "2 1 0" "2 of 1 tests"
ktap "a number twice" 0 "${V}1..2\nok 1 a\nok 1 a\n" "1 1 0" "1 of 2 tests"
ktap "other text" 0 "${V}1..1\nhello\nok 1 a\n" "1 1 0" "not KTAP: hello"
ktap "another plan" 0 "${V}1..1\nok 1 a\n1..1\n" "1 1 0" "not KTAP: 1..1"
ktap "a fault of the kernel after the last test" 123 "${V}1..1\nok 1 a\n" "1 1 0" "the kernel reported a fault after the last test"
ktap "a fault of the kernel in the middle" 123 "${V}1..3\nok 1 a\n" "1 2 0" "the kernel reported a fault; 1 of 3"
ktap "a time-out" 124 "${V}1..3\nok 1 a\n" "1 2 0" "time-out; 1 of 3"
ktap "no lab" 125 "" "0 1 0" "the lab could not run; no test"
ktap "killed" 137 "${V}1..1\n" "0 1 0" "killed; 0 of 1"
ktap "not there" 127 "" "0 1 0" "not found; no test"
ktap "all passed, but the status says no" 1 "${V}1..1\nok 1 a\n" "1 1 0" "ended with status 1 after"
ktap "one failed, but the status says yes" 0 "${V}1..1\nnot ok 1 a\n" "0 2 0" "ended with status 0 after"

good='running 2 tests\ntest a ... ok\ntest b ... ok\n\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s\n\n'
none='running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\n'
some='running 3 tests\ntest a ... ok\ntest b ... FAILED\ntest c ... ignored\n\nfailures:\n\n---- b stdout ----\nleft: 1\n\nfailures:\n    b\n\n'
some+='test result: FAILED. 1 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s\n\n'
cargo "all passed" 0 "$good$none$good" "4 0 0"
cargo "one failed, one ignored" 101 "$good$some$good" "5 1 1"
cargo "does not compile" 101 "" "0 1 0" "no test ran"
cargo "no tests" 0 "$none" "0 1 0" "no test ran"
cargo "crashed in the middle" 101 "${good}running 5 tests\ntest a ... ok\n" "2 5 0" "2 of 7 tests gave a result"
cargo "all passed, but the status says no" 101 "$good" "2 1 0" "cargo ended with status 101"
cargo "one failed, but the status says yes" 0 "$some" "1 2 1" "cargo ended with status 0"
cargo "time-out" 124 "running 1 test\n" "0 1 0" "0 of 1 tests gave a result .*time-out"

## What lib.sh prints is what is read

test_lib() {
	cat >suite <<-END
	#!/bin/bash
	source "$TEST_ROOT/tools/testing/lib.sh"
	passes() { true; }
	fails() { echo "a note"; false; echo "not reached"; }
	skips() { skip "not here"; }
	exits() { exit 0; }
	ktap_test "one # two" passes
	ktap_test "fails" fails
	ktap_test "skips" skips
	ktap_test "no such function" nothing
	ktap_run
	END
	local status=0
	bash suite >out || status=$?
	read_ktap out "$status"
	check_eq "$PASSED $FAILED $SKIPPED $BROKEN" "1 2 1 " "passed, failed, skipped"
	check_eq "${DETAILS[0]}|${DETAILS[1]}" "not ok fails|   a note" "details"
	check_no_match "${DETAILS[*]}" "not reached" "details"
	check_eq "${NOT_OK[*]}|${SKIPS[*]}" "not ok fails not ok no such function|skipped: skips: not here" "failures and skips"
}

## Another module

# The lines of what failed, notes of what passed, and what the lab told.
test_comparison() { # STATUS TEXT ERR WANTED NOT-OK FIGURES
	printf '%b' "$2" >out
	printf '%b' "$3" >err
	read_ktap out "$1"
	check_eq "$(comparison err)" "$4" "comparison"
	check_eq "${NOT_OK[*]}|${FIGURES[*]}" "$5|$6" "failures and figures"
}

comparison_test() { ktap_test "comparison: $1" test_comparison "${@:2}"; }

comparison_test "passed, failed, skipped" 1 "${V}1..3\n# 5 ms\n# 6 ms\nok 1 a\n# why\nnot ok 2 b\nok 3 c # SKIP not safe\n" "" \
	"1 passed, 1 failed, 1 not tried" "not ok b" "5 ms 6 ms"
comparison_test "a fault in the middle" 123 "${V}1..4\nok 1 a\nok 2 b # SKIP not safe\n" \
	"---- the kernel reported:\n[   12.5][  T7] BUG: KASAN: x\nmore\n---- the kernel reported:\nBUG: y\nlab: z\n" \
	"1 passed, 0 failed, 3 not tried; the kernel reported a fault; 2 of 4 tests gave a result; BUG: KASAN: x" "" ""
comparison_test "a time-out" 124 "${V}1..2\nok 1 a\n" "lab: time-out\n" \
	"1 passed, 0 failed, 1 not tried; time-out; 1 of 2 tests gave a result" "" ""
comparison_test "nothing at all" 125 "" "" "0 passed, 0 failed, 0 not tried; the lab could not run; no test was announced" "" ""

## Command line

runner=$TEST_ROOT/tools/testing/run

test_list() {
	local set name rest listed=' ' file
	check_status 0 "$runner" --list
	check_match "$OUT"$'\n' "(^|"$'\n'")test +smoke +qemu +4 +igb +suites/smoke-qemu.sh"$'\n' "list"
	# What is listed is there, and what is there is listed, once or with other settings.
	while read -r set name rest; do
		rest=$(grep -oE '(host|suites|robust)/[^ ]+' <<<"$rest") || continue
		[[ -x $TEST_ROOT/tools/testing/$rest ]] || fail "$name ($set): no tools/testing/$rest"
		listed+="$rest "
	done <<<"$OUT"
	for file in "$TEST_ROOT"/tools/testing/{host,suites,robust}/*.sh; do
		[[ -x $file ]] || continue
		rest=${file#"$TEST_ROOT/tools/testing/"}
		[[ $listed == *" $rest "* ]] || fail "no suite runs $rest"
	done
	check_eq "$(awk '{ print $2 }' <<<"$OUT" | sort | uniq -d)" "" "names that are there twice"
}

# Those of a set, those that are named, and "make test" runs none but its own.
test_sets() {
	check_status 0 "$runner" --list --set debug
	check_eq "$(awk '{ print $1 }' <<<"$OUT" | sort -u)" debug "sets"
	check_eq "$(awk '{ print $3 }' <<<"$OUT" | sort -u)" qemu-debug "machines"
	check_status 0 "$runner" --list --only core users-qemu smoke
	check_eq "$(awk '{ print $1, $2 }' <<<"$OUT" | xargs)" "test core test smoke robust users-qemu" "suites of two sets"
	check_status 0 "$runner" --list --set robust --only users-qemu
	check_eq "$(awk '{ print $1, $2 }' <<<"$OUT")" "robust users-qemu" "one of a set"
	check_eq "$(sed -n '/^test:/{n;p}' "$TEST_ROOT/Makefile" | xargs)" "@tools/testing/run" "make test"
}

# What a target runs is a set, and every set has a target.
test_targets() {
	check_eq "$(sed -nE 's/^\t@tools\/testing\/run --set ([a-z]+)$/\1/p' "$TEST_ROOT/Makefile" | xargs)" \
		"$("$runner" --list | awk '$1 != "test" { print $1 }' | uniq | xargs)" "sets"
}

# The limit, the settings and the C module, as the table says.
test_table() {
	local set name where cpus nic limit other what
	# shellcheck source=tools/testing/table.sh
	source "$TEST_ROOT/tools/testing/table.sh"
	while read -r set name where cpus nic limit other what; do
		[[ $limit == - || $limit =~ ^[0-9]+$ ]] || fail "$name: limit $limit"
		[[ $other == - || $other == yes && $set == robust && $what == robust/* ]] || fail "$name: C $other"
		[[ $set == test || $where == host || $name == *-"$where" ]] || fail "$name does not say where: $where"
		[[ $where == cargo || $where == host || $cpus =~ ^[0-9]+$ ]] || fail "$name: CPUs $cpus"
		[[ $nic == - || $where == qemu* ]] || fail "$name: NIC $nic on $where"
	done < <(suites)
}

test_usage() {
	check_status 2 "$runner" --nonsense
	check_match "$ERR" "^run: unknown option '--nonsense'[^"$'\n'"]*$" "one line"
	check_status 2 "$runner" --only
	check_match "$ERR" "--only needs a name" "message"
	check_status 2 "$runner" --only core nosuch
	check_match "$ERR" "no suite 'nosuch': choose from core " "message"
	check_status 2 "$runner" --set
	check_match "$ERR" "--set needs a name" "message"
	check_status 2 "$runner" --set nosuch
	check_match "$ERR" "no set 'nosuch': choose from test robust debug;" "message"
	check_status 2 "$runner" --set robust --only core
	check_match "$ERR" "no suite 'core' in the set robust: choose from " "message"
	check_status 0 "$runner" --help
	check_match "$OUT" "--set SET +test, robust, debug .*--only NAME" "help"
}

ktap_test "what lib.sh prints is read" test_lib
ktap_test "the list of suites" test_list
ktap_test "sets of suites" test_sets
ktap_test "targets of make" test_targets
ktap_test "the table of suites" test_table
ktap_test "errors in the command line" test_usage
ktap_run
