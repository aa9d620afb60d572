#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Device files: the text they show and every command they take, with good values,
# cut ones, missing ones and garbage. Runs inside a lab kernel.

# shellcheck source=tools/testing/module.sh
source "$(dirname "${BASH_SOURCE[0]}")/../module.sh"

# One net device serves all tests. A dummy may send one buffer several times; veth
# and lo, which some tests use besides, may not.
MAC=02:00:00:00:00:0d
ip link add d0 address "$MAC" numtxqueues 4 type dummy
quiet_device d0
ip link set d0 up

prepare() { device d0; }

# What a device shows that was just added.
fresh_text() { # NAME MAC [COUNT]
	cat <<-END
	Params: count ${3:-1000}  min_pkt_size: 0  max_pkt_size: 0
	     frags: 0  delay: 0  clone_skb: 0  ifname: $1
	     flows: 0 flowlen: 0
	     queue_map_min: 0  queue_map_max: 0
	     dst_min:   dst_max: 
	     src_min:   src_max: 
	     src_mac: $2 dst_mac: 00:00:00:00:00:00
	     udp_src_min: 9  udp_src_max: 9  udp_dst_min: 9  udp_dst_max: 9
	     src_mac_count: 0  dst_mac_count: 0
	     Flags: SHARED  
	Current:
	     pkts-sofar: 0  errors: 0
	     started: 0us  stopped: 0us idle: 0us
	     seq_num: 0  cur_dst_mac_offset: 0  cur_src_mac_offset: 0
	     cur_saddr: 0.0.0.0  cur_daddr: 0.0.0.0
	     cur_udp_dst: 0  cur_udp_src: 0
	     cur_queue_map: 0
	     flows: 0
	Result: Idle
	END
}

test_fresh() { # NAME MAC
	device "$1"
	check_eq "$(<"$PROC/$1")" "$(fresh_text "$1" "$2")" "text of $1"
	check_eq "$(tail -c 13 "$PROC/$1")" "Result: Idle" "its end"
	# Byte by byte it is the same.
	check_eq "$(dd if="$PROC/$1" bs=1 2>/dev/null)" "$(fresh_text "$1" "$2")" "read in pieces of one byte"
}

test_defaults() { # PARAMETERS CLONE_SKB DELAY COUNT
	# shellcheck disable=SC2086 # several words
	load_with $1
	prepare
	check_eq "$(value d0 clone_skb) $(value d0 delay) $(value d0 count)" "$2 $3 $4" "clone_skb, delay, count"
	device lo
	check_eq "$(value lo clone_skb)" 0 "clone_skb on lo, which does not share buffers"
	load
}

## One command

# A row of the tables below: TEXT is written, RESULT is the result then, and LINE,
# if any, is a part of the text.
test_ok() { # TEXT RESULT [LINE]
	prepare
	[[ "$(writes d0 "$1")" != E* ]] || fail "'$1' was refused: $(writes d0 "$1")"
	check_eq "$(result d0)" "$2" "Result"
	[[ -z ${3-} ]] || check_shows d0 "$3"
}

check_shows() { # FILE TEXT
	local text
	text=$(<"$PROC/$1")
	[[ $'\n'$text$'\n' == *"$2"* ]] || fail "'$2' is not in: $text"
}

check_shows_not() { # FILE TEXT
	local text
	text=$(<"$PROC/$1")
	[[ $text != *"$2"* ]] || fail "'$2' is in: $text"
}

# ok COMMAND-TEXT RESULT [LINE]: one test each.
ok() { module_test "$1 gives $2" test_ok "$@"; }

# A failure changes nothing, and so does not the result.
test_error() { # ERRNO TEXT...
	local text before
	prepare
	put d0 "count 77"
	before=$(<"$PROC/d0")
	for text in "${@:2}"; do
		check_write d0 "$text" "$1"
		check_eq "$(<"$PROC/d0")" "$before" "text after '$text'"
	done
}

# Every form in which a number may come, for every command that takes one.
test_number_forms() { # COMMAND VALUE LABEL
	local command=$1 value=$2 form
	prepare
	for form in "$command $value" "$command=$value" "$command = $value" "$command =$value" "$command= $value" \
		"  $command\t$value" "\"$command\" \"$value\"" "\n$command\n$value\n" "$command $value\0" "$command\0 $value" \
		"$command $value\r\n" "$command ${value}junk" "$command $value 99" "$command $value\n$command 98\n" "$command $value-1"; do
		put kpktgend_0 rem_device_all
		device d0
		[[ "$(writes d0 "$form")" != E* ]] || fail "'$form' was refused"
		check_eq "$(value d0 "$3")" "$value" "$3 after '$form'"
	done
}

# All of what was written is counted, whatever of it was looked at.
test_byte_counts() {
	local padding
	printf -v padding '%*s' 4082 ''
	prepare
	check_eq "$(writes d0 "count 5" "count 6\n" "count 7\0" "count 8 and more" "count=9\n\n\n" | xargs)" "7 8 8 16 10" "counts"
	check_eq "$(value d0 count)" 9 "count"
	check_write d0 "count 10$padding\n" 4091
	check_write d0 "count 11${padding}xxxxxx" 4096
	check_write d0 "count 12${padding}${padding}" 8172
	check_eq "$(value d0 count)" 12 "count"
}

test_long_writes() {
	local zeros
	printf -v zeros '%065528d' 0
	prepare
	# 64 KiB: ten digits are a number, the rest is ignored.
	check_write d0 "count 1${zeros}2" 65536
	check_result d0 "OK: count=1000000000"
	check_write d0 @65536 EINVAL
	check_result d0 'No such parameter "xxxxxxxxxxxxxxx"'
	check_write d0 @4096 EINVAL
	check_write d0 @4095 EINVAL
}

test_one_byte_at_a_time() {
	local text="count 5"$'\n' i bytes=()
	prepare
	for ((i = 0; i < 8; i++)); do bytes+=("${text:i:1}"); done
	check_eq "$(writes d0 "${bytes[@]}" | sort | uniq -c | xargs)" "8 EINVAL" "outcomes"
	check_eq "$(value d0 count)" 1000 "count"
	check_result d0 'No such parameter ""'
}

test_empty_write() {
	prepare
	put d0 "count 5"
	check_write d0 "" EINVAL
	check_result d0 "OK: count=5"
}

test_bad_pointer() {
	prepare
	# shellcheck disable=SC2016 # perl's variables
	check_eq "$(perl -MErrno -e 'open my $f, ">", shift or die;
		for my $count (7, 4096, 1 << 20) {
			my $n = syscall(1, fileno($f), 1, $count); # write(2)
			print $n == -1 && $!{EFAULT} ? "EFAULT " : "$n ";
		}' "$PROC/d0")" "EFAULT EFAULT EFAULT " "writes from address 1"
	check_result d0 Idle
}

# A write of several segments is a command for each.
test_writev() {
	prepare
	python3 -c 'import os, sys
f = os.open(sys.argv[1], os.O_WRONLY)
assert os.writev(f, [b"count 5\n", b"delay 7", b"burst 3\0"]) == 23' "$PROC/d0"
	check_eq "$(value d0 count) $(value d0 delay) $(value d0 burst)" "5 7 3" "count, delay, burst"
	check_result d0 "OK: burst=3"
}

test_unknown() { # TEXT SHOWN
	prepare
	put d0 "count 5"
	check_write d0 "$1" EINVAL
	check_result d0 "No such parameter \"$2\""
	check_eq "$(value d0 count)" 5 "count"
}

## Refusals that depend on the net device and on other settings

# Refused with EOPNOTSUPP, which comes before EINVAL.
test_not_shared() { # DEVICE
	device "$1"
	check_write "$1" "clone_skb 1" EOPNOTSUPP
	check_write "$1" "clone_skb 0" 11
	check_result "$1" "OK: clone_skb=0"
	check_write "$1" "burst 2" EOPNOTSUPP
	check_result "$1" "OK: clone_skb=0"
	check_write "$1" "burst 1" 7
	check_write "$1" "burst 0" 7
	check_result "$1" "OK: burst=1"
	put "$1" "xmit_mode queue_xmit"
	check_write "$1" "burst 2" EOPNOTSUPP
	check_write "$1" "clone_skb 1" EOPNOTSUPP
	put "$1" "xmit_mode netif_receive"
	check_write "$1" "clone_skb 1" EOPNOTSUPP
	check_write "$1" "burst 2" 7
	check_shows "$1" $'\n     burst: 2\n'
	# SHARED is in use now.
	check_write "$1" "flag !SHARED" EINVAL
	put "$1" "burst 1" "flag !SHARED"
	check_write "$1" "burst 2" EINVAL
	check_write "$1" "clone_skb 1" EOPNOTSUPP
}

test_not_shared_veth() {
	add_veth v0 v1
	test_not_shared v0
}

test_shared() {
	prepare
	put d0 "clone_skb 5"
	check_write d0 "xmit_mode netif_receive" EOPNOTSUPP
	check_result d0 "OK: clone_skb=5"
	check_write d0 "flag !SHARED" EINVAL
	check_eq "$(value d0 Flags)" SHARED "flags"
	put d0 "clone_skb 0" "burst 2"
	check_write d0 "flag !SHARED" EINVAL
	put d0 "burst 1" "flag !SHARED"
	check_result d0 "OK: flags=0x0"
	check_write d0 "clone_skb 1" EINVAL
	check_write d0 "clone_skb 0" 11
	check_write d0 "burst 2" EINVAL
	check_write d0 "burst 1" 7
	put d0 "xmit_mode queue_xmit"
	check_write d0 "burst 2" EOPNOTSUPP
	put d0 "flag SHARED" "clone_skb 3" "xmit_mode start_xmit" "burst 7"
	check_shows d0 "clone_skb: 3 "
	check_shows d0 $'\n     burst: 7\n'
}

## Sizes, rates

test_sizes() {
	prepare
	put d0 "min_pkt_size 100"
	check_shows d0 "min_pkt_size: 100  max_pkt_size: 0"$'\n'
	put d0 "max_pkt_size 300"
	check_shows d0 "min_pkt_size: 100  max_pkt_size: 300"$'\n'
	# The minimum is that already: nothing changes.
	put d0 "pkt_size 100"
	check_shows d0 "min_pkt_size: 100  max_pkt_size: 300"$'\n'
	check_result d0 "OK: pkt_size=100"
	put d0 "pkt_size 200"
	check_shows d0 "min_pkt_size: 200  max_pkt_size: 200"$'\n'
	put d0 "min_pkt_size 0" "max_pkt_size 1"
	check_shows d0 "min_pkt_size: 42  max_pkt_size: 42"$'\n'
}

test_rate() {
	prepare
	# Without a size there is nothing to compute with.
	put d0 "rate 100"
	check_eq "$(value d0 delay) $(result d0)" "0 OK: rate=100" "delay and result"
	put d0 "pkt_size 60" "rate 100M"
	check_eq "$(value d0 delay) $(result d0)" "4800 OK: rate=100" "delay and result"
	put d0 "pkt_size 1500"
	check_eq "$(value d0 delay)" 4800 "delay after the size has changed"
	put d0 "rate 7"
	check_eq "$(value d0 delay)" $((1500 * 8 * 1000 / 7)) "delay"
	check_write d0 "rate 0" EINVAL
	check_write d0 "rate" EINVAL
	check_write d0 "rate -5" EINVAL
	check_eq "$(value d0 delay) $(result d0)" "$((1500 * 8 * 1000 / 7)) OK: rate=7" "delay and result"
	put d0 "ratep 3"
	check_eq "$(value d0 delay) $(result d0)" "333333333 OK: rate=3" "delay and result"
	check_write d0 "ratep 0" EINVAL
	check_write d0 "ratep" EINVAL
	check_eq "$(value d0 delay)" 333333333 "delay"
	put d0 "ratep 2000000000"
	check_eq "$(value d0 delay)" 0 "delay"
}

## Flags

flag_names=(IPV6 IPSRC_RND IPDST_RND TXSIZE_RND UDPSRC_RND UDPDST_RND UDPCSUM NO_TIMESTAMP MPLS_RND QUEUE_MAP_RND
	QUEUE_MAP_CPU FLOW_SEQ IPSEC MACSRC_RND MACDST_RND VID_RND SVID_RND NODE SHARED)

test_flag() { # NAME
	local i bit=0
	for ((i = 0; i < ${#flag_names[@]}; i++)); do
		[[ ${flag_names[i]} != "$1" ]] || bit=$((1 << i))
	done
	prepare
	put d0 "flag $1"
	check_result d0 "$(printf 'OK: flags=0x%x' $((0x40000 | bit)))"
	if [[ $1 == SHARED ]]; then
		check_shows d0 $'\n     Flags: SHARED  \n'
	else
		check_shows d0 $'\n'"     Flags: $1  SHARED  "$'\n'
	fi
	put d0 "flag $1"
	check_write d0 "flag !$1" $((6 + ${#1}))
	check_result d0 "$(printf 'OK: flags=0x%x' $((0x40000 & ~bit)))"
	check_shows_not d0 " $1 "
}

# The flags together, in the order of their bits.
test_flags() {
	prepare
	put d0 "flag QUEUE_MAP_CPU" "flag UDPDST_RND" "flag NO_TIMESTAMP" "flag UDPSRC_RND" "flag QUEUE_MAP_RND"
	check_result d0 "OK: flags=0x406b0"
	check_shows d0 $'\n     Flags: UDPSRC_RND  UDPDST_RND  NO_TIMESTAMP  QUEUE_MAP_RND  QUEUE_MAP_CPU  SHARED  \n'
	put d0 "flag !UDPDST_RND"
	check_result d0 "OK: flags=0x40690"
}

# The write succeeds, the result lists what there is.
test_unknown_flag() { # ARGUMENT [SHOWN]
	local text name names=''
	prepare
	check_write d0 "flag $1" $((5 + ${#1}))
	text=$(result d0)
	check_eq "${text%$'\n'*}" "Flag -:${2-$1}:- unknown"$'\n'"Available flags, (prepend ! to un-set flag):" "Result"
	check_eq "$(value d0 Flags)" SHARED "flags"
	# What there is are the flags that can be set, and IPV6, in the order of their bits.
	for name in "${flag_names[@]}"; do
		put d0 "flag $name"
		if [[ $name == IPV6 || $(result d0) == OK:* ]]; then
			names+=", $name"
		fi
	done
	check_eq "${text##*$'\n'}" "${names#, }" "flags listed"
}

## Modes

test_modes() {
	prepare
	check_shows_not d0 "xmit_mode:"
	put d0 "xmit_mode netif_receive"
	check_shows d0 $'\n     xmit_mode: netif_receive\n'
	put d0 "xmit_mode queue_xmit"
	check_shows d0 $'\n     xmit_mode: xmit_queue\n'
	check_result d0 "OK: xmit_mode=queue_xmit"
	check_write d0 "xmit_mode nonsense" 18
	check_result d0 $'xmit_mode -:nonsense:- unknown\nAvailable modes: start_xmit, netif_receive'
	# The text itself ends in a line feed, and the file in one more.
	check_eq "$(tail -c 2 "$PROC/d0" | od -An -tx1 | xargs)" "0a 0a" "end of the file"
	check_shows d0 $'\n     xmit_mode: xmit_queue\n'
	check_write d0 "xmit_mode" 9
	check_result d0 $'xmit_mode -::- unknown\nAvailable modes: start_xmit, netif_receive'
	put d0 "xmit_mode start_xmit"
	check_shows_not d0 "xmit_mode: x"
}

test_clear_counters() {
	prepare
	put d0 "count 50"
	start
	check_eq "$(value d0 seq_num)" 51 "seq_num"
	local started
	started=$(value d0 started)
	check_write d0 "clear_counters" 14
	check_eq "$(tail -n 2 "$PROC/d0")" $'Result: OK: Clearing counters.' "end of the file"
	check_eq "$(tail -c 2 "$PROC/d0" | od -An -tx1 | xargs)" "0a 0a" "end of the file"
	check_eq "$(sofar d0) $(value d0 errors) $(value d0 seq_num) $(value d0 started)" "0 0 1 $started" "counters"
}

# MAC addresses: exact, hexadecimal, in colons; the rest after 17 characters is ignored.
test_mac() { # COMMAND RESULT-NAME LABEL
	prepare
	put d0 "$1 11:22:33:aA:Bb:cC"
	check_result d0 "OK: $2 11:22:33:aa:bb:cc"
	check_eq "$(value d0 "$3")" 11:22:33:aa:bb:cc "$3"
	put d0 "$1 01:02:03:04:05:06:07"
	check_eq "$(value d0 "$3")" 01:02:03:04:05:06 "$3"
	put d0 "$1=01:02:03:04:05:07z"
	check_eq "$(value d0 "$3")" 01:02:03:04:05:07 "$3"
	local text
	for text in "" " " " 01:02:03:04:05" " 01:02:03:04:05:0" " 01-02-03-04-05-06" " 1:2:3:4:5:6" " 01:02:03:04:05:0g" \
		" 0102.0304.0506" " :::::" " 01:02:03:04:05: 06"; do
		check_write d0 "$1$text" EINVAL
	done
	check_result d0 "OK: $2 01:02:03:04:05:07"
	check_eq "$(value d0 "$3")" 01:02:03:04:05:07 "$3"
}

# Zero is the device's own address, which is shown, whatever it is at the moment.
test_own_mac() {
	prepare
	put d0 "src_mac 01:02:03:04:05:06" "src_mac 00:00:00:00:00:00"
	check_result d0 "OK: srcmac 00:00:00:00:00:00"
	check_eq "$(value d0 src_mac)" "$MAC" "src_mac"
	defer ip link set d0 address "$MAC"
	ip link set d0 address 02:00:00:00:00:0e
	check_eq "$(value d0 src_mac)" 02:00:00:00:00:0e "src_mac"
}

# Many readers and writers at once see whole texts.
test_readers_and_writers() {
	local i
	prepare
	put d0 "count 0"
	start_behind d0
	for i in 1 2; do
		# shellcheck disable=SC2016
		timeout 2 bash -c 'while :; do echo "pkt_size $((100 + RANDOM % 900))"; echo "dst 10.0.0.$((RANDOM % 256))"; done >"$1"' - "$PROC/d0" || : &
	done
	# shellcheck disable=SC2016
	perl -e 'my $until = time + 2;
		while (time < $until) {
			open my $f, "<", $ARGV[0] or die "open: $!";
			my $text = join "", <$f>;
			$text =~ /\AParams: count 0  min_pkt_size: (\d+)  max_pkt_size: \1\n.*\nResult: .+\n\z/s or die "torn: $text";
			$n++;
		}
		$n > 20 or die "only $n reads"' "$PROC/d0"
	# The writers' shells.
	wait %2 %3 || :
	put pgctrl stop
	check_start_returns
}

## strict=1

strict_before() {
	load_with strict=1
	prepare
	put d0 "count 77"
	defer unload
}

# Refused, with nothing changed but the result, which says why.
test_strict() { # TEXT...
	local text before after
	strict_before
	before=$(<"$PROC/d0")
	for text in "$@"; do
		check_write d0 "$text" EINVAL
		after=$(<"$PROC/d0")
		check_eq "${after%%$'\nResult: '*}" "${before%%$'\nResult: '*}" "text after '$text'"
	done
	check_match "$(result d0)" "^(ERROR: |Flag -:|xmit_mode -:)" "Result"
}

test_strict_accepts() {
	strict_before
	check_eq "$(writes d0 "count 5" "count 5\n" "count 5\0" "count=5" "count = 5 \n" "pkt_size 60" "flag NO_TIMESTAMP" "flag !NO_TIMESTAMP" \
		"xmit_mode netif_receive" "dst 10.0.0.1" "dst_mac 01:02:03:04:05:06" "udp_src_min 65535" "clear_counters\n" "queue_map_max 3" |
		xargs)" "7 8 8 7 11 11 17 18 23 12 25 17 15 15" "outcomes"
	check_eq "$(value d0 count)" 5 "count"
}

module_test "the text of a fresh dummy" test_fresh d0 "$MAC"
module_test "the text of a fresh dummy with a suffix" test_fresh d0@0 "$MAC"
module_test "the text of a fresh lo@0" test_fresh lo@0 00:00:00:00:00:00
module_test "defaults from module parameters" reloading test_defaults "pg_count_d=5 pg_delay_d=7 pg_clone_skb_d=9" 9 7 5
module_test "negative defaults are extended to 64 bits" reloading test_defaults "pg_count_d=-1 pg_delay_d=-2" 0 18446744073709551614 18446744073709551615

ok "count 5" "OK: count=5" "count 5  min"
ok "count" "OK: count=0" "count 0  min"
ok "count -5" "OK: count=0"
ok "count 0x10" "OK: count=0"
ok "count +7" "OK: count=0"
ok "count 300M" "OK: count=300"
ok "count 12345678901" "OK: count=1234567890" "count 1234567890  min"
ok "count 9999999999" "OK: count=9999999999" "count 9999999999  min"
ok "count 00000000015" "OK: count=1"
ok "count junk" "OK: count=0"
ok "delay 0" "OK: delay=0"
ok "delay 100" "OK: delay=100" "delay: 100  clone"
ok "delay 2147483646" "OK: delay=2147483646"
ok "delay 2147483647" "OK: delay=18446744073709551615" "delay: 18446744073709551615  clone"
ok "delay 2147483648" "OK: delay=2147483648"
ok "clone_skb 7" "OK: clone_skb=7" "clone_skb: 7  ifname"
ok "burst 32" "OK: burst=32" $'\n     burst: 32\n'
ok "burst" "OK: burst=1"
ok "min_pkt_size 41" "OK: min_pkt_size=42" "min_pkt_size: 42  max"
ok "max_pkt_size 1500" "OK: max_pkt_size=1500" $'max_pkt_size: 1500\n'
ok "pkt_size" "OK: pkt_size=42"
ok "pkt_size 1518" "OK: pkt_size=1518" $'min_pkt_size: 1518  max_pkt_size: 1518\n'
ok "dst 10.0.0.1" "OK: dst_min=10.0.0.1" $'     dst_min: 10.0.0.1  dst_max: \n'
ok "dst_min 10.0.0.2" "OK: dst_min=10.0.0.2"
ok "dst_max 10.0.0.9" "OK: dst_max=10.0.0.9" $'     dst_min:   dst_max: 10.0.0.9\n'
ok "src_min 10.1.0.1" "OK: src_min=10.1.0.1" $'     src_min: 10.1.0.1  src_max: \n'
ok "src_max 10.1.0.9" "OK: src_max=10.1.0.9" "cur_saddr: 10.1.0.9  cur_daddr: 0.0.0.0"
ok "dst 198.18.0.42" "OK: dst_min=198.18.0.42" "cur_daddr: 198.18.0.42"
ok "dst 10.1" "ERROR: dst: not an IPv4 address" "cur_daddr: 0.0.0.0"
ok "dst6 fd00::g" "OK: dst6=fd00::"
ok "dst6 nothing" "ERROR: dst6: not an IPv6 address" "dst_min: "
ok "dst" "OK: dst_min="
# 31 bytes are looked at.
ok "dst 0000000000000000000000010.0.0.1234" "OK: dst_min=0000000000000000000000010.0.0.1" "cur_daddr: 10.0.0.1"
for which in udp_src_min udp_src_max udp_dst_min udp_dst_max; do
	ok "$which 1024" "OK: $which=1024" "$which: 1024"
	ok "$which 65537" "OK: $which=1" "$which: 1"
done
ok "udp_src_max 7" "OK: udp_src_max=7" "cur_udp_dst: 0  cur_udp_src: 7"
ok "udp_dst_min 8" "OK: udp_dst_min=8" "cur_udp_dst: 8  cur_udp_src: 0"
ok "queue_map_min 3" "OK: queue_map_min=3" "queue_map_min: 3  queue_map_max: 0"
ok "queue_map_max 123456" "OK: queue_map_max=12345" "queue_map_max: 12345"
ok "queue_map_max 65537" "OK: queue_map_max=1"

for row in "count 33 count" "delay 33 delay" "pkt_size 333 min_pkt_size" "burst 33 burst" "udp_dst_max 33 udp_dst_max" \
	"queue_map_min 33 queue_map_min"; do
	# shellcheck disable=SC2086 # three words
	module_test "${row%% *}: every separator, terminator and tail" test_number_forms $row
done
module_test "all bytes written are counted" test_byte_counts
module_test "writes of 4 KiB and 64 KiB" test_long_writes
module_test "one byte at a time is no command" test_one_byte_at_a_time
module_test "an empty write is EINVAL and leaves the result" test_empty_write
module_test "an unreadable buffer is EFAULT" test_bad_pointer
module_test "writev: a command for each segment" test_writev
module_test "an unknown command is named" test_unknown "nonsense 5" nonsense
module_test "only separators: the empty command" test_unknown " \n=\t" ""
module_test "a prefix of a command is none" test_unknown "coun 5" coun
module_test "commands are case-sensitive" test_unknown "COUNT 5" COUNT
module_test "a long command is cut at 15 bytes" test_unknown "min_pkt_size_and_more 5" min_pkt_size_an
module_test "legacy spellings are unknown" test_unknown "dstmac 01:02:03:04:05:06" dstmac
module_test "thread commands are none here" test_unknown "add_device d0" add_device

module_test "veth: no clone_skb, no burst but on receive" test_not_shared_veth
module_test "lo: no clone_skb, no burst but on receive" test_not_shared lo
module_test "dummy: clone_skb, burst, mode and SHARED exclude each other" test_shared
module_test "sizes: minimum, maximum and both" test_sizes
module_test "rate and ratep are a delay" test_rate
for flag in NO_TIMESTAMP UDPSRC_RND UDPDST_RND QUEUE_MAP_CPU QUEUE_MAP_RND SHARED; do
	module_test "flag $flag: set, shown, cleared" test_flag "$flag"
done
module_test "flags: hexadecimal and in the order of bits" test_flags
module_test "flag nonsense: lists what there is" test_unknown_flag nonsense
module_test "flag !nonsense: lists what there is" test_unknown_flag "!nonsense"
module_test "flag in lower case is unknown" test_unknown_flag shared
module_test "flag IPV6 cannot be set" test_unknown_flag IPV6
module_test "flag with a detached ! is unknown" test_unknown_flag "! SHARED" "!"
module_test "flag without a name is unknown" test_unknown_flag ""
module_test "flag with a long name is cut" test_unknown_flag abcdefghijklmnopqrstuvwxyz0123456789 abcdefghijklmnopqrstuvwxyz01234
module_test "modes: set, shown, unknown" test_modes
module_test "clear_counters" test_clear_counters
module_test "dst_mac" test_mac dst_mac dstmac dst_mac
module_test "src_mac" test_mac src_mac srcmac src_mac
module_test "src_mac of zeros is the device's own" test_own_mac
module_test "readers and writers at once, while it sends" test_readers_and_writers
module_test "errors leave everything as it was" test_error EINVAL "rate 0" "ratep 0" "dst_mac 1" "src_mac"

module_test "strict: unknown flags and modes" reloading test_strict "flag nonsense" "flag !nonsense" "flag IPV6" "flag" \
	"xmit_mode nonsense" "xmit_mode"
module_test "strict: addresses that are none" reloading test_strict "dst 10.0.0" "dst 10.0.0.256" "dst_max hello" "src_min 1.2.3.4.5" "src_max" \
	"dst fd00::1"
module_test "strict: numbers missing, too large or with a tail" reloading test_strict "count" "count x" "delay -1" "count 5k" "count 5 6" \
	"udp_src_min 65536" "queue_map_min 65536" "pkt_size"
module_test "strict: what is right is taken" reloading test_strict_accepts

ktap_run
