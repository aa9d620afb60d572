# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Helpers for scripts that drive pktgen through procfs. Source it, then
# parameters.sh; the samples beside it show how.
#
# Needs bash and coreutils. Works with rpktgen and with the C module: both
# offer the same files, under /proc/net/pktgen or wherever PROC_DIR says.
#
# Exit statuses:
#   2  wrong usage
#   3  a file of pktgen is missing (module not loaded, no such worker or device)
#   4  a file of pktgen is not writable
#   5  the kernel refused a command, or an address or port is invalid

set -o errexit

export PROC_DIR="${PROC_DIR:-/proc/net/pktgen}"

## Messages

err() { # STATUS TEXT...
	local status=$1
	shift
	echo "${0##*/}: $*" >&2
	exit "$status"
}

warn() {
	echo "${0##*/}: warning: $*" >&2
}

info() {
	[[ -z ${VERBOSE:-} ]] || echo "${0##*/}: $*" >&2
}

## Writing commands

# bash tells why a write failed on standard error only. That text is collected
# in an unlinked file: writes append through one descriptor, the other reads
# on from where it stopped. The write itself must happen in this very shell and
# not in a substitution: "start" blocks, and a signal sent to the script has to
# reach it there.
pg_open_error_file() {
	local file
	file=$(mktemp) || err 1 "cannot make a temporary file"
	# shellcheck disable=SC2094 # two descriptors on one file are the point
	exec {PG_ERROR_OUT}>>"$file" {PG_ERROR_IN}<"$file"
	rm -f "$file"
}
pg_open_error_file

# Write one command. On failure PG_ERROR is the kernel's reason.
pg_write() { # FILE TEXT
	local LC_ALL=C line
	PG_ERROR=
	if { printf '%s\n' "$2" >"$1"; } 2>&"$PG_ERROR_OUT"; then
		return 0
	fi
	while IFS= read -r line <&"$PG_ERROR_IN"; do
		PG_ERROR=${line##*: }
	done
	return 1
}

# Leave the Result text of a device or worker file, possibly several lines, in
# PG_RESULT, or nothing if the device has just been removed. One read of the whole
# file: its content may change between two.
pg_result() { # FILE
	local text=''
	{ IFS= read -rd '' text <"$1" || true; } 2>/dev/null
	text=${text##*Result: }
	PG_RESULT=${text%$'\n'}
}

# What the user can do about the usual refusals.
pg_hint() { # COMMAND REASON
	case "${1%% *}:$2" in
	"add_device:No such device")
		echo "there is no such network device here; 'ip link' lists them" ;;
	"add_device:Network is down")
		echo "bring it up first: ip link set DEV up" ;;
	"add_device:Device or resource busy")
		echo "it is on a worker already; 'echo reset > $PROC_DIR/pgctrl' removes all" ;;
	"add_device:Invalid argument")
		echo "only Ethernet and loopback devices can be used" ;;
	"burst:Operation not supported" | "clone_skb:Operation not supported")
		echo "this device does not allow sending one packet several times" \
			 "(true of veth, VLAN, bonding, loopback, ...); use -b 0 and -c 0" ;;
	"dst_mac:Invalid argument")
		echo "an address looks like 02:00:00:00:00:01" ;;
	*:"Operation not permitted")
		echo "needs CAP_NET_ADMIN in the initial user namespace" ;;
	esac
}

# The common way to all files: refuse, write, look at the answer.
# The kernel accepts some nonsense and only says so in the Result text:
# that is shown, but does not end the script.
proc_cmd() { # FILE COMMAND...
	local file="$PROC_DIR/$1" command result hint
	shift
	command="$*"

	if [[ ! -e $file ]]; then
		hint=
		[[ $file != */kpktgend_* ]] || hint="; there is one worker for each CPU (-f, -t)"
		err 3 "cannot do '$command': $file does not exist$hint"
	fi
	[[ -w $file ]] || err 4 "cannot do '$command': $file is not writable for user $(id -un)"
	[[ ${DEBUG:-} != yes ]] || echo "$command > $file" >&2

	PG_USED=yes
	if ! pg_write "$file" "$command"; then
		result=
		if [[ ${file##*/} != pgctrl && -e $file ]]; then
			pg_result "$file"
			result=" (last Result: ${PG_RESULT%%$'\n'*})"
		fi
		hint=$(pg_hint "$command" "$PG_ERROR")
		err 5 "'$command' > $file failed: $PG_ERROR$result${hint:+; $hint}"
	fi

	[[ ${file##*/} != pgctrl ]] || return 0
	pg_result "$file"
	[[ $PG_RESULT == OK:* ]] || warn "'$command' > $file: Result: $PG_RESULT"
}

# Global commands: start, stop, reset.
pg_ctrl() { # COMMAND
	proc_cmd pgctrl "$@"
}

# Commands of worker N: add_device DEV, rem_device_all.
pg_thread() { # N COMMAND...
	local worker=$1
	shift
	proc_cmd "kpktgend_$worker" "$@"
}

# Commands of a device that was added to a worker.
pg_set() { # DEV COMMAND...
	local dev=$1
	shift
	proc_cmd "$dev" "$@"
}

# What all samples set, in this order. Variables: parameters.sh.
pg_set_common() { # DEV
	local dev=$1

	pg_set "$dev" "count $COUNT"
	pg_set "$dev" "clone_skb $CLONE_SKB"
	pg_set "$dev" "pkt_size $PKT_SIZE"
	pg_set "$dev" "delay $DELAY"

	# A timestamp would cost a clock reading for each packet.
	pg_set "$dev" "flag NO_TIMESTAMP"

	pg_set "$dev" "dst_mac $DST_MAC"
	pg_set "$dev" "dst${IP6}_min $DST_MIN"
	pg_set "$dev" "dst${IP6}_max $DST_MAX"

	if [[ -n $DST_PORT ]]; then
		pg_set "$dev" "flag UDPDST_RND"
		pg_set "$dev" "udp_dst_min $UDP_DST_MIN"
		pg_set "$dev" "udp_dst_max $UDP_DST_MAX"
	fi

	[[ -z $UDP_CSUM ]] || pg_set "$dev" "flag UDPCSUM"
}

## Running

# Start all workers and return when they have stopped. ^C stops them too: the
# signal is caught, not ignored, so that it ends the blocked write, on which the
# kernel stops the workers. It does not wait for them; that is done here. Only a
# run summary says that a device has stopped: its text is written last.
pg_run() { # DEV...
	local dev tries interrupted=
	local summary='^OK: [0-9]+\(c'

	trap 'interrupted=yes' INT
	pg_ctrl start
	for dev in "$@"; do
		for ((tries = 0; ; tries++)); do
			[[ -e $PROC_DIR/$dev ]] || err 3 "$dev was removed while it was sending"
			pg_result "$PROC_DIR/$dev"
			[[ ! $PG_RESULT =~ $summary ]] || break
			((tries < 100)) || err 1 "$dev did not stop within 10 s: Result: $PG_RESULT"
			# A signal that came before the workers began has not stopped them.
			[[ -z $interrupted ]] || pg_ctrl stop
			sleep 0.1
		done
	done
	trap - INT
	info "stopped${interrupted:+ by ^C}"
}

# One device's result: name, counts and rate.
pg_print_result() { # DEV
	pg_result "$PROC_DIR/$1"
	[[ -n $PG_RESULT ]] || err 3 "$1 was removed before its result was read"
	echo "$1:"
	echo "  Result: $PG_RESULT"
}

# Leave no device configured behind, whatever ended the script. In append mode
# they are meant to stay; a script that wrote nothing has nothing to remove.
trap_exit() {
	local status=$?
	if [[ $EUID -eq 0 && -z ${APPEND:-} && -n ${PG_USED:-} && -e $PROC_DIR/pgctrl ]]; then
		(pg_ctrl reset) || true
	fi
	return "$status"
}
trap trap_exit EXIT

## Privileges and the module

root_check_run_with_sudo() { # ARGUMENTS OF THE SCRIPT...
	[[ $EUID -ne 0 ]] || return 0
	command -v sudo >/dev/null || err 1 "must be run as root (and sudo is not installed)"
	info "not root, running through sudo"
	exec sudo -E -- "$BASH" "$0" "$@"
}

# Load a module that provides PROC_DIR, unless there is one: the file RPKTGEN_KO
# names if set, else an installed rpktgen, else the kernel's own pktgen. The
# last one cannot serve any other directory than its own.
load_module() {
	local args=()
	[[ ! -d $PROC_DIR ]] || return 0
	[[ $PROC_DIR == /proc/net/?* ]] ||
		err 3 "$PROC_DIR does not exist and no module can provide it (PROC_DIR must be /proc/net/NAME)"
	[[ $PROC_DIR == /proc/net/pktgen ]] || args=("procdir=${PROC_DIR#/proc/net/}")

	if [[ -n ${RPKTGEN_KO:-} ]]; then
		info "loading $RPKTGEN_KO"
		insmod "$RPKTGEN_KO" "${args[@]}" || err 3 "cannot load $RPKTGEN_KO; 'dmesg' tells more"
	elif modprobe -q rpktgen "${args[@]}"; then
		info "loaded module rpktgen"
	elif [[ ${#args[@]} -eq 0 ]] && modprobe -q pktgen; then
		info "loaded module pktgen"
	else
		err 3 "$PROC_DIR does not exist and no module to provide it could be loaded;" \
			  "install rpktgen, or set RPKTGEN_KO to the path of rpktgen.ko"
	fi
	[[ -d $PROC_DIR ]] || err 3 "the module is loaded, but $PROC_DIR does not exist (which procdir= was it loaded with?)"
}

## Addresses and ports

is_number() { # TEXT
	[[ $1 =~ ^[0-9]{1,18}$ ]]
}

validate_addr() { # IPV4-ADDRESS
	local octet
	[[ $1 =~ ^([0-9]{1,3})\.([0-9]{1,3})\.([0-9]{1,3})\.([0-9]{1,3})$ ]] ||
		err 5 "'$1' is not an IPv4 address"
	for octet in "${BASH_REMATCH[@]:1}"; do
		((10#$octet <= 255)) || err 5 "'$1' is not an IPv4 address: $octet is above 255"
	done
}

validate_prefix() { # PREFIX MAXIMUM ADDRESS
	if ! is_number "$1" || ((10#$1 > $2)); then
		err 5 "'$3': the prefix length must be 0 to $2"
	fi
}

# ADDRESS gives it twice, ADDRESS/PREFIX the first and the last of the network.
parse_addr() { # IPV4-ADDRESS[/PREFIX]; prints MIN MAX
	local addr=${1%%/*} prefix mask min max octets
	validate_addr "$addr"
	if [[ $1 != */* ]]; then
		echo "$addr $addr"
		return
	fi
	prefix=${1#*/}
	validate_prefix "$prefix" 32 "$1"

	IFS=. read -ra octets <<<"$addr"
	mask=$((0xffffffff << (32 - 10#$prefix) & 0xffffffff))
	min=$(((10#${octets[0]} << 24 | 10#${octets[1]} << 16 | 10#${octets[2]} << 8 | 10#${octets[3]}) & mask))
	max=$((min | ~mask & 0xffffffff))
	printf '%d.%d.%d.%d %d.%d.%d.%d\n' \
		$((min >> 24)) $((min >> 16 & 255)) $((min >> 8 & 255)) $((min & 255)) \
		$((max >> 24)) $((max >> 16 & 255)) $((max >> 8 & 255)) $((max & 255))
}

# Prints the eight groups of an address in hexadecimal, separated by blanks.
expand_addr6() { # IPV6-ADDRESS
	local addr=$1 octets head tail group fill
	local bad="'$1' is not an IPv6 address"

	[[ $addr == *:* ]] || err 5 "$bad"
	[[ $addr != :* || $addr == ::* ]] || err 5 "$bad"
	[[ $addr != *: || $addr == *:: ]] || err 5 "$bad"

	if [[ $addr == *.* ]]; then
		validate_addr "${addr##*:}"
		IFS=. read -ra octets <<<"${addr##*:}"
		addr=${addr%:*}:$(printf '%x:%x' \
			$((10#${octets[0]} << 8 | 10#${octets[1]})) $((10#${octets[2]} << 8 | 10#${octets[3]})))
	fi

	IFS=: read -ra head <<<"${addr%%::*}"
	tail=()
	[[ $addr != *::* ]] || IFS=: read -ra tail <<<"${addr#*::}"
	fill=$((8 - ${#head[@]} - ${#tail[@]}))
	if [[ $addr == *::* ]]; then
		((fill >= 1)) || err 5 "$bad"
	else
		((fill == 0)) || err 5 "$bad"
	fi
	for ((; fill > 0; fill--)); do
		head+=(0)
	done
	for group in "${head[@]}" "${tail[@]}"; do
		[[ $group =~ ^[0-9a-fA-F]{1,4}$ ]] || err 5 "$bad"
	done
	echo "${head[@]}" "${tail[@]}"
}

validate_addr6() { # IPV6-ADDRESS
	expand_addr6 "$1" >/dev/null
}

parse_addr6() { # IPV6-ADDRESS[/PREFIX]; prints MIN MAX
	local addr=${1%%/*} prefix groups i bits mask min=() max=()
	groups=$(expand_addr6 "$addr") || exit
	if [[ $1 != */* ]]; then
		echo "$addr $addr"
		return
	fi
	prefix=${1#*/}
	validate_prefix "$prefix" 128 "$1"

	read -ra groups <<<"$groups"
	for i in {0..7}; do
		bits=$((10#$prefix - 16 * i))
		((bits >= 0)) || bits=0
		((bits <= 16)) || bits=16
		mask=$((0xffff << (16 - bits) & 0xffff))
		min+=("$(printf '%X' $((0x${groups[i]} & mask)))")
		max+=("$(printf '%X' $((0x${groups[i]} & mask | ~mask & 0xffff)))")
	done
	(
		IFS=:
		echo "${min[*]} ${max[*]}"
	)
}

validate_ports() { # MIN MAX
	local port
	for port in "$1" "$2"; do
		if ! is_number "$port" || ((10#$port < 1 || 10#$port > 65535)); then
			err 5 "'$port' is not a port: must be 1 to 65535"
		fi
	done
	((10#$1 <= 10#$2)) || err 5 "ports $1-$2: the first is above the last"
}

parse_ports() { # PORT or MIN-MAX; prints MIN MAX
	validate_ports "${1%%-*}" "${1#*-}"
	echo "$((10#${1%%-*})) $((10#${1#*-}))"
}
