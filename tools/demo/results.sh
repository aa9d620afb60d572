# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# From pktgen's Result texts to a table; to be sourced.

# Read what pg_print_result printed for one or more devices named DEV@THREAD.
# Prints THREAD PACKETS PPS USEC ERRORS for each complete run summary, and
# nothing for whatever else there is.
parse_results() {
	local line thread='' packets='' usec=''
	local device='^[^[:space:]]+@([0-9]+):$'
	local first='^ *Result: OK: ([0-9]+)\(c[0-9]+\+d[0-9]+\) usec, ([0-9]+) \('
	local second='^ +([0-9]+)pps [0-9]+Mb/sec \([0-9]+bps\) errors: ([0-9]+)$'

	while IFS= read -r line; do
		if [[ $line =~ $device ]]; then
			thread=${BASH_REMATCH[1]} usec=''
		elif [[ -n $thread && $line =~ $first ]]; then
			usec=${BASH_REMATCH[1]} packets=${BASH_REMATCH[2]}
		elif [[ -n $usec && $line =~ $second ]]; then
			echo "$thread $packets ${BASH_REMATCH[1]} $usec ${BASH_REMATCH[2]}"
			thread='' usec=''
		else
			thread='' usec=''
		fi
	done
}

table_row() { # MODE THREAD PACKETS PPS NS ERRORS
	printf '%-22s %6s %10s %11s %12s %7s\n' "$@"
}

table_header() {
	table_row mode thread packets pps 'ns a packet' errors
}

# One decimal without floating point.
tenths() { # TENTHS
	echo "$(($1 / 10)).$(($1 % 10))"
}

# Print one mode's rows and check them: every thread must have sent what was
# asked for, without an error. Whole bursts are sent, so the last one may go
# beyond the count. On failure MODE_ERROR says what is wrong. The number of
# packets sent by all threads is left in MODE_PACKETS.
report_mode() { # MODE THREADS COUNT BURST RESULTS
	local mode=$1 threads=$2 count=$3 burst=$4 rows=()
	local row thread packets pps usec errors ns
	local all_pps=0 all_errors=0 label=$mode
	MODE_PACKETS=0
	MODE_ERROR=

	mapfile -t rows < <(parse_results <<<"$5")
	for row in "${rows[@]}"; do
		read -r thread packets pps usec errors <<<"$row"
		ns=-
		((packets == 0)) || ns=$(tenths $((usec * 10000 / packets)))
		table_row "$label" "$thread" "$packets" "$pps" "$ns" "$errors"
		label=
		((MODE_PACKETS += packets, all_pps += pps, all_errors += errors)) || true

		if ((packets < count || packets >= count + burst)); then
			MODE_ERROR="thread $thread sent $packets packets, $count were asked for"
		elif ((errors != 0)); then
			MODE_ERROR="thread $thread had $errors errors"
		fi
	done
	if ((${#rows[@]} != threads)); then
		MODE_ERROR="${#rows[@]} of $threads threads gave a result"
	fi
	((all_pps == 0)) ||
		table_row '' total "$MODE_PACKETS" "$all_pps" "$(tenths $((10000000000 / all_pps)))" "$all_errors"
	[[ -z $MODE_ERROR ]]
}
