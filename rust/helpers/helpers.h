/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Out-of-line bodies for inline functions and macros, so that Rust can call them.
 *
 * Each wraps one of them and does nothing else. In Rust they carry the name without the
 * prefix. Contexts and locks are those of the function wrapped.
 */
#ifndef _RPKTGEN_HELPERS_H
#define _RPKTGEN_HELPERS_H

#include <linux/netdevice.h>
#include <linux/skbuff.h>

struct cpumask;
struct file;
struct in6_addr;
struct in_device;
struct in_ifaddr;
struct inode;
struct net;
struct page;
struct xfrm_dst;
struct xfrm_lifetime_cur;
struct xfrm_state;

/* include/linux/netdevice.h, include/net/net_namespace.h, include/net/netns/generic.h */
void rpktgen_helper_dev_put(struct net_device *dev);
struct net *rpktgen_helper_dev_net(const struct net_device *dev);
bool rpktgen_helper_netif_running(const struct net_device *dev);
bool rpktgen_helper_netif_carrier_ok(const struct net_device *dev);
bool rpktgen_helper_netdev_unregistering(const struct net_device *dev);
const char *rpktgen_helper_netdev_name(const struct net_device *dev);
unsigned short rpktgen_helper_netdev_type(const struct net_device *dev);
const unsigned char *rpktgen_helper_netdev_addr(const struct net_device *dev);
unsigned int rpktgen_helper_netdev_real_num_tx_queues(const struct net_device *dev);
bool rpktgen_helper_netdev_tx_sharing(const struct net_device *dev);
bool rpktgen_helper_netdev_csum_ipv4(const struct net_device *dev);
bool rpktgen_helper_netdev_csum_ipv6(const struct net_device *dev);
unsigned int rpktgen_helper_ll_reserved_space(const struct net_device *dev);
struct net_device *rpktgen_helper_netdev_notifier_info_to_dev(const void *info);
struct in_device *rpktgen_helper___in_dev_get_rcu(const struct net_device *dev);
const struct in_ifaddr *rpktgen_helper_in_dev_ifa_list_rcu(const struct in_device *in_dev);
__be32 rpktgen_helper_ifa_local(const struct in_ifaddr *ifa);
int rpktgen_helper_ipv6_dev_get_saddr(struct net *net, const struct net_device *dev,
				      const struct in6_addr *daddr, struct in6_addr *saddr);
void *rpktgen_helper_net_generic(const struct net *net, unsigned int id);
struct proc_dir_entry *rpktgen_helper_net_proc_net(const struct net *net);
bool rpktgen_helper_maybe_get_net(struct net *net);
void rpktgen_helper_put_net(struct net *net);

struct netdev_queue *rpktgen_helper_netdev_get_tx_queue(const struct net_device *dev,
							unsigned int index);
void rpktgen_helper_hard_tx_lock(struct net_device *dev, struct netdev_queue *txq);
void rpktgen_helper_hard_tx_unlock(struct net_device *dev, struct netdev_queue *txq);
bool rpktgen_helper_netif_xmit_frozen_or_drv_stopped(const struct netdev_queue *txq);
int rpktgen_helper_netdev_start_xmit(struct sk_buff *skb, struct net_device *dev,
				     struct netdev_queue *txq, bool more);
int rpktgen_helper_dev_queue_xmit(struct sk_buff *skb);
void rpktgen_helper_local_bh_disable(void);
void rpktgen_helper_local_bh_enable(void);

/* include/linux/skbuff.h */
void rpktgen_helper_skb_reserve(struct sk_buff *skb, int len);
void rpktgen_helper_skb_reset_mac_header(struct sk_buff *skb);
void rpktgen_helper_skb_set_network_header(struct sk_buff *skb, int offset);
void rpktgen_helper_skb_set_transport_header(struct sk_buff *skb, int offset);
void rpktgen_helper_skb_set_queue_mapping(struct sk_buff *skb, u16 queue);
void rpktgen_helper_skb_set_protocol(struct sk_buff *skb, __be16 protocol);
void rpktgen_helper_skb_set_priority(struct sk_buff *skb, u32 priority);
void rpktgen_helper_skb_set_csum_partial(struct sk_buff *skb, u16 start, u16 offset);
void rpktgen_helper_skb_get_many(struct sk_buff *skb, int n);
bool rpktgen_helper_skb_put_many(struct sk_buff *skb, int n);
unsigned int rpktgen_helper_net_skb_pad(void);
void rpktgen_helper_skb_set_dev(struct sk_buff *skb, struct net_device *dev);
unsigned int rpktgen_helper_skb_len(const struct sk_buff *skb);
unsigned char rpktgen_helper_skb_nr_frags(const struct sk_buff *skb);
void rpktgen_helper_skb_set_shared_frag(struct sk_buff *skb);
void rpktgen_helper_skb_add_rx_frag(struct sk_buff *skb, int i, struct page *page, int off,
				    int size, unsigned int truesize);
unsigned int rpktgen_helper_skb_users(const struct sk_buff *skb);
void rpktgen_helper_consume_skb(struct sk_buff *skb);

/* include/linux/nodemask.h, include/linux/gfp.h, include/linux/mm.h, include/linux/slab.h */
bool rpktgen_helper_node_possible(int node);
struct page *rpktgen_helper_alloc_pages_node(int node, gfp_t gfp, unsigned int order);
void *rpktgen_helper_kvmalloc(size_t size, gfp_t gfp);
void rpktgen_helper_get_page(struct page *page);
void rpktgen_helper_put_page(struct page *page);

/* include/linux/proc_fs.h, include/linux/fs.h */
void *rpktgen_helper_file_pde_data(const struct file *file);
void *rpktgen_helper_inode_pde_data(const struct inode *inode);

/* include/linux/sched.h, include/linux/freezer.h, include/linux/cpumask.h, cpu.h, random.h */
void rpktgen_helper_set_current_state(unsigned int state);
void rpktgen_helper_set_current_running(void);
bool rpktgen_helper_need_resched(void);
void rpktgen_helper_set_freezable(void);
bool rpktgen_helper_try_to_freeze(void);
void rpktgen_helper_get_task_struct(struct task_struct *task);
unsigned int rpktgen_helper_cpumask_next_online(int cpu);
const struct cpumask *rpktgen_helper_cpumask_of(unsigned int cpu);
bool rpktgen_helper_cpuhp_tasks_frozen(void);
void rpktgen_helper_cpus_read_lock(void);
void rpktgen_helper_cpus_read_unlock(void);
u32 rpktgen_helper_get_random_u32_below(u32 ceil);

#ifdef CONFIG_XFRM
/* include/net/xfrm.h, include/net/dst.h */
void rpktgen_helper_xfrm_state_put(struct xfrm_state *x);
void rpktgen_helper_xfrm_state_lock_bh(struct xfrm_state *x);
void rpktgen_helper_xfrm_state_unlock_bh(struct xfrm_state *x);
u8 rpktgen_helper_xfrm_state_km_state(const struct xfrm_state *x);
u8 rpktgen_helper_xfrm_state_dir(const struct xfrm_state *x);
u8 rpktgen_helper_xfrm_state_proto(const struct xfrm_state *x);
u8 rpktgen_helper_xfrm_state_mode(const struct xfrm_state *x);
int rpktgen_helper_xfrm_state_header_len(const struct xfrm_state *x);
u16 rpktgen_helper_xfrm_state_sel_family(const struct xfrm_state *x);
u16 rpktgen_helper_xfrm_state_encap_type(const struct xfrm_state *x);
u8 rpktgen_helper_xfrm_state_offload_type(const struct xfrm_state *x);
u32 rpktgen_helper_xfrm_state_esp_alg_flags(const struct xfrm_state *x);
u32 rpktgen_helper_xfrm_state_ah_alg_flags(const struct xfrm_state *x);
bool rpktgen_helper_xfrm_state_oseq_may_wrap(const struct xfrm_state *x);
bool rpktgen_helper_xfrm_state_esn(const struct xfrm_state *x);
u32 *rpktgen_helper_xfrm_state_oseq(struct xfrm_state *x);
u32 *rpktgen_helper_xfrm_state_oseq_hi(struct xfrm_state *x);
struct xfrm_lifetime_cur *rpktgen_helper_xfrm_state_curlft(struct xfrm_state *x);
int rpktgen_helper_xfrm_state_output(struct xfrm_state *x, struct sk_buff *skb);
void rpktgen_helper_xfrm_inc_stats(struct net *net, int field);
void rpktgen_helper_xfrm_skb_set_seq(struct sk_buff *skb, u32 low, u32 hi);
void rpktgen_helper_xfrm_dst_init(struct xfrm_dst *xdst, struct xfrm_state *x,
				  struct net_device *dev);
void rpktgen_helper_skb_dst_set_noref(struct sk_buff *skb, struct xfrm_dst *xdst);
void rpktgen_helper_skb_dst_drop(struct sk_buff *skb);
void rpktgen_helper_skb_set_ignore_df(struct sk_buff *skb, bool ignore);
bool rpktgen_helper_skb_is_csum_partial(const struct sk_buff *skb);
__be16 rpktgen_helper_skb_protocol(const struct sk_buff *skb);
unsigned char *rpktgen_helper_skb_data(const struct sk_buff *skb);
unsigned int rpktgen_helper_skb_headlen(const struct sk_buff *skb);
unsigned int rpktgen_helper_skb_headroom(const struct sk_buff *skb);
#endif

/* helpers/params.c: module parameters */
extern char rpktgen_procdir[32];
extern bool rpktgen_strict;

#endif /* _RPKTGEN_HELPERS_H */
