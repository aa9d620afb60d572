#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The simplest use: one device, one worker (CPU 0), source ports at random, the
# whole device file printed at the end. Takes the destination MAC address
# from -m: there is no good default for it.
set -eu

: "${COUNT:=100000}"

basedir=$(dirname "$0")
# shellcheck source=samples/functions.sh
source "$basedir/functions.sh"
# shellcheck source=samples/parameters.sh
source "$basedir/parameters.sh"

[[ $L_THREAD -eq 0 ]] || warn "always uses CPU 0 alone: -t and -f have no effect"
[[ $BURST -eq 0 ]] || warn "sends single packets: -b has no effect"

if [[ -z $APPEND ]]; then
	pg_ctrl reset
	pg_thread 0 rem_device_all
fi
pg_thread 0 "add_device $DEV"

pg_set_common "$DEV"

# The source port decides the receive queue at the other end (RSS).
pg_set "$DEV" "flag UDPSRC_RND"
pg_set "$DEV" "udp_src_min 9"
pg_set "$DEV" "udp_src_max 109"

if [[ -n $APPEND ]]; then
	echo "$DEV is configured. To start: echo start > $PROC_DIR/pgctrl"
	exit 0
fi

echo "Sending on $DEV; ^C stops."
pg_run "$DEV"
cat "$PROC_DIR/$DEV"
