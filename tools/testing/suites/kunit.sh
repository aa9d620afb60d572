#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The module's own unit tests. A module made with KUNIT=1 runs them when it is
# loaded and reports them in the kernel log; here each becomes a test of this
# suite. Runs in a kernel with KUnit that was booted with KUNIT=1.

# shellcheck source=tools/testing/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

RPKTGEN_KO=${RPKTGEN_KO:?names the module to test}

# report: what the kernel log says from the loading of the module on, which returns
# after the tests.
report() {
	local start
	start=$(dmesg --notime | wc -l)
	insmod "$RPKTGEN_KO" || return
	dmesg --notime | tail -n +"$((start + 1))"
}

# read_report: one "verdict|suite|name|notes" for each result, with the notes'
# line ends as \n, and one "count|suite|announced|seen" for each suite.
read_report() {
	awk '
		function note(text) { gsub(/\\/, "&&", text); gsub(/[|]/, "/", text); notes = notes text "\\n" }
		/^    # Subtest: / { suite = $3; announced = seen = 0; notes = ""; next }
		suite == "" { next }
		/^    1\.\.[0-9]+$/ { announced = substr($1, 4); next }
		/^    (not )?ok [0-9]+ / {
			verdict = $1 == "not" ? "failed" : /# SKIP/ ? "skipped" : "passed"
			print verdict "|" suite "|" ($1 == "not" ? $4 : $3) "|" notes
			seen++
			notes = ""
			next
		}
		/^(not )?ok [0-9]+ / { print "count|" suite "|" announced "|" seen; suite = ""; next }
		{ note($0) }
		END { if (suite != "") print "count|" suite "|" announced "|" seen "|unfinished" }
	'
}

test_unit() { # VERDICT NOTES
	printf '%b' "$2"
	case $1 in
	passed) ;;
	skipped) skip "see the kernel log" ;;
	*) fail "failed" ;;
	esac
}

# Suites that were announced and did not end, or that hold nothing, are no success.
test_complete() { # SUITES UNFINISHED-ONES
	(($1 > 0)) || fail "loading $RPKTGEN_KO ran no unit tests: it was built, or the kernel booted, without KUNIT=1"
	[[ -z $2 ]] || fail "ended before their last test: $2"
}

test_unload() { rmmod rpktgen; }

suites=0 unfinished=''
results=$(report | read_report)
while IFS='|' read -r verdict suite name notes more; do
	if [[ $verdict == count ]]; then
		[[ $suite == rpktgen_* ]] || continue
		suites=$((suites + 1))
		((name > 0 && name == notes)) && [[ -z $more ]] || unfinished+=" $suite ($notes of $name)"
	elif [[ $suite == rpktgen_* ]]; then
		ktap_test "$suite: $name" test_unit "$verdict" "$notes"
	fi
done <<<"$results"
ktap_test "all suites ran to their end" test_complete "$suites" "$unfinished"
ktap_test "the module leaves" test_unload
ktap_run
