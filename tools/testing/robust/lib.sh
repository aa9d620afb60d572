# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# For the suites in tools/testing/robust: what must not hang, leak or crash the
# module, whatever users and drivers do. Sourced; brings module.sh with it.
#
# The suites run on any number of CPUs, one for the debug kernel of UML. They
# also run with MODULE_KO=$PKTGEN_KO, to see the difference: what could take the
# kernel down there is registered with ours_only before its function.

# shellcheck source=tools/testing/module.sh
source "$(dirname "${BASH_SOURCE[0]}")/../module.sh"

# The last CPU, which is the first where there is only one.
# shellcheck disable=SC2034 # for the suites
LAST=$(($(nproc --all) - 1))

is_ours() { [[ $MODULE == rpktgen ]]; }

# module_test TITLE ours_only FUNCTION [ARG...]
ours_only() {
	is_ours || skip "not safe with $MODULE"
	"$@"
}

# figure TEXT...: a number that belongs into the report also if the test passes.
exec {FIGURES}>&1
figure() { echo "# $*" >&"$FIGURES"; }

# Of all namespaces.
threads() { cat /proc/[0-9]*/comm 2>/dev/null | grep -c '^kpktgend_' || :; }

# add WORKER NAME [COMMAND...]
add() {
	put "kpktgend_$1" "add_device $2"
	put "${@:2}"
}

# endless MODE WORKER:NAME...: these send without end, start waits behind.
endless() {
	local device names=()
	for device in "${@:2}"; do
		add "${device%%:*}" "${device#*:}" "xmit_mode $1" "count 0"
		names+=("${device#*:}")
	done
	start_behind "${names[@]}"
}

# shellcheck disable=SC2034 # for the suites
MODES=(start_xmit netif_receive queue_xmit)

# Nothing hangs and nothing is lost: a run of ten packets on lo, which is always there.
check_alive() {
	reset_all
	device lo "count 10"
	start
	check_sent lo 10
	reset_all
}
