/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Header for the module's own bindgen run: everything the abstractions use that the kernel
 * crate's bindings do not hold.
 *
 * Constants whose macros bindgen cannot evaluate are named here.
 */
#include <linux/capability.h>
#include <linux/etherdevice.h>
#include <linux/freezer.h>
#include <linux/if_arp.h>
#include <linux/inetdevice.h>
#include <linux/kthread.h>
#include <linux/namei.h>
#include <linux/nodemask.h>
#include <linux/netdevice.h>
#include <linux/proc_fs.h>
#include <linux/skbuff.h>
#include <net/net_namespace.h>

#include "helpers/helpers.h"

static const unsigned short RPKTGEN_CONST_ARPHRD_ETHER = ARPHRD_ETHER;
static const unsigned short RPKTGEN_CONST_ARPHRD_LOOPBACK = ARPHRD_LOOPBACK;
static const int RPKTGEN_CONST_NET_XMIT_SUCCESS = NET_XMIT_SUCCESS;
static const int RPKTGEN_CONST_NET_XMIT_DROP = NET_XMIT_DROP;
static const int RPKTGEN_CONST_NET_XMIT_CN = NET_XMIT_CN;
static const int RPKTGEN_CONST_NETDEV_TX_BUSY = NETDEV_TX_BUSY;
static const int RPKTGEN_CONST_NET_XMIT_MASK = NET_XMIT_MASK;
static const int RPKTGEN_CONST_NET_RX_DROP = NET_RX_DROP;
static const int RPKTGEN_CONST_CAP_NET_ADMIN = CAP_NET_ADMIN;
static const int RPKTGEN_CONST_ENETDOWN = ENETDOWN;
static const int RPKTGEN_CONST_EOPNOTSUPP = EOPNOTSUPP;
static const unsigned int RPKTGEN_CONST_TASK_INTERRUPTIBLE = TASK_INTERRUPTIBLE;
static const unsigned int RPKTGEN_CONST_TASK_FREEZABLE = TASK_FREEZABLE;
static const gfp_t RPKTGEN_CONST_GFP_NOWAIT = GFP_NOWAIT;
static const gfp_t RPKTGEN_CONST_GFP_NOWAIT_ZERO = GFP_NOWAIT | __GFP_ZERO;
static const unsigned short RPKTGEN_CONST_MAX_SKB_FRAGS = MAX_SKB_FRAGS;
static const int RPKTGEN_CONST_MAX_NUMNODES = MAX_NUMNODES;
