# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The kernel source the lab builds from: the distribution's source package of
# the chosen kernel, or the user's own tree in KSRC. Never written to: every
# build has an output directory of its own.

# Measured: 1.7 GiB unpacked, the package 160 MiB.
SOURCE_MIB=2200
SOURCE_LOG=$LAB_CACHE/log/source.log

# makefile_version DIR: the version a kernel source tree says it has, 7.3.4.
makefile_version() {
	awk '$2 != "=" { exit } { v[$1] = $3 }
		END { printf "%s.%s.%s%s", v["VERSION"], v["PATCHLEVEL"], v["SUBLEVEL"], v["EXTRAVERSION"] }' \
		<(grep -E '^(VERSION|PATCHLEVEL|SUBLEVEL|EXTRAVERSION) =' -- "$1/Makefile")
}

# is_source_of DIR VERSION: is that the source of Debian's package version VERSION?
# 7.3-1 is Linux 7.3.0, and 7.3~rc2-1 is 7.3.0-rc2.
is_source_of() {
	local version upstream=${2%-*}
	version=$(makefile_version "$1")
	upstream=${upstream/\~/-}
	[[ $version == "$upstream" || ${version/.0/} == "$upstream" ]]
}

# check_ksrc: everything that is wrong with KSRC, before anything is built.
check_ksrc() {
	local version
	[[ -f $KSRC/Makefile && -f $KSRC/Kconfig && -d $KSRC/rust ]] ||
		die "KSRC=$KSRC is not a Linux source tree with Rust support"
	KSRC=$(realpath -- "$KSRC")
	version=$(makefile_version "$KSRC")
	version_at_least "$version" "$OLDEST_KERNEL" ||
		die "KSRC=$KSRC is Linux $version: $OLDEST_KERNEL is the oldest that can be used"
	[[ ! -e $KSRC/.config && ! -d $KSRC/include/config && ! -d $KSRC/arch/x86/include/generated ]] ||
		die "KSRC=$KSRC has been built in: run make mrproper in it, or give a clean tree (git worktree add)"
	case $KSRC in
	*[[:space:]:]*) die "KSRC=$KSRC: the kernel's build cannot work in a path with blanks or colons" ;;
	esac
}

# unpacked_source VERSION: where the source of package version VERSION is.
unpacked_source() { printf '%s\n' "$LAB_CACHE/src/linux-${1//[:~]/_}"; }

howfar_unpack() {
	awk '/Read checkpoint/ { n = $NF } END { printf "%d MiB unpacked", n / 102.4 }' "$SOURCE_LOG"
}

# unpack_source RELEASE VERSION
unpack_source() {
	local release=$1 dir part
	dir=$(unpacked_source "$2")
	part=$dir.part
	[[ -e $dir ]] && return
	lock source
	[[ -e $dir ]] && return
	fetch_packages "the source of Linux $release" "$2" "$(source_package "$release")"
	need_space "$LAB_CACHE" $SOURCE_MIB "the kernel source"
	rm -rf -- "$part"
	make_dirs "$part" "$LAB_CACHE/log"
	: >"$SOURCE_LOG"
	# shellcheck disable=SC2016
	progress "unpack Linux $release" "$SOURCE_LOG" howfar_unpack "$LAB_ROOT/tools/lab/env" -- bash -c '
		set -euo pipefail
		dpkg-deb --fsys-tarfile "$1" | tar -xO --wildcards "./usr/src/linux-source-*.tar.xz" |
			tar -xJ --strip-components=1 --checkpoint=2000 --checkpoint-action=echo -C "$2"' \
		unpack "$(package_file "$(source_package "$release")" "$2")" "$part" ||
		fail_with_log "unpacking the kernel source" "$SOURCE_LOG"
	is_source_of "$part" "$2" || die "the package $(source_package "$release") $2 has the source of Linux $(makefile_version "$part")"
	mv -T -- "$part" "$dir"
	unlock source
}

# make_source: sets `source_dir` to a tree ready to build from, `source_id` to
# what names its contents.
# shellcheck disable=SC2034 # for the caller
make_source() {
	local release version
	if [[ -n ${KSRC-} ]]; then
		check_ksrc
		source_dir=$KSRC
		source_id="$(makefile_version "$KSRC") $KSRC"
		return
	fi
	choose_kernel source
	read -r release version <"$CHOSEN"
	unpack_source "$release" "$version"
	source_dir=$(unpacked_source "$version")
	source_id="$version"
}
