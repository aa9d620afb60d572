# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# For the suites that send to a driver that misbehaves: builds the module awkward for
# the kernel that runs, and sets what its device a0 does. Sourced, after lib.sh.

AWKWARD=$TEST_ROOT/tools/testing/robust/awkward
AWKWARD_OUT=/tmp/awkward

# The tree of the kernel that runs, which its own pktgen.ko is in; nothing where the
# kernel is a distribution's.
kernel_tree() {
	local dir=${PKTGEN_KO%/net/core/pktgen.ko}
	[[ ! -e $dir/Module.symvers ]] || echo "$dir"
}

# Once for all tests of a suite.
build_awkward() {
	local dir make=(make ARCH=x86_64 CC=gcc-14)
	[[ ! -e $AWKWARD_OUT/awkward.ko ]] || return 0
	dir=$(kernel_tree)
	[[ -n $dir ]] || skip "no build tree of this kernel to make the driver with"
	! grep -q '^CONFIG_UML=y' "$dir/.config" || make[1]=ARCH=um
	! grep -q '^CONFIG_CC_IS_CLANG=y' "$dir/.config" || make[2]=LLVM=-19
	mkdir -p "$AWKWARD_OUT"
	"${make[@]}" -C "$dir" M="$AWKWARD" MO="$AWKWARD_OUT" modules
}

# a0, up.
add_awkward() { # PARAMETER...
	build_awkward
	insmod "$AWKWARD_OUT/awkward.ko" "$@"
	defer rmmod awkward
	# Before its removal: a device that nobody removed would keep it for ever.
	defer reset_all
	quiet_device a0
	ip link set a0 up
}

awkward() { # PARAMETER VALUE
	echo "$2" >"/sys/module/awkward/parameters/$1"
}
