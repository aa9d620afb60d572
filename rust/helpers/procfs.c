// SPDX-License-Identifier: GPL-2.0

#include <linux/fs.h>
#include <linux/proc_fs.h>

#include "helpers/helpers.h"

void *rpktgen_helper_file_pde_data(const struct file *file)
{
	return pde_data(file_inode(file));
}

void *rpktgen_helper_inode_pde_data(const struct inode *inode)
{
	return pde_data(inode);
}
