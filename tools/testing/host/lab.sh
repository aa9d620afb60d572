#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The lab's own parts that boot nothing: where commands run, what is said when
# something fails, which package is taken for which. Runs on the machine itself.

set -euo pipefail
# shellcheck source=tools/testing/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

LAB=$TEST_ROOT/tools/lab

# in_lab COMMAND...: with the functions of the lab's scripts, and a cache of its own.
# shellcheck disable=SC2016 # expanded by the inner shell
in_lab() {
	XDG_CACHE_HOME=$TEST_DIR/cache bash -euc '
		for part in lib toolchain kdir packages source stock kernel; do
			. "$1/$part.sh"
		done
		shift
		set -o pipefail
		"$@"' - "$LAB" "$@"
}

test_directory() {
	mkdir elsewhere
	cd elsewhere
	check_status 0 "$LAB/env" -- true
	check_status 0 "$LAB/env" --bind "$PWD" -- pwd
	check_eq "$OUT" "$PWD" "where a command runs whose directory is bound"
	cd "$TEST_ROOT/tools/testing"
	check_status 0 "$LAB/env" -- pwd
	check_eq "$OUT" "$TEST_ROOT/tools/testing" "in the checkout"
	check_status 0 "$LAB/env" --chdir / -- pwd
	check_eq "$OUT" / "where it was told to run"
}

test_link() {
	local link=$PWD/link
	ln -s "$TEST_ROOT" "$link"
	cd "$link/tools"
	check_status 0 "$link/tools/lab/env" -- realpath .
	check_eq "$OUT" "$TEST_ROOT/tools" "where a command runs, through a link"
	cd "$TEST_DIR"
	check_status 0 "$link/tools/lab/build" uml
	check_match "$OUT" "RPKTGEN_KO=/" "what build prints"
}

# The last command's error, out of a log that is longer than a pipe.
test_fail_with_log() {
	{ printf '+ first\nE: old\n+ second\n'; seq 200000; echo "E: new"; } >lines
	check_status 1 in_lab fail_with_log "a thing" "$PWD/lines"
	check_eq "$ERR" "lab: error: a thing failed: E: new; details: $PWD/lines" "message"
	{ printf '+ second\n'; seq 200000; echo "write: No space left on device"; } >lines
	check_status 1 in_lab fail_with_log "a thing" "$PWD/lines"
	check_match "$ERR" "a thing failed: the disk is full" "message"
	check_status 1 in_lab fail_with_log "a thing" "$PWD/nothing"
	check_eq "$ERR" "lab: error: a thing failed; details: $PWD/nothing" "message without a log"
}

test_package_versions() {
	local pkg=cache/rpktgen/pkg
	mkdir -p "$pkg"
	: >"$pkg/linux-source-7.3_7.3.4-1_all.deb"
	check_status 0 in_lab package_file linux-source-7.3 7.3.4-1
	check_eq "$OUT" "$PWD/$pkg/linux-source-7.3_7.3.4-1_all.deb" "file of the version that is there"
	check_status 0 in_lab package_file linux-source-7.3 7.3.5-1
	check_eq "$OUT" "" "file of another version"
}

test_source_versions() {
	local wanted
	printf '# x\nVERSION = 7\nPATCHLEVEL = 3\nSUBLEVEL = 4\nEXTRAVERSION =\nNAME = y\n' >Makefile
	check_status 0 in_lab is_source_of "$PWD" '7.3.4-1~bpo13+1'
	for wanted in 7.3.5-1 7.3-1 7.3.40-1; do
		check_status 1 in_lab is_source_of "$PWD" "$wanted"
	done
	sed -i 's/^SUBLEVEL.*/SUBLEVEL = 0/' Makefile
	check_status 0 in_lab is_source_of "$PWD" 7.3-1
	sed -i 's/^EXTRAVERSION.*/EXTRAVERSION = -rc2/' Makefile
	check_status 0 in_lab is_source_of "$PWD" '7.3~rc2-1~exp1'
	check_status 1 in_lab is_source_of "$PWD" 7.3-1
}

# A signal is not held up by what runs in the foreground, and ends that, too.
test_attended() {
	cat >script <<-END
	. "$LAB/lib.sh"
	trap_interrupts
	attended sh -c 'echo \$\$ >child; sleep 1000'
	END
	bash script 2>err &
	wait_for 10 test -s child
	kill -TERM $!
	local status=0
	wait $! || status=$?
	check_eq "$status" 143 "exit status"
	wait_for 10 test ! -e "/proc/$(<child)"
}

# What must not be ended in the middle is asked to stop, and waited for.
test_gently() {
	cat >script <<-END
	. "$LAB/lib.sh"
	trap_interrupts
	PROGRESS_GENTLY=y
	progress "installation" "$PWD/lines" no_howfar env --default-signal=INT \\
		bash -c 'trap "sleep 0.5; echo yes >finished; exit 1" INT; echo >begun; while :; do sleep 0.1; done'
	END
	bash script 2>err &
	wait_for 10 test -e begun
	kill -TERM $!
	local status=0
	wait $! || status=$?
	check_eq "$status $(cat finished)" "143 yes" "exit status, and what the command did"
}

test_kdir() {
	check_status 1 env KDIR=/nonexistent/dir "$LAB/setup" uml
	check_eq "$ERR" "lab: error: KDIR=/nonexistent/dir: no such directory" "message"
	check_status 1 env KDIR=/tmp "$LAB/setup" toolchain uml qemu
	check_match "$ERR" "KDIR=/tmp is the kernel of one machine" "message"
}

ktap_test "commands run where they were called" test_directory
ktap_test "a checkout is found through a link" test_link
ktap_test "the reason of a failure is in one line" test_fail_with_log
ktap_test "packages are told apart by version" test_package_versions
ktap_test "source is told apart by version" test_source_versions
ktap_test "a signal ends what runs in the foreground" test_attended
ktap_test "what must not end in the middle is waited for" test_gently
ktap_test "errors in KDIR" test_kdir
ktap_run
