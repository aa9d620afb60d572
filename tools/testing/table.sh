# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# For tools/testing/run: which suites there are, one row each. Sourced, never run.
#
# A set is what one "make" target runs. Where a suite runs: "cargo" is cargo test in
# the toolchain environment, "host" this machine, everything else a machine of the
# lab. After "limit" seconds it is ended, after TIME_LIMIT where there is none. With
# "yes" under "C" it runs a second time with the C module, for comparison. What it is:
# the directory of a package, or a KTAP script below tools/testing and its arguments,
# after settings that the machine is built and booted with.
# shellcheck disable=SC2034 # for who sources it

SUITES='
#set   name                      where      cpus nic limit C   what
test   core                      cargo      -    -   -     -   rust/core
test   cli-unit                  cargo      -    -   -     -   tools/rpktgen
test   source                    host       -    -   -     -   host/source.sh
test   fuzz                      host       -    -   -     -   host/fuzz.sh
test   miri                      host       -    -   -     -   host/miri.sh
test   runner                    host       -    -   -     -   host/runner.sh
test   lab                       host       -    -   -     -   host/lab.sh
test   exec                      host       -    -   -     -   host/exec.sh uml
test   late                      host       -    -   -     -   host/late-pktgen.sh
test   exec-qemu                 host       -    -   -     -   host/exec.sh --few qemu
test   kunit                     uml        2    -   -     -   KUNIT=1 suites/kunit.sh
test   control                   uml        2    -   -     -   suites/control.sh
test   thread                    uml        2    -   -     -   suites/thread.sh
test   device                    uml        2    -   -     -   suites/device.sh
test   xmit                      uml        2    -   -     -   suites/xmit.sh
test   defects                   uml        2    -   -     -   suites/defects.sh
test   dissect                   uml        2    -   -     -   LAB_PACKAGES=tshark suites/dissect.sh
test   ipsec                     uml        2    -   -     -   suites/ipsec.sh
test   ipsec-life                uml        2    -   -     -   suites/associations.sh
test   lifecycle                 uml        2    -   -     -   suites/lifecycle.sh
test   parity                    uml        2    -   -     -   suites/parity.sh
test   samples                   uml        2    -   -     -   suites/samples.sh
test   ksamples                  uml        2    -   -     -   suites/kernel-samples.sh
test   selftest                  uml        2    -   -     -   suites/selftest.sh
test   cli                       uml        2    -   -     -   suites/cli.sh
test   demo                      uml        2    -   -     -   suites/demo.sh
test   smoke                     qemu       4    igb -     -   suites/smoke-qemu.sh
test   self-qemu                 qemu       2    -   -     -   suites/selftest.sh

robust leaks                     host       -    -   -     -   host/leaks.sh
robust procfs-uml                uml        2    -   -     yes robust/procfs.sh
robust limits-uml                uml        2    -   -     yes robust/limits.sh
robust figures-uml               uml        2    -   -     yes robust/figures.sh
robust latency-uml               uml        2    -   -     yes robust/latency.sh
robust removal-uml               uml        2    -   -     yes robust/removal.sh
robust cycles-uml                uml        2    -   1800  yes robust/cycles.sh
robust control-uml               uml        2    -   1800  -   robust/control.sh
robust procfs-uml-debug          uml-debug  1    -   -     -   robust/procfs.sh
robust limits-uml-debug          uml-debug  1    -   -     -   robust/limits.sh
robust devices-uml-debug         uml-debug  1    -   1800  -   robust/devices.sh
robust faults-uml-debug          uml-debug  1    -   1800  yes robust/faults.sh
robust bytes-uml-debug           uml-debug  1    -   1800  yes robust/bytes.sh
robust lifecycle-uml-debug       uml-debug  1    -   1800  -   robust/lifecycle.sh
robust namespaces-uml-debug      uml-debug  1    -   -     -   robust/namespaces.sh
robust control-uml-debug         uml-debug  1    -   1800  -   robust/control.sh
robust figures-uml-debug         uml-debug  1    -   1800  -   robust/figures.sh
robust test-thread-uml-debug     uml-debug  1    -   1800  -   suites/thread.sh
robust test-device-uml-debug     uml-debug  1    -   1800  -   suites/device.sh
robust test-control-uml-debug    uml-debug  1    -   1800  -   suites/control.sh
robust test-defects-uml-debug    uml-debug  1    -   1800  -   suites/defects.sh
robust users-qemu                qemu       4    -   -     yes robust/users.sh
robust hotplug-qemu              qemu       4    igb -     -   robust/hotplug.sh
robust namespaces-qemu           qemu       4    -   -     yes robust/namespaces.sh
robust devices-qemu              qemu       4    -   -     yes robust/devices.sh
robust lifecycle-qemu            qemu       4    -   -     -   robust/lifecycle.sh

debug  users-qemu-debug          qemu-debug 2    -   1200  -   robust/users.sh
debug  procfs-qemu-debug         qemu-debug 2    -   1800  -   robust/procfs.sh
debug  limits-qemu-debug         qemu-debug 2    -   1800  -   robust/limits.sh
debug  namespaces-qemu-debug     qemu-debug 2    -   1200  -   robust/namespaces.sh
debug  control-qemu-debug        qemu-debug 2    -   1800  -   robust/control.sh
debug  lifecycle-qemu-debug      qemu-debug 2    -   1800  -   robust/lifecycle.sh
debug  cycles-qemu-debug         qemu-debug 2    -   1800  -   robust/cycles.sh
debug  devices-qemu-debug        qemu-debug 2    -   1800  -   robust/devices.sh
debug  faults-qemu-debug         qemu-debug 2    -   1800  -   robust/faults.sh
debug  figures-qemu-debug        qemu-debug 2    -   1800  -   robust/figures.sh
debug  removal-qemu-debug        qemu-debug 2    -   1800  -   robust/removal.sh
debug  test-lifecycle-qemu-debug qemu-debug 2    -   1800  -   suites/lifecycle.sh
debug  hotplug-qemu-debug        qemu-debug 4    igb 1800  -   robust/hotplug.sh
'
# Seconds. No suite takes a tenth of it on an idle machine, but those with a limit of
# their own.
TIME_LIMIT=900

# The rows of one set, or of all.
suites() { # [SET]
	awk -v set="${1-}" '/^[^#]/ && (set == "" || $1 == set)' <<<"$SUITES"
}

sets() { suites | cut -d ' ' -f 1 | uniq; }
names() { suites "$@" | awk '{ print $2 }'; }
