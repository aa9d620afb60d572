#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# exec.sh [--few] [MACHINE...]: what tools/lab/exec promises (Documentation/lab.rst),
# tried from outside. Runs on the machine itself, as root; boots the machines
# named (default: uml and qemu), each some twenty times. --few tries only what
# the ways of booting differ in most: for qemu, whose boots are slow.

set -euo pipefail
# shellcheck source=tools/testing/lib.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/../lib.sh"

LAB=$TEST_ROOT/tools/lab
# A prefix that no process of anybody else's will have.
MARK=lab-exec-test-$$

lab() { # MACHINE [OPTION...] -- COMMAND [ARG...]
	"$LAB/exec" --machine "$@"
}

## Without a kernel

check_refused() { # WHAT OPTION...
	local what=$1
	shift
	check_status 125 "$LAB/exec" "$@"
	check_eq "$OUT" "" "$what: standard output"
	check_eq "$(wc -l <"$TEST_DIR/err")" 1 "$what: lines of explanation"
	check_match "$ERR" "$what" "explanation"
}

test_refused() {
	check_refused "no command" --machine uml
	check_refused "unknown option '--mashine'" --mashine uml -- true
	check_refused "unknown option 'true'" true
	check_refused "--timeout needs a value" --timeout
	check_refused "unknown machine 'vax'.*uml, uml-debug, qemu" --machine vax -- true
	check_refused "unknown NIC 'ne2000'.*virtio, igb, vmxnet3, e1000e" --nic ne2000 -- true
	check_refused "--nic vmxnet3:4|number of queues" --cpus 4 --nic vmxnet3:4 -- true
	check_refused "8 queues need" --cpus 4 --nic igb:8 -- true
	check_refused "uml has no NICs" --machine uml --nic igb -- true
	check_refused "uml has no NUMA nodes" --machine uml --cpus 2 --numa 2 -- true
	check_refused "at most 1 CPU" --machine uml-debug --cpus 2 -- true
	check_refused "as many CPUs" --numa 2 -- true
	check_refused "--cpus takes a number" --cpus two -- true
	check_refused "--timeout takes a number" --timeout 0 -- true
	check_refused "cannot have blanks" --machine uml --out "a b" -- true
}

test_help() {
	check_status 0 "$LAB/exec" --help
	check_match "$OUT" "--machine.*--timeout.*125" "help"
}

check_report() { # STATUS LINE
	printf '[    0.100000] before\n%s\n[    0.200000] after\n' "$2" >log
	check_status "$1" "$LAB/report" log
	(($1 == 0)) || check_match "$OUT" "after" "report of '$2'"
}

test_faults_are_found() {
	local line
	while IFS= read -r line; do
		check_report 1 "[   12.345678] $line"
		check_report 1 "$line"
		check_report 1 "[   12.345678][  T123] $line"
	done <<-'END'
	Kernel panic - not syncing: Fatal exception in interrupt
	Oops: general protection fault, probably for non-canonical address 0xdead000000000108: 0000 [#1] SMP
	Oops: 0002 [#1] PREEMPT SMP KASAN NOPTI
	BUG: kernel NULL pointer dereference, address: 0000000000000010
	BUG: unable to handle page fault for address: ffffb3a2c0000000
	BUG: KASAN: slab-use-after-free in pktgen_xmit+0x1d1/0x900
	BUG: KCSAN: data-race in a / b
	BUG: sleeping function called from invalid context at kernel/locking/mutex.c:283
	BUG: scheduling while atomic: kpktgend_0/123/0x00000002
	BUG kmalloc-64 (Not tainted): Poison overwritten
	BUG: workqueue lockup - pool cpus=1 node=0 flags=0x0 nice=0 stuck for 37s!
	kernel BUG at net/core/skbuff.c:112!
	WARNING: CPU: 0 PID: 12 at net/core/dev.c:7 f+0x12/0x34
	WARNING: kernel/sched/core.c:6753 at __schedule+0x610/0x6b0, CPU#1: swapper/1/0
	WARNING: possible circular locking dependency detected
	WARNING: inconsistent lock state
	WARNING: suspicious RCU usage
	INFO: task insmod:77 blocked for more than 120 seconds.
	INFO: trying to register non-static key.
	rcu: INFO: rcu_preempt self-detected stall on CPU
	rcu: INFO: rcu_sched detected stalls on CPUs/tasks:
	watchdog: BUG: soft lockup - CPU#1 stuck for 26s! [kpktgend_1:99]
	UBSAN: array-index-out-of-bounds in a.c:3:4
	kmemleak: unreferenced object 0xffff888003a4c000 (size 1024):
	list_del corruption. prev->next should be ffff888100000000, but was dead000000000122
	unregister_netdevice: waiting for d0 to become free. Usage count = 2
	refcount_t: underflow; use-after-free.
	Kernel mode fault at addr 0x8, ip 0x60012345
	END
}

test_ordinary_logs_pass() {
	local line
	while IFS= read -r line; do
		check_report 0 "[   12.345678] $line"
	done <<-'END'
	pktgen: Packet Generator for packet performance testing. Version: 2.75
	rpktgen: loading out-of-tree module taints kernel.
	kmemleak: 684 new suspected memory leaks (see /sys/kernel/debug/kmemleak)
	kmemleak: Kernel memory leak detector initialized (mem pool available: 15000)
	sched: CPU #4's llc-sibling CPU #0 is not on the same node! [node: 1 != 0]. Ignoring dependency.
	pci_bus 0000:00: Unknown NUMA node; performance will be reduced
	rcu: Hierarchical RCU implementation.
	RCU Tasks Trace: Setting shift to 0 and lim to 1 rcu_task_cb_adjust=1.
	igb 0000:81:00.0 eth0: igb: eth0 NIC Link is Up 1000 Mbps Full Duplex
	Warning: unable to open an initial console.
	mitigations: Speculative Store Bypass: Vulnerable, BUG count 0
	dummy0: no debugging information, oops
	END
}

## With one

test_status() { # MACHINE
	local status
	for status in 0 1 42 255; do
		check_status "$status" lab "$1" -- sh -c "exit $status"
		check_eq "$OUT" "" "standard output"
	done
	check_status 137 lab "$1" -- sh -c 'kill -9 $$'
	check_status 127 lab "$1" -- no-such-command
}

# Ten megabytes on each, at once, with every byte value and no newline at the end.
test_streams() { # MACHINE [OPTION...]
	local program='import os, sys, threading
def send(fd, seed):
    data = bytes((seed + i * i // 3) % 256 for i in range(65521)) * 160 + b"end"
    while data:
        data = data[os.write(fd, data):]
t = threading.Thread(target=send, args=(2, 7))
t.start()
send(1, 0)
t.join()
sys.exit(3)'
	check_status 3 "$LAB/env" -- python3 -c "$program"
	mv out want-out
	mv err want-err
	local status=0
	lab "$@" -- python3 -c "$program" >got-out 2>got-err || status=$?
	check_eq "$status" 3 "exit status"
	cmp want-out got-out
	# The last line tells of the failed command.
	head -c "$(stat -c %s want-err)" got-err | cmp want-err -
	check_match "$(tail -n 1 got-err | tr -d '\0')" "command ended with status 3; kernel log: /" "the last line"
}

test_streams_as_they_come() { # MACHINE
	local line fd
	mkdir out
	mkfifo pipe
	# The command waits for what happens here when its first line has arrived.
	# shellcheck disable=SC2016
	lab "$1" --out "$PWD/out" --timeout 60 -- \
		sh -c 'echo first; until [ -e "$LAB_OUT/go" ]; do sleep 0.05; done; printf second' >pipe &
	exec {fd}<pipe
	read -r line <&"$fd"
	check_eq "$line" first "the first line"
	: >out/go
	check_eq "$(cat <&"$fd")" second "the rest"
	wait $!
}

test_reader_gone() { # MACHINE
	local status=0
	set +o pipefail
	# The command's status counts, not that nobody wanted all of its output.
	{ lab "$1" -- sh -c 'seq 100000; exit 5' 2>/dev/null || echo $? >status; } | head -n 1 >first
	check_eq "$(<first)" 1 "the first line"
	check_eq "$(<status)" 5 "exit status"
}

# No program of the lab's own stands in for one of the environment.
test_own_programs() { # MACHINE
	# shellcheck disable=SC2016
	check_status 0 lab "$1" -- sh -c 'realpath /proc/$$/exe; ls --version; modprobe --version; ip -V'
	check_match "$OUT" "coreutils.*kmod version.*iproute2" "whose programs they are"
	check_no_match "$OUT" busybox "the shell"
}

test_arguments() { # MACHINE
	# shellcheck disable=SC2016 # the point is that nobody expands it
	local arguments=("it's" '' '$HOME `id` \n' $'two\nlines\t' '*' 'a  b' $'\xff\x01')
	check_status 0 lab "$1" -- printf '<%s>' "${arguments[@]}"
	printf '<%s>' "${arguments[@]}" >want
	cmp want out
}

test_no_input() { # MACHINE
	check_status 0 lab "$1" -- sh -c 'cat; echo end' < <(echo surprise)
	check_eq "$OUT" end "what a command finds on its standard input"
}

# shellcheck disable=SC2016 # expanded inside
test_environment() { # MACHINE CPUS
	cd -- "$TEST_ROOT/tools/testing"
	check_status 0 lab "$1" --cpus "$2" -- bash -euc '
		test "$(id -u)" = 0
		test "$(nproc)" = '"$2"'
		test "$LAB_CPUS" = '"$2"'
		test "$LAB_MACHINE" = '"$1"'
		test "$PWD" = "'"$PWD"'"
		test -r host/exec.sh
		test -r "$RPKTGEN_KO"
		test -r "$PKTGEN_KO"
		test -r "$KSOURCE/net/core/pktgen.c"
		test ! -e /proc/net/pktgen
		for tool in bash ip tc ethtool python3 busybox perl modprobe rpktgen; do
			type "$tool" >/dev/null
		done
		for dir in "$HOME" /tmp /run /var/tmp "$LAB_OUT"; do
			echo x >"$dir/file"
		done
		cat <(echo substitution) >/dev/null
		insmod "$PKTGEN_KO"
		test -e /proc/net/pktgen/kpktgend_$(('"$2"' - 1))
		rmmod pktgen
		modprobe dummy
		modprobe pktgen
		ip link add d0 type dummy
		ip link set d0 up
		ip link show lo | grep -q UP'
	check_eq "$OUT$ERR" "" "output"
	cd /
	check_status 0 lab "$1" -- pwd
	check_eq "$OUT" "$TEST_ROOT" "working directory of a caller outside the checkout"
}

# Whatever root in there does. In UML the host's files are one mount away.
# shellcheck disable=SC2016 # expanded inside
test_machine_is_untouched() { # MACHINE
	local cache=${XDG_CACHE_HOME:-$HOME/.cache}/rpktgen path
	check_status 0 lab "$1" -- bash -c '
		try() {
			for dir in / /usr /etc "$PWD" "'"$cache"'"; do
				touch "$1$dir/'"$MARK"'" 2>/dev/null
			done
		}
		try ""
		mount -o remount,rw / 2>/dev/null && try ""
		mount -o remount,rw,bind "$PWD" 2>/dev/null && try ""
		mkdir /tmp/again
		mount -t hostfs -o / again /tmp/again 2>/dev/null && try /tmp/again
		mount -t 9p -o trans=virtio,version=9p2000.L root /tmp/again 2>/dev/null && try /tmp/again
		touch /tmp/'"$MARK"' /var/'"$MARK"' /root/'"$MARK"'
		true'
	for path in / /usr /etc /tmp /var /root "$TEST_ROOT" "$cache" "$cache/root" "$cache/root/usr"; do
		[[ ! -e $path/$MARK ]] || fail "the lab wrote $path/$MARK"
	done
}

test_out() { # MACHINE
	# shellcheck disable=SC2016
	check_status 0 lab "$1" --out new/deep -- \
		sh -c 'echo kept >"$LAB_OUT/file"; mkdir "$LAB_OUT/sub"; echo marker >/dev/kmsg'
	check_eq "$(<new/deep/file)" kept "file in the output directory"
	[[ -d new/deep/sub ]] || fail "no directory in the output directory"
	grep -q marker new/deep/kernel.log || fail "kernel.log is not the kernel's log"
}

logged_in() { # the kernel log that ERR names
	local path=${ERR##*kernel log: }
	[[ -s $path ]] || fail "no kernel log where it should be: $ERR"
	cat -- "$path"
}

test_log_is_kept() { # MACHINE
	check_status 0 env LAB_KEEP_LOG=1 "$LAB/exec" --machine "$1" -- sh -c 'echo marker >/dev/kmsg'
	check_match "$(logged_in)" marker "the kernel log"
	rm -- "${ERR##*kernel log: }"
}

# UML has no SysRq; there the kernel runs out of memory and is told not to cope.
test_panic() { # MACHINE
	check_status 123 lab "$1" --timeout 120 -- sh -c '
		if [ -e /proc/sysrq-trigger ]; then
			echo c >/proc/sysrq-trigger
		else
			echo 2 >/proc/sys/vm/panic_on_oom
			python3 -c "hog = []
while True: hog.append(b\"x\" * (32 << 20))"
		fi
		exit 0'
	check_match "$ERR" "Kernel panic - not syncing" "the report"
	check_match "$(logged_in)" "Kernel panic - not syncing" "the kernel log"
}

test_report_fails_a_run() { # MACHINE
	check_status 123 lab "$1" -- sh -c 'echo fine; echo "WARNING: f.c:1 at g+0x1/0x2" >/dev/kmsg; exit 0'
	check_eq "$OUT" fine "standard output"
	check_match "$ERR" "WARNING: f.c:1 at g" "the report"
}

test_end_of_kernel_is_no_success() { # MACHINE poweroff|reboot
	# shellcheck disable=SC2016
	check_status 123 lab "$1" --timeout 120 -- sh -c 'echo once; busybox "$0" -f; sleep 1000' "$2"
	check_eq "$OUT" once "output"
	check_match "$ERR" "ended before the command did" "explanation"
}

test_time_out() { # MACHINE SECONDS
	local start=$SECONDS
	check_status 124 lab "$1" --timeout "$2" -- sleep 1000
	check_match "$ERR" "time-out: the command had not ended $2s after" "explanation"
	((SECONDS - start < $2 + 20)) || fail "it took $((SECONDS - start))s to end a kernel after $2s"
}

test_leftovers() { # MACHINE
	check_status 0 lab "$1" --timeout 100 -- sh -c 'sleep 1000 & setsid sleep 1001 & (trap "" TERM HUP; sleep 1002) & echo end'
	check_eq "$OUT" end "output"
}

test_at_once() { # MACHINE
	local i pids=() status
	for i in 1 2 3; do
		lab "$1" --out "out$i" -- sh -c "echo $i >\$LAB_OUT/file; echo $i; exit $i" >"said$i" 2>/dev/null &
		pids+=($!)
	done
	for i in 1 2 3; do
		status=0
		wait "${pids[i - 1]}" || status=$?
		check_eq "$status" "$i" "status of number $i"
		check_eq "$(<"said$i") $(<"out$i/file")" "$i $i" "output of number $i"
	done
}

# family PID: it and its descendants, each with its start time, which tells a
# process from another that gets its number later.
family() {
	local stat child
	stat=$(sed 's/.*) //' "/proc/$1/stat" 2>/dev/null) || return 0
	echo "$1 $(cut -d' ' -f20 <<<"$stat")"
	while read -r child; do
		family "$child"
	done < <(cat "/proc/$1/task"/*/children 2>/dev/null | tr ' ' '\n' | grep .)
}

family_is_gone() { # FILE
	local pid start
	while read -r pid start; do
		if [[ $(sed 's/.*) //' "/proc/$pid/stat" 2>/dev/null | cut -d' ' -f1,20) == [!Z]" $start" ]]; then
			return 1
		fi
	done <"$1"
}

test_killed() { # MACHINE SIGNAL STATUS
	local pid status=0 work
	mkfifo pipe
	# In a session of its own, so that INT is not ignored as in a background job.
	setsid env --default-signal=INT "$LAB/exec" --machine "$1" -- sh -c "echo up; sleep 1000" >pipe 2>err &
	pid=$!
	read -r _ <pipe
	# Only now the kernel runs. setsid may have forked.
	family "$pid" >members
	work=$(while read -r p _; do tr '\0' '\n' <"/proc/$p/cmdline" | grep -m 1 "rpktgen/run/$1\." || :; done <members | head -n 1)
	[[ -d $work ]] || fail "found no work directory of the run: $work"
	(($(wc -l <members) > 4)) || fail "found only these processes: $(<members)"
	kill -"$2" "$pid"
	wait "$pid" || status=$?
	check_eq "$status" "$3" "exit status after SIG$2"
	wait_for 20 family_is_gone members
	if grep -q -- "$work" /proc/self/mountinfo; then
		fail "still mounted: $(grep -- "$work" /proc/self/mountinfo)"
	fi
	# After KILL nobody could: that is left to the next run.
	[[ $2 != KILL ]] || check_status 0 lab "$1" -- true
	[[ ! -e $work ]] || fail "still there: $work"
}

test_numa_and_nic() { # MACHINE
	# shellcheck disable=SC2016
	check_status 0 lab "$1" --cpus 8 --numa 2 --nic igb -- bash -euc '
		test "$(nproc)" = 8
		test "$(ls -d /sys/devices/system/node/node[0-9]* | wc -l)" = 2
		test "$(cat /sys/class/net/eth0/device/numa_node)" = 1
		ip link set eth0 up
		grep -c "eth0-TxRx-[0-7]$" /proc/interrupts
		uname -r'
	check_match "$OUT" $'^8\n7\.' "interrupts and release"
}

test_nic_queues() { # MACHINE
	# shellcheck disable=SC2016
	check_status 0 lab "$1" --cpus 2 --nic virtio:2 -- bash -euc '
		ip link set eth0 up
		ls -d /sys/class/net/eth0/queues/tx-* | wc -l'
	check_eq "$OUT" 2 "transmit queues"
}

[[ $(id -u) -eq 0 ]] || { echo "1..0 # SKIP needs root"; exit 4; }
few=
[[ ${1-} != --few ]] || { few=y; shift; }
(($#)) || set -- uml qemu

ktap_test "errors of the caller: one line, status 125" test_refused
ktap_test "help" test_help
ktap_test "faults in a kernel log are found" test_faults_are_found
ktap_test "ordinary kernel logs pass" test_ordinary_logs_pass
for machine; do
	if [[ -n $few ]]; then
		[[ $machine == uml* ]] || ktap_test "$machine: NUMA nodes and a NIC with eight queues" test_numa_and_nic "$machine"
		ktap_test "$machine: both streams come back byte for byte" test_streams "$machine"
		ktap_test "$machine: a panic fails" test_panic "$machine"
		continue
	fi
	case $machine in
	uml*)
		cpus=1 limit=10
		[[ $machine == uml-debug ]] || cpus=2
		ktap_test "$machine: exit statuses come back" test_status "$machine"
		ktap_test "$machine: the reader of the output goes away" test_reader_gone "$machine"
		ktap_test "$machine: an output directory" test_out "$machine"
		ktap_test "$machine: a fault fails a run that ended well" test_report_fails_a_run "$machine"
		ktap_test "$machine: the kernel log is kept when asked for" test_log_is_kept "$machine"
		ktap_test "$machine: processes left behind" test_leftovers "$machine"
		ktap_test "$machine: several at once" test_at_once "$machine"
		ktap_test "$machine: interrupted" test_killed "$machine" INT 130
		ktap_test "$machine: killed" test_killed "$machine" KILL 137
		;;
	*)
		cpus=2 limit=60
		ktap_test "$machine: NUMA nodes and a NIC with eight queues" test_numa_and_nic "$machine"
		ktap_test "$machine: a virtio NIC with two queues" test_nic_queues "$machine"
		;;
	esac
	ktap_test "$machine: both streams come back byte for byte" test_streams "$machine"
	ktap_test "$machine: both streams, several CPUs" test_streams "$machine" --cpus "$cpus"
	ktap_test "$machine: output comes as it is written" test_streams_as_they_come "$machine"
	ktap_test "$machine: commands are the environment's" test_own_programs "$machine"
	ktap_test "$machine: arguments" test_arguments "$machine"
	ktap_test "$machine: standard input is empty" test_no_input "$machine"
	ktap_test "$machine: what a command finds" test_environment "$machine" "$cpus"
	ktap_test "$machine: the machine is not written to" test_machine_is_untouched "$machine"
	ktap_test "$machine: a panic fails" test_panic "$machine"
	ktap_test "$machine: a power-off is no success" test_end_of_kernel_is_no_success "$machine" poweroff
	ktap_test "$machine: a reboot is no success" test_end_of_kernel_is_no_success "$machine" reboot
	ktap_test "$machine: a time-out ends the kernel" test_time_out "$machine" "$limit"
	ktap_test "$machine: terminated" test_killed "$machine" TERM 143
done
ktap_run
