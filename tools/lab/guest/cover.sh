# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Sourced on both sides of the lab: by boot, in the namespace it starts the
# kernel from, and by init, inside that kernel.

# libmount keeps notes in /run, which may be read-only or be replaced under it.
mount() { command mount -n "$@"; }

# cover DIR KEEP...: an empty tmpfs over DIR, in which every KEEP that was below
# DIR is still found at its path. Assembled elsewhere and moved into place,
# because nothing below DIR can be reached once DIR is covered.
cover() {
	local dir=$1 stage=/mnt keep target
	shift
	mount -t tmpfs -o mode=1777 tmpfs "$stage"
	for keep in "$@"; do
		[[ $keep == "$dir"/* && -e $keep ]] || continue
		target=$stage${keep#"$dir"}
		if [[ -d $keep ]]; then
			mkdir -p -- "$target"
		else
			mkdir -p -- "${target%/*}"
			[[ -e $target ]] || : >"$target"
		fi
		mount --rbind -- "$keep" "$target"
	done
	mount --move "$stage" "$dir"
}
