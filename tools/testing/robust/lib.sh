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

is_ours() { [[ $MODULE == rpktgen ]]; }

# module_test TITLE ours_only FUNCTION [ARG...]
ours_only() {
	is_ours || skip "not safe with $MODULE"
	"$@"
}

# figure TEXT...: a number that belongs into the report also if the test passes.
exec {FIGURES}>&1
figure() {
	local text=$*
	echo "# ${text//$'\n'/$'\n# '}" >&"$FIGURES"
}

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

# What the module would still hold when it goes is lost, and can be found then.
trap '! is_loaded || unload' EXIT

# Nothing hangs and nothing is lost: a run of ten packets on lo, which is always there.
check_alive() {
	reset_all
	device lo "count 10"
	start
	check_sent lo 10
	reset_all
}

# hammers SECONDS {ACTION-AND-ARGS}...: all of them at once; none may fail, and each
# must have had some success. What they did is a figure.
hammers() {
	local seconds=$1 action pid pids=() status=0 i said done=''
	shift
	for action in "$@"; do
		# shellcheck disable=SC2086 # an action and its arguments
		"$TEST_ROOT/tools/testing/robust/hammer" "$seconds" $action >"hammer.${#pids[@]}" 2>&1 &
		pids+=($!)
	done
	for pid in "${pids[@]}"; do
		wait "$pid" || status=$?
	done
	cat hammer.*
	((status == 0)) || fail "one of them failed"
	for ((i = 0; i < ${#pids[@]}; i++)); do
		said=$(<"hammer.$i")
		# Where the others leave no device for long, there is nothing to write to.
		check_match "$said" '^write|, [1-9][0-9]* with success' "$1"
		done+="; $1${said#"${1%% *}"}"
		shift
	done
	figure "in $seconds s${done/#;/:}"
	rm hammer.*
}

# Files, lists and the names in the files are the same.
check_consistent() {
	local file name shown='' known=''
	for file in "$PROC"/*; do
		name=${file##*/}
		case $name in
		pgctrl) ;;
		kpktgend_*) known+=" $(listed "$name" Running) $(listed "$name" Stopped)" ;;
		*)
			shown+=" $name"
			check_eq "$(value "$name" ifname)" "$name" "ifname of $name"
			;;
		esac
	done
	check_eq "$(xargs -n1 <<<"$known" | sort | xargs)" "$(xargs -n1 <<<"$shown" | sort | xargs)" "devices of the threads, and files"
}
