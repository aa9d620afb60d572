#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Devices and qdiscs that do not do what a generator hopes for: they refuse shared
# buffers, drop everything, stop for ever, go down, change under a run. Whatever they
# do, a run ends or can be stopped at once, and its result is true. Runs inside a lab
# kernel; kinds of devices that it does not have are skipped.

# shellcheck source=tools/testing/robust/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
# shellcheck source=tools/testing/robust/awkward.sh
source "$(dirname "${BASH_SOURCE[0]}")/awkward.sh"

# For the writer of stop, the thread and the writer of start together. A machine that is
# emulated or checks every access is slower; latency.sh measures it exactly.
case ${LAB_MACHINE-} in
uml) STOP_MS=200 COUNT=10000 ;;
*) STOP_MS=2000 COUNT=2000 ;;
esac

configure() { # NAME [COMMAND...]
	device "$1" "pkt_size 60" "dst 198.18.0.42" "dst_mac 02:00:00:00:00:01" "${@:2}"
}

statistic() { # DEVICE NAME
	cat "/sys/class/net/$1/statistics/$2"
}

# Ends what start_behind began, and quickly; the result is a summary that says so.
check_stop() { # DEVICE...
	local name
	check_quick "$STOP_MS" stop_and_wait
	for name in "$@"; do
		read_summary "$name"
		! is_ours || check_eq "$ENDED" stopped "how the run of $name ended"
	done
}

stop_and_wait() {
	put pgctrl stop
	wait "$STARTER" || fail "the writer of start ended with status $?"
}

# start_blind: as start_behind, where no packet may ever count.
start_blind() { # DEVICE
	start_behind
	wait_for 10 is_running "$1"
}

## Shared buffers

# One of each kind, called s0, up, with a carrier if that can be had.
add_kind() { # KIND
	local kind=$1
	case $kind in
	veth)
		ip link add s0 type veth peer name s1 || skip "no veth"
		defer ip link del s0
		quiet_device s1
		ip link set s1 up
		;;
	vlan | macvlan | ipvlan)
		add_dummy d0
		local options=()
		[[ $kind != vlan ]] || options=(id 7)
		ip link add link d0 name s0 type "$kind" "${options[@]}" 2>/dev/null || skip "no $kind"
		;;
	bridge | bond)
		ip link add s0 type "$kind" 2>/dev/null || skip "no $kind"
		defer ip link del s0
		ip link add d0 type dummy
		defer ip link del d0
		quiet_device d0
		ip link set d0 master s0
		ip link set d0 up
		;;
	tap)
		modprobe -q tun || :
		ip tuntap add dev s0 mode tap 2>/dev/null || skip "no tap"
		defer ip link del s0
		;;
	ifb)
		ip link add s0 type ifb 2>/dev/null || skip "no ifb"
		defer ip link del s0
		;;
	esac
	defer reset_all
	quiet_device s0
	ip link set s0 up
}

# None of them leaves the packets it gets as they are, so it is refused, and what was set
# before stays. What the drivers do with packets of their own, the kernel's checks watch.
test_sharing() { # KIND
	add_kind "$1"
	configure s0 "count 1000"
	check_write s0 "clone_skb 100" EOPNOTSUPP
	check_write s0 "burst 8" EOPNOTSUPP
	check_eq "$(value s0 clone_skb)" 0 "clone_skb"
	check_quick 10000 start
	read_summary s0
	# Without a carrier, as a tap that nobody has open is, there is none.
	[[ $ENDED == "no carrier" ]] || ((SENT + ERRORS >= 1000)) || fail "$SENT packets, $ERRORS errors"
}

# clone_skb set where it is allowed, then the way through a qdisc: no packet may be in
# two places of its lists.
test_clones_through_qdisc() { # QDISC...
	add_dummy d0
	tc qdisc add dev d0 root "$@"
	configure d0 "clone_skb 1000" "xmit_mode queue_xmit" "count $COUNT"
	check_quick 20000 start
	read_summary d0
	check_eq "$SENT" "$COUNT" "packets"
	case $1 in
	netem) wait_for 10 have_left d0 $((2 * COUNT)) ;;
	*) wait_for 10 have_left d0 "$COUNT" ;;
	esac
}

have_left() { (($(statistic "$1" tx_packets) >= $2)); }

# Everything is dropped, and the stack says so: the count is never reached.
test_drop_all() { # QDISC...
	add_dummy d0
	tc qdisc add dev d0 root "$@"
	configure d0 "xmit_mode queue_xmit" "count 1000"
	start_blind d0
	wait_for 10 has_errors d0
	check_stop d0
	read_summary d0
	check_eq "$SENT" 0 "packets sent"
	check_eq "$(statistic d0 tx_packets)" 0 "packets of d0"
	((ERRORS > 0)) || fail "no errors"
}

has_errors() { (($(value "$1" errors) >= 10)); }

# Everything is lost, and nobody is told, as on a cable.
test_lose_all() {
	add_dummy d0
	tc qdisc add dev d0 root netem loss 100%
	configure d0 "xmit_mode queue_xmit" "count 1000"
	check_quick 5000 start
	check_sent d0 1000
	check_eq "$(statistic d0 tx_packets)" 0 "packets of d0"
	check_match "$(tc -s qdisc show dev d0)" "dropped 1000," "drops of the qdisc"
}

## Queues that stop

# A tap that a process holds open and does not read from.
test_tap_full() { # MODE
	add_kind tap
	perl -e '
		use Fcntl;
		sysopen(my $tap, "/dev/net/tun", O_RDWR) or die "/dev/net/tun: $!";
		# TUNSETIFF: IFF_TAP | IFF_NO_PI
		my $request = pack("a16 s x22", "s0", 0x1002);
		ioctl($tap, 0x400454ca, $request) or die "TUNSETIFF: $!";
		open(my $ready, ">", "ready");
		sleep' &
	defer kill $!
	wait_for 5 test -e ready
	wait_for 5 has_carrier s0
	ip link set s0 txqueuelen 10
	configure s0 "xmit_mode $1" "count 0"
	start_behind s0
	sleep 0.3
	check_stop s0
	((SENT >= 10)) || fail "$SENT packets sent"
	check_alive
}

# Its queue is stopped after the first packet and never woken.
test_queue_stopped() { # MODE COMMAND...
	add_awkward
	configure a0 "xmit_mode $1" "count 0" "${@:2}"
	awkward stop 1
	start_behind a0
	sleep 0.3
	check_stop a0
	case $1 in
	start_xmit) check_eq "$SENT $(statistic a0 tx_packets)" "1 1" "packets sent, packets of a0" ;;
	# The others wait in the qdisc, or are dropped by it.
	*) check_eq "$(statistic a0 tx_packets)" 1 "packets of a0" ;;
	esac
	# The device going down is seen as well.
	awkward stop 0
	ip link set a0 down
	ip link set a0 up
	configure_again a0
}

# After the trouble the device works as before.
configure_again() { # DEVICE
	put "$1" "xmit_mode start_xmit" "burst 1" "count 100" "delay 0"
	check_quick $((STOP_MS * 10)) start
	read_summary "$1"
	check_eq "$SENT" 100 "packets after the trouble"
}

# Every packet is kept: the ring fills, the queue stops, the last one never comes back.
test_kept() { # COMMAND...
	add_awkward keep=1
	configure a0 "$@"
	start_behind a0
	sleep 0.3
	check_stop a0
	((SENT <= 64)) || fail "$SENT packets in a ring of 64"
	check_eq "$(statistic a0 tx_packets)" "$SENT" "packets of a0"
	# The driver gives them back when we have long forgotten them.
	put pgctrl reset
	ip link set a0 down
}

## Drivers that refuse

# answers CODE COMMAND...: for ever.
test_answer() { # CODE COMMAND...
	local dropped
	add_awkward "answer=$1"
	configure a0 "count 0" "${@:2}"
	start_blind a0
	sleep 0.3
	check_stop a0
	check_eq "$SENT $(statistic a0 tx_packets)" "0 0" "packets sent"
	dropped=$(statistic a0 tx_dropped)
	# What the driver took is accounted for, what it did not take waits.
	check_eq "$ERRORS" "$dropped" "errors"
	awkward answer 0
	configure_again a0
}

# Now and then: every packet arrives in the end, and each loss is an error.
test_sometimes() { # CODE COMMAND...
	local taken dropped
	add_awkward "answer=$1" every=7
	configure a0 "count $COUNT" "${@:2}"
	check_quick 10000 start
	read_summary a0
	taken=$(statistic a0 tx_packets) dropped=$(statistic a0 tx_dropped)
	check_eq "$SENT $ERRORS" "$taken $dropped" "sent and errors"
	((SENT >= COUNT)) || fail "$SENT packets sent"
}

# What a device has consumed since the run began: packets sent, and those that failed.
consumed() { # DEVICE
	echo $(($(sofar "$1") + $(value "$1" errors)))
}

# A driver that takes nothing for a while is tried at the rate, and not for long faster
# when it is good again.
test_paced() { # CODE...
	local code before begin tries us
	add_awkward
	configure a0 "count 0" "pps 1000"
	start_behind a0
	for code in "$@" 0; do
		awkward answer "$code"
		# What comes at once is what 100 ms of lateness make.
		begin=${EPOCHREALTIME/./} before=$(consumed a0)
		sleep 1
		tries=$(($(consumed a0) - before)) us=$((${EPOCHREALTIME/./} - begin))
		echo "answer $code: $tries packets in $us us"
		(((tries - 100) * 10000 <= us * 11)) || fail "answer $code: $tries packets in $us us at 1000 a second"
	done
	# The last one of these was good. What others take from the CPU is not made up for.
	((tries * 10000 >= us * 5)) || fail "$tries packets in $us us at 1000 a second"
	check_stop a0
}

# It sends soon after it is good again.
test_good_again() { # CODE...
	local code before
	add_awkward
	configure a0 "count 0" "pps 1000"
	start_behind a0
	for code in "$@"; do
		awkward answer "$code"
		sleep 1
	done
	awkward answer 0
	before=$(sofar a0)
	sleep "$(by_machine 0.2 1)"
	(($(sofar a0) >= before + 20)) || fail "$(($(sofar a0) - before)) packets soon after the trouble"
	check_stop a0
}

# What fails now and then does not slow down a run, nor speed it up: within 5 %, in one of
# three runs where others take the CPU.
test_sometimes_paced() { # CODE
	local try ms
	add_awkward "answer=$1" every=10
	configure a0 "burst 64" "clone_skb 1000" "pps 1000" "count 4992"
	for try in 1 2 3; do
		start
		read_summary a0
		# Each of them takes its millisecond.
		ms=$((SENT + ERRORS))
		figure "answer $1 to every tenth of bursts: $SENT packets, $ERRORS errors in $TOTAL_US us"
		((TOTAL_US > ms * 950)) || fail "too fast: $SENT packets, $ERRORS errors in $TOTAL_US us at 1000 a second"
		((TOTAL_US > ms * 1050)) || return 0
	done
	fail "too slow: $SENT packets, $ERRORS errors in $TOTAL_US us at 1000 a second, also in try $try"
}

# The kernel log is not for every packet of a run.
test_log() { # CODE
	local before after
	add_awkward "answer=$1"
	configure a0 "count 0"
	before=$(dmesg | wc -l)
	start_blind a0
	sleep 1
	check_stop a0
	after=$(dmesg | wc -l)
	((after - before <= 20)) || fail "$((after - before)) lines in the kernel log"
}

## Changes under a run

# The loss of the link ends a run that waits, and one that spins.
test_lost() { # ENDED COMMAND -- CONFIGURATION...
	local command=()
	local wanted=$1
	shift
	while [[ $1 != -- ]]; do
		command+=("$1")
		shift
	done
	shift
	add_dummy d0
	configure d0 "count 0" "$@"
	start_blind d0
	sleep 0.2
	"${command[@]}"
	check_quick 1000 check_start_returns
	read_summary d0
	! is_ours || check_eq "$ENDED" "$wanted" "how it ended"
	nothing_runs || fail "still running"
}

# A driver that will not take anything goes down, with a packet that waits.
test_down_while_refusing() { # PARAMETER VALUE
	add_awkward
	awkward "$1" "$2"
	configure a0 "count 0"
	start_blind a0
	sleep 0.2
	check_quick 1000 ip link set a0 down
	check_start_returns
	read_summary a0
	check_eq "$ENDED" "netdev down" "how it ended"
}

# Up and down, with and without carrier, as fast as it goes; a run that is ended by it
# is started anew.
test_flapping() { # MODE
	local i
	add_dummy d0
	configure d0 "count 0" "xmit_mode $1"
	for ((i = 0; i < 30; i++)); do
		start_blind d0
		if ((i % 2)); then
			ip link set d0 down
			ip link set d0 up
		else
			ip link set d0 carrier off
			ip link set d0 carrier on
		fi
		put pgctrl stop
		check_start_returns
	done
	check_alive
}

# Queues come and go below packets that are made for one that is gone.
test_channels() { # MODE
	local i
	add_awkward
	configure a0 "count 0" "xmit_mode $1" "queue_map_min 0" "queue_map_max 3"
	start_behind a0
	for ((i = 0; i < 60; i++)); do
		ethtool -L a0 combined $((i % 4 + 1))
	done
	ethtool -L a0 combined 1
	sleep 0.1
	# In the other mode the stack finds one there is.
	[[ $1 != start_xmit ]] || check_eq "$(value a0 cur_queue_map)" 0 "queue of the last packet, with one queue"
	check_stop a0
	check_eq "$(statistic a0 tx_packets)" "$SENT" "packets of a0"
}

# A size that is above the MTU is the driver's business; nothing depends on it. Below
# 1280 the kernel would forget that the device is to be quiet.
test_mtu() { # MODE
	local i
	add_dummy d0
	configure d0 "count 0" "xmit_mode $1" "min_pkt_size 60" "max_pkt_size 9000" "frags 3"
	start_behind d0
	for ((i = 0; i < 60; i++)); do
		ip link set d0 mtu $((i % 2 ? 1280 : 9000))
	done
	check_stop d0
	[[ $1 == netif_receive ]] || check_eq "$(statistic d0 tx_packets)" "$SENT" "packets of d0"
}

# The qdisc is another one all the time.
test_qdisc_changes() {
	local i
	add_dummy d0
	configure d0 "count 0" "xmit_mode queue_xmit"
	start_behind d0
	for ((i = 0; i < 20; i++)); do
		tc qdisc replace dev d0 root pfifo limit $((i + 1))
		tc qdisc replace dev d0 root fq_codel
		tc qdisc replace dev d0 root netem delay 1ms limit 10
		tc qdisc del dev d0 root
	done
	check_stop d0
}

for kind in veth vlan bridge bond macvlan tap ifb; do
	module_test "shared buffers: $kind" test_sharing "$kind"
done
module_test "clones, then queue_xmit: fq_codel" ours_only test_clones_through_qdisc fq_codel
module_test "clones, then queue_xmit: netem that duplicates" ours_only test_clones_through_qdisc netem duplicate 100% limit 100000
module_test "clones, then queue_xmit: prio" ours_only test_clones_through_qdisc prio
module_test "a qdisc that drops everything and says so" test_drop_all tbf rate 8bit burst 10 limit 1
module_test "a qdisc that drops everything and does not tell" test_lose_all

for mode in start_xmit queue_xmit; do
	module_test "a tap that nobody reads: $mode" ours_only test_tap_full "$mode"
	module_test "a queue that stops for ever: $mode" ours_only test_queue_stopped "$mode"
done
module_test "a queue that stops for ever: burst" ours_only test_queue_stopped start_xmit "burst 32"
module_test "a driver that keeps packets: clones" ours_only test_kept "count 0" "clone_skb 100"
module_test "a driver that keeps packets: bursts" ours_only test_kept "count 0" "burst 16"
module_test "a driver that keeps packets: the last of the run" ours_only test_kept "count 10"
module_test "a driver that keeps packets: without shared ones" ours_only test_kept "count 0" "flag !SHARED"

# NETDEV_TX_BUSY, NET_XMIT_DROP, NET_XMIT_CN, a code that is none, ENOBUFS, EIO.
for code in 16 1 2 5 -105 -5; do
	module_test "the driver answers $code" ours_only test_answer "$code"
	module_test "the driver answers $code to bursts of clones" ours_only test_answer "$code" "burst 8" "clone_skb 4"
	module_test "the driver answers $code, not shared" ours_only test_answer "$code" "flag !SHARED"
	module_test "the driver answers $code to every seventh" ours_only test_sometimes "$code"
	module_test "the driver answers $code to every seventh of bursts" ours_only test_sometimes "$code" "burst 8"
done
for code in 16 -5; do
	module_test "pps while the driver answers $code to every tenth of bursts" ours_only test_sometimes_paced "$code"
done
for codes in "-5" "16 1"; do
	# shellcheck disable=SC2086 # codes
	module_test "pps while the driver answers $codes for a while" ours_only test_paced $codes
	# shellcheck disable=SC2086
	module_test "pps after the driver has answered $codes for a while" ours_only test_good_again $codes
done
module_test "no flood in the log: BUSY" ours_only test_log 16
module_test "no flood in the log: an errno" ours_only test_log -105

module_test "carrier lost at full speed" test_lost "no carrier" ip link set d0 carrier off --
module_test "carrier lost in a delay of a second" ours_only test_lost "no carrier" ip link set d0 carrier off -- "delay 1000000000"
module_test "carrier lost while nothing is sent" ours_only test_lost "no carrier" ip link set d0 carrier off -- "delay 2147483647"
module_test "device down in a delay of a second" ours_only test_lost "netdev down" ip link set d0 down -- "delay 1000000000"
module_test "device down while nothing is sent" ours_only test_lost "netdev down" ip link set d0 down -- "delay 2147483647"
module_test "device down while its driver is busy" ours_only test_down_while_refusing answer 16
module_test "device down while its queue is stopped" ours_only test_down_while_refusing stop 1
module_test "device down while its driver keeps packets" ours_only test_down_while_refusing keep 1
for mode in "${MODES[@]}"; do
	module_test "link that comes and goes: $mode" ours_only test_flapping "$mode"
	module_test "MTU changes in a run: $mode" test_mtu "$mode"
done
for mode in start_xmit queue_xmit; do
	module_test "ethtool -L in a run: $mode" ours_only test_channels "$mode"
done
module_test "qdisc changes in a run" ours_only test_qdisc_changes
ktap_run
