// SPDX-License-Identifier: GPL-2.0
/*
 * A netdev whose driver answers transmit requests as a test wants it: refusing for
 * ever, with an errno, with its queue stopped and never woken, or keeping every
 * packet. Loading the module makes the device a0. Parameters can be set at any time
 * in /sys/module/awkward/parameters, but for "sharing".
 *
 * Packets that are taken without an error count in tx_packets, others that are taken
 * in tx_dropped; those that are not taken do not count.
 */

#include <linux/etherdevice.h>
#include <linux/ethtool.h>
#include <linux/module.h>
#include <linux/netdevice.h>

#define AWKWARD_QUEUES	4
#define AWKWARD_RING	64

struct awkward_ring {
	struct sk_buff *kept[AWKWARD_RING];
	unsigned int count;
};

/* Each is used under the lock of its queue. */
struct awkward {
	struct awkward_ring rings[AWKWARD_QUEUES];
};

static int answer;
module_param(answer, int, 0644);
MODULE_PARM_DESC(answer, "what the transmit function returns: a NETDEV_TX_ or NET_XMIT_ code, or an errno");

static unsigned int every = 1;
module_param(every, uint, 0644);
MODULE_PARM_DESC(every, "that many requests apart; the others are answered with 0");

static bool stop;
module_param(stop, bool, 0644);
MODULE_PARM_DESC(stop, "stop the queue at the next request, and never wake it");

static bool keep;
module_param(keep, bool, 0644);
MODULE_PARM_DESC(keep, "keep packets until the device goes down; the queue stops when its ring is full");

static bool sharing = true;
module_param(sharing, bool, 0444);
MODULE_PARM_DESC(sharing, "the driver allows shared buffers");

static struct net_device *awkward_dev;

static netdev_tx_t awkward_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct awkward *awkward = netdev_priv(dev);
	u16 queue = skb_get_queue_mapping(skb);
	struct awkward_ring *ring = &awkward->rings[queue];
	unsigned int distance = READ_ONCE(every);
	static atomic_t requests = ATOMIC_INIT(0);
	int code = READ_ONCE(answer);

	if (READ_ONCE(stop))
		netif_stop_subqueue(dev, queue);
	if (distance > 1 && (unsigned int)atomic_inc_return(&requests) % distance)
		code = NETDEV_TX_OK;
	if (!dev_xmit_complete(code))
		return (netdev_tx_t)code;
	if (code != NETDEV_TX_OK) {
		dev_core_stats_tx_dropped_inc(dev);
		dev_kfree_skb_any(skb);
		return (netdev_tx_t)code;
	}

	dev_sw_netstats_tx_add(dev, 1, skb->len);
	if (READ_ONCE(keep) && ring->count < AWKWARD_RING) {
		ring->kept[ring->count++] = skb;
		if (ring->count == AWKWARD_RING)
			netif_stop_subqueue(dev, queue);
	} else {
		dev_consume_skb_any(skb);
	}
	return NETDEV_TX_OK;
}

static int awkward_open(struct net_device *dev)
{
	netif_tx_start_all_queues(dev);
	return 0;
}

/* The stack has waited for who is in the transmit function. */
static int awkward_stop(struct net_device *dev)
{
	struct awkward *awkward = netdev_priv(dev);
	struct awkward_ring *ring;

	netif_tx_stop_all_queues(dev);
	for (ring = awkward->rings; ring < awkward->rings + AWKWARD_QUEUES; ring++) {
		while (ring->count)
			dev_kfree_skb(ring->kept[--ring->count]);
	}
	return 0;
}

static const struct net_device_ops awkward_ops = {
	.ndo_open	= awkward_open,
	.ndo_stop	= awkward_stop,
	.ndo_start_xmit	= awkward_xmit,
};

static void awkward_get_channels(struct net_device *dev, struct ethtool_channels *channels)
{
	channels->max_combined = AWKWARD_QUEUES;
	channels->combined_count = dev->real_num_tx_queues;
}

static int awkward_set_channels(struct net_device *dev, struct ethtool_channels *channels)
{
	return netif_set_real_num_tx_queues(dev, channels->combined_count);
}

static const struct ethtool_ops awkward_ethtool_ops = {
	.get_channels	= awkward_get_channels,
	.set_channels	= awkward_set_channels,
};

static void awkward_setup(struct net_device *dev)
{
	ether_setup(dev);
	dev->netdev_ops = &awkward_ops;
	dev->ethtool_ops = &awkward_ethtool_ops;
	dev->pcpu_stat_type = NETDEV_PCPU_STAT_TSTATS;
	dev->max_mtu = 0;
	if (sharing)
		dev->priv_flags |= IFF_TX_SKB_SHARING;
	else
		dev->priv_flags &= ~IFF_TX_SKB_SHARING;
	eth_hw_addr_random(dev);
}

static int __init awkward_init(void)
{
	int err;

	awkward_dev = alloc_netdev_mqs(sizeof(struct awkward), "a%d", NET_NAME_ENUM,
				       awkward_setup, AWKWARD_QUEUES, 1);
	if (!awkward_dev)
		return -ENOMEM;
	err = register_netdev(awkward_dev);
	if (err)
		free_netdev(awkward_dev);
	return err;
}
module_init(awkward_init);

static void __exit awkward_exit(void)
{
	unregister_netdev(awkward_dev);
	free_netdev(awkward_dev);
}
module_exit(awkward_exit);

MODULE_DESCRIPTION("A netdev whose driver answers as a test wants it");
MODULE_LICENSE("GPL");
