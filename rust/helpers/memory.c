// SPDX-License-Identifier: GPL-2.0

#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/nodemask.h>
#include <linux/slab.h>

#include "helpers/helpers.h"

bool rpktgen_helper_node_possible(int node)
{
	return node_possible(node);
}

struct page *rpktgen_helper_alloc_pages_node(int node, gfp_t gfp, unsigned int order)
{
	return alloc_pages_node(node, gfp, order);
}

void *rpktgen_helper_kvmalloc(size_t size, gfp_t gfp)
{
	return kvmalloc(size, gfp);
}

void rpktgen_helper_get_page(struct page *page)
{
	get_page(page);
}

void rpktgen_helper_put_page(struct page *page)
{
	put_page(page);
}
