# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# For tools/testing/run: what came of a suite, read from its output. Strictly: a
# suite that stops in the middle must not count as one that passed.
#
# read_ktap FILE STATUS and read_cargo FILE STATUS set PASSED, FAILED, SKIPPED,
# BROKEN (why the suite as a whole is not to be believed, or empty), MISSING (tests
# that gave no result) and DETAILS (what is to be said about each failure); read_ktap
# also NOT_OK, the lines of the tests that failed, without numbers, SKIPS, the titles
# and reasons of those that were skipped, and FIGURES, the notes of those that passed.
# Sourced, never run.

begin_results() {
	PASSED=0 FAILED=0 SKIPPED=0 MISSING=0 BROKEN='' DETAILS=() NOT_OK=() SKIPS=() FIGURES=()
}

# A suite that ended before its last test has failed those that are missing, and
# one that ended badly in another way has failed as a whole.
break_results() { # MISSING REASON
	BROKEN=$2
	MISSING=$1
	FAILED=$((FAILED + ($1 > 0 ? $1 : 1)))
}

# What a status other than those for "all passed" and "some failed" means.
status_meaning() { # STATUS
	case $1 in
	123) echo "the kernel reported a fault" ;;
	124) echo "time-out" ;;
	125) echo "the lab could not run" ;;
	127) echo "not found" ;;
	137) echo "killed" ;;
	*) echo "ended with status $1" ;;
	esac
}

# Nothing but the version, the plan, numbered results in order, and notes before them.
read_ktap() { # FILE STATUS
	local line seen=0 plan='' version='' notes=() what='' unknown=''
	begin_results
	while IFS= read -r line || [[ -n $line ]]; do
		if [[ -z $version ]]; then
			[[ $line == "KTAP version 1" ]] || unknown=${unknown:-$line}
			version=1
		elif [[ -z $plan && $line =~ ^1\.\.([0-9]+)$ ]]; then
			plan=${BASH_REMATCH[1]}
		elif [[ $line == "# "* || $line == "#" ]]; then
			notes+=("${line#"#"}")
		elif [[ -n $plan && $line =~ ^(not\ )?ok\ ([0-9]+)(\ .*)?$ ]] && ((BASH_REMATCH[2] == seen + 1)); then
			seen=$((seen + 1))
			what=${BASH_REMATCH[3]}
			if [[ -n ${BASH_REMATCH[1]} ]]; then
				FAILED=$((FAILED + 1))
				DETAILS+=("not ok$what" "${notes[@]/#/  }")
				NOT_OK+=("not ok$what")
			elif [[ $what =~ ^(.*)\ #\ SKIP(\ .*)?$ ]]; then
				SKIPPED=$((SKIPPED + 1))
				SKIPS+=("skipped:${BASH_REMATCH[1]}${BASH_REMATCH[2]:+:${BASH_REMATCH[2]}}")
			else
				PASSED=$((PASSED + 1))
				FIGURES+=("${notes[@]/# /}")
			fi
			notes=()
		else
			unknown=${unknown:-$line}
		fi
	done <"$1"

	local wanted=$((FAILED > 0))
	if [[ -z $plan ]]; then
		break_results 0 "$( (($2 <= 1)) || echo "$(status_meaning "$2"); ")no test was announced"
	elif ((seen != plan)); then
		DETAILS+=("after$what:" "${notes[@]/#/  }")
		break_results $((plan - seen)) "$( (($2 <= 1)) || echo "$(status_meaning "$2"); ")$seen of $plan tests gave a result"
	elif [[ -n $unknown ]]; then
		break_results 0 "not KTAP: $unknown"
	elif ((plan == 0)); then
		break_results 0 "no tests"
	elif (($2 != wanted)); then
		break_results 0 "$(status_meaning "$2") after the last test"
	fi
}

# What came of a suite on another module, of whose failures NOT_OK is enough. ERR
# is where the lab told what the kernel reported.
comparison() { # ERR
	local text="$PASSED passed, ${#NOT_OK[@]} failed, $((SKIPPED + MISSING)) not tried"
	[[ -z $BROKEN ]] || text+="; $BROKEN"
	awk -v text="$text" '
		/^---- the kernel reported:/ && !seen++ { getline; sub(/^\[[ 0-9.]+\](\[ *[TC][0-9]+\])? ?/, ""); text = text "; " $0 }
		END { print text }' "$1"
}

read_cargo() { # FILE STATUS
	local line announced=0 open=0 seen=0 in_failures=''
	begin_results
	while IFS= read -r line || [[ -n $line ]]; do
		if [[ $line =~ ^running\ ([0-9]+)\ tests?$ ]]; then
			announced=$((announced + BASH_REMATCH[1]))
			open=$((open + 1))
		elif [[ $line =~ ^test\ result:\ [a-zA-Z]+\.\ ([0-9]+)\ passed\;\ ([0-9]+)\ failed\;\ ([0-9]+)\ ignored\;\ ([0-9]+)\ measured ]]; then
			PASSED=$((PASSED + BASH_REMATCH[1]))
			FAILED=$((FAILED + BASH_REMATCH[2]))
			SKIPPED=$((SKIPPED + BASH_REMATCH[3]))
			seen=$((seen + BASH_REMATCH[1] + BASH_REMATCH[2] + BASH_REMATCH[3] + BASH_REMATCH[4]))
			open=$((open - 1))
			in_failures=''
		elif [[ $line == failures: ]]; then
			# Twice: what the tests printed, then their names again.
			in_failures=y
		elif [[ -n $in_failures && -n $line ]]; then
			DETAILS+=("$line")
		fi
	done <"$1"

	if ((announced == 0)); then
		break_results 0 "no test ran (cargo $(status_meaning "$2"))"
	elif ((open != 0 || seen != announced)); then
		break_results $((announced - seen)) "$seen of $announced tests gave a result (cargo $(status_meaning "$2"))"
	elif (($2 != 0 && FAILED == 0 || $2 == 0 && FAILED > 0)); then
		break_results 0 "cargo $(status_meaning "$2")"
	fi
}
