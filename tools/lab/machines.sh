# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# The lab's machines, one row each. Sourced, never run.
#
# MEM is what a kernel of that kind needs to boot and to run our suites with
# room to spare; KASAN's shadow and kmemleak's records are what makes the debug
# kernels larger. UML on several CPUs exists with seccomp=on only, and a kernel
# built by clang (which KASAN together with Rust requires) does not survive that
# mode: uml-debug has one CPU.
#
# slab_debug=F has the allocator check its lists, and keep no arrays of objects for each
# CPU: a pointer stays in such an array when its object is handed out, so that kmemleak
# takes the object for referenced.
# shellcheck disable=SC2034 # for who sources it

MACHINE_TABLE='
#name       kind  mem/MiB  max-cpus  kernel options
uml         uml   1024     8         seccomp=on
uml-debug   uml   1024     1         slab_debug=F
qemu        qemu  1024     64
qemu-debug  qemu  3072     64        slab_debug=F
'

# NIC models of the qemu machines: QEMU's device, the kernel's driver, and where
# the number of queues is set (the device itself, ethtool -L, or nowhere).
NIC_TABLE='
#model   device          driver      queues
virtio   virtio-net-pci  virtio_net  device
igb      igb             igb         ethtool
vmxnet3  vmxnet3         vmxnet3     -
e1000e   e1000e          e1000e      -
'

# names TABLE: its first column on one line.
names() {
	awk '/^[^#]/ { out = out sep $1; sep = ", " } END { print out }' <<<"$1"
}

# row TABLE NAME: the row of NAME without its name; fails if there is none.
row() {
	awk -v name="$2" '$1 == name { $1 = ""; print; found = 1 } END { exit !found }' <<<"$1"
}
