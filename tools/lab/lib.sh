# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What every lab script shares: where things are, how to speak, how to fail,
# locks, and progress for what takes long. Sourced, never run.

LAB_ROOT=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)
# A relative XDG_CACHE_HOME does not count, as its specification says.
LAB_CACHE=${XDG_CACHE_HOME-}
if [[ $LAB_CACHE != /* ]]; then
	LAB_CACHE=${HOME:-$(getent passwd "$(id -u)" | cut -d: -f6)}/.cache
fi
LAB_CACHE=$(realpath -m -- "$LAB_CACHE/rpktgen")
LAB_SUITE=trixie
LAB_JOBS=${LAB_JOBS:-$(nproc)}
export LC_ALL=C

say() { printf 'lab: %s\n' "$*" >&2; }

die() {
	printf 'lab: error: %s\n' "$*" >&2
	exit 1
}

# Kbuild splits its paths at blanks and colons, so neither can work later.
case $LAB_ROOT$LAB_CACHE in
*[[:space:]:]*) die "the kernel's build cannot work in a path with blanks or colons: $LAB_ROOT, $LAB_CACHE" ;;
esac

is_debian13() {
	local ID='' VERSION_CODENAME=''
	[[ -r /etc/os-release ]] || return 1
	# shellcheck disable=SC1091
	. /etc/os-release
	[[ $ID == debian && $VERSION_CODENAME == "$LAB_SUITE" ]]
}

need_root() {
	[[ $(id -u) -eq 0 ]] || die "$1 needs root: run the same command as root (sudo)"
}

# free_mib DIR: what is free where DIR is, or will be.
free_mib() {
	local dir=$1
	while [[ ! -d $dir ]]; do dir=$(dirname -- "$dir"); done
	df -Pm -- "$dir" | awk 'NR == 2 { print $4 }'
}

# need_space DIR MIB WHAT [PART]: a full disk half an hour into a build helps
# nobody. What an earlier run has left in PART need not be found again.
need_space() {
	local dir=$1 need=$2 what=$3 part=${4-} free
	[[ ! -d $part ]] || need=$((need - $(du -smx -- "$part" | cut -f1)))
	free=$(free_mib "$dir")
	((free >= need)) || die "$what needs $need MiB in $dir, only $free MiB are free: make room or set XDG_CACHE_HOME"
}

# make_dirs DIR...: the cache may be on a read-only or foreign file system.
make_dirs() {
	mkdir -p -- "$@" 2>/dev/null || die "cannot create $1: set XDG_CACHE_HOME to a directory that can be written"
}

# lock NAME: one maker of a thing at a time. The lock belongs to the open file,
# children inherit it, so it also outlives a killed script until its last child
# is gone: a half-stopped build can never meet a second one.
declare -A LAB_LOCKS
lock() {
	local file=$LAB_CACHE/lock/$1 fd since=$SECONDS
	[[ -z ${LAB_LOCKS[$1]-} ]] || return 0
	make_dirs "$LAB_CACHE/lock"
	: 2>/dev/null >>"$file" || die "cannot write to $file: the cache belongs to another user; set XDG_CACHE_HOME"
	exec {fd}>>"$file"
	if ! flock -n "$fd"; then
		say "waiting for another run that is making: $1"
		until flock -w 15 "$fd"; do
			say "still waiting for another run that is making: $1 ($(elapsed $((SECONDS - since))))"
		done
	fi
	LAB_LOCKS[$1]=$fd
}

unlock() {
	local fd=${LAB_LOCKS[$1]-}
	[[ -n $fd ]] || return 0
	exec {fd}>&-
	unset "LAB_LOCKS[$1]"
}

elapsed() {
	local s=$1
	if ((s < 60)); then printf '%ds' "$s"; else printf '%dm%02ds' $((s / 60)) $((s % 60)); fi
}

# The reader's side of a progress report: ends when its standard input does,
# which is when the work is done or its script was killed.
progress_monitor() {
	local label=$1 howfar=$2 start=$SECONDS interval=15 line far rc
	[[ ! -t 2 ]] || interval=1
	while :; do
		rc=0
		read -rt "$interval" _ || rc=$?
		((rc > 128)) || break
		far=$($howfar 2>/dev/null || true)
		line="$label: ${far:+$far, }$(elapsed $((SECONDS - start)))"
		if [[ -t 2 ]]; then
			printf '\r\033[Klab: %.*s' $((${COLUMNS:-80} - 6)) "$line" >&2
		else
			say "$line"
		fi
	done
	[[ ! -t 2 ]] || printf '\r\033[K' >&2
}

# progress LABEL LOG HOWFAR COMMAND [ARG...]: run COMMAND with its output in
# LOG; meanwhile say on stderr what runs, how far it is (what the function
# HOWFAR prints) and for how long. Returns COMMAND's status.
#
# COMMAND gets a process group of its own, so that an interrupt can end all of
# it, and a signal when this script is killed outright.
progress() {
	local label=$1 log=$2 howfar=$3 start=$SECONDS rc=0 signal=TERM pipe monitor
	shift 3
	make_dirs "$(dirname -- "$log")"
	printf '+ %s\n' "$*" >>"$log" 2>/dev/null || die "cannot write to $log: is the disk full?"
	exec {pipe}> >(progress_monitor "$label" "$howfar")
	monitor=$!
	[[ -z $PROGRESS_GENTLY ]] || signal=INT
	setsid setpriv --pdeathsig "$signal" -- "$@" >>"$log" 2>&1 </dev/null {pipe}>&- &
	PROGRESS_CHILD=$!
	wait "$PROGRESS_CHILD" || rc=$?
	PROGRESS_CHILD=
	exec {pipe}>&-
	wait "$monitor" 2>/dev/null || true
	((rc != 0)) || say "$label: done in $(elapsed $((SECONDS - start)))"
	return "$rc"
}

# attended COMMAND [ARG...]: in the same way, but with our output: a signal to
# this script is not held up until COMMAND has ended.
attended() {
	local rc=0
	setsid setpriv --pdeathsig TERM -- "$@" </dev/null &
	PROGRESS_CHILD=$!
	wait "$PROGRESS_CHILD" || rc=$?
	PROGRESS_CHILD=
	return "$rc"
}

# PROGRESS_GENTLY: to be set for a command that must not be ended anywhere in the
# middle. It is interrupted, alone, and decides itself when it ends.
PROGRESS_CHILD=
PROGRESS_GENTLY=
progress_stop() {
	[[ -n $PROGRESS_CHILD ]] || return 0
	if [[ -n $PROGRESS_GENTLY ]]; then
		kill -INT "$PROGRESS_CHILD" 2>/dev/null || true
	else
		kill -TERM -- "-$PROGRESS_CHILD" 2>/dev/null || true
	fi
	wait "$PROGRESS_CHILD" 2>/dev/null || true
	PROGRESS_CHILD=
}

# For scripts that make things: what is finished stays, the rest is resumed.
trap_interrupts() {
	trap 'progress_stop; printf "\n" >&2; say "interrupted; the same command goes on from here"; exit 130' INT
	trap 'progress_stop; say "terminated; the same command goes on from here"; exit 143' TERM HUP
}

no_howfar() { :; }

# fail_with_log WHAT LOG: say why in one line; the details stay in LOG. A log may
# hold several runs, each begins with its command.
fail_with_log() {
	local what=$1 log=$2 why
	why=$(awk '/^\+ / { n = 0 } { line[n++] = $0 } END { for (i = 0; i < n; i++) print line[i] }' "$log" 2>/dev/null || true)
	# Not every program can say so: the log may be on the same disk.
	if grep -qi 'no space left on device' <<<"$why" || (($(free_mib "$LAB_CACHE") < 128)); then
		die "$what failed: the disk is full (df -h $LAB_CACHE); details: $log"
	fi
	if grep -qiE 'could not resolve|temporary failure resolving|could not connect|unable to connect|network is unreachable|connection (refused|timed out)|failed getting release file' <<<"$why"; then
		die "$what failed: no connection to where packages come from; check the network and the proxy settings; details: $log"
	fi
	why=$(grep -E '^(E: |error|.*error:|.*Error [0-9]+$|\*\*\*)' <<<"$why" | tail -n 1 || true)
	die "$what failed${why:+: ${why:0:160}}; details: $log"
}

# cargo_in_cache: what the machine's own cargo downloads goes to the cache; how it
# reaches the network (a registry mirror or a proxy) is still what the user has
# set. A directory of its own: in the chroot no link to the user's files works.
cargo_in_cache() {
	local config=${CARGO_HOME:-${HOME:-/root}/.cargo}/config.toml
	export CARGO_HOME=$LAB_CACHE/cargo-native
	[[ $config != "$CARGO_HOME/config.toml" ]] || return 0
	make_dirs "$CARGO_HOME"
	if [[ -f $config ]]; then
		ln -sfn -- "$(realpath -- "$config")" "$CARGO_HOME/config.toml"
	else
		rm -f -- "$CARGO_HOME/config.toml"
	fi
}

# In the toolchain environment; see tools/lab/env.
in_env() { "$LAB_ROOT/tools/lab/env" "$@"; }
