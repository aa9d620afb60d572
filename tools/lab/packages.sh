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
	# shellcheck disable=SC2016
	uri=$(in_env --chdir / -- apt-get indextargets --format '$(CODENAME) $(CREATED_BY) $(REPO_URI)' |
		awk -v suite="$LAB_SUITE" '!found && $1 == suite && $2 == "Packages" { print $3; found = 1 }')
	[[ -n $uri ]] || die "apt has no package source for $LAB_SUITE: add one to /etc/apt/sources.list"
	echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $uri $LAB_SUITE-backports main" \
		>"$APT_DIR/sources.list"
	# apt-get update calls a failed download a warning.
	if ! private_apt apt-get -q update >>"$PKG_LOG" 2>&1 || grep -q '^[WE]: ' "$PKG_LOG"; then
		fail_with_log "reading the archive's kernel list" "$PKG_LOG"
	fi
	: >"$APT_DIR/updated"
}

# package_file NAME: the downloaded file of package NAME, or nothing.
package_file() {
	local file
	for file in "$PKG_DIR/$1"_*.deb; do
		[[ ! -e $file ]] || printf '%s\n' "$file"
	done
}

howfar_fetch() {
	local got
	got=$(du -cBM "$PKG_DIR/part" "$APT_DIR/cache/archives" | awk 'END { print $1 + 0 }')
	printf '%d of %d MiB' "$got" "$fetch_mib"
}

# fetch_packages WHAT NAME...: download those that are not in the cache yet.
fetch_packages() {
	local what=$1 missing=() name fetch_mib
	shift
	for name; do
		[[ -n $(package_file "$name") ]] || missing+=("$name")
	done
	((${#missing[@]})) || return 0
	lock packages
	apt_lists
	make_dirs "$PKG_DIR/part"
	fetch_mib=$(private_apt apt-get --print-uris download "${missing[@]}" 2>>"$PKG_LOG" |
		awk '{ bytes += $3 } END { print int(bytes / 1048576) + 1 }') ||
		die "the archive has no package ${missing[*]}; remove $APT_DIR/updated to ask again"
	need_space "$PKG_DIR" $((fetch_mib + 200)) "downloading $what"
	say "downloading $what ($fetch_mib MiB): ${missing[*]}"
	progress "download" "$PKG_LOG" howfar_fetch \
		"$LAB_ROOT/tools/lab/env" --chdir "$PKG_DIR/part" -- apt-get "${PRIVATE[@]}" -q download "${missing[@]}" ||
		fail_with_log "downloading $what" "$PKG_LOG"
	# Others may be there in part, from a run that was interrupted.
	for name in "${missing[@]}"; do
		mv -- "$PKG_DIR/part/$name"_*.deb "$PKG_DIR/"
	done
	unlock packages
}

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

# Choose the newest kernel of the suite that can be used, once: with Rust, by
# this compiler, and with the source it was built from still in the archive.
choose_kernel() {
	local releases release version rustc config why=
	[[ -e $CHOSEN ]] && return
	make_toolchain
	lock kernel.chosen
	[[ -e $CHOSEN ]] && return
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
		fetch_packages "the headers of Linux $release" "linux-headers-$release"
		config=$(config_of_package "$(package_file "linux-headers-$release")")
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
