#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What comes and goes: the module, net devices, their names, network namespaces;
# configured and while packets are sent. Runs inside a lab kernel with two CPUs.
# That the kernel log stays clean is checked by the lab. (How the C module is
# loaded after ours is in host/late-pktgen.sh, for it makes the kernel warn.)

# shellcheck source=tools/testing/module.sh
source "$(dirname "${BASH_SOURCE[0]}")/../module.sh"

: "${PKTGEN_KO:?names the C module}"

# What the kernel log says from here on.
mark_log() {
	MARK="mark $RANDOM$RANDOM"
	echo "$MARK" >/dev/kmsg
}

log_since_mark() { dmesg | sed "1,/$MARK/d"; }

# How many there are, of all namespaces.
threads() { cat /proc/[0-9]*/comm 2>/dev/null | grep -c '^kpktgend_' || :; }

# The other module, beside ours or in its place.
load_pktgen() {
	insmod "$PKTGEN_KO"
	defer rmmod pktgen
}

# A device of each mode that sends without end.
modes=(start_xmit netif_receive queue_xmit)

run_endless() { # MODE DEVICE...
	local device
	for device in "${@:2}"; do
		device "$device" "xmit_mode $1" "count 0"
	done
	start_behind "${@:2}"
}

## The module

test_load_unload() {
	local i
	unload
	for ((i = 0; i < 50; i++)); do
		insmod "$MODULE_KO"
		[[ -e $PROC/pgctrl && -e $PROC/kpktgend_1 ]] || fail "round $i: no files"
		rmmod "$MODULE"
		[[ ! -e $PROC ]] || fail "round $i: $PROC is still there"
	done
	check_eq "$(threads)" 0 "threads left"
}

test_load_unload_configured() {
	local i
	add_dummy d0 2
	for ((i = 0; i < 10; i++)); do
		device d0@0 "count 100"
		device d0@1 "count 100"
		start
		check_sent d0@1 100
		check_quick 2000 unload
		load
	done
}

test_identity() {
	mark_log
	load
	check_match "$(log_since_mark)" "$MODULE: $VERSION_LINE" "kernel log"
	check_match "$(modinfo "$MODULE_KO")" "license: +GPL" "licence"
	check_match "$(modinfo -F parm "$MODULE_KO")" "procdir:.*" "parameters"
	[[ ! -e /sys/module/$MODULE/parameters/procdir ]] || fail "procdir can be changed after loading"
}

test_load_twice() {
	check_status 1 insmod "$MODULE_KO"
	check_match "$ERR" "File exists" "message"
	device lo "count 5"
	start
	check_sent lo 5
}

# Whoever has a file open when the module goes finds EIO, and the module goes.
test_open_files() {
	local file status
	add_dummy d0
	device d0
	python3 - "$PROC"/{pgctrl,kpktgend_0,d0} >out <<-'END' &
	import os, sys, time
	files = [os.open(name, os.O_RDWR) for name in sys.argv[1:]]
	for f in files:
	    assert os.read(f, 10), "nothing to read"
	open("opened", "w").close()
	while not os.path.exists("unloaded"):
	    time.sleep(0.01)
	for f in files:
	    for call in (lambda: os.read(f, 100), lambda: os.write(f, b"stop"), lambda: os.lseek(f, 0, 0)):
	        try:
	            print(call())
	        except OSError as error:
	            print(os.strerror(error.errno))
	END
	wait_for 10 test -e opened
	check_quick 2000 unload
	touch unloaded
	wait $!
	# lseek may or may not work on a file that is gone.
	check_eq "$(sed -n '1,2p;4,5p;7,8p' out | sort | uniq -c | xargs)" "6 Input/output error" "reads and writes"
}

# Reads and writes without a pause, until each file says that it is gone.
test_unload_while_read() {
	local i
	add_dummy d0
	for ((i = 0; i < 10; i++)); do
		device d0 "count 0"
		put kpktgend_1 "add_device d0@1"
		# shellcheck disable=SC2016 # perl's variables
		perl -MErrno -e 'alarm 20;
			my @files = map { open my $f, "+<", $_ or die "$_: $!"; $f } @ARGV;
			open my $ready, ">", "ready"; close $ready;
			while (@files) {
				@files = grep {
					my $f = $_;
					my $read = sysread $f, my $text, 4096;
					sysseek $f, 0, 0;
					my $written = syswrite $f, "count 5";
					die "write: $!" unless defined $written || $!{EINVAL} || $!{EIO};
					defined $written || !$!{EIO};
				} @files;
			}' "$PROC"/{pgctrl,kpktgend_0,d0,d0@1} &
		wait_for 10 test -e ready
		check_quick 2000 unload
		wait $! || fail "round $i: the reader ended with status $?"
		rm ready
		load
	done
}

# Packets are being sent, and someone waits in start.
test_unload_running() { # MODE
	local sent
	add_dummy d0 2
	run_endless "$1" d0@0 d0@1
	check_quick 2000 unload
	check_start_returns
	[[ ! -e $PROC ]] || fail "$PROC is still there"
	sent=$(tx_packets d0)
	sleep 0.2
	check_eq "$(tx_packets d0)" "$sent" "packets sent after that"
	check_quick 1000 ip link del d0
}

test_unload_waiting() { # DELAY
	add_dummy d0
	device d0 "count 0" "delay $1"
	start_behind
	wait_for 5 is_running d0
	check_quick 1000 unload
	check_start_returns
}

## Beside the C module

test_after_pktgen() {
	unload
	load_pktgen
	mark_log
	check_status 1 insmod "$MODULE_KO"
	# The kernel keeps EEXIST for a module that is loaded already.
	check_match "$ERR" "Device or resource busy" "message of insmod"
	check_no_match "$(log_since_mark)" "suspiciously" "kernel log"
	check_match "$(log_since_mark)" "$MODULE: /proc/net/pktgen exists: unload pktgen first, or load $MODULE with procdir=NAME" "kernel log"
	check_no_match "$(log_since_mark)" "$VERSION_LINE" "kernel log"
	# The C module works as before.
	device lo "count 5"
	start
	check_sent lo 5
	put pgctrl reset
	check_nothing_left
}

test_side_by_side() {
	add_dummy d0
	unload
	load_pktgen
	load_with procdir=rpktgen
	defer unload
	check_eq "$(PROC=/proc/net/rpktgen files)" "kpktgend_0 kpktgend_1 pgctrl" "files"
	# The same name in both; each counts its own.
	put kpktgend_0 "add_device d0"
	put d0 "count 30"
	PROC=/proc/net/rpktgen
	put kpktgend_0 "add_device d0"
	put d0 "count 40"
	start
	check_sent d0 40
	check_eq "$(tx_packets d0)" 40 "packets"
	PROC=/proc/net/pktgen
	check_result d0 "OK: count=30"
	start
	check_sent d0 30
	check_eq "$(tx_packets d0)" 70 "packets"
	put pgctrl reset
	unload
	[[ -e /proc/net/pktgen/pgctrl && ! -e /proc/net/rpktgen ]] || fail "the wrong directory is gone"
}

test_bad_procdir() { # NAME ERROR LOG
	unload
	mark_log
	check_status 1 insmod "$MODULE_KO" "procdir=$1"
	check_match "$ERR" "$2" "message of insmod"
	[[ ! -e $PROC ]] || fail "$PROC was made"
	! is_loaded || fail "the module is loaded"
	check_match "$(log_since_mark)" "$3" "kernel log"
	load
}

test_procdir_name() {
	unload
	load_with "procdir=abcdefghijklmnopqrstuvwxyz01234"
	check_eq "$(PROC=/proc/net/abcdefghijklmnopqrstuvwxyz01234 files)" "kpktgend_0 kpktgend_1 pgctrl" "files"
	load
}

## Net devices

test_delete_running() { # MODE
	local name
	add_dummy d0 2
	add_dummy d1
	run_endless "$1" d0@0 d0@1
	device d0@idle
	mark_log
	check_quick 2000 ip link del d0
	check_start_returns
	check_nothing_left
	for name in d0@0 d0@1; do
		check_match "$(log_since_mark)" "$MODULE: $name: netdev gone; [1-9][0-9]* packets sent, [0-9]+ errors" "kernel log"
	done
	check_no_match "$(log_since_mark)" "d0@idle" "kernel log"
	device d1 "count 5"
	start
	check_sent d1 5
}

test_delete_veth_peer() {
	add_veth v0 v1
	run_endless start_xmit v0
	check_quick 2000 ip link del v1
	check_start_returns
	check_nothing_left
}

# More than ten of them, on both workers, running and idle.
test_delete_many() {
	local i
	add_dummy d0 2
	add_dummy d1
	for ((i = 0; i < 20; i++)); do
		put "kpktgend_$((i % 2))" "add_device d0@$i"
	done
	device d1 "count 0" "delay 100000"
	for ((i = 0; i < 20; i += 3)); do put "d0@$i" "count 0" "delay 100000"; done
	start_behind d0@0 d0@3 d1
	check_quick 2000 ip link del d0
	check_eq "$(files)" "d1 kpktgend_0 kpktgend_1 pgctrl" "files"
	is_running d1 || fail "another net device's run has ended"
	put pgctrl stop
	check_start_returns
}

test_delete_loop() {
	local i
	for ((i = 0; i < 20; i++)); do
		ip link add d0 numtxqueues 2 type dummy
		quiet_device d0
		ip link set d0 up
		run_endless "${modes[i % 3]}" d0@0 d0@1
		ip link del d0
		check_start_returns
	done
	check_nothing_left
}

## Names

test_rename() {
	add_dummy d0 2
	defer ip link del other0
	put kpktgend_0 "add_device d0" "add_device d0@0"
	put kpktgend_1 "add_device d0@1"
	ip link set d0 name other0
	check_eq "$(files)" "kpktgend_0 kpktgend_1 other0 other0@0 other0@1 pgctrl" "files"
	check_eq "$(listed kpktgend_0 Stopped) $(listed kpktgend_1 Stopped)" "other0@0 other0 other0@1" "lists"
	check_eq "$(value other0@1 ifname)" other0@1 "ifname"
	put other0@1 "count 10"
	put other0@0 "count 20"
	put other0 "count 30"
	start
	check_sent other0@0 20
	check_eq "$(tx_packets other0)" 60 "packets"
	# The old name is free.
	add_dummy d0
	device d0@0
	check_quick 1000 ip link del other0
	check_eq "$(files)" "d0@0 kpktgend_0 kpktgend_1 pgctrl" "files"
}

test_rename_running() { # MODE
	local before
	add_dummy d0 2
	defer ip link del other0
	run_endless "$1" d0@0 d0@1
	# A device that is up may be renamed, too.
	ip link set d0 name other0
	check_eq "$(listed kpktgend_0 Running) $(listed kpktgend_1 Running)" "other0@0 other0@1" "running"
	before=$(sofar other0@0)
	sleep 0.1
	(($(sofar other0@0) > before)) || fail "it sends no more"
	put other0@0 "delay 1000"
	ip link set other0 name d0
	put pgctrl stop
	check_start_returns
	read_summary d0@1
	check_quick 1000 ip link del d0
}

# The new name's file exists already.
test_rename_onto_another() {
	add_dummy d0
	add_dummy d1
	put kpktgend_0 "add_device d0@x" "add_device d1@x"
	ip link del d1
	ip link set d0 name d1
	defer ip link del d1
	check_eq "$(files)" "d1@x kpktgend_0 kpktgend_1 pgctrl" "files"
}

# A name that no device file can have, or that another has, leaves the old one. The
# kernel would warn of a second entry of a name, which the lab takes for a fault.
test_rename_refused() {
	add_dummy d0
	put kpktgend_0 "add_device d0"
	ip link set d0 name pgctrl
	check_eq "$(files)" "d0 kpktgend_0 kpktgend_1 pgctrl" "files"
	check_match "$(<"$PROC/pgctrl")" "Version" "the control file"
	ip link set pgctrl name kpktgend_1
	check_eq "$(files)" "d0 kpktgend_0 kpktgend_1 pgctrl" "files"
	ip link set kpktgend_1 name d0

	ip link property add dev d0 altname other
	put kpktgend_1 "add_device other"
	ip link set d0 name d2
	defer ip link del d2
	# The first follows; the second would have the same name.
	check_eq "$(files)" "d2 kpktgend_0 kpktgend_1 other pgctrl" "files"
	put d2 "count 3"
	put other "count 4"
	start
	check_eq "$(tx_packets d2)" 7 "packets of both"
	ip link set d2 name d3
	ip link set d3 name d2
	put pgctrl reset
	check_nothing_left
}

## Namespaces

in_ns() { ip netns exec other "$@"; }

# A shell in the namespace, whose "start" may outlive the namespace's name.
configure_in_ns() { # MODE
	# shellcheck disable=SC2016 # for the shell in there
	in_ns bash -ec '
		ip link add d0 numtxqueues 2 type dummy
		[[ ! -e /proc/sys/net/ipv6/conf/d0/disable_ipv6 ]] || echo 1 >/proc/sys/net/ipv6/conf/d0/disable_ipv6
		ip link set d0 up
		for cpu in 0 1; do
			echo "add_device d0@$cpu" >"$1/kpktgend_$cpu"
			echo "xmit_mode $2" >"$1/d0@$cpu"
			echo "count 0" >"$1/d0@$cpu"
		done' - "$PROC" "$1"
}

test_netns_configured() {
	local i
	for ((i = 0; i < 20; i++)); do
		ip netns add other
		configure_in_ns "${modes[i % 3]}"
		ip netns del other
	done
	check_only_own_threads
	check_nothing_left
}

# The threads of a namespace that is gone go soon after: its end is not waited for.
check_only_own_threads() {
	wait_for 20 only_own_threads
}

only_own_threads() { (($(threads) == 2)); }

test_netns_running() {
	local i
	for ((i = 0; i < 20; i++)); do
		ip netns add other
		configure_in_ns "${modes[i % 3]}"
		start_in_ns &
		wait_for 10 ns_sends
		ip netns del other
		# The writer of start holds the namespace until it ends.
		kill $!
		wait $! || :
	done
	check_only_own_threads
	device lo "count 5"
	start
	check_sent lo 5
}

# For the background: the job is the writer itself.
start_in_ns() { exec ip netns exec other sh -c "echo start >$PROC/pgctrl"; }

ns_sends() {
	(($(in_ns cat /sys/class/net/d0/statistics/tx_packets) > 0)) ||
		(($(in_ns sed -n 's/.*pkts-sofar: \([0-9]*\) .*/\1/p' "$PROC/d0@1") > 0))
}

test_unload_with_netns() {
	ip netns add other
	defer ip netns del other
	configure_in_ns start_xmit
	start_in_ns &
	wait_for 10 ns_sends
	check_quick 2000 unload
	wait $!
	check_eq "$(threads)" 0 "threads"
	load
	check_eq "$(in_ns ls "$PROC" | xargs)" "kpktgend_0 kpktgend_1 pgctrl" "files in the namespace"
}

test_move_running() { # MODE
	add_dummy d0 2
	add_dummy d1
	ip netns add other
	defer ip netns del other
	run_endless "$1" d0@0 d0@1
	mark_log
	check_quick 3000 ip link set d0 netns other
	check_no_match "$(log_since_mark)" "netdev gone" "kernel log"
	check_start_returns
	check_nothing_left
	# There it can be used.
	in_ns bash -ec "ip link set d0 up
		echo add_device d0 >$PROC/kpktgend_0
		echo count 5 >$PROC/d0
		echo start >$PROC/pgctrl
		grep -q 'pkts-sofar: 5 ' $PROC/d0"
}

module_test "identity: log line, licence, parameters" test_identity
module_test "load and unload fifty times" test_load_unload
module_test "unload with devices configured" test_load_unload_configured
module_test "load twice: File exists, nothing harmed" test_load_twice
module_test "unload with files open: they give EIO" test_open_files
module_test "unload while files are read and written" test_unload_while_read
for mode in "${modes[@]}"; do
	module_test "unload while $mode runs" test_unload_running "$mode"
done
module_test "unload with a delay of 9.9 s" test_unload_waiting 9999999999
module_test "unload when nothing is ever sent" test_unload_waiting 2147483647

module_test "the C module is there: refused, the log says what to do" test_after_pktgen
module_test "side by side with the C module" test_side_by_side
module_test "procdir: empty" test_bad_procdir "" "Invalid" "procdir=: not the name of a directory"
module_test "procdir: a slash" test_bad_procdir a/b "Invalid" "procdir=a/b: not the name of a directory"
module_test "procdir: dots" test_bad_procdir .. "Invalid" "procdir=\.\.: not the name of a directory"
module_test "procdir: one dot" test_bad_procdir . "Invalid" "procdir=\.: not the name of a directory"
module_test "procdir: what is there already" test_bad_procdir dev "Device or resource busy" "/proc/net/dev exists"
module_test "procdir: too long" test_bad_procdir abcdefghijklmnopqrstuvwxyz0123456789 "No space|Invalid" "procdir|$MODULE"
module_test "procdir: the longest" test_procdir_name

for mode in "${modes[@]}"; do
	module_test "a net device goes while $mode runs" test_delete_running "$mode"
done
module_test "a veth goes with its peer while it sends" test_delete_veth_peer
module_test "a net device with twenty devices goes" test_delete_many
module_test "twenty net devices go while they send" test_delete_loop

module_test "rename: files, lists and suffixes follow" test_rename
for mode in "${modes[@]}"; do
	module_test "rename while $mode runs" test_rename_running "$mode"
done
module_test "rename to a name that was used before" test_rename_onto_another
module_test "rename to a name that is taken keeps the old one" test_rename_refused

module_test "twenty namespaces with devices configured come and go" test_netns_configured
module_test "twenty namespaces come and go while devices send" test_netns_running
module_test "unload while another namespace's devices send" test_unload_with_netns
for mode in "${modes[@]}"; do
	module_test "a net device moves to another namespace while $mode runs" test_move_running "$mode"
done

ktap_run
