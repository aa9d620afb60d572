# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# How boot starts a User-Mode Linux kernel: a process of this machine, whose
# root is the toolchain environment through hostfs. Sourced, never run.
# shellcheck disable=SC2154 # boot's variables

# Mount options inside the guest do not bind its root user, who may mount hostfs
# again. So the kernel process itself gets a view of the files that is read-only
# but for the output directory and for its own memory.
prepare_uml() {
	uml_root=/run/lab/root
	mkdir -p "$uml_root" /run/lab/memory
	mount --rbind / "$uml_root"
	mount -o remount,bind,ro=recursive "$uml_root"
	mount --bind "$OUT_DIR" "$uml_root/run/lab/out"
	mount -t tmpfs -o mode=700,size=100% tmpfs "$uml_root/run/lab/memory"
}

# Every console wants an input. The end of one makes the driver give back its
# interrupt from wherever it is, on several CPUs even from an idle task, which
# the scheduler takes badly; so they get one that says nothing and does not end.
start_uml() {
	local options silence=$work/silence.fifo kunit=0
	mkfifo "$silence"
	read -ra options <<<"$KERNEL_OPTIONS"
	# A module with unit tests runs them when it is loaded.
	[[ -z ${KUNIT-} ]] || kunit=1
	((CPUS == 1)) || options+=("ncpus=$CPUS")
	# The kernel's own words before it has a console go to its standard output.
	# A reboot starts the program again that the kernel was called as: there is
	# none. exec: to end this process is to end the kernel.
	exec env TMPDIR=/run/lab/memory HOME=/run/lab/memory \
		chroot "$uml_root" env --argv0="lab-$MACHINE" "$KERNEL_IMAGE" "${options[@]}" mem="${MEMORY}M" \
		root=/dev/root rootfstype=hostfs rootflags=/ ro init=/run/lab/guest/init \
		con=fd:0,fd:0 ssl=fd:0,fd:0 con0=fd:0,fd:1 con1=fd:3,fd:4 con2=fd:5,fd:6 con3=fd:7,fd:8 \
		loglevel=5 panic=-1 kunit.enable="$kunit" kunit.autorun="$kunit" \
		<>"$silence" >>"$work/log" 2>&1 \
		3<>"$silence" 4>"$work/out.fifo" \
		5<>"$silence" 6>"$work/err.fifo" \
		7<>"$silence" 8>"$work/control.fifo"
}
