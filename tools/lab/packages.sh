# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Debian's kernel packages: which kernel the lab uses, and getting its files.
#
# apt runs with a configuration of its own in the cache. It sees one suite, the
# one that carries new kernels for Debian 13, at the address the toolchain
# environment already uses; signatures are checked with Debian's own keyring.
# The machine's own package sources are never touched, and once the cache has
# what it needs, nothing is asked again.

PKG_DIR=$LAB_CACHE/pkg
PKG_LOG=$LAB_CACHE/log/packages.log
APT_DIR=$LAB_CACHE/apt
CHOSEN=$LAB_CACHE/kernel.chosen

PRIVATE=(-o Dir::Etc::SourceList="$APT_DIR/sources.list" -o Dir::Etc::SourceParts=/dev/null
	-o Dir::State::Lists="$APT_DIR/lists" -o Dir::Cache="$APT_DIR/cache"
	-o APT::Sandbox::User=root -o Acquire::Languages=none -o Acquire::Retries=3)

# private_apt TOOL ARG...
private_apt() { in_env --chdir / -- "$1" "${PRIVATE[@]}" "${@:2}"; }

# The suite's package lists; again when they are a day old.
apt_lists() {
	local held=${LAB_LOCKS[packages]-}
	make_toolchain
	lock packages
	update_lists
	[[ -n $held ]] || unlock packages
}

update_lists() {
	local uri
	make_dirs "$APT_DIR/lists/partial" "$APT_DIR/cache/archives/partial" "$LAB_CACHE/log"
	[[ -z $(find "$APT_DIR/updated" -mmin -1440 2>/dev/null) ]] || return 0
	: >"$PKG_LOG"
	uri=$(debian_uri "$LAB_SUITE" in_env --chdir / --)
	if [[ -z $uri ]] && is_debian13; then
		# Small images come without package lists, and apt does not know then.
		need_root "reading Debian's package lists"
		apt-get -q -o Acquire::Retries=3 update >>"$PKG_LOG" 2>&1 || fail_with_log "apt-get update" "$PKG_LOG"
		uri=$(debian_uri "$LAB_SUITE")
	fi
	[[ -n $uri ]] || die "apt has no source of Debian's packages for $LAB_SUITE: add one to /etc/apt/sources.list"
	echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $uri $LAB_SUITE-backports main" \
		>"$APT_DIR/sources.list"
	# apt-get update calls a failed download a warning.
	if ! private_apt apt-get -q update >>"$PKG_LOG" 2>&1 || grep -q '^[WE]: ' "$PKG_LOG"; then
		fail_with_log "reading the archive's kernel list" "$PKG_LOG"
	fi
	: >"$APT_DIR/updated"
}

# package_file NAME VERSION: the downloaded file of that package, or nothing. The
# name alone does not do: a new version of a package can have the same one.
package_file() {
	local file
	for file in "$PKG_DIR/$1_${2//:/%3a}"_*.deb; do
		[[ ! -e $file ]] || printf '%s\n' "$file"
	done
}

# in_archive NAME VERSION: can it still be downloaded?
in_archive() { [[ -n $(private_apt apt-cache show "$1=$2" 2>/dev/null) ]]; }

howfar_fetch() {
	local got
	got=$(du -cBM "$PKG_DIR/part" "$APT_DIR/cache/archives" | awk 'END { print $1 + 0 }')
	printf '%d of %d MiB' "$got" "$fetch_mib"
}

# fetch_packages WHAT VERSION NAME...: download those that are not in the cache yet.
fetch_packages() {
	local what=$1 version=$2 missing=() name fetch_mib
	shift 2
	for name; do
		[[ -n $(package_file "$name" "$version") ]] || missing+=("$name=$version")
	done
	((${#missing[@]})) || return 0
	lock packages
	apt_lists
	make_dirs "$PKG_DIR/part"
	fetch_mib=$(private_apt apt-get --print-uris download "${missing[@]}" 2>>"$PKG_LOG" |
		awk '{ bytes += $3 } END { print int(bytes / 1048576) + 1 }') ||
		{ ask_again; die "the archive has no ${missing[*]} (any more?): the same command asks it again"; }
	need_space "$PKG_DIR" $((fetch_mib + 200)) "downloading $what"
	say "downloading $what ($fetch_mib MiB): ${missing[*]}"
	progress "download" "$PKG_LOG" howfar_fetch \
		"$LAB_ROOT/tools/lab/env" --chdir "$PKG_DIR/part" -- apt-get "${PRIVATE[@]}" -q download "${missing[@]}" ||
		{ ask_again; fail_with_log "downloading $what" "$PKG_LOG"; }
	# Others may be there in part, from a run that was interrupted.
	for name in "${missing[@]%%=*}"; do
		mv -- "$PKG_DIR/part/${name}_${version//:/%3a}"_*.deb "$PKG_DIR/"
	done
	unlock packages
}

# The archive may have moved on since its lists were read.
ask_again() { rm -f -- "$APT_DIR/updated"; }

# package_field NAME FIELD: as the archive has it; nothing if it has no such one.
package_field() {
	{ private_apt apt-cache show --no-all-versions "$1" 2>/dev/null || true; } | sed -n "s/^$2: //p"
}

# config_of_package DEB: the kernel configuration in a linux-headers package.
config_of_package() {
	in_env -- dpkg-deb --fsys-tarfile "$1" |
		tar -xO --wildcards './usr/src/linux-headers-*/.config'
}

# source_package RELEASE: linux-source-7.3 for 7.3.4+deb13-amd64.
source_package() {
	[[ $1 =~ ^([0-9]+\.[0-9]+) ]] && printf 'linux-source-%s\n' "${BASH_REMATCH[1]}"
}

# still_there source|stock: has the chosen kernel's part that is asked for been
# unpacked, or can it still be? An archive keeps no old kernels.
still_there() {
	local release version name names=()
	read -r release version <"$CHOSEN"
	[[ $1 != stock ]] || ! stock_ready "$release" || return 0
	[[ -e $(unpacked_source "$version") ]] || names+=("$(source_package "$release")")
	[[ $1 != stock || -e $(stock_dir "$release")/files ]] ||
		names+=("linux-headers-$release" "linux-modules-$release")
	for name in "${names[@]}"; do
		[[ -z $(package_file "$name" "$version") ]] || continue
		apt_lists
		in_archive "$name" "$version" || return 1
	done
}

# choose_kernel source|stock: the newest kernel of the suite that can be used, and
# then no other until that cannot be had any more: with Rust, by this compiler,
# and with the source it was built from still in the archive.
choose_kernel() {
	local releases release version rustc config why=
	[[ -e $CHOSEN ]] && still_there "$1" && return
	make_toolchain
	lock kernel.chosen
	if [[ -e $CHOSEN ]]; then
		still_there "$1" && { unlock kernel.chosen; return; }
		say "the archive has no Linux $(cut -d' ' -f1 "$CHOSEN") any more: choosing again"
	fi
	apt_lists
	rustc=$(in_env --chdir / -- rustc --version)
	mapfile -t releases < <(private_apt apt-cache pkgnames linux-headers- |
		sed -nE 's/^linux-headers-([0-9.]+[^-]*-amd64)$/\1/p' | sort -rV)
	for release in "${releases[@]}"; do
		version_at_least "$release" "$OLDEST_KERNEL" || break
		version=$(package_field "linux-headers-$release" Version)
		if [[ $(package_field "$(source_package "$release")" Version) != "$version" ]]; then
			why="the archive has no source of $release any more"
			continue
		fi
		fetch_packages "the headers of Linux $release" "$version" "linux-headers-$release"
		config=$(config_of_package "$(package_file "linux-headers-$release" "$version")")
		if [[ $config != *$'\nCONFIG_RUST=y\n'* ]]; then
			why="$release is built without CONFIG_RUST"
		elif [[ $config != *"CONFIG_RUSTC_VERSION_TEXT=\"$rustc\""* ]]; then
			why="$release is built by another compiler than $rustc"
		else
			printf '%s %s\n' "$release" "$version" >"$CHOSEN.part"
			mv -- "$CHOSEN.part" "$CHOSEN"
			unlock kernel.chosen
			say "the lab's kernel is Linux $release (package version $version)"
			return
		fi
	done
	die "$LAB_SUITE-backports has no kernel from $OLDEST_KERNEL on that can be used${why:+ ($why)}: set KSRC= to a kernel source tree"
}
