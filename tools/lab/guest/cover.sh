# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=busybox
#
# Sourced on both sides of the lab: by boot, in the namespace it starts the
# kernel from, and by init, inside that kernel.

# cover MODE DIR KEEP...: an empty tmpfs over DIR, in which every KEEP that was
# below DIR is still found at its path. Assembled elsewhere and moved into place,
# because nothing below DIR can be reached once DIR is covered.
cover() {
	local mode=$1 dir=$2 stage=/mnt keep target
	shift 2
	mount -t tmpfs -o "mode=$mode" tmpfs "$stage"
	for keep in "$@"; do
		case $keep in
		"$dir"/*) target=$stage${keep#"$dir"} ;;
		*) continue ;;
		esac
		if [ -d "$keep" ]; then
			mkdir -p "$target"
		else
			mkdir -p "${target%/*}"
			[ -e "$target" ] || : >"$target"
		fi
		mount --rbind "$keep" "$target"
	done
	mount --move "$stage" "$dir"
}
