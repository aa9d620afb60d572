// SPDX-License-Identifier: GPL-2.0
/*
 * What the kernel crate's module! macro has no word for: a version, parameters that are strings,
 * and bools before Linux 7.3.
 */

#include <linux/module.h>
#include <linux/moduleparam.h>

#include "helpers/helpers.h"

char rpktgen_procdir[32] = "pktgen";
module_param_string(procdir, rpktgen_procdir, sizeof(rpktgen_procdir), 0);
MODULE_PARM_DESC(procdir, "Name of the directory below /proc/net (default: pktgen)");

/* The version of the interface, which scripts look for in sysfs. */
MODULE_VERSION("2.75");

bool rpktgen_strict;
module_param_named(strict, rpktgen_strict, bool, 0);
MODULE_PARM_DESC(strict, "Return an error for what the C module accepts in silence");
