# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# For the suites that run what the kernel's source brings for pktgen, unmodified,
# against rpktgen in its place. Sourced; brings module.sh with it.

# shellcheck source=tools/testing/module.sh
source "$(dirname "${BASH_SOURCE[0]}")/module.sh"

MODPROBE_SAMPLE=$TEST_ROOT/samples/modprobe.d/rpktgen.conf

# need_source PATH...: they are in KSOURCE, the running kernel's source. Their
# absence is a failure: a suite that skips itself would show nothing.
need_source() {
	local path
	[[ -n ${KSOURCE:-} ]] || fail "the lab has no source of this kernel"
	for path in "$@"; do
		[[ -e $KSOURCE/$path ]] || fail "no $path in the kernel's source $KSOURCE"
	done
}

# drop_in_test DESCRIPTION FUNCTION [ARG...]: a test in which modprobe finds both
# modules and the configuration sample. Begins and ends with neither loaded.
drop_in_test() {
	ktap_test "$1" with_drop_in "${@:2}"
}

with_drop_in() {
	install_modules
	unload_all
	defer unload_all
	cp -- "$MODPROBE_SAMPLE" /etc/modprobe.d/
	"$@"
}

# As after "make install" on a machine that has pktgen.ko, and no module besides. The
# directories are the lab's and read-only: cover them while the test runs.
install_modules() {
	local dir
	dir=/usr/lib/modules/$(uname -r)
	cover_directory "$dir"
	touch "$dir"/modules.{order,builtin,builtin.modinfo}
	install -D -m 0644 -t "$dir/kernel/net/core" -- "$PKTGEN_KO"
	install -D -m 0644 -t "$dir/updates" -- "$RPKTGEN_KO"
	depmod
	cover_directory /etc/modprobe.d
}

cover_directory() { # DIR
	mount -t tmpfs -o mode=755 tmpfs "$1"
	defer umount "$1"
}

# Those of the two that are loaded.
loaded() {
	local module names=()
	for module in pktgen rpktgen; do
		[[ ! -e /sys/module/$module ]] || names+=("$module")
	done
	echo "${names[*]}"
}

unload_all() {
	local module
	for module in $(loaded); do rmmod "$module"; done
}

check_loaded() { # WANTED
	check_eq "$(loaded)" "$1" "modules that are loaded"
}
