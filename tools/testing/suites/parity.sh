#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The same commands to rpktgen and to the C module pktgen, side by side in one
# kernel: the same outcomes, texts and frames, but for the differences that
# tools/testing/parity/known.py names.

# shellcheck source=tools/testing/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

RPKTGEN_KO=${RPKTGEN_KO:?names the module to test}
PKTGEN_KO=${PKTGEN_KO:?names the C module to compare with}

# -B: the checkout is read-only.
parity() {
	python3 -B "$TEST_ROOT/tools/testing/parity" "$@"
}

load_both() {
	[[ -d /proc/net/pktgen ]] || insmod "$PKTGEN_KO"
	[[ -d /proc/net/rpktgen ]] || insmod "$RPKTGEN_KO" procdir=rpktgen
}

test_group() { # GROUP
	load_both
	parity run "$1"
}

test_document() {
	parity doc "$TEST_ROOT/Documentation/parity.rst"
}

groups=$(parity groups)
while read -r group cases; do
	ktap_test "$group: $cases sequences" test_group "$group"
done <<<"$groups"
ktap_test "the table of differences in the documentation is that of the suite" test_document

ktap_run
