# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Is a kernel build tree fit for a Rust module, and which compiler goes with it?

OLDEST_KERNEL=7.2

# version_at_least A B: is version A the same as or newer than B?
version_at_least() { [[ $(printf '%s\n' "$1" "$2" | sort -V | head -n 1) == "$2" ]]; }

# config_value DIR SYMBOL
config_value() { sed -nE "s/^$2=\"?([^\"]*)\"?\$/\1/p" "$1/.config"; }

kdir_release() { cat -- "$1/include/config/kernel.release" 2>/dev/null || true; }

has_rust_metadata() { [[ -e $1/rust/libkernel.rmeta && -e $1/rust/libcore.rmeta ]]; }

# choose_kdir: sets kdir. The running kernel's tree is the one that its package
# brought, or, where that has no Rust metadata, the one made in its place.
choose_kdir() {
	local release prepared
	if [[ -n ${KDIR-} ]]; then
		kdir=$(realpath -e -- "$KDIR" 2>/dev/null) || die "KDIR=$KDIR: no such directory"
		return
	fi
	release=$(uname -r)
	prepared=$LAB_CACHE/stock/$release
	kdir=/lib/modules/$release/build
	if ! has_rust_metadata "$kdir" && [[ -e $prepared/ready ]]; then
		kdir=$prepared/build
	fi
	[[ -d $kdir ]] ||
		die "the running kernel's headers ($kdir) are not installed: install them (Debian: apt-get install linux-headers-$release), or build for another kernel with KDIR=DIR"
	kdir=$(realpath -- "$kdir")
}

# check_kernel_config DIR: what no preparation can mend.
check_kernel_config() {
	local dir=$1 release
	release=$(kdir_release "$dir")
	if [[ ! -e $dir/.config || ! -e $dir/Makefile || -z $release ]]; then
		die "$dir is not a kernel build tree (no .config, Makefile or include/config/kernel.release): configure and build the kernel first"
	fi
	version_at_least "$release" "$OLDEST_KERNEL" ||
		die "$dir is Linux $release: rpktgen needs $OLDEST_KERNEL or later"
	[[ $(config_value "$dir" CONFIG_RUST) == y ]] ||
		die "Linux $release in $dir is built without CONFIG_RUST: rpktgen needs a kernel with Rust support"
}

check_kdir_usable() {
	check_kernel_config "$kdir"
	has_rust_metadata "$kdir" && return
	if [[ -z ${KDIR-} || $kdir == /usr/src/* ]]; then
		die "the headers of Linux $(kdir_release "$kdir") have no Rust metadata: run make prepare-kernel once${KDIR:+ (with KVER=$(kdir_release "$kdir"))}, then make"
	fi
	die "$kdir has no rust/libkernel.rmeta: build the kernel (or its target prepare) there first"
}

# choose_toolchain: sets `through`, the prefix for commands that compile, and
# `kdir_make`, what make has to be told. Rust metadata is readable by the very
# compiler that wrote it and by no other: the machine's own if it is the one,
# else the lab's.
choose_toolchain() {
	local wanted have lab_has=''
	wanted=$(config_value "$kdir" CONFIG_RUSTC_VERSION_TEXT)
	have=$(rustc --version 2>/dev/null || true)
	through=()
	if [[ $have != "$wanted" ]]; then
		lab_through
		if is_debian13 || [[ -e $LAB_CACHE/root/.rpktgen-toolchain ]]; then
			lab_has=$("${through[@]}" rustc --version 2>/dev/null || true)
		fi
		[[ $lab_has == "$wanted" ]] ||
			die "Linux $(kdir_release "$kdir") was built by $wanted, this machine has ${have:-no rustc} and ${lab_has:-no lab toolchain (make lab makes one)}: use that compiler"
	fi
	kdir_make=()
	choose_c_compiler
	need_tool make "the kernel's build"
	need_tool bindgen "Rust in the kernel"
}

# The lab's toolchain, with all that the tree refers to visible there.
lab_through() {
	local tree path
	through=("$LAB_ROOT/tools/lab/env")
	# A prepared tree refers to the headers, and those to what all flavours share
	# and to the kernel's programs, each in a directory of its own.
	for tree in "$kdir" "$(dirname -- "$(realpath -- "$kdir/.config")")" \
		"$(sed -n 's,^include \(.*\)/Makefile$,\1,p' "$kdir/Makefile")"; do
		[[ -n $tree ]] || continue
		for path in "$tree" "$tree/scripts" "$tree/tools" "$tree/source"; do
			[[ ! -e $path ]] || through+=(--bind "$(realpath -- "$path"):ro")
		done
	done
	through+=(--)
}

# Debian's headers choose their C compiler by themselves.
choose_c_compiler() {
	[[ -e $kdir/.kernelvariables ]] || c_compiler
}

# c_compiler: a tree does not remember which make variables it was built with,
# but its configuration says what comes of them. Sets kdir_make.
c_compiler() {
	local text suffix gcc
	kdir_make=()
	[[ $(config_value "$kdir" CONFIG_UML) != y ]] || kdir_make+=(ARCH=um)
	text=$(config_value "$kdir" CONFIG_CC_VERSION_TEXT)
	if [[ $(config_value "$kdir" CONFIG_CC_IS_CLANG) != y ]]; then
		gcc=${text%% *}
		need_tool "$gcc" "the C part (the kernel was built by it)"
		kdir_make+=(CC="$gcc")
		[[ $gcc != *-gcc* ]] || kdir_make+=(CROSS_COMPILE="${gcc%gcc*}")
		return
	fi
	suffix=${text##*version }
	for suffix in 1 "-${suffix%%.*}"; do
		if [[ $("${through[@]}" "clang${suffix#1}" --version 2>/dev/null | head -n 1) == "$text" ]]; then
			kdir_make+=(LLVM="$suffix")
			return
		fi
	done
	die "Linux $(kdir_release "$kdir") was built by $text, which is not installed: install that clang"
}

# need_tool NAME WHAT
need_tool() {
	# shellcheck disable=SC2016
	"${through[@]}" sh -c 'command -v "$1" >/dev/null' sh "$1" ||
		die "$1 is missing, which $2 needs: install it"
}
