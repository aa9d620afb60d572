// SPDX-License-Identifier: GPL-2.0

#include <linux/refcount.h>
#include <linux/skbuff.h>

#include "helpers/helpers.h"

void rpktgen_helper_skb_reserve(struct sk_buff *skb, int len)
{
	skb_reserve(skb, len);
}

void rpktgen_helper_skb_reset_mac_header(struct sk_buff *skb)
{
	skb_reset_mac_header(skb);
}

void rpktgen_helper_skb_set_network_header(struct sk_buff *skb, int offset)
{
	skb_set_network_header(skb, offset);
}

void rpktgen_helper_skb_set_transport_header(struct sk_buff *skb, int offset)
{
	skb_set_transport_header(skb, offset);
}

void rpktgen_helper_skb_set_queue_mapping(struct sk_buff *skb, u16 queue)
{
	skb_set_queue_mapping(skb, queue);
}

void rpktgen_helper_skb_set_protocol(struct sk_buff *skb, __be16 protocol)
{
	skb->protocol = protocol;
}

void rpktgen_helper_skb_set_priority(struct sk_buff *skb, u32 priority)
{
	skb->priority = priority;
}

void rpktgen_helper_skb_set_csum_partial(struct sk_buff *skb, u16 start, u16 offset)
{
	skb_partial_csum_set(skb, start, offset);
}

void rpktgen_helper_skb_get_many(struct sk_buff *skb, int n)
{
	refcount_add(n, &skb->users);
}

bool rpktgen_helper_skb_put_many(struct sk_buff *skb, int n)
{
	return refcount_sub_and_test(n, &skb->users);
}

unsigned int rpktgen_helper_skb_users(const struct sk_buff *skb)
{
	return refcount_read(&skb->users);
}

void rpktgen_helper_consume_skb(struct sk_buff *skb)
{
	consume_skb(skb);
}

unsigned int rpktgen_helper_net_skb_pad(void)
{
	return NET_SKB_PAD;
}

void rpktgen_helper_skb_set_dev(struct sk_buff *skb, struct net_device *dev)
{
	skb->dev = dev;
}

unsigned char rpktgen_helper_skb_nr_frags(const struct sk_buff *skb)
{
	return skb_shinfo(skb)->nr_frags;
}

void rpktgen_helper_skb_set_shared_frag(struct sk_buff *skb)
{
	skb_shinfo(skb)->flags |= SKBFL_SHARED_FRAG;
}

void rpktgen_helper_skb_add_rx_frag(struct sk_buff *skb, int i, struct page *page, int off,
				    int size, unsigned int truesize)
{
	skb_add_rx_frag(skb, i, page, off, size, truesize);
}

unsigned int rpktgen_helper_skb_len(const struct sk_buff *skb)
{
	return skb->len;
}
