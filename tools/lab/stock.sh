# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Building Rust modules for a distribution's kernel.
#
# The headers packages have all that C modules need, but not the compiled
# metadata of the kernel's Rust crates. That is rebuilt here from the very same
# source, configuration and compiler: as Rust symbol names are hashes of just
# those, the result links with the running kernel if, and only if, every name
# comes out the same, which is checked. Source and objects are not needed
# afterwards; what stays is a small build tree that points to the headers.

# Measured: 1.1 GiB while it builds, 0.4 GiB afterwards.
STOCK_MIB=1600

stock_dir() { printf '%s\n' "$LAB_CACHE/stock/$1"; }

# rust_exports RUST_DIR: the symbols that the crates built there export.
rust_exports() {
	sed -nE 's/^EXPORT_SYMBOL_RUST_GPL\((.*)\);$/\1/p' "$1"/exports_*_generated.h | sort -u
}

# check_exports RUST_DIR SYMVERS RELEASE: what was built here must be in the
# kernel, and what the kernel has of these kinds must have been built here.
check_exports() {
	local ours all theirs differ
	ours=$(rust_exports "$1")
	all=$(awk '$3 == "vmlinux" { print $2 }' "$2" | sort -u)
	# v0-mangled names and C helpers; a few exports have plain names.
	theirs=$(grep -E '^(_R|rust_helper_)' <<<"$all" || true)
	differ=$({ comm -23 <(echo "$ours") <(echo "$all"); comm -13 <(echo "$ours") <(echo "$theirs"); } | wc -l)
	if [[ -z $ours ]] || ((differ > 0)); then
		die "the rebuilt Rust metadata does not match Linux $3 ($differ symbols differ): source or compiler are not the ones it was built with"
	fi
	say "all $(wc -l <<<"$ours") exported Rust symbols are those of Linux $3"
}

howfar_metadata() {
	printf '%d of about %d steps' "$(grep -cE '^  [A-Z]+ ' "$log")" "$STOCK_STEPS"
}
# Counted on Linux 7.3.
STOCK_STEPS=209

# make_metadata RELEASE HEADERS SOURCE: build HEADERS' Rust crates from SOURCE
# and leave a tree that modules can be built in as stock/RELEASE/build.
make_metadata() {
	local release=$1 headers=$2 src=$3 dir out log make kdir kdir_make through
	dir=$(stock_dir "$release")
	out=$dir/objects
	log=$LAB_CACHE/log/stock-$release.log
	need_space "$LAB_CACHE" $STOCK_MIB "the Rust metadata of Linux $release" "$out"
	kdir=$headers
	through=("$LAB_ROOT/tools/lab/env" --)
	c_compiler
	through=("$LAB_ROOT/tools/lab/env" --bind "$src:ro" --bind "$headers:ro" --)
	make=(make -C "$src" O="$out" ARCH=x86 KERNELRELEASE="$release" "${kdir_make[@]}")

	# Steps already done do not come again.
	[[ -d $out ]] || rm -f -- "$log"
	make_dirs "$out" "$LAB_CACHE/log"
	cp -- "$headers/.config" "$headers/Module.symvers" "$out/"
	[[ ! -e $headers/vmlinux ]] || ln -sf -- "$headers/vmlinux" "$out/vmlinux"
	"${through[@]}" "${make[@]}" olddefconfig >>"$log" 2>&1 || fail_with_log "configuring Linux $release" "$log"
	diff -I '^#' "$headers/.config" "$out/.config" >>"$log" ||
		die "this toolchain does not reproduce the configuration of Linux $release; the differences are at the end of $log"
	progress "Rust metadata of Linux $release" "$log" howfar_metadata \
		"${through[@]}" "${make[@]}" -j"$LAB_JOBS" prepare ||
		fail_with_log "building the Rust metadata of Linux $release" "$log"
	check_exports "$out/rust" "$headers/Module.symvers" "$release"
	assemble_tree "$headers" "$out" "$dir/build"
	rm -rf -- "$out"
}

# assemble_tree HEADERS OBJECTS TREE: HEADERS by reference, plus the metadata.
assemble_tree() {
	local headers=$1 objects=$2 tree=$3 part=$3.part entry source
	rm -rf -- "$part"
	mkdir -p -- "$part/scripts"
	for entry in "$headers"/* "$headers"/.config "$headers"/.kernelvariables; do
		case ${entry##*/} in
		Makefile | scripts | rust) ;;
		*) [[ ! -e $entry ]] || ln -s -- "$entry" "$part/" ;;
		esac
	done
	for entry in "$headers"/scripts/*; do
		ln -s -- "$entry" "$part/scripts/"
	done
	cp -- "$objects/scripts/target.json" "$part/scripts/"
	(cd -- "$objects" && find rust \( -name '*.rmeta' -o -name '*.so' -o -name '*_generated*.rs' -o -name 'generated_*.rs' \) \
		-exec cp --parents -t "$part" -- {} +)
	# Debian's headers name the directory with what all flavours share.
	source=$(sed -n 's/^include \(.*\)\/Makefile$/\1/p' "$headers/Makefile")
	printf 'KBUILD_OUTPUT = %s\ninclude %s/Makefile\n' "$tree" "${source:-$headers}" >"$part/Makefile"
	rm -rf -- "$tree"
	mv -T -- "$part" "$tree"
}

# extract_packages RELEASE VERSION: the lab machine's own copy of the packages, with
# the absolute paths in the headers led there.
extract_packages() {
	local release=$1 version=$2 dir files part headers name names
	dir=$(stock_dir "$release")
	files=$dir/files
	part=$files.part
	[[ -e $files ]] && return
	mapfile -t names < <(stock_packages "$release" "$version")
	fetch_packages "Linux $release" "$version" "${names[@]}"
	need_space "$LAB_CACHE" 400 "unpacking Linux $release"
	rm -rf -- "$part"
	make_dirs "$part"
	for name in "${names[@]}"; do
		in_env -- dpkg-deb -x "$(package_file "$name" "$version")" "$part"
	done
	headers=$part/usr/src/linux-headers-$release
	sed -i "s,/usr/src/,$files/usr/src/,g" "$headers/Makefile"
	mv -T -- "$part" "$files"
}

# stock_packages RELEASE VERSION: what a kernel consists of, as its headers package
# itself says.
stock_packages() {
	local release=$1 image=linux-binary-$1
	in_archive "$image" "$2" || [[ -n $(package_file "$image" "$2") ]] || image=linux-binary-unsigned-$release
	printf '%s\n' "$image" "linux-modules-$release" "linux-headers-$release"
	in_env -- dpkg-deb -f "$(package_file "linux-headers-$release" "$2")" Depends | tr ',' '\n' |
		sed -nE 's/^ *(linux-headers-[^ ]*-common|linux-kbuild-[^ ]*).*/\1/p'
}

# make_stock: the kernel of the machine `qemu`.
make_stock() {
	local release version dir
	choose_kernel stock
	read -r release version <"$CHOSEN"
	dir=$(stock_dir "$release")
	stock_ready "$release" && return
	lock "stock-$release"
	stock_ready "$release" && return
	unpack_source "$release" "$version"
	fetch_packages "the headers of Linux $release" "$version" "linux-headers-$release"
	extract_packages "$release" "$version"
	make_metadata "$release" "$dir/files/usr/src/linux-headers-$release" "$(unpacked_source "$version")"
	stock_key "$release" >"$dir/ready"
}

# What the metadata belongs to: an update of the headers can keep the release.
stock_key() {
	printf '%s\n' "$1"
	cksum 2>/dev/null <"$(stock_dir "$1")/build/Module.symvers" || true
	toolchain_key
}
stock_ready() { [[ "$(stock_key "$1")" == "$(cat "$(stock_dir "$1")/ready" 2>/dev/null)" ]]; }
