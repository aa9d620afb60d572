#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Who may do what: users without privileges, and the root of a user namespace. Runs
# inside a lab kernel that has user namespaces; on others those tests are skipped.

# shellcheck source=tools/testing/robust/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# The checkout may be one that others cannot read.
copy_writer() {
	install -m 755 "$TEST_ROOT/tools/testing/write" write
	chmod 755 .
}

nobody=(setpriv --reuid 65534 --regid 65534 --clear-groups)

# covered by suites/control.sh: test_not_root (pgctrl), test_capability (root without CAP_NET_ADMIN)
test_unprivileged() {
	local file status
	add_dummy d0
	device d0 "count 77"
	copy_writer
	check_eq "$("${nobody[@]}" ls "$PROC" | wc -l)" $((LAST + 3)) "names of files can be seen"
	for file in pgctrl kpktgend_0 d0; do
		status=0
		"${nobody[@]}" ./write "$PROC/$file" stop >out || status=$?
		check_eq "$status $(<out)" "1 open: EACCES" "writing to $file"
		check_status 1 "${nobody[@]}" cat "$PROC/$file"
		check_match "$ERR" "Permission denied" "reading $file"
		check_status 1 "${nobody[@]}" touch "$PROC/$file"
		check_status 1 "${nobody[@]}" rm "$PROC/$file"
		check_status 1 "${nobody[@]}" chmod 666 "$PROC/$file"
	done
	check_status 1 "${nobody[@]}" touch "$PROC/new"
	check_eq "$(value d0 count)" 77 "count"
}

# A descriptor that root has opened does not give its rights away with it.
test_inherited_descriptor() {
	add_dummy d0
	device d0 "count 77"
	cat >as-nobody <<-'END'
	for fd in 7 8 9; do
		echo stop >&$fd && echo "written to $fd"
	done
	exit 0
	END
	chmod 755 as-nobody .
	"${nobody[@]}" bash ./as-nobody 7>"$PROC/pgctrl" 8>"$PROC/kpktgend_0" 9>"$PROC/d0" >out 2>err
	check_eq "$(<out)" "" "writes by nobody"
	check_eq "$(grep -c 'Operation not permitted' err)" 3 "refusals"
	check_eq "$(result d0)" "OK: count=77" "result"
}

has_user_namespaces() { [[ -e /proc/self/ns/user ]] && unshare -Ur true; }

user_namespace_test() { module_test "$1" with_user_namespaces "${@:2}"; }

with_user_namespaces() {
	has_user_namespaces || skip "this kernel has no user namespaces"
	"$@"
}

# In a namespace of its own its root sees files of its own, and can do nothing with
# them: the machine's transmit paths are not his.
test_root_of_namespace() {
	add_dummy d0
	device d0 "count 77"
	copy_writer
	# shellcheck disable=SC2016 # for the shell in there
	unshare -Urn sh -ec '
		ip link set lo up
		ls "$1"
		for file in pgctrl kpktgend_0; do
			./write "$1/$file" stop start reset "add_device lo" "add_device d0" rem_device_all "" || :
		done
		cat "$1/pgctrl" "$1/kpktgend_0"' - "$PROC" >out
	check_eq "$(grep -c '^EPERM$' out)" 14 "writes that are refused"
	check_no_match "$(<out)" 'd0' "another namespace's devices"
	check_eq "$(grep -cE '^(kpktgend|pgctrl)' out)" $((LAST + 2)) "files"
	check_eq "$(value d0 count) $(listed kpktgend_0 Stopped)" "77 d0" "the first namespace's device"
}

# Without a network namespace of its own: the files are the machine's, and not his.
test_root_of_user_namespace() {
	local file
	add_dummy d0
	device d0 "count 77"
	copy_writer
	for file in pgctrl kpktgend_0 d0; do
		check_eq "$("${nobody[@]}" unshare -Ur ./write "$PROC/$file" stop reset "count 5" rem_device_all || :)" "open: EACCES" "$file"
		# Root who gives up the first user namespace may open, but not command.
		check_eq "$(unshare -Ur ./write "$PROC/$file" stop reset "count 5" rem_device_all | sort -u | xargs)" EPERM "$file"
	done
	check_eq "$(value d0 count) $(listed kpktgend_0 Stopped)" "77 d0" "device"
}

# A file of the first namespace that is still open when its holder goes to another.
test_taken_along() {
	add_dummy d0
	device d0 "count 77"
	# shellcheck disable=SC2016
	unshare -Urn bash -c 'for fd in 7 8 9; do echo reset >&$fd && echo "written to $fd"; done; exit 0' \
		7>"$PROC/pgctrl" 8>"$PROC/kpktgend_0" 9>"$PROC/d0" >out 2>err
	check_eq "$(<out)" "" "writes"
	check_eq "$(grep -c 'Operation not permitted' err)" 3 "refusals"
	check_eq "$(value d0 count)" 77 "count"
}

module_test "an unprivileged user can open no file, to read or to write" test_unprivileged
module_test "a descriptor of root's gives nobody its rights" ours_only test_inherited_descriptor
user_namespace_test "the root of a user and network namespace commands nothing" ours_only test_root_of_namespace
user_namespace_test "the root of a user namespace commands nothing of the machine's" ours_only test_root_of_user_namespace
user_namespace_test "files that are taken along into a user namespace" ours_only test_taken_along

ktap_run
