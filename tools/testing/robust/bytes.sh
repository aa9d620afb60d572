#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Nothing of the kernel's memory leaves in a packet. The memory that packets are made of
# is filled with a pattern first, then every byte of every frame is accounted for: sizes
# and fragments in every combination around multiples of a page. Runs inside a lab kernel
# that does not clear what it allocates by itself.

# shellcheck source=tools/testing/robust/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

PAGE=$(getconf PAGESIZE)
PATTERN_PACKETS=512

# Packets full of a pattern go through the allocators that ours come from, of all sizes,
# and are given back.
dirty_memory() {
	python3 - "$PATTERN_PACKETS" <<-'END'
	import os, socket, sys
	count = int(sys.argv[1])
	pairs = [socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM) for _ in range(4)]
	for size in (48, 100, 200, 400, 900, 1800, 3000, 4096, 8000, 16000, 32000, 65000):
	    data = b"\xa5" * size
	    for a, b in pairs:
	        a.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 8 << 20)
	        a.setblocking(False)
	        try:
	            for _ in range(count // 8):
	                a.send(data)
	        except BlockingIOError:
	            pass
	udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
	udp.bind(("127.0.0.1", 0))
	for size in (100, 1400, 4000, 9000, 30000, 65000):
	    for _ in range(count // 8):
	        udp.sendto(b"\xa5" * size, udp.getsockname())
	# Pages, too: of pipes and files.
	pipes = [os.pipe() for _ in range(64)]
	for read, write in pipes:
	    os.set_blocking(write, False)
	    os.write(write, b"\xa5" * 65536)
	END
}

configure() { # NAME [COMMAND...]
	device "$1" "dst 198.18.0.42" "dst_mac 02:00:00:00:00:01" "${@:2}"
}

add_large_veth() {
	ip link set lo up
	add_veth v0 v1
	ip link set v0 mtu 65521
	ip link set v1 mtu 65521
}

# FRAMES in a run, each looked at.
FRAMES=8
check_frames() { # SIZE HEADERS
	local listener
	rm -f listening
	"$TEST_ROOT/tools/testing/robust/frames.py" v1 "$FRAMES" "$1" "$2" >seen &
	listener=$!
	wait_for 5 test -e listening
	put v0 clear_counters "count $FRAMES"
	start
	check_sent v0 "$FRAMES"
	wait "$listener"
	[[ $(<seen) == "$FRAMES right" ]] || fail "$1 bytes, $(value v0 frags:) fragments: $(<seen)"
	CHECKED=$((CHECKED + FRAMES))
}

# Sizes of the payload behind pktgen's own 16 bytes, around so many pages.
sizes_around() { # PAGES
	local off
	for off in -1 0 1; do echo $((42 + 16 + $1 * PAGE + off)); done
}

test_sizes() { # FRAGMENTS COMMAND...
	local pages size CHECKED=0
	add_large_veth
	configure v0 "frags $1" "${@:2}"
	dirty_memory
	for pages in 0 1 2 3 4 8 15; do
		for size in $(sizes_around "$pages"); do
			((size >= 58 && size <= 65535)) || continue
			put v0 "min_pkt_size $size" "max_pkt_size $size"
			check_frames "$size" 42
		done
	done
	for size in 58 59 60 61 64 100 255 256 257 1514 65535; do
		put v0 "min_pkt_size $size" "max_pkt_size $size"
		check_frames "$size" 42
	done
	figure "frags $1 ${*:2}: $CHECKED frames"
}

# A frame that is smaller than its headers is made larger.
test_tiny() { # HEADERS COMMAND...
	local CHECKED=0 size
	add_large_veth
	configure v0 "${@:2}"
	dirty_memory
	for size in 0 1 41 42; do
		put v0 "min_pkt_size $size" "max_pkt_size $size"
		check_frames $(($1 + 16)) "$1"
	done
	for size in $(($1 + 17)) $(($1 + 100)) 1500; do
		put v0 "min_pkt_size $size" "max_pkt_size $size"
		check_frames "$size" "$1"
	done
	figure "headers of $1 bytes: $CHECKED frames"
}

# 65536 and more are 65535.
test_huge() {
	local CHECKED=0 size
	add_large_veth
	configure v0
	dirty_memory
	for size in 65536 100000 4294967295; do
		put v0 "min_pkt_size $size" "max_pkt_size $size"
		check_frames 65535 42
	done
}

# Without the time its eight bytes are zeros, too.
test_no_time() {
	local CHECKED=0
	add_large_veth
	configure v0 "flag NO_TIMESTAMP" "min_pkt_size 200" "max_pkt_size 200"
	dirty_memory
	check_frames 200 42
}

# Does the check find what it is there for? With one byte of a frame that is another, it
# must complain.
test_the_check() {
	local CHECKED=0
	add_large_veth
	configure v0 "min_pkt_size 200" "max_pkt_size 200"
	tc qdisc add dev v0 root netem corrupt 100%
	put v0 "xmit_mode queue_xmit"
	FRAMES=64
	if (check_frames 200 42) >complaint; then fail "corrupt frames are taken for right ones"; fi
	figure "$(<complaint)"
}

ktap_test "the kernel does not clear memory by itself" not_cleared
not_cleared() {
	local config
	config=${PKTGEN_KO%/net/core/pktgen.ko}/.config
	[[ -e $config ]] || skip "the configuration of this kernel is not at hand"
	! grep -qx 'CONFIG_INIT_ON_ALLOC_DEFAULT_ON=y' "$config" || skip "this kernel clears what it allocates"
	! grep -qw 'init_on_alloc=1' /proc/cmdline || skip "this kernel clears what it allocates"
}
module_test "the check finds a wrong byte" test_the_check
for frags in {0..17}; do
	module_test "every byte: frags $frags" test_sizes "$frags"
done
module_test "every byte: frags 100" test_sizes 100
module_test "every byte: memory of a node" test_sizes 0 "flag NODE" "node 0"
module_test "every byte: fragments of a node" test_sizes 17 "flag NODE" "node 0"
module_test "every byte: not shared" test_sizes 3 "flag !SHARED"
module_test "every byte: queue_xmit" test_sizes 3 "xmit_mode queue_xmit"
module_test "every byte: tiny frames" ours_only test_tiny 42
module_test "every byte: tiny IPv6 frames" ours_only test_tiny 62 "dst6 fd00::1" "src6 fd00::2"
module_test "every byte: tiny frames with a tag" ours_only test_tiny 46 "vlan_id 5"
module_test "every byte: tiny frames with two tags" ours_only test_tiny 50 "vlan_id 5" "svlan_id 6"
module_test "every byte: 16 MPLS labels" ours_only test_tiny 106 "mpls 1,2,3,4,5,6,7,8,9,a,b,c,d,e,f,10"
module_test "every byte: 16 MPLS labels and IPv6" ours_only test_tiny 126 "mpls 1,2,3,4,5,6,7,8,9,a,b,c,d,e,f,10" "dst6 fd00::1" "src6 fd00::2"
module_test "every byte: more than fits a size" ours_only test_huge
module_test "every byte: no time" test_no_time
ktap_run
