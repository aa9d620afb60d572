#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The module in a distribution's stock kernel, with four CPUs and an igb NIC. What
# the other suites cannot see: a real driver's queues, kinds of devices that a lean
# kernel does not have, and modprobe. Few tests, as the CPUs may be emulated.

# shellcheck source=tools/testing/module.sh
source "$(dirname "${BASH_SOURCE[0]}")/../module.sh"

cpus=(0 1 2 3)

test_kernel() {
	check_match "$(uname -r)" '^[0-9]+\.[0-9]+\.[0-9]+.*\+deb[0-9]+.*-amd64$' "kernel release"
	check_eq "$(nproc)" 4 "CPUs"
	check_eq "$(readlink -f /sys/class/net/eth0/device/driver | xargs basename)" igb "driver of eth0"
	load
	check_eq "$(files)" "kpktgend_0 kpktgend_1 kpktgend_2 kpktgend_3 pgctrl" "files"
}

# Bits 12 and 13: built out of tree, not signed. Nothing that tells of trouble.
test_taint() {
	local taint
	taint=$(</proc/sys/kernel/tainted)
	check_eq $((taint & ~0x3000)) 0 "taint flags other than O and E of $taint"
}

eth0_up() {
	defer ip link set eth0 down
	quiet_device eth0
	ip link set eth0 up
	wait_for 20 has_carrier eth0
}

# tx_queue_N_packets of the driver, in the order of the queues.
driver_packets() {
	ethtool -S eth0 | awk '/ tx_queue_[0-9]+_packets:/ { printf "%s%s", separator, $2; separator = " " } END { print "" }'
}

# What the driver's counters rose by since they were noted.
note_packets() { read -ra NOTED <<<"$(driver_packets)"; }

packets_since() {
	local now i rise=()
	read -ra now <<<"$(driver_packets)"
	for i in "${!now[@]}"; do rise+=($((now[i] - NOTED[i]))); done
	echo "${rise[*]}"
}

# The driver counts a packet when the hardware has taken it, a moment later.
check_queues() { # WANTED
	wait_for 10 queues_are "$1"
	sleep 0.3
	check_eq "$(packets_since)" "$1" "packets by queue"
}

queues_are() { [[ $(packets_since) == "$1" ]]; }

# A ring that is full cuts a burst, so what is sent beyond the count varies.
test_igb_queues() { # COUNT BURST COMMAND...
	local cpu sent=()
	eth0_up
	note_packets
	for cpu in "${cpus[@]}"; do
		device "eth0@$cpu" "flag QUEUE_MAP_CPU" "dst_mac 02:00:00:00:00:02" "count $1" "burst $2" "${@:3}"
	done
	start
	for cpu in "${cpus[@]}"; do
		read_summary "eth0@$cpu"
		((SENT >= $1 && SENT < $1 + $2 && ERRORS == 0)) || fail "CPU $cpu sent $SENT packets with $ERRORS errors"
		sent+=("$SENT")
		check_eq "$(value "eth0@$cpu" cur_queue_map)" "$cpu" "queue of CPU $cpu"
	done
	check_queues "${sent[*]}"
}

test_igb_map() { # WANTED COMMAND...
	eth0_up
	note_packets
	device eth0 "dst_mac 02:00:00:00:00:02" "count 600" "${@:2}"
	start
	check_sent eth0 600
	check_queues "$1"
}

test_igb_random() {
	local packets queue
	eth0_up
	note_packets
	device eth0 "dst_mac 02:00:00:00:00:02" "count 2000" "flag QUEUE_MAP_RND" "queue_map_max 3"
	start
	check_sent eth0 2000
	wait_for 10 total_is 2000
	read -ra packets <<<"$(packets_since)"
	# 500 each; the standard deviation is under 20.
	for queue in "${cpus[@]}"; do
		((packets[queue] > 380 && packets[queue] < 620)) || fail "packets by queue: ${packets[*]}"
	done
}

total_is() {
	local packets
	read -ra packets <<<"$(packets_since)"
	((packets[0] + packets[1] + packets[2] + packets[3] == $1))
}

test_igb_stop() {
	eth0_up
	device eth0@2 "count 0" "burst 16"
	start_behind eth0@2
	check_quick 1000 put pgctrl stop
	check_start_returns
	read_summary eth0@2
	((SENT > 0 && ERRORS == 0)) || fail "$SENT packets, $ERRORS errors"
}

# The NIC goes while it sends, as when it is unplugged.
test_igb_unbind() {
	local driver=/sys/bus/pci/drivers/igb address
	eth0_up
	address=$(basename "$(readlink -f /sys/class/net/eth0/device)")
	device eth0@0 "count 0"
	device eth0@3 "count 0"
	start_behind eth0@0 eth0@3
	echo "$address" >"$driver/unbind"
	check_start_returns
	check_nothing_left
	echo "$address" >"$driver/bind"
	wait_for 20 test -e /sys/class/net/eth0
	eth0_up
	device eth0 "count 10"
	start
	check_sent eth0 10
}

test_workers() {
	local cpu pid stat
	add_dummy d0 4
	for cpu in "${cpus[@]}"; do
		device "d0@$cpu" "count 0" "flag QUEUE_MAP_CPU"
	done
	start_behind d0@0 d0@1 d0@2 d0@3
	for cpu in "${cpus[@]}"; do
		pid=$(worker_pid "kpktgend_$cpu")
		check_eq "$(awk '/^Cpus_allowed_list/ { print $2 }' "/proc/$pid/status")" "$cpu" "CPUs of kpktgend_$cpu"
		read -r stat <"/proc/$pid/stat"
		# shellcheck disable=SC2086 # to be split
		set -- ${stat##*) }
		check_eq "${37}" "$cpu" "CPU that kpktgend_$cpu runs on"
	done
	put pgctrl stop
	check_start_returns
	check_eq "$(tx_packets d0)" $(($(sofar d0@0) + $(sofar d0@1) + $(sofar d0@2) + $(sofar d0@3))) "packets of d0"
}

test_mode() { # MODE ERRORS COMMAND...
	add_dummy d0
	tc qdisc add dev d0 root handle 1: fq_codel
	tc qdisc add dev d0 clsact
	tc filter add dev d0 ingress matchall action drop
	device d0 "count 2000" "xmit_mode $1" "${@:3}"
	start
	check_sent d0 2000 "$2"
	case $1 in
	netif_receive) check_match "$(tc -s filter show dev d0 ingress)" "Sent [0-9]+ bytes 2000 pkt" "filter" ;;
	queue_xmit) check_match "$(tc -s qdisc show dev d0)" "fq_codel 1: .*Sent 116000 bytes 2000 pkt" "qdisc" ;;
	esac
	[[ $1 == netif_receive ]] || check_eq "$(tx_packets d0)" 2000 "packets of d0"
}

# Devices without Ethernet headers.
test_not_ethernet() {
	modprobe tun
	ip tuntap add mode tun dev tun0
	defer ip link del tun0
	ip link set tun0 up
	check_write kpktgend_0 "add_device tun0" EINVAL
	check_result kpktgend_0 "ERROR: can not add device tun0"
	ip link add sit1 type sit local 192.0.2.1 remote 192.0.2.2
	defer ip link del sit1
	# Down as well: that it is no Ethernet comes first.
	check_write kpktgend_0 "add_device sit1" EINVAL
	check_nothing_left
}

# Devices that may not send one buffer twice.
test_stacked() { # NAME TYPE...
	add_dummy d0
	ip link add link d0 name "$1" type "${@:2}"
	quiet_device "$1"
	ip link set "$1" up
	device "$1"
	check_write "$1" "clone_skb 1" EOPNOTSUPP
	check_write "$1" "burst 2" EOPNOTSUPP
	put "$1" "count 100"
	start
	check_sent "$1" 100
	check_eq "$(tx_packets d0)" 100 "packets of the device below"
	ip link del d0
	check_nothing_left
}

test_modprobe() {
	unload
	modprobe pktgen
	check_status 1 insmod "$MODULE_KO"
	check_match "$ERR" "Device or resource busy" "message"
	check_eq "$(<"$PROC/pgctrl")" "$VERSION_LINE" "the C module"
	rmmod pktgen
	load
}

test_unload_running() {
	local cpu
	add_dummy d0 4
	for cpu in "${cpus[@]}"; do device "d0@$cpu" "count 0"; done
	start_behind d0@0 d0@1 d0@2 d0@3
	unload
	check_start_returns
	[[ ! -e $PROC ]] || fail "$PROC is still there"
}

module_test "a stock kernel, four CPUs, an igb NIC" test_kernel
module_test "igb: four CPUs, a queue each" test_igb_queues 1000 1
module_test "igb: four CPUs, clones and bursts" test_igb_queues 1000 16 "clone_skb 100"
module_test "igb: one queue" test_igb_map "0 0 600 0" "queue_map_min 2" "queue_map_max 2"
module_test "igb: queues in turn" test_igb_map "0 200 200 200" "queue_map_min 1" "queue_map_max 3"
module_test "igb: queues at random" test_igb_random
module_test "igb: stop" test_igb_stop
module_test "igb: unplugged while it sends" test_igb_unbind
module_test "four workers on four CPUs" test_workers
module_test "dummy: start_xmit" test_mode start_xmit 0 "clone_skb 10"
module_test "dummy: netif_receive" test_mode netif_receive 2000
module_test "dummy: queue_xmit" test_mode queue_xmit 0
module_test "devices that are not Ethernet are refused" test_not_ethernet
module_test "a VLAN device" test_stacked d0.5 vlan id 5
module_test "a macvlan device" test_stacked mv0 macvlan mode bridge
module_test "modprobe pktgen, then ours" test_modprobe
module_test "unload while four workers send" test_unload_running
module_test "the kernel is tainted by nothing else" test_taint

ktap_run
