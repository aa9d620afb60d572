#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What users write to the files: cut, overlong, out of range, repeated. Each must
# have a clear outcome, and leave a module that works. Documentation/robustness.rst
# says what is tested where. Runs inside a lab kernel.
#
# COMBINATIONS=N: look at that many combinations of flags only. NUMBERS="N...": write
# these where a number is wanted.

# shellcheck source=tools/testing/robust/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

exact=$TEST_ROOT/tools/testing/robust/exact
flag_walk=$TEST_ROOT/tools/testing/robust/flag-walk
combinations=${COMBINATIONS:-$(by_machine 262144 2000)}

# check_exact FILE {TEXT WANTED}...: each write ends with its page.
check_exact() {
	local file=$1 texts=() wanted=()
	shift
	while (($#)); do
		texts+=("$1") wanted+=("$2")
		shift 2
	done
	check_eq "$("$exact" "$PROC/$file" "${texts[@]}" | xargs)" "${wanted[*]}" "outcomes of ${texts[*]} in $file"
}

## Where a write ends

test_end_of_page_control() {
	check_exact pgctrl stop 4 reset 5 "stop\n" 5 "stop\0" 5 sto EINVAL s EINVAL start 5 starts EINVAL
}

test_end_of_page_thread() {
	add_dummy d0
	check_exact kpktgend_0 "add_device d0" 13 "add_device d0" EBUSY rem_device_all 14 "add_device" ENODEV "add_device " ENODEV \
		"add_device d" ENODEV "add_device=d0@0" 15 "rem_device_all " 15 "a" EINVAL " " EINVAL max_before_softirq 18
	check_nothing_left
}

test_end_of_page_device() {
	add_dummy d0
	device d0
	check_exact d0 "count 77" 8 "pkt_size 100" 12 "delay=5" 7 "flag NO_TIMESTAMP" 17 "flag" 4 "xmit_mode queue_xmit" 20 \
		"dst 10.0.0.1" 12 "dst_max 10.0.0.9" 16 "dst6 fd00::1" 12 "src6 ::" 7 "udp_src_min 9" 13 "vlan_id 5" 9 "vlan_p 7" 8 \
		"dst_mac 01:02:03:04:05:06" 25 "dst_mac 01:02:03:04:05:0" EINVAL "dst_mac" EINVAL "src_mac 01:02:03:04:05:07" 25 \
		"imix_weights 64,7" 17 "imix_weights 64," EINVAL "imix_weights 64" EINVAL "imix_weights 64,7 " EINVAL \
		"mpls 1,2" 8 "mpls 1," EINVAL "mpls 00000001" 13 "tos f0" 6 "tos f" 5 "tos" 3 "traffic_class 0f" 16 \
		"clear_counters" 14 "clear_counter" EINVAL "c" EINVAL "=" EINVAL
	check_eq "$(value d0 count) $(value d0 delay) $(value d0 min_pkt_size) $(value d0 dst_mac)" "77 5 100 01:02:03:04:05:06" "values"
}

# What is there is not taken if what was claimed is not.
test_beyond_page() {
	add_dummy d0
	device d0 "count 55"
	check_eq "$("$exact" --beyond 1 "$PROC/d0" "count 77" "count 77 " | xargs)" "EFAULT EFAULT" "writes beyond the page"
	check_eq "$("$exact" --beyond 4096 "$PROC/kpktgend_0" "rem_device_all" "add_device d0@1" | xargs)" "EFAULT EFAULT" "writes beyond the page"
	check_eq "$("$exact" --beyond 1 "$PROC/pgctrl" "reset" | xargs)" "EFAULT" "writes beyond the page"
	check_eq "$(value d0 count) $(listed kpktgend_0 Stopped)" "55 d0" "count and devices"
}

# covered by suites/control.sh, suites/device.sh: test_one_byte_at_a_time (pgctrl, device files)
test_one_byte_at_a_time() {
	local text="add_device d0" i bytes=()
	add_dummy d0
	for ((i = 0; i < ${#text}; i++)); do bytes+=("${text:i:1}"); done
	check_eq "$(writes kpktgend_0 "${bytes[@]}" | sort | uniq -c | xargs)" "${#text} EINVAL" "outcomes"
	check_nothing_left
}

# covered by suites/control.sh: test_long_write, suites/device.sh: test_long_writes (64 KiB, 4 KiB)
# A command and blanks; what is behind the first 64 KiB is not looked at.
test_long() { # BYTES
	add_dummy d0
	check_eq "$("$exact" --size "$1" "$PROC/kpktgend_0" "add_device d0" nonsense | xargs)" "$1 EINVAL" "the thread's file"
	check_eq "$("$exact" --size "$1" "$PROC/d0" "count 77" "flag NO_TIMESTAMP" nonsense "rate 0" "clear_counters" | xargs)" \
		"$1 $1 EINVAL EINVAL $1" "the device's file"
	check_eq "$("$exact" --size "$1" "$PROC/pgctrl" stop start reset "stop\0" | xargs)" "EINVAL EINVAL EINVAL $1" "pgctrl"
	check_eq "$(value d0 count) $(value d0 Flags)" "77 NO_TIMESTAMP" "count and the first flag"
}

# covered by suites/control.sh: test_accepted, suites/device.sh: test_number_forms,
# suites/thread.sh: test_add_forms (one NUL behind a word)
test_nul_everywhere() {
	add_dummy d0
	device d0 "count 33"
	# It ends the word that it is in; the bytes behind it are no word of their own.
	check_exact d0 "\0count 55" EINVAL "c\0ount 55" EINVAL "co\0unt 55" EINVAL "cou\0nt 55" EINVAL "coun\0t 55" EINVAL
	check_eq "$(value d0 count)" 33 "count"
	check_exact d0 "count 5\x005" 9
	check_eq "$(value d0 count)" 5 "count"
	check_exact d0 "count\0 55" 9
	check_eq "$(value d0 count)" 55 "count"
	check_exact d0 "count \x0055" 9
	check_eq "$(value d0 count)" 0 "count"
	check_exact kpktgend_0 "add_\0device d0@1" EINVAL "add_device \0d0@1" ENODEV "add_device d0\0@1" EBUSY "\0" EINVAL
	check_exact pgctrl "s\0top" EINVAL "\0stop" EINVAL "stop\0reset" 10
	check_eq "$(head -c 65536 /dev/zero | dd of="$PROC/d0" bs=65536 2>&1 | grep -c 'Invalid argument')" 1 "64 KiB of NULs are refused"
	check_eq "$(files)" "d0$(printf ' kpktgend_%d' $(seq 0 "$LAST")) pgctrl" "files"
}

# covered by suites/device.sh: test_unknown, test_empty_write, suites/control.sh: test_refused,
# suites/thread.sh: test_refused (only separators, empty)

## Values left out

numbers=(min_pkt_size max_pkt_size pkt_size frags count delay rate ratep clone_skb burst src_mac_count dst_mac_count
	udp_src_min udp_src_max udp_dst_min udp_dst_max flows flowlen spi queue_map_min queue_map_max skb_priority node
	vlan_id vlan_p vlan_cfi svlan_id svlan_p svlan_cfi)
# Once debug is on, the C module refuses what has no NUL at its end.
our_numbers=(pps bps debug)

numbers_of_module() {
	COMMANDS=("${numbers[@]}")
	! is_ours || COMMANDS+=("${our_numbers[@]}")
}

# A number that is missing is zero, whatever was written before.
test_number_missing() { # COMMAND...
	local command form lines
	add_dummy d0
	for command in "$@"; do
		device d0
		mapfile -t lines < <("$exact" "$PROC/d0" "$command 8765432" "$command 0" "?" \
			"$command 8765432" "$command" "?" "$command 8765432" "$command=" "?" "$command 8765432" "$command x" "?")
		check_eq "${#lines[@]}" 12 "lines of $command"
		for ((form = 3; form < 12; form += 3)); do
			# The same outcome, but for the count of bytes, and the same text.
			check_eq "${lines[form + 1]//[0-9]/}" "${lines[1]//[0-9]/}" "outcome of $command, form $form"
			check_eq "${lines[form + 2]}" "${lines[2]}" "text after $command, form $form"
		done
		put pgctrl reset
	done
}

test_numbers_missing() {
	local COMMANDS
	numbers_of_module
	test_number_missing "${COMMANDS[@]}"
}

test_lists_missing() {
	add_dummy d0
	device d0
	check_exact d0 "tos 3f" 6 tos 3 "tos " 4
	check_result d0 "ERROR: tos must be 00-ff"
	check_eq "$(value d0 tos)" 0x3f "tos"
	check_exact d0 "mpls 00000001,00000002,00000003" 31 mpls EINVAL "mpls " EINVAL
	check_no_match "$(<"$PROC/d0")" mpls: "the labels are gone"
	check_exact d0 "imix_weights 64,7 576,4 1500,1" 30 imix_weights EINVAL "imix_weights " EINVAL
	check_no_match "$(<"$PROC/d0")" imix_weights: "the sizes are gone"
	put d0 "count 20"
	start
	check_sent d0 20
	check_eq "$(value d0 min_pkt_size)" 58 "size of the frames"
}

## Lists

pairs() { # COUNT [WEIGHT]
	local i text=''
	for ((i = 1; i <= $1; i++)); do text+=" $((63 + i)),${2:-1}"; done
	echo "imix_weights$text"
}

# A hundred packets, each counted under one of the sizes that are shown.
check_imix_run() { # FILE
	local pair sum=0 text
	put "$1" clear_counters "count 100"
	start
	check_sent "$1" 100
	text=$(<"$PROC/$1")
	[[ $text =~ imix_size_counts:\ ([0-9, ]+) ]] || fail "no counts of sizes: $text"
	for pair in ${BASH_REMATCH[1]}; do sum=$((sum + ${pair#*,})); done
	check_eq "$sum" 100 "packets of all sizes"
}

test_imix_length() { # PAIRS OUTCOME
	local text
	add_dummy d0
	device d0
	text=$(pairs "$1")
	check_exact d0 "$text" "$([[ $2 == OK ]] && echo ${#text} || echo "$2")"
	[[ $2 == OK ]] || return 0
	check_match "$(<"$PROC/d0")" "imix_weights: ${text#* } " "the sizes shown"
	check_imix_run d0
}

# The list before stays, and goes on to be sent.
test_imix_failure() { # TEXT ERRNO
	local before
	add_dummy d0
	device d0 "imix_weights 100,1 200,2"
	before=$(<"$PROC/d0")
	check_exact d0 "$1" "$2" "$1" "$2"
	check_eq "$(<"$PROC/d0")" "$before" "text after '$1'"
	check_imix_run d0
}

# Whatever came before, what is shown then is what is sent.
test_imix_failures_on_end() {
	local i good bad
	add_dummy d0
	device d0
	good=$(pairs 20) bad=$(pairs 21)
	for ((i = 0; i < 20; i++)); do
		check_exact d0 "$good" ${#good} "$bad" E2BIG "imix_weights 64,1 65," EINVAL "imix_weights 64,0" EINVAL \
			"imix_weights" EINVAL "imix_weights 9999999999,9999999999 42,1" 39
	done
	check_imix_run d0
}

labels() { # COUNT
	local i word text=''
	for ((i = 1; i <= $1; i++)); do
		printf -v word %08x $((i << 12 | 64))
		text+=,$word
	done
	echo "mpls ${text#,}"
}

test_labels() { # COUNT OUTCOME
	local text
	add_dummy d0
	device d0 "mpls 0000a001,0000b002" "count 10"
	text=$(labels "$1")
	check_exact d0 "$text" "$([[ $2 == OK ]] && echo ${#text} || echo "$2")"
	if [[ $2 == OK ]]; then
		check_result d0 "OK: mpls=${text#* }"
		start
		check_sent d0 10
		check_eq "$(</sys/class/net/d0/statistics/tx_bytes)" $((10 * ($1 * 4 + 58))) "bytes of ten frames with $1 labels"
	else
		check_no_match "$(<"$PROC/d0")" mpls: "no labels are left"
	fi
}

test_label_forms() { # TEXT OUTCOME SHOWN
	add_dummy d0
	device d0 "mpls 0000a001,0000b002" "count 10"
	check_exact d0 "$1" "$2"
	if [[ -n $3 ]]; then
		check_match "$(<"$PROC/d0")" "mpls: $3"$'\n' "the labels shown"
	else
		check_no_match "$(<"$PROC/d0")" mpls: "no labels are left"
	fi
	start
	check_sent d0 10
}

## Numbers out of range

read -ra huge <<<"${NUMBERS:-$(by_machine "0 -1 2147483647 2147483648 4294967295 9999999999 18446744073709551615" "0 4294967295")}"

# Taken or refused, and then a run begins and can be stopped.
test_huge() { # COMMAND
	local number outcome
	add_dummy d0
	for number in "${huge[@]}"; do
		device d0 "count 0"
		outcome=$(writes d0 "$1 $number")
		[[ $(result d0) != "No such parameter"* ]] || skip "a kernel without $1"
		check_match "$outcome" '^([0-9]+|EINVAL)$' "write of '$1 $number'"
		[[ $outcome != EINVAL ]] || check_match "$1 $number" '^((rate|ratep|pps|bps) (0|-1)|[pb]ps 18446744073709551615)$' "the refused command"
		check_run_ends "$1 $number"
		put pgctrl reset
	done
	[[ $1 != debug ]] || { device d0 && put d0 "debug 0"; }
}

check_run_ends() { # WHAT
	local begin taken
	STARTED=$(value d0 started)
	start_behind
	wait_for 5 has_begun d0
	begin=$(now_ms)
	put pgctrl stop
	check_start_returns
	taken=$(($(now_ms) - begin))
	echo "$1: ended $taken ms after stop"
	((taken <= 1000 * SLOW)) || fail "$1: the run ended $taken ms after stop"
	read_summary d0
	check_eq "$SENT" "$(sofar d0)" "$1: packets in the summary"
}

has_begun() { [[ $(value "$1" started) != "$STARTED" ]]; }

# All of them at their largest, together.
test_all_huge() { # NUMBER
	local COMMANDS command
	numbers_of_module
	add_dummy d0
	device d0
	for command in "${COMMANDS[@]}"; do
		[[ $command != debug ]] || continue
		writes d0 "$command $1" >/dev/null
	done
	check_run_ends "all commands with $1"
	put d0 "delay 0"
	check_run_ends "all commands with $1, no delay"
}

# A device that will not share buffers refuses, whatever the number.
test_huge_not_shared() {
	local number
	add_veth v0 v1
	device v0
	for number in 1 2147483647 4294967295 9999999999; do
		check_write v0 "clone_skb $number" EOPNOTSUPP
		[[ $number == 1 ]] || check_write v0 "burst $number" EOPNOTSUPP
	done
	check_eq "$(value v0 clone_skb)" 0 "clone_skb"
	put v0 "count 5"
	start
	check_sent v0 5
}

## Flags

test_flag_combinations() {
	add_dummy d0
	device d0
	"$flag_walk" "$PROC/d0" "$combinations" >said || fail "$(<said)"
	figure "$(<said)"
}

# Bit 0 comes with an address and goes by the command alone, beside any other flag.
test_flag_ipv6() {
	local name
	add_dummy d0
	device d0 "dst6 fd00::1"
	check_match "$(value d0 Flags)" '^IPV6$' "first flag"
	for name in UDPCSUM SHARED NODE IPSRC_RND; do
		put d0 "flag $name" "flag !IPV6"
		check_no_match "$(<"$PROC/d0")" ' IPV6 ' "after $name and !IPV6"
		put d0 "src6 fd00::2" "flag !$name"
		check_match "$(<"$PROC/d0")" ' IPV6 ' "after src6 and !$name"
	done
}

module_test "a write ends with its page: pgctrl" test_end_of_page_control
module_test "a write ends with its page: a thread's file" test_end_of_page_thread
module_test "a write ends with its page: a device's file, 35 commands" test_end_of_page_device
module_test "a write that claims more than there is changes nothing" ours_only test_beyond_page
module_test "one byte at a time to a thread's file" test_one_byte_at_a_time
for bytes in 4095 4096 65535 65536; do
	module_test "writes of $bytes bytes that end with their page" test_long "$bytes"
done
module_test "writes of 65537 bytes" test_long 65537
module_test "writes of 16 MiB" test_long $((16 << 20))
module_test "a NUL at every place" test_nul_everywhere

module_test "a number that is missing is zero, not what was written before" test_numbers_missing
module_test "tos, mpls, imix_weights alone" test_lists_missing

module_test "imix_weights with 1 pair" test_imix_length 1 OK
module_test "imix_weights with 19 pairs" test_imix_length 19 OK
module_test "imix_weights with 20 pairs" test_imix_length 20 OK
module_test "imix_weights with 21 pairs" test_imix_length 21 E2BIG
module_test "imix_weights with 1000 pairs" test_imix_length 1000 E2BIG
module_test "imix_weights, refused after a good one: a comma at the end" test_imix_failure "imix_weights 64,1 65," EINVAL
module_test "imix_weights, refused after a good one: a zero weight" test_imix_failure "imix_weights 64,1 65,0" EINVAL
module_test "imix_weights, refused after a good one: two blanks" test_imix_failure "imix_weights 64,1  65,1" EINVAL
module_test "imix_weights, refused after a good one: 21 pairs" test_imix_failure "$(pairs 21)" E2BIG
module_test "imix_weights, refused after a good one: 1000 pairs" test_imix_failure "$(pairs 1000)" E2BIG
module_test "imix_weights: a hundred lists, good and bad in turn" ours_only test_imix_failures_on_end

module_test "mpls with 15 labels" test_labels 15 OK
module_test "mpls with 16 labels" test_labels 16 OK
module_test "mpls with 17 labels" test_labels 17 E2BIG
module_test "mpls with 1000 labels" test_labels 1000 E2BIG
module_test "mpls with a comma at the end" test_label_forms "mpls 00000001," EINVAL ""
module_test "mpls with an empty label in the middle" test_label_forms "mpls 00000001,,00000002" 23 ""
module_test "mpls with an empty label in front" test_label_forms "mpls ,00000001" 14 ""
module_test "mpls with a label of nine digits" test_label_forms "mpls 123456789" 14 12345678

numbers_of_module
for command in "${COMMANDS[@]}"; do
	module_test "$command: nothing, negative, as large as can be; then a run" ours_only test_huge "$command"
done
for number in 2147483647 4294967295 9999999999; do
	module_test "all commands with $number; then runs" ours_only test_all_huge "$number"
done
module_test "veth refuses clone_skb and burst of any size" test_huge_not_shared

# covered by suites/device.sh: test_number_forms; suites/thread.sh: test_add_forms, test_add_slash,
# test_add_long, test_add_suffixes, test_add_missing (separators, and names with /, %, 16 and more
# characters, of no device)
# covered by suites/defects.sh: test_node_range; suites/xmit.sh: test_queue_map_shown

module_test "flags in every combination" test_flag_combinations
module_test "the flag IPV6 beside others" test_flag_ipv6

# covered by robust/users.sh: unprivileged users and user namespaces

ktap_run
