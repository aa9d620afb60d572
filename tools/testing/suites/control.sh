#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# pgctrl: what it takes and refuses, who may write to it, and how runs begin and
# end. Runs inside a lab kernel with two CPUs; with one, the devices share a worker.

# shellcheck source=tools/testing/module.sh
source "$(dirname "${BASH_SOURCE[0]}")/../module.sh"

write_tool=$TEST_ROOT/tools/testing/write

## Texts

test_read() {
	check_eq "$(<"$PROC/pgctrl")" "$VERSION_LINE" "pgctrl"
	check_eq "$(wc -l <"$PROC/pgctrl")" 1 "lines"
	check_eq "$(stat -c '%a %F %U' "$PROC/pgctrl")" "600 regular empty file root" "mode, kind and owner"
	check_eq "$(stat -c '%a %F' "$PROC")" "555 directory" "mode and kind of the directory"
}

test_accepted() { # COMMAND
	check_write pgctrl "$1" ${#1}
	check_write pgctrl "$1\n" $((${#1} + 1))
	check_write pgctrl "$1\0" $((${#1} + 1))
	check_write pgctrl "$1\0not looked at" $((${#1} + 14))
	# One line feed at the end of what is considered, not after a NUL.
	check_write pgctrl "$1\0\n" $((${#1} + 2))
}

test_refused() { # TEXT...
	local text
	for text in "$@"; do
		check_write pgctrl "$text" EINVAL
	done
}

# 130 digits and a NUL, cut after every byte.
test_prefixes_of_nonsense() {
	local text i prefixes=()
	printf -v text '%s' {1..9}{0..9}
	text=${text:0:130}
	for ((i = 0; i <= ${#text}; i++)); do prefixes+=("${text:0:i}"); done
	prefixes+=("$text\0")
	check_eq "$(writes pgctrl "${prefixes[@]}" | sort | uniq -c | xargs)" "132 EINVAL" "outcomes"
}

test_prefixes_of_commands() {
	local command i prefixes=()
	for command in start stop reset; do
		for ((i = 1; i < ${#command}; i++)); do
			prefixes+=("${command:0:i}" "${command:0:i}\n" "${command:0:i}\0")
		done
	done
	check_eq "$(writes pgctrl "${prefixes[@]}" | sort | uniq -c | xargs)" "${#prefixes[@]} EINVAL" "outcomes"
}

test_long_write() {
	local padding
	printf -v padding '%*s' 4000 ''
	check_write pgctrl "stop\0${padding// /x}" 4005
	check_write pgctrl "stop${padding}" EINVAL
	check_write pgctrl @65536 EINVAL
	# The line feed counts at the end of the first 127 bytes only.
	check_write pgctrl "stop\n${padding:0:200}" EINVAL
}

test_bad_pointer() {
	# shellcheck disable=SC2016 # perl's variables
	check_eq "$(perl -MErrno -e 'open my $f, ">", shift or die;
		for my $count (5, 4096, 1 << 20) {
			my $n = syscall(1, fileno($f), 1, $count); # write(2)
			print $n == -1 && $!{EFAULT} ? "EFAULT " : "$n ";
		}' "$PROC/pgctrl")" "EFAULT EFAULT EFAULT " "writes from address 1"
}

test_one_byte_at_a_time() {
	check_eq "$(writes pgctrl s t o p "\n" | xargs)" "EINVAL EINVAL EINVAL EINVAL EINVAL" "outcomes"
}

# A positional write is refused; the offset neither matters nor moves.
test_offsets() {
	# shellcheck disable=SC2016
	check_eq "$(perl -MErrno -e 'open my $f, "+<", shift or die;
		print syswrite($f, "stop"), " ";
		sysread($f, my $text, 4096); print length $text, " ";
		print syswrite($f, "stop\n"), " ";
		my $n = syscall(18, fileno($f), my $text2 = "stop", 4, 0); # pwrite64(2)
		print $n == -1 && $!{ESPIPE} ? "ESPIPE" : $n' "$PROC/pgctrl")" \
		"4 $((${#VERSION_LINE} + 1)) 5 ESPIPE" "write, read, write, pwrite"
}

## Who may

unprivileged() { setpriv --bounding-set=-net_admin --inh-caps=-net_admin "$@"; }

test_capability() {
	add_dummy d0
	device d0 "count 10"
	check_eq "$(unprivileged "$write_tool" "$PROC/pgctrl" stop "" start nonsense reset | xargs)" \
		"EPERM EPERM EPERM EPERM EPERM" "writes without CAP_NET_ADMIN"
	check_eq "$(tx_packets d0)" 0 "packets sent"
	[[ -e $PROC/d0 ]] || fail "reset was carried out"
	check_eq "$(unprivileged cat "$PROC/pgctrl")" "$VERSION_LINE" "reading without it"
}

test_not_root() {
	local status=0
	# The checkout may be one that others cannot read.
	install -m 755 "$write_tool" write
	chmod 755 .
	setpriv --reuid 65534 --regid 65534 --clear-groups ./write "$PROC/pgctrl" stop >out || status=$?
	check_eq "$status $(<out)" "1 open: EACCES" "open as another user"
}

## Runs

test_start_nothing() {
	check_quick 1000 put pgctrl start
	check_nothing_left
}

test_start_waits() {
	add_dummy d0
	device d0 "count 50" "delay 10000000"
	check_write pgctrl start 5
	check_sent d0 50
	check_eq "$(tx_packets d0)" 50 "packets of the device"
	nothing_runs || fail "start returned while a device runs"
}

test_start_again_after_end() {
	local run
	add_dummy d0
	device d0 "count 10"
	for run in 1 2 3; do
		start
		check_sent d0 10
		check_eq "$(tx_packets d0)" $((10 * run)) "packets of the device"
	done
}

test_stop_ends_runs() {
	add_dummy d0 2
	device d0@0 "count 0"
	device d0@1 "count 0"
	start_behind d0@0 d0@1
	((LAST == 0)) || check_eq "$(listed kpktgend_0 Running) $(listed kpktgend_1 Running)" "d0@0 d0@1" "running"
	check_result d0@0 Starting
	check_write pgctrl stop 4
	check_start_returns
	nothing_runs || fail "still running"
	read_summary d0@0
	check_eq "$(value d0@0 pkts-sofar) $(value d0@0 errors)" "$SENT $ERRORS" "counters against the summary"
	read_summary d0@1
	((SENT > 0)) || fail "no packet"
	check_eq "$(tx_packets d0)" $(($(sofar d0@0) + $(sofar d0@1))) "packets of the device"
}

# What a command line's ^C, kill and kill -9 do to whoever waits in start.
test_signal() { # SIGNAL
	local status=0 sent
	add_dummy d0 2
	device d0@0 "count 0"
	device d0@1 "count 0" "delay 500000000"
	start_behind d0@0 d0@1
	kill "-$1" "$STARTER"
	wait_for 10 has_ended "$STARTER"
	nothing_runs || fail "the writer is gone, but devices run"
	wait "$STARTER" || status=$?
	check_eq "$status" $((128 + $(kill -l "$1"))) "exit status of the writer"
	read_summary d0@0
	sent=$(tx_packets d0)
	sleep 0.2
	check_eq "$(tx_packets d0)" "$sent" "packets sent after the end"
}

# A program that catches the signal sees the write succeed.
test_caught_signal() {
	add_dummy d0
	device d0 "count 0"
	# shellcheck disable=SC2016
	perl -MErrno -e '$SIG{USR1} = sub { $caught++ };
		open my $f, ">", shift or die;
		my $n = syswrite($f, "start"); print defined $n ? $n : $!, " caught $caught\n"' \
		"$PROC/pgctrl" >start &
	wait_for 10 is_sending d0
	kill -USR1 $!
	wait $!
	check_eq "$(<start)" "5 caught 1" "the write"
	nothing_runs || fail "still running"
	read_summary d0
}

# Wherever in start the signal comes, nothing is left running.
test_early_signal() {
	local i pid
	add_dummy d0 2
	device d0@0 "count 0"
	device d0@1 "count 0"
	for ((i = 0; i < 15; i++)); do
		# shellcheck disable=SC2016
		perl -e 'open my $f, ">", shift or die;
			alarm 10; print "go\n"; close STDOUT; syswrite($f, "start")' "$PROC/pgctrl" >>go &
		pid=$!
		wait_for 10 grep -qc go go
		perl -e 'select undef, undef, undef, shift' "0.00$((i / 3))"
		kill -TERM "$pid"
		wait_for 10 has_ended "$pid"
		wait "$pid" || :
		nothing_runs || fail "round $i: the writer is gone, but devices run"
		: >go
	done
}

# An own command restarts everything: counters and times begin anew.
test_start_while_running() {
	local before started
	add_dummy d0
	device d0 "count 0"
	start_behind d0
	local first=$STARTER
	sleep 0.3
	before=$(sofar d0) started=$(value d0 started)
	mv start first
	start_behind d0
	wait_for 5 restarted d0 "${started%us}"
	echo stop >"$PROC/pgctrl"
	check_start_returns
	wait_for 5 has_ended "$first"
	check_eq "$(<first)" 5 "the first start"
	read_summary d0
	((TOTAL_US < 300000 || SENT < before)) || fail "the run of $TOTAL_US us, $SENT packets goes on from $before"
	(($(tx_packets d0) >= before + SENT)) || fail "packets are missing: $(tx_packets d0), $before and $SENT were counted"
}

restarted() { # DEVICE OLD
	local started
	started=$(value "$1" started)
	((${started%us} > $2))
}

test_two_starts() {
	local pids=() i
	add_dummy d0
	device d0 "count 100" "delay 5000000"
	for i in 1 2 3; do
		"$write_tool" "$PROC/pgctrl" start >"start$i" &
		pids+=($!)
	done
	wait "${pids[@]}"
	check_eq "$(cat start1 start2 start3 | xargs)" "5 5 5" "outcomes"
	check_sent d0 100
}

stopped_by_stop() {
	put pgctrl stop
	until nothing_runs; do sleep 0.005; done
}

# Nothing runs any more when stop returns, and what ran has its result.
test_stop_returns() { # COMMAND...
	local stopped=0
	add_dummy d0
	device d0@0 "count 0" "$@"
	device d0@1 "count 0" "$@"
	for _ in {1..20}; do
		start_behind
		wait_for 5 is_running d0@0
		echo stop >"$PROC/pgctrl"
		! nothing_runs || [[ $(result d0@0) != OK:* ]] || stopped=$((stopped + 1))
		check_start_returns
	done
	# One whose thread has no CPU for 20 ms is not waited for.
	((stopped >= 15)) || fail "of 20 stops, $stopped had stopped the runs when they returned"
}

# The best of three: a busy machine may keep any process from its CPU for that long.
test_quick_stop() { # COMMAND...
	local begin taken best=1000000
	add_dummy d0
	device d0 "count 0" "$@"
	for _ in 1 2 3; do
		start_behind
		wait_for 5 is_running d0
		sleep 0.1
		begin=$(now_ms)
		stopped_by_stop
		taken=$(($(now_ms) - begin))
		((taken >= best)) || best=$taken
		check_start_returns
	done
	echo "stopped within $best ms"
	((best <= 200 * SLOW)) || fail "stop took $best ms at best, more than $((200 * SLOW))"
	read_summary d0
}

test_quick_reset() {
	add_dummy d0
	device d0 "count 0" "delay 9999999999"
	start_behind
	wait_for 5 is_running d0
	check_quick 500 put pgctrl reset
	[[ ! -e $PROC/d0 ]] || fail "d0 is still there"
	check_start_returns
	check_nothing_left
}

# "Never" costs no CPU time.
test_never() {
	local pid before after
	add_dummy d0
	device d0 "count 0" "delay 2147483647"
	start_behind
	wait_for 5 is_running d0
	pid=$(worker_pid kpktgend_0)
	before=$(cpu_ticks "$pid")
	sleep 1
	after=$(cpu_ticks "$pid")
	((after - before <= 5)) || fail "$((after - before)) ticks of CPU time in a second of doing nothing"
	check_eq "$(tx_packets d0)" 0 "packets"
	put pgctrl stop
	check_start_returns
	check_sent d0 0
}

test_idle_workers() {
	local pid before
	pid=$(worker_pid kpktgend_0)
	before=$(cpu_ticks "$pid")
	sleep 1
	check_eq "$(cpu_ticks "$pid")" "$before" "CPU time of an idle worker"
}

test_stop_and_reset_idle() {
	add_dummy d0
	check_eq "$(writes pgctrl stop stop reset reset stop | xargs)" "4 4 5 5 4" "with nothing configured"
	device d0
	check_eq "$(writes pgctrl stop stop | xargs)" "4 4" "with an idle device"
	check_result d0 Idle
	check_eq "$(writes pgctrl reset reset | xargs)" "5 5" "reset"
	check_nothing_left
}

test_reset_many() {
	local i
	add_dummy d0 2
	for ((i = 0; i < 40; i++)); do
		put "kpktgend_$((i % (LAST + 1)))" "add_device d0@x$i"
	done
	put pgctrl reset
	check_nothing_left
	device d0@0 "count 10"
	start
	check_sent d0@0 10
}

# One namespace's start, stop and reset are not another's.
test_namespaces() {
	ip netns add other
	defer ip netns del other
	local fresh
	fresh=$(files)
	add_dummy d0
	device d0 "count 10"
	ip netns exec other bash -ec "
		ip link add d0 type dummy
		ip link set d0 up
		[[ \$(ls $PROC | xargs) == '$fresh' ]]
		echo add_device d0 >$PROC/kpktgend_0
		echo count 20 >$PROC/d0
		echo start >$PROC/pgctrl
		grep -q 'pkts-sofar: 20 ' $PROC/d0"
	check_result d0 "OK: count=10"
	ip netns exec other sh -c "echo reset >$PROC/pgctrl; ! test -e $PROC/d0"
	[[ -e $PROC/d0 ]] || fail "the other namespace's reset removed this one's device"
	start
	check_sent d0 10
}

module_test "the version line, modes and owner" test_read
for command in start stop reset; do
	module_test "$command: plain, with LF, with NUL" test_accepted "$command"
done
module_test "unknown words are refused" test_refused nonsense START starts help "\xff" "1"
module_test "blanks and separators are not skipped" test_refused " start" "start " "\nstart" "start\r\n" "start=" "=start" \
	"\"start\"" "\tstop" "reset\t"
module_test "more than a line is refused" test_refused "start\nstop" "stop\n\n" "reset\n\0"
module_test "nothing, an empty line, a NUL are refused" test_refused "" "\n" "\0" "\0start"
module_test "every prefix of 130 digits is refused" test_prefixes_of_nonsense
module_test "every prefix of a command is refused" test_prefixes_of_commands
module_test "long writes" test_long_write
module_test "an unreadable buffer is EFAULT" test_bad_pointer
module_test "a command split over writes is none" test_one_byte_at_a_time
module_test "offsets: none for writes, pwrite is ESPIPE" test_offsets
module_test "without CAP_NET_ADMIN everything is EPERM" test_capability
module_test "other users cannot open it" test_not_root

module_test "start with nothing configured returns" test_start_nothing
module_test "start waits until the last packet is sent" test_start_waits
module_test "start again begins from zero" test_start_again_after_end
module_test "stop ends the runs and start returns" test_stop_ends_runs
for signal in INT TERM KILL; do
	module_test "SIG$signal to the writer of start ends the runs" test_signal "$signal"
done
module_test "a caught signal: start succeeds, the runs are over" test_caught_signal
module_test "a signal at any moment of start leaves nothing running" test_early_signal
module_test "start while running begins anew" test_start_while_running
module_test "several starts at once all return" test_two_starts
module_test "stop has stopped when it returns: at full speed" test_stop_returns
module_test "stop has stopped when it returns: with a delay of 1 s" test_stop_returns "delay 1000000000"
module_test "stop is quick at full speed" test_quick_stop "burst 32"
module_test "stop is quick with a delay of 1 s" test_quick_stop "delay 1000000000"
module_test "stop is quick with a delay of 50 us" test_quick_stop "delay 50000"
module_test "stop is quick when nothing is ever sent" test_quick_stop "delay 2147483647"
module_test "reset is quick with a delay of 9.9 s" test_quick_reset
module_test "a delay of 2147483647 sends nothing and sleeps" test_never
module_test "idle workers sleep" test_idle_workers
module_test "stop and reset with nothing to stop or remove" test_stop_and_reset_idle
module_test "reset removes forty devices of two workers" test_reset_many
module_test "namespaces are apart" test_namespaces

ktap_run
