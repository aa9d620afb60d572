// SPDX-License-Identifier: GPL-2.0
/*
 * Tells kmemleak of memory in which it would not look for references: static variables
 * of UML's kernel. clang puts those of a large memory model into the section .lbss,
 * which UML's linker script does not know. It is left behind the end of .bss, and
 * whatever has no other reference looks lost.
 *
 * It stays loaded, as it has no exit.
 */

#include <linux/kmemleak.h>
#include <linux/module.h>

static unsigned long start;
module_param(start, ulong, 0);
MODULE_PARM_DESC(start, "address of the section");

static unsigned long size;
module_param(size, ulong, 0);
MODULE_PARM_DESC(size, "its size in bytes");

static int __init lab_roots_init(void)
{
	if (!start || !size)
		return -EINVAL;
	/* No reference is needed for it to be looked into. */
	kmemleak_alloc((void *)start, size, 0, GFP_KERNEL);
	return 0;
}
module_init(lab_roots_init);

MODULE_DESCRIPTION("Tells kmemleak of UML's static variables");
MODULE_LICENSE("GPL");
