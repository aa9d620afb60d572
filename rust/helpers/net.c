// SPDX-License-Identifier: GPL-2.0

#include <linux/inetdevice.h>
#include <linux/netdevice.h>
#include <net/addrconf.h>
#include <net/net_namespace.h>
#include <net/netns/generic.h>

#include "helpers/helpers.h"

void rpktgen_helper_dev_put(struct net_device *dev)
{
	dev_put(dev);
}

struct net *rpktgen_helper_dev_net(const struct net_device *dev)
{
	return dev_net(dev);
}

bool rpktgen_helper_netif_running(const struct net_device *dev)
{
	return netif_running(dev);
}

bool rpktgen_helper_netif_carrier_ok(const struct net_device *dev)
{
	return netif_carrier_ok(dev);
}

bool rpktgen_helper_netdev_unregistering(const struct net_device *dev)
{
	return READ_ONCE(dev->reg_state) == NETREG_UNREGISTERING;
}

const char *rpktgen_helper_netdev_name(const struct net_device *dev)
{
	return dev->name;
}

unsigned short rpktgen_helper_netdev_type(const struct net_device *dev)
{
	return dev->type;
}

const unsigned char *rpktgen_helper_netdev_addr(const struct net_device *dev)
{
	return dev->dev_addr;
}

unsigned int rpktgen_helper_netdev_real_num_tx_queues(const struct net_device *dev)
{
	return READ_ONCE(dev->real_num_tx_queues);
}

bool rpktgen_helper_netdev_tx_sharing(const struct net_device *dev)
{
	return dev->priv_flags & IFF_TX_SKB_SHARING;
}

bool rpktgen_helper_netdev_csum_ipv4(const struct net_device *dev)
{
	return dev->features & (NETIF_F_HW_CSUM | NETIF_F_IP_CSUM);
}

bool rpktgen_helper_netdev_csum_ipv6(const struct net_device *dev)
{
	return dev->features & (NETIF_F_HW_CSUM | NETIF_F_IPV6_CSUM);
}

unsigned int rpktgen_helper_ll_reserved_space(const struct net_device *dev)
{
	return LL_RESERVED_SPACE(dev);
}

struct net_device *rpktgen_helper_netdev_notifier_info_to_dev(const void *info)
{
	return netdev_notifier_info_to_dev(info);
}

struct in_device *rpktgen_helper___in_dev_get_rcu(const struct net_device *dev)
{
	return __in_dev_get_rcu(dev);
}

const struct in_ifaddr *rpktgen_helper_in_dev_ifa_list_rcu(const struct in_device *in_dev)
{
	return rcu_dereference(in_dev->ifa_list);
}

__be32 rpktgen_helper_ifa_local(const struct in_ifaddr *ifa)
{
	return ifa->ifa_local;
}

int rpktgen_helper_ipv6_dev_get_saddr(struct net *net, const struct net_device *dev,
				      const struct in6_addr *daddr, struct in6_addr *saddr)
{
#if IS_ENABLED(CONFIG_IPV6)
	return ipv6_dev_get_saddr(net, dev, daddr, 0, saddr);
#else
	return -EAFNOSUPPORT;
#endif
}

void *rpktgen_helper_net_generic(const struct net *net, unsigned int id)
{
	return net_generic(net, id);
}

struct proc_dir_entry *rpktgen_helper_net_proc_net(const struct net *net)
{
	return net->proc_net;
}

bool rpktgen_helper_maybe_get_net(struct net *net)
{
	return maybe_get_net(net);
}

void rpktgen_helper_put_net(struct net *net)
{
	put_net(net);
}

struct netdev_queue *rpktgen_helper_netdev_get_tx_queue(const struct net_device *dev,
							unsigned int index)
{
	return netdev_get_tx_queue(dev, index);
}

void rpktgen_helper_hard_tx_lock(struct net_device *dev, struct netdev_queue *txq)
{
	HARD_TX_LOCK(dev, txq, smp_processor_id());
}

void rpktgen_helper_hard_tx_unlock(struct net_device *dev, struct netdev_queue *txq)
{
	HARD_TX_UNLOCK(dev, txq);
}

bool rpktgen_helper_netif_xmit_frozen_or_drv_stopped(const struct netdev_queue *txq)
{
	return netif_xmit_frozen_or_drv_stopped(txq);
}

int rpktgen_helper_netdev_start_xmit(struct sk_buff *skb, struct net_device *dev,
				     struct netdev_queue *txq, bool more)
{
	return netdev_start_xmit(skb, dev, txq, more);
}

int rpktgen_helper_dev_queue_xmit(struct sk_buff *skb)
{
	return dev_queue_xmit(skb);
}

void rpktgen_helper_local_bh_disable(void)
{
	local_bh_disable();
}

void rpktgen_helper_local_bh_enable(void)
{
	local_bh_enable();
}
