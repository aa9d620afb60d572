#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The highest rate: one flow, the packets handed to the driver in bursts, so that
# it tells the hardware once a burst. Each worker sends on the transmit queue
# of its CPU.
#
# Bursts need a device that lets one packet be sent several times: a physical one,
# or dummy. Others (veth, VLAN, ...) need -b 0.
set -eu

: "${COUNT:=0}" "${BURST:=32}" "${DST_MAC:=90:e2:ba:ff:ff:ff}"

basedir=$(dirname "$0")
# shellcheck source=samples/functions.sh
source "$basedir/functions.sh"
# shellcheck source=samples/parameters.sh
source "$basedir/parameters.sh"

devs=()

[[ -n $APPEND ]] || pg_ctrl reset
for ((cpu = F_THREAD; cpu <= L_THREAD; cpu++)); do
	# One device file a worker: what follows the @ only makes the name unique.
	dev="$DEV@$cpu"
	devs+=("$dev")

	[[ -n $APPEND ]] || pg_thread "$cpu" rem_device_all
	pg_thread "$cpu" "add_device $dev"

	pg_set "$dev" "flag QUEUE_MAP_CPU"
	pg_set_common "$dev"
	[[ $BURST -eq 0 ]] || pg_set "$dev" "burst $BURST"
done

if [[ -n $APPEND ]]; then
	echo "${devs[*]}: configured. To start: echo start > $PROC_DIR/pgctrl"
	exit 0
fi

echo "Sending on $DEV; ^C stops."
pg_run "${devs[@]}"
for dev in "${devs[@]}"; do
	pg_print_result "$dev"
done
