# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# How boot starts an x86-64 kernel under QEMU. Sourced, never run.
# shellcheck disable=SC2154 # boot's variables

prepare_qemu() {
	initramfs=$("$here/initramfs" "$KERNEL_RELEASE" "$LAB_CACHE/initramfs")
	unpack_kernel
	choose_accelerator
	machine_options
	nic_options
}

# A fifth level of page tables makes every page walk of an emulated CPU longer.
cpu=max,la57=off

# Common to the probe and to the real thing.
base_options=(qemu-system-x86_64 -nodefaults -no-user-config -display none -no-reboot)

# A compressed image is unpacked once, here, and not by every emulated boot. What
# cannot be unpacked is booted as it is.
unpack_kernel() {
	local key vmlinux
	key=$({ stat -Lc '%n %s %Y' -- "$KERNEL_IMAGE" && cat -- "$here/unpack-kernel"; } | sha256sum)
	vmlinux=$LAB_CACHE/vmlinux/${key:0:16}
	if [[ ! -e $vmlinux ]]; then
		mkdir -p "${vmlinux%/*}"
		"$here/unpack-kernel" "$KERNEL_IMAGE" "$vmlinux" || return 0
		# Those of kernels that are gone.
		find "${vmlinux%/*}" -type f -mtime +30 -delete
	fi
	KERNEL_IMAGE=$vmlinux
}

# KVM where it works. That /dev/kvm exists does not say so: inside another
# virtual machine it may never get a kernel through its boot. So try it once, and
# keep the answer for as long as what it depends on stays the same.
choose_accelerator() {
	accelerator=(-accel 'tcg,thread=multi')
	[[ -w /dev/kvm ]] || return 0
	local key answer file=$LAB_CACHE/kvm
	key="$(uname -r) $(sed -n 's/^model name[^:]*: //p;T;q' /proc/cpuinfo)"
	key+=" $(stat -c %Y "$(command -v qemu-system-x86_64)") $KERNEL_RELEASE"
	if [[ -r $file ]] && grep -qxF -- "yes $key" "$file"; then
		answer=yes
	elif [[ -r $file ]] && grep -qxF -- "no $key" "$file"; then
		answer=no
	else
		answer=no
		! probe_kvm || answer=yes
		printf '%s %s\n' "$answer" "$key" >>"$file"
	fi
	[[ $answer == no ]] || accelerator=(-accel kvm)
}

# An emulated CPU's time stamp counter is this machine's: say how fast it runs.
time_options() {
	[[ ${accelerator[1]} == kvm ]] || echo "tsc_early_khz=$("$(program "$here/tsc-khz.c")")"
}

# A kernel without an init panics when it is up, and with -no-reboot that ends
# QEMU; one that hangs does neither.
probe_kvm() {
	local log=$work/kvm-probe
	timeout -s KILL 10 "${base_options[@]}" -kernel "$KERNEL_IMAGE" -machine q35 -accel kvm -cpu "$cpu" -m 256 \
		-serial "file:$log" -append 'console=ttyS0 panic=-1' || :
	grep -qs 'Kernel panic - not syncing: VFS' "$log"
}

machine_options() {
	local node first last share=$((MEMORY / NUMA)) smp=$CPUS
	# Nodes end where sockets do: CPUs that share a cache are on one node.
	((NUMA == 1)) || smp+=",sockets=$((CPUS % NUMA ? CPUS : NUMA))"
	options=(-machine q35 "${accelerator[@]}" -cpu "$cpu" -smp "$smp" -m "$((share * NUMA))M")
	((NUMA > 1)) || return 0
	for ((node = 0; node < NUMA; node++)); do
		first=$((CPUS * node / NUMA)) last=$((CPUS * (node + 1) / NUMA - 1))
		options+=(
			-object "memory-backend-ram,id=memory$node,size=${share}M"
			-numa "node,nodeid=$node,memdev=memory$node,cpus=$first-$last"
		)
	done
}

# The NIC sits behind a host bridge of its own, which is how a PCI device comes to
# be on a node: on the second, where a program that ignores nodes does not run.
nic_options() {
	[[ -n $NIC ]] || return 0
	local nic bus=pcie.0 queues=${NIC_QUEUES:-$CPUS}
	if ((NUMA > 1)); then
		options+=(-device "pxb-pcie,id=pxb,bus=pcie.0,bus_nr=128,numa_node=1")
		bus=pxb
	fi
	options+=(-device "pcie-root-port,id=nicport,bus=$bus,chassis=1,slot=1")
	nic="$NIC_DEVICE,bus=nicport,mac=02:00:00:00:00:01"
	if [[ $NIC == virtio ]]; then
		# Several queues need a tap that has them. It leads nowhere: it is in a
		# network namespace that has nothing else.
		[[ -c /dev/net/tun ]] || fail "the virtio NIC needs /dev/net/tun: load the tun module (modprobe tun)"
		if ((queues > 1)); then
			ip tuntap add dev lab0 mode tap multi_queue
		else
			ip tuntap add dev lab0 mode tap
		fi
		# Neither side's own chatter belongs into a test.
		echo 1 >/proc/sys/net/ipv6/conf/lab0/disable_ipv6
		ip link set lab0 up
		options+=(-netdev "tap,id=net,ifname=lab0,script=no,downscript=no,queues=$queues")
		nic+=",netdev=net,mq=on,vectors=$((2 * queues + 2))"
	fi
	options+=(-device "$nic")
}

start_qemu() {
	local way parameters="console=ttyS0 loglevel=5 net.ifnames=0 oops=panic panic=-1"
	parameters+=" $(time_options) $KERNEL_OPTIONS${KUNIT:+ kunit.enable=1 kunit.autorun=1}"
	options+=(
		-kernel "$KERNEL_IMAGE" -initrd "$initramfs"
		-append "$parameters"
		-chardev "file,id=log,path=/run/lab/log,append=on" -serial chardev:log
		-device "virtio-serial-pci,bus=pcie.0"
		-fsdev "local,id=root,path=/,security_model=none,readonly=on,multidevs=remap"
		-device "virtio-9p-pci,bus=pcie.0,fsdev=root,mount_tag=root"
		-fsdev "local,id=out,path=/run/lab/out,security_model=none,multidevs=remap"
		-device "virtio-9p-pci,bus=pcie.0,fsdev=out,mount_tag=out"
	)
	for way in out err control; do
		options+=(
			-chardev "file,id=$way,path=/run/lab/$way.fifo"
			-device "virtserialport,chardev=$way,name=lab.$way"
		)
	done
	# exec: to end this process is to end the kernel.
	exec "${base_options[@]}" "${options[@]}" </dev/null
}
