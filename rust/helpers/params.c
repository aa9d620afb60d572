// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel crate's module! macro knows integer and bool parameters only; this is the one
 * string.
 */

#include <linux/module.h>
#include <linux/moduleparam.h>

#include "helpers/helpers.h"

char rpktgen_procdir[32] = "pktgen";
module_param_string(procdir, rpktgen_procdir, sizeof(rpktgen_procdir), 0);
MODULE_PARM_DESC(procdir, "Name of the directory below /proc/net (default: pktgen)");
