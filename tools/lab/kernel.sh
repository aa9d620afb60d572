# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Kernels of our own: configuration fragments over allnoconfig, built from the
# lab's kernel source in a directory named after all that the result depends on.
# An interrupted build goes on where it was; a finished one is never touched.

# What setup can make, see tools/lab/machines.sh for what they are.
MACHINES="uml uml-debug qemu qemu-debug"

# name, fragments, what make needs to know, kernel, steps to expect, MiB needed.
# The kernel of qemu is the distribution's, but from KSRC it is built like these.
KERNELS='
uml         base,net,uml               ARCH=um,CC=gcc-14      linux    1500  700
uml-debug   base,net,uml,debug         ARCH=um,LLVM=-19       linux    1550  1200
qemu        base,net,pc                ARCH=x86_64,CC=gcc-14  vmlinux  2600  1500
qemu-debug  base,net,pc,debug,pc-debug ARCH=x86_64,LLVM=-19   vmlinux  3300  2500
'

is_machine() { [[ -n $1 && " $MACHINES " == *" $1 "* ]]; }

# own_kernel MACHINE: is its kernel one of our own, or of the user's?
own_kernel() { [[ $1 != qemu || -n ${KSRC-} || -n ${KDIR-} ]]; }

# kernel_spec MACHINE: sets kernel_fragments, kernel_make, kernel_image,
# kernel_steps and kernel_mib.
kernel_spec() {
	local fragments make name
	read -r fragments make kernel_image kernel_steps kernel_mib < <(
		awk -v name="$1" '$1 == name { $1 = ""; print }' <<<"$KERNELS")
	IFS=, read -ra kernel_make <<<"$make"
	kernel_fragments=()
	for name in ${fragments//,/ }; do
		kernel_fragments+=("$LAB_ROOT/tools/lab/machines/$name.fragment")
	done
}

# kernel_tree MACHINE: sets kernel_dir to where the machine's build tree is, or
# will be; needs no more than names, so that asking is quick. Fails when it is
# not known yet which kernel it will be.
kernel_tree() {
	local source key
	kernel_spec "$1"
	if [[ -n ${KDIR-} ]]; then
		kernel_dir=$KDIR
		return
	fi
	if [[ -n ${KSRC-} ]]; then
		check_ksrc
		source="$(makefile_version "$KSRC") $KSRC"
	elif [[ -e $CHOSEN ]]; then
		source=$(<"$CHOSEN")
	else
		return 1
	fi
	toolchain_ready || return 1
	key=$({
		echo "$source ${kernel_make[*]}"
		toolchain_key
		grep -hv '^#' "${kernel_fragments[@]}"
	} | sha256sum)
	kernel_dir=$LAB_CACHE/kernel/$1-${key:0:12}
}

# kernel_ready MACHINE: is the tree finished? One of the user's source is made
# again when anything in there is newer than the build.
kernel_ready() {
	kernel_tree "$1" || return 1
	[[ -n ${KDIR-} || -e $kernel_dir/.ready ]] || return 1
	[[ -z ${KSRC-} || -n ${KDIR-} ]] ||
		[[ -z $(find "$KSRC" -name .git -prune -o -type f -newer "$kernel_dir/.ready" -print -quit) ]]
}

# check_kdir MACHINE: a tree the user has built must be one for that machine, have
# all drivers that the lab needs before any module is there, and be built by the
# compiler that our module will be built by.
check_kdir() {
	local symbol wanted have needs=(RUST DEVTMPFS MODULE_UNLOAD)
	check_kernel_config "$KDIR"
	case $1 in
	uml*) needs+=(UML HOSTFS STDERR_CONSOLE) ;;
	*) needs+=(X86_64 BLK_DEV_INITRD SERIAL_8250_CONSOLE VIRTIO_PCI VIRTIO_CONSOLE NET_9P_VIRTIO 9P_FS PVH) ;;
	esac
	for symbol in "${needs[@]}"; do
		[[ $(config_value "$KDIR" "CONFIG_$symbol") == y ]] ||
			die "KDIR=$KDIR is no kernel for the machine $1: it is built without CONFIG_$symbol=y"
	done
	[[ -e $KDIR/$kernel_image ]] || die "KDIR=$KDIR has no $kernel_image: build the kernel there first"
	has_rust_metadata "$KDIR" || die "KDIR=$KDIR has no rust/libkernel.rmeta: build the kernel there first"
	wanted=$(config_value "$KDIR" CONFIG_RUSTC_VERSION_TEXT)
	have=$(in_env --chdir / -- rustc --version)
	[[ $have == "$wanted" ]] ||
		die "KDIR=$KDIR was built by $wanted, the lab has $have: give the source with KSRC=DIR instead, to be built here"
}

# check_config FRAGMENT...: did every wish come true? Unmet dependencies make
# kconfig drop a symbol without a word.
check_config() {
	local lost
	lost=$(grep -hE '^CONFIG_' "$@" | sort -u | grep -vxFf "$kernel_dir/.config" | paste -sd ' ' || true)
	[[ -z $lost ]] || die "Linux ${source_id%% *} cannot be configured with $lost (unmet dependencies?)"
}

howfar_kernel() {
	local steps
	steps=$(grep -cE '^  [A-Z]+' -- "$log" || true)
	printf '%d of about %d steps, %d%%' "$steps" "$kernel_steps" \
		$((steps < kernel_steps ? 100 * steps / kernel_steps : 99))
}

# make_kernel MACHINE
make_kernel() {
	local machine=$1 log make source_dir source_id
	if [[ -n ${KDIR-} ]]; then
		kernel_spec "$machine"
		make_toolchain
		check_kdir "$machine"
		return
	fi
	kernel_ready "$machine" && return
	make_toolchain
	make_source
	kernel_tree "$machine"
	lock "kernel-$machine"
	kernel_ready "$machine" && return
	need_space "$LAB_CACHE" "$kernel_mib" "the kernel of $machine" "$kernel_dir"
	say "building the kernel of $machine: Linux ${source_id%% *}, ${kernel_make[*]}"
	make_dirs "$kernel_dir" "$LAB_CACHE/log"
	log=$LAB_CACHE/log/kernel-$machine.log
	make=("$LAB_ROOT/tools/lab/env" --bind "$source_dir:ro" -- make -C "$source_dir" O="$kernel_dir" "${kernel_make[@]}")
	# Steps already done do not come again.
	[[ -e $kernel_dir/.config ]] || : >"$log"
	cat -- "${kernel_fragments[@]}" >"$kernel_dir/fragments"
	KCONFIG_ALLCONFIG=$kernel_dir/fragments "${make[@]}" allnoconfig >>"$log" 2>&1 ||
		fail_with_log "configuring $machine" "$log"
	check_config "${kernel_fragments[@]}"
	# Its date is compared with the source's, so it is that of the beginning.
	: >"$kernel_dir/.ready.part"
	progress "kernel of $machine" "$log" howfar_kernel "${make[@]}" -j"$LAB_JOBS" "$kernel_image" modules ||
		fail_with_log "building the kernel of $machine" "$log"
	mv -- "$kernel_dir/.ready.part" "$kernel_dir/.ready"
	remove_old_kernels "$machine"
	unlock "kernel-$machine"
}

# Keep the one just built and the one before it: two branches with different
# fragments can share a cache, and it does not grow for ever.
remove_old_kernels() {
	local old
	find "$LAB_CACHE/kernel" -maxdepth 1 -regextype posix-egrep -regex ".*/$1-[0-9a-f]{12}" -printf '%T@ %p\n' |
		sort -rn | cut -d' ' -f2 | tail -n +3 |
		while read -r old; do
			say "removing the older kernel build $old"
			rm -rf -- "$old"
		done
}
