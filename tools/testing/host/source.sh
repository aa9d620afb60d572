#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What must hold for the sources and for the built module of every machine that
# "make test" uses: unsafe code in one place only, and no path to a panic, which
# in the kernel is the end of it. Runs on the machine itself.

set -euo pipefail
# shellcheck source=tools/testing/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

in_env() { "$TEST_ROOT/tools/lab/env" --chdir "$TEST_ROOT" -- "$@"; }

# The keyword in code, not in a comment or a string; attributes name unsafe_code.
# shellcheck disable=SC2016 # for awk
unsafe_lines() { # DIRECTORY
	find "$1" \( -name abstractions -o -name target \) -prune -o -name '*.rs' -print0 | xargs -0 \
		awk '/^([^\/"]*[^_[:alnum:]\/"])?unsafe([^_[:alnum:]]|$)/ { print FILENAME ":" FNR ":" $0 }'
}

test_unsafe_is_found() {
	mkdir code code/abstractions
	printf 'fn f() {\n    // unsafe is not used\n    unsafe { g() }\n}\n#[unsafe(no_mangle)]\n#![deny(unsafe_code)]\n' |
		tee code/a.rs >code/abstractions/b.rs
	check_eq "$(unsafe_lines code)" $'code/a.rs:3:    unsafe { g() }\ncode/a.rs:5:#[unsafe(no_mangle)]' "unsafe lines"
}

test_no_unsafe() {
	local lines
	lines=$(unsafe_lines "$TEST_ROOT/rust"; unsafe_lines "$TEST_ROOT/tools/rpktgen")
	check_eq "$lines" "" "unsafe outside of rust/abstractions"
	grep -qx '#!\[deny(unsafe_code)\]' "$TEST_ROOT/rust/rpktgen_main.rs" || fail "the module's root does not deny unsafe code"
	grep -qx '#!\[forbid(unsafe_code)\]' "$TEST_ROOT/rust/core/lib.rs" || fail "the core does not forbid unsafe code"
}

test_core() {
	in_env rust/core/tests/no-panic.sh
}

# The symbols that a module asks the kernel for.
undefined_symbols() { # FILE
	in_env nm -u "$1" | awk '{ print $2 }'
}

check_symbols() { # a list: no panics, but what every module of ours needs
	local bad
	bad=$(grep -E 'panic|unwrap_failed|expect_failed|slice_.*_fail|len_mismatch|rust_build_error' <<<"$1") || :
	check_eq "$bad" "" "symbols that panic"
	# Not an empty list, nor one of another file.
	grep -qx dev_get_by_name <<<"$1" || grep -qx netdev_get_by_name <<<"$1" || fail "no symbol for looking up a net device: $1"
}

test_symbols() { # MACHINE
	local assignments RPKTGEN_KO=''
	assignments=$("$TEST_ROOT/tools/lab/build" "$1")
	eval "$assignments"
	check_symbols "$(undefined_symbols "$RPKTGEN_KO")"
}

# The check itself sees a panic.
test_panic_is_found() {
	check_status 1 bash -c "source '$TEST_ROOT/tools/testing/lib.sh'; $(declare -f check_symbols)
		check_symbols \$'dev_get_by_name\n_RNvNtCs1_4core9panicking5panic'"
	check_match "$OUT" "9panicking5panic" "message"
	check_status 1 bash -c "source '$TEST_ROOT/tools/testing/lib.sh'; $(declare -f check_symbols); check_symbols ''"
}

## The table of defects

defect_numbers() { sed -nE 's/^   \* - (D-[0-9]+)$/\1/p' "$TEST_ROOT/Documentation/parity.rst"; }

# The places named in the table: files, and functions in them.
# shellcheck disable=SC2016 # literals of reStructuredText
defect_places() {
	sed -n '/^Defects of the C module$/,/^Running it$/p' "$TEST_ROOT/Documentation/parity.rst" |
		grep -oE '``(rust|tools)/[^`]+``' | tr -d '`'
}

check_place() { # FILE[: FUNCTION]
	local file=${1%%: *} function=${1##*: }
	[[ -f $TEST_ROOT/$file ]] || fail "$1: no such file"
	[[ $file == "$function" ]] || grep -qE "(fn ${function}[(<]|^${function}\(\))" "$TEST_ROOT/$file" ||
		fail "$1: no such function"
}

test_defects() {
	local place count=0
	check_eq "$(defect_numbers | xargs)" "$(printf 'D-%s\n' {1..35} | xargs)" "rows of the table"
	while IFS= read -r place; do
		check_place "$place"
		count=$((count + 1))
	done < <(defect_places)
	((count >= 35)) || fail "$count places for 35 rows"
}

## The catalogue of what must not break it

# Tests that are named, "FILE: FUNCTION": a suite's file below tools/testing, a name in
# rust/core.
# shellcheck disable=SC2016 # literals of reStructuredText
catalogue_places() {
	sed -n '/^Writing to procfs$/,$p' "$TEST_ROOT/Documentation/robustness.rst" |
		grep -oE '``[^`]+\.(sh|rs)[^`]*``' | tr -d '`'
}

# The function is there, and the suite runs it.
check_catalogued() { # FILE: FUNCTION
	local file=${1%%: *} function=${1##*: }
	[[ $file != "$function" ]] || fail "$1: no function is named"
	case $file in
	*.rs) check_place "rust/core/$1" ;;
	*)
		check_place "tools/testing/$1"
		(($(grep -cw -- "$function" "$TEST_ROOT/tools/testing/$file") > 1)) || fail "$1: is not run"
		;;
	esac
}

# A kernel that looks for errors runs one of the row's tests, or the row says why not.
check_row() { # ROW SUITES-IN-SUCH-KERNELS
	local file
	[[ $1 != *"(exact only in uml)"* ]] || return 0
	# shellcheck disable=SC2016 # literals of reStructuredText
	for file in $(grep -oE '``[^`]+\.sh' <<<"$1" | tr -d '`'); do
		[[ $'\n'$2$'\n' != *$'\n'"$file"$'\n'* ]] || return 0
	done
	fail "no debug kernel runs a test of:${1#*-}"
}

test_catalogue() {
	local place suites count=0 file name row debug
	while IFS= read -r place; do
		check_catalogued "$place"
		count=$((count + 1))
	done < <(catalogue_places)
	((count >= 120)) || fail "$count tests in the catalogue"
	check_eq "$(catalogue_rows | grep -vc '``')" 0 "rows without a test"
	# Every suite is in a set, and in the table of the catalogue.
	suites=$("$TEST_ROOT/tools/testing/run" --list)
	debug=$(awk '$3 ~ /-debug$/ { print $NF }' <<<"$suites")
	while IFS= read -r row; do
		check_row "$row" "$debug"
	done < <(catalogue_rows)
	for file in "$TEST_ROOT"/tools/testing/robust/*.sh; do
		name=${file##*/}
		[[ -x $file ]] || continue
		grep -q " robust/$name\$" <<<"$suites" || fail "no set has robust/$name"
		grep -qF "   * - \`\`$name\`\`" "$TEST_ROOT/Documentation/robustness.rst" || fail "the catalogue's table has no $name"
	done
}

# Each row on one line: what, and the tests.
catalogue_rows() {
	sed -n '/^Writing to procfs$/,$p' "$TEST_ROOT/Documentation/robustness.rst" | awk '
		/^   \* - / { if (row != "" && row !~ /- What /) print row; row = $0; next }
		/^     / { row = row " " $0; next }
		/^[^ ]/ { if (row != "" && row !~ /- What /) print row; row = "" }
		END { if (row != "" && row !~ /- What /) print row }'
}

# A name that is wrong is noticed.
# shellcheck disable=SC2016 # literals of reStructuredText
test_catalogue_is_read() {
	local place row
	for place in "robust/procfs.sh: test_nothing" "robust/nothing.sh: test_huge" "robust/procfs.sh" "pacing.rs: nothing"; do
		check_status 1 bash -c "source '$TEST_ROOT/tools/testing/lib.sh'; $(declare -f check_place check_catalogued)
			check_catalogued '$place'"
		check_match "$OUT" "$place: no " "message"
	done
	# So is a row that no debug kernel cares for.
	row='   * - What   - ``suites/a.sh: test_a``, ``robust/b.sh: test_b``'
	check_row "$row" $'robust/c.sh\nrobust/b.sh'
	check_row "$row (exact only in uml)" "robust/c.sh"
	check_status 1 bash -c "source '$TEST_ROOT/tools/testing/lib.sh'; $(declare -f check_row); check_row '$row' robust/c.sh"
	check_match "$OUT" "no debug kernel runs a test of: What" "message"
}

ktap_test "unsafe code is found" test_unsafe_is_found
ktap_test "no unsafe code but in rust/abstractions" test_no_unsafe
ktap_test "panicking symbols are found" test_panic_is_found
ktap_test "the core has no path to a panic" test_core
for machine in uml qemu; do
	ktap_test "the module for $machine refers to no panic" test_symbols "$machine"
done
ktap_test "each defect of the C module has its row and its test" test_defects
ktap_test "the catalogue's tests are read" test_catalogue_is_read
ktap_test "each line of the catalogue has tests, also in debug kernels, each suite a set" test_catalogue
ktap_run
