# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The toolchain environment: Debian 13's packages, on Debian 13 itself or in a
# chroot in the cache. One compiler set for all kernels and modules: the hashes
# in Rust symbol names contain the compiler's version, so only the rustc that
# the distribution built its kernel with makes modules for that kernel.

TOOLCHAIN_PACKAGES=(
	# the kernel's build
	gcc-14 gcc libc6-dev make flex bison bc perl rsync cpio xz-utils kmod
	libelf-dev libssl-dev openssl dwarves
	# Rust in the kernel, and the debug kernels' compiler
	rustc rust-src bindgen clang-19 libclang-19-dev lld-19 llvm-19
	# the command line tool and the checks
	cargo rustfmt rust-clippy shellcheck ca-certificates
	# inside the lab machines
	qemu-system-x86 iproute2 ethtool busybox-static python3
)
# What only some commands need: LAB_PACKAGES in their environment names it, and it
# is added to what is there.
read -ra more_packages <<<"${LAB_PACKAGES-}"
TOOLCHAIN_PACKAGES+=("${more_packages[@]}")
TOOLCHAIN_ROOT=$LAB_CACHE/root
# What decides whether a build result can be used again.
TOOLCHAIN_KEY_PACKAGES=(gcc-14 clang-19 rustc bindgen)
TOOLCHAIN_LOG=$LAB_CACHE/log/toolchain.log
# Measured: chroot and packages 2.3 GiB, and the packages while they unpack.
TOOLCHAIN_MIB=3500

missing_packages() {
	local package
	for package in "${TOOLCHAIN_PACKAGES[@]}"; do
		[[ $installed == *"|$package:installed|"* ]] || printf '%s\n' "$package"
	done
}

# All of dpkg's answers in one call.
query_installed() {
	installed=$(dpkg-query -W -f '|${Package}:${db:Status-Status}|\n' \
		"${TOOLCHAIN_PACKAGES[@]}" 2>/dev/null || true)
}

# Changes whenever a compiler does.
toolchain_key() {
	if is_debian13; then
		dpkg-query -W -f '${Package}=${Version}\n' "${TOOLCHAIN_KEY_PACKAGES[@]}"
	else
		cat -- "$TOOLCHAIN_ROOT/.rpktgen-toolchain"
	fi
}

toolchain_ready() {
	if is_debian13; then
		local installed
		query_installed
		[[ -z $(missing_packages) ]]
	else
		local package there=' '
		[[ ! -e $TOOLCHAIN_ROOT/.rpktgen-packages ]] || there=" $(<"$TOOLCHAIN_ROOT/.rpktgen-packages") "
		# Another checkout may have asked for more; for less is what matters.
		for package in "${TOOLCHAIN_PACKAGES[@]}"; do
			[[ $there == *" $package "* ]] || return 1
		done
	fi
}

make_toolchain() {
	toolchain_ready && return
	need_root "making the toolchain environment"
	lock toolchain
	toolchain_ready && return
	if is_debian13; then
		toolchain_native
	else
		toolchain_chroot
	fi
	unlock toolchain
}

apt_options=(-y --no-install-recommends -o Dpkg::Use-Pty=0 -o APT::Color=0 -o Acquire::Retries=3
	-o DPkg::Lock::Timeout=300)

# howfar_apt: how many packages of $apt_total have been fetched, set up.
howfar_apt() {
	local got set_up
	got=$(grep -c '^Get:' -- "$TOOLCHAIN_LOG" || true)
	set_up=$(grep -c '^Setting up ' -- "$TOOLCHAIN_LOG" || true)
	if ((set_up > 0)); then
		printf '%d of %d packages set up' "$set_up" "$apt_total"
	else
		printf '%d of %d packages fetched' "$got" "$apt_total"
	fi
}

# apt_install WHAT RUN ARG...: apt-get install with ARGs; the array RUN says how to run apt-get there.
apt_install() {
	local what=$1 apt_total
	local -n run=$2
	shift 2
	apt_total=$("${run[@]}" apt-get "${apt_options[@]}" -s install "$@" 2>>"$TOOLCHAIN_LOG" | grep -c '^Inst ' || true)
	progress "$what" "$TOOLCHAIN_LOG" howfar_apt \
		"${run[@]}" env DEBIAN_FRONTEND=noninteractive apt-get "${apt_options[@]}" install "$@" ||
		fail_with_log "$what" "$TOOLCHAIN_LOG"
}

toolchain_native() {
	# shellcheck disable=SC2034 # by name
	local installed missing here=(env --default-signal=INT)
	query_installed
	mapfile -t missing < <(missing_packages)
	need_space /usr $TOOLCHAIN_MIB "installing the toolchain"
	say "installing with apt-get: ${missing[*]}"
	make_dirs "$LAB_CACHE/log"
	: >"$TOOLCHAIN_LOG"
	progress "package lists" "$TOOLCHAIN_LOG" no_howfar apt-get -q -o Acquire::Retries=3 update ||
		fail_with_log "apt-get update" "$TOOLCHAIN_LOG"
	# It is the user's own system: apt is asked to stop, never stopped half-way
	# through a package. What an earlier end of another kind has left is finished.
	PROGRESS_GENTLY=y
	progress "unfinished packages" "$TOOLCHAIN_LOG" no_howfar \
		"${here[@]}" DEBIAN_FRONTEND=noninteractive dpkg --configure -a ||
		fail_with_log "dpkg --configure -a" "$TOOLCHAIN_LOG"
	apt_install "toolchain packages" here "${missing[@]}"
	PROGRESS_GENTLY=
}

need_debootstrap() {
	[[ -x /usr/sbin/debootstrap ]] && return
	command -v apt-get >/dev/null ||
		die "debootstrap is missing and this machine has no apt-get: install debootstrap"
	say "installing with apt-get: debootstrap"
	if ! apt-get "${apt_options[@]}" install debootstrap >>"$TOOLCHAIN_LOG" 2>&1; then
		{ apt-get -q -o Acquire::Retries=3 update && apt-get "${apt_options[@]}" install debootstrap; } \
			>>"$TOOLCHAIN_LOG" 2>&1 || fail_with_log "installing debootstrap" "$TOOLCHAIN_LOG"
	fi
	[[ -x /usr/sbin/debootstrap ]] || die "/usr/sbin/debootstrap is missing although its package is installed: apt-get install --reinstall debootstrap"
}

# debian_uri SUITE [RUN...]: where apt gets Debian's own packages of SUITE from (of
# any, if that is empty), as apt knows once it has its lists. RUN says how to run
# apt-get there.
debian_uri() {
	local suite=$1
	shift
	# shellcheck disable=SC2016
	{ "$@" apt-get indextargets --format '$(CREATED_BY) $(ORIGIN) $(LABEL) $(REPO_URI) $(CODENAME)' 2>/dev/null || true; } |
		awk -v suite="$suite" '!found && /^Packages Debian Debian (https?|file):/ && (suite == "" || $5 == suite) { print $4; found = 1 }'
}

# The address this machine's own packages come from, if those are Debian's; else
# nothing, and debootstrap takes what it knows.
own_mirror() {
	local id='' uri
	# shellcheck disable=SC1091
	id=$(. /etc/os-release && printf '%s' "${ID-}")
	[[ $id == debian ]] || return 0
	uri=$(debian_uri "")
	if [[ -z $uri ]] && apt-get -q -o Acquire::Retries=3 update >>"$TOOLCHAIN_LOG" 2>&1; then
		uri=$(debian_uri "")
	fi
	[[ -z $uri ]] || printf '%s\n' "$uri"
}

howfar_debootstrap() { sed -n 's/^I: \([A-Z][a-z]* [^ ]*\).*/\1/p' -- "$TOOLCHAIN_LOG" | tail -n 1; }

toolchain_chroot() {
	local part=$TOOLCHAIN_ROOT.part mirror inside broken='' package had=() missing=()
	# One that exists is finished, but lacks packages it did not need before.
	[[ ! -e $TOOLCHAIN_ROOT ]] || part=$TOOLCHAIN_ROOT
	unshare -m true 2>/dev/null ||
		die "this machine lets root make no mount namespace (a container without privileges?): the lab needs one"
	need_space "$LAB_CACHE" $TOOLCHAIN_MIB "the toolchain environment" "$part"
	make_dirs "$LAB_CACHE/log"
	: >"$TOOLCHAIN_LOG"
	if [[ -e $part/.rpktgen-packages ]]; then
		read -ra had <"$part/.rpktgen-packages"
		say "adding packages to the toolchain environment, $TOOLCHAIN_ROOT"
	else
		say "making the toolchain environment: Debian 13 ($LAB_SUITE) with ${#TOOLCHAIN_PACKAGES[@]} packages and what they need, in $TOOLCHAIN_ROOT"
	fi

	if [[ ! -e $part/.bootstrapped ]]; then
		need_debootstrap
		rm -rf --one-file-system -- "$part"
		make_dirs "$part"
		mirror=$(own_mirror)
		# A namespace of its own: debootstrap mounts /proc in there.
		if ! progress "base system" "$TOOLCHAIN_LOG" howfar_debootstrap unshare -m -- \
			debootstrap --variant=minbase "$LAB_SUITE" "$part" ${mirror:+"$mirror"}; then
			rm -rf --one-file-system -- "$part"
			fail_with_log "debootstrap" "$TOOLCHAIN_LOG"
		fi
		# As apt on this machine reaches the network, so does the one inside.
		apt-config dump 2>/dev/null | grep -E '^Acquire::([a-z]+::Proxy|Check-|Retries|https::CA)' \
			>"$part/etc/apt/apt.conf.d/90machine" || true
		# Losing power costs a second run, not a system: no fsync per file.
		echo force-unsafe-io >"$part/etc/dpkg/dpkg.cfg.d/unsafe-io"
		: >"$part/.bootstrapped"
	fi
	inside=("$LAB_ROOT/tools/lab/env" --root "$part" --chdir / --)
	# After an interruption packages may be half set up.
	"${inside[@]}" dpkg --configure -a >>"$TOOLCHAIN_LOG" 2>&1 || broken=y
	progress "package lists" "$TOOLCHAIN_LOG" no_howfar "${inside[@]}" apt-get -q -o Acquire::Retries=3 update ||
		fail_with_log "apt-get update" "$TOOLCHAIN_LOG"
	# Or they lack others that were to come after them; apt wants that mended
	# before it is asked for anything.
	[[ -z $broken ]] || apt_install "repair of the interrupted installation" inside --fix-broken
	# Only these: a newer compiler would make every build in the cache an old one.
	for package in "${TOOLCHAIN_PACKAGES[@]}"; do
		[[ " ${had[*]} " == *" $package "* ]] || missing+=("$package")
	done
	apt_install "toolchain packages" inside "${missing[@]}"
	"${inside[@]}" apt-get clean >>"$TOOLCHAIN_LOG" 2>&1
	# shellcheck disable=SC2016
	"${inside[@]}" dpkg-query -W -f '${Package}=${Version}\n' "${TOOLCHAIN_KEY_PACKAGES[@]}" \
		>"$part/.rpktgen-toolchain"
	printf '%s\n' "${had[@]}" "${TOOLCHAIN_PACKAGES[@]}" | sort -u | paste -sd' ' >"$part/.rpktgen-packages"
	[[ $part == "$TOOLCHAIN_ROOT" ]] || mv -T -- "$part" "$TOOLCHAIN_ROOT"
}
