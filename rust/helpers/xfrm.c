// SPDX-License-Identifier: GPL-2.0

#include <crypto/aead.h>
#include <crypto/hash.h>
#include <linux/skbuff.h>
#include <net/ah.h>
#include <net/dst.h>
#include <net/xfrm.h>

#include "helpers/helpers.h"

void rpktgen_helper_xfrm_state_put(struct xfrm_state *x)
{
	xfrm_state_put(x);
}

void rpktgen_helper_xfrm_state_lock_bh(struct xfrm_state *x)
{
	spin_lock_bh(&x->lock);
}

void rpktgen_helper_xfrm_state_unlock_bh(struct xfrm_state *x)
{
	spin_unlock_bh(&x->lock);
}

u8 rpktgen_helper_xfrm_state_km_state(const struct xfrm_state *x)
{
	return READ_ONCE(x->km.state);
}

u8 rpktgen_helper_xfrm_state_dir(const struct xfrm_state *x)
{
	return x->dir;
}

u8 rpktgen_helper_xfrm_state_proto(const struct xfrm_state *x)
{
	return x->id.proto;
}

u8 rpktgen_helper_xfrm_state_mode(const struct xfrm_state *x)
{
	return x->props.mode;
}

int rpktgen_helper_xfrm_state_header_len(const struct xfrm_state *x)
{
	return x->props.header_len;
}

u16 rpktgen_helper_xfrm_state_sel_family(const struct xfrm_state *x)
{
	return x->sel.family;
}

u16 rpktgen_helper_xfrm_state_encap_type(const struct xfrm_state *x)
{
	return x->encap ? x->encap->encap_type : 0;
}

u8 rpktgen_helper_xfrm_state_offload_type(const struct xfrm_state *x)
{
	return x->xso.type;
}

u32 rpktgen_helper_xfrm_state_esp_alg_flags(const struct xfrm_state *x)
{
	struct crypto_aead *aead = x->data;

	return crypto_aead_tfm(aead)->__crt_alg->cra_flags;
}

u32 rpktgen_helper_xfrm_state_ah_alg_flags(const struct xfrm_state *x)
{
	const struct ah_data *ahp = x->data;

	return crypto_ahash_tfm(ahp->ahash)->__crt_alg->cra_flags;
}

bool rpktgen_helper_xfrm_state_oseq_may_wrap(const struct xfrm_state *x)
{
	return x->props.extra_flags & XFRM_SA_XFLAG_OSEQ_MAY_WRAP;
}

bool rpktgen_helper_xfrm_state_esn(const struct xfrm_state *x)
{
	return x->repl_mode == XFRM_REPLAY_MODE_ESN;
}

u32 *rpktgen_helper_xfrm_state_oseq(struct xfrm_state *x)
{
	return x->replay_esn ? &x->replay_esn->oseq : &x->replay.oseq;
}

u32 *rpktgen_helper_xfrm_state_oseq_hi(struct xfrm_state *x)
{
	return x->replay_esn ? &x->replay_esn->oseq_hi : NULL;
}

struct xfrm_lifetime_cur *rpktgen_helper_xfrm_state_curlft(struct xfrm_state *x)
{
	return &x->curlft;
}

int rpktgen_helper_xfrm_state_output(struct xfrm_state *x, struct sk_buff *skb)
{
	return x->type->output(x, skb);
}

void rpktgen_helper_xfrm_inc_stats(struct net *net, int field)
{
	XFRM_INC_STATS(net, field);
}

void rpktgen_helper_xfrm_skb_set_seq(struct sk_buff *skb, u32 low, u32 hi)
{
	XFRM_SKB_CB(skb)->seq.output.low = low;
	XFRM_SKB_CB(skb)->seq.output.hi = hi;
}

void rpktgen_helper_xfrm_dst_init(struct xfrm_dst *xdst, struct xfrm_state *x,
				  struct net_device *dev)
{
	static struct dst_ops ops = { .family = AF_INET };

	*xdst = (struct xfrm_dst) {
		.u.dst.dev = dev,
		.u.dst.ops = &ops,
		.u.dst.xfrm = x,
		.child = &xdst->u.dst,
		.child_mtu_cached = READ_ONCE(dev->mtu),
	};
	dst_init_metrics(&xdst->u.dst, dst_default_metrics.metrics, true);
}

void rpktgen_helper_skb_dst_set_noref(struct sk_buff *skb, struct xfrm_dst *xdst)
{
	skb_dst_set_noref(skb, &xdst->u.dst);
}

void rpktgen_helper_skb_dst_drop(struct sk_buff *skb)
{
	skb_dst_drop(skb);
}

void rpktgen_helper_skb_set_ignore_df(struct sk_buff *skb, bool ignore)
{
	skb->ignore_df = ignore;
}

bool rpktgen_helper_skb_is_csum_partial(const struct sk_buff *skb)
{
	return skb->ip_summed == CHECKSUM_PARTIAL;
}

__be16 rpktgen_helper_skb_protocol(const struct sk_buff *skb)
{
	return skb->protocol;
}

unsigned char *rpktgen_helper_skb_data(const struct sk_buff *skb)
{
	return skb->data;
}

unsigned int rpktgen_helper_skb_headlen(const struct sk_buff *skb)
{
	return skb_headlen(skb);
}

unsigned int rpktgen_helper_skb_headroom(const struct sk_buff *skb)
{
	return skb_headroom(skb);
}
