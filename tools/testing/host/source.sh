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

ktap_test "unsafe code is found" test_unsafe_is_found
ktap_test "no unsafe code but in rust/abstractions" test_no_unsafe
ktap_test "panicking symbols are found" test_panic_is_found
ktap_test "the core has no path to a panic" test_core
for machine in uml qemu; do
	ktap_test "the module for $machine refers to no panic" test_symbols "$machine"
done
ktap_test "each defect of the C module has its row and its test" test_defects
ktap_run
