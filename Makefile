# SPDX-License-Identifier: GPL-2.0
#
# The front door: every target is one call of the script that does the work.
# For Kbuild this directory is an external module; its entry is the file Kbuild.

# The kernel build tree to build for; empty: the running kernel's.
KDIR ?=
MACHINE ?= qemu
# What "make lab" makes; qemu-debug takes the better part of an hour.
LAB_MACHINES ?= qemu uml
# What "make parity" plays; without a seed a new one is taken, and printed.
ROUNDS ?= 10000
SEED ?=
# How long "make fuzz" goes on.
SECONDS ?= 600

export KDIR MACHINE

.PHONY: modules
modules: ## build rpktgen.ko for the running kernel, or for KDIR=DIR
	@tools/lab/modules build

.PHONY: prepare-kernel
prepare-kernel: ## once, where "make" asks for it: make the running (KVER=) kernel's Rust metadata
	@tools/lab/prepare-kernel

.PHONY: cli
cli: ## build the command line tool
	@tools/lab/modules cli

.PHONY: install
install: ## install module and tool (INSTALL_MOD_PATH=, DESTDIR= and PREFIX= are heeded)
	@tools/lab/modules install

.PHONY: run
run: ## send the first packets in a lab kernel, MACHINE=qemu or uml
	@tools/run

.PHONY: test
test: ## run all tests: on this machine and in lab kernels
	@tools/testing/run

.PHONY: test-robust
test-robust: ## run what must not break it, in lab kernels, one of them a debug kernel
	@tools/testing/run --set robust

.PHONY: test-debug
test-debug: ## run the same with lock checking, emulated: the better part of an hour
	@tools/testing/run --set debug

.PHONY: parity
parity: ## compare with the C module: all cases, and random sequences (ROUNDS=10000 SEED=)
	@tools/lab/exec --machine uml --cpus 2 --timeout 86400 -- sh -ec 'insmod "$$PKTGEN_KO"; \
		insmod "$$RPKTGEN_KO" procdir=rpktgen; \
		python3 -B tools/testing/parity table; \
		exec python3 -B tools/testing/parity random --rounds $(ROUNDS) $(if $(SEED),--seed $(SEED))'

.PHONY: fuzz
fuzz: ## fuzz the core for SECONDS=600, and keep the inputs that reach new code
	@rust/core/fuzz/run --seconds $(SECONDS) --keep

.PHONY: check
check: ## format, lints, shell scripts, licences, where unsafe code is
	@tools/check

.PHONY: lab
lab: ## make all that run and test need (LAB_MACHINES="qemu uml uml-debug qemu-debug")
	@tools/lab/setup $(LAB_MACHINES)

.PHONY: clean
clean: ## remove what was built in this checkout; the cache stays
	@tools/lab/modules clean

.PHONY: help
help: ## print this list
	@sed -nE 's/^([a-z-]+): ## (.*)/  make \1\t\2/p' Makefile | expand -t 24
