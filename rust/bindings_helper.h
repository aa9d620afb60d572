/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Header for the module's own bindgen run: everything the abstractions use that the kernel
 * crate's bindings do not hold.
 *
 * Constants whose macros bindgen cannot evaluate are named here.
 */
#include <linux/capability.h>
#include <linux/cpuhotplug.h>
#include <linux/crypto.h>
#include <linux/etherdevice.h>
#include <linux/freezer.h>
#include <linux/if_arp.h>
#include <linux/inetdevice.h>
#include <linux/kthread.h>
#include <linux/namei.h>
#include <linux/net.h>
#include <linux/nodemask.h>
#include <linux/netdevice.h>
#include <linux/proc_fs.h>
#include <linux/skbuff.h>
#include <linux/slab.h>
#include <linux/snmp.h>
#include <linux/udp.h>
#include <net/net_namespace.h>
#include <net/xfrm.h>

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
static const gfp_t RPKTGEN_CONST_GFP_KERNEL_MAYFAIL =
	GFP_KERNEL | __GFP_RETRY_MAYFAIL | __GFP_NOWARN;
static const int RPKTGEN_CONST_MAX_NUMNODES = MAX_NUMNODES;

#ifdef CONFIG_XFRM
static const unsigned short RPKTGEN_CONST_AF_INET = AF_INET;
static const unsigned short RPKTGEN_CONST_AF_INET6 = AF_INET6;
static const unsigned short RPKTGEN_CONST_ETH_P_IP = ETH_P_IP;
static const unsigned char RPKTGEN_CONST_IPPROTO_ESP = IPPROTO_ESP;
static const unsigned char RPKTGEN_CONST_IPPROTO_AH = IPPROTO_AH;
static const unsigned char RPKTGEN_CONST_XFRM_STATE_VALID = XFRM_STATE_VALID;
static const unsigned char RPKTGEN_CONST_XFRM_SA_DIR_IN = XFRM_SA_DIR_IN;
static const unsigned char RPKTGEN_CONST_XFRM_MODE_TRANSPORT = XFRM_MODE_TRANSPORT;
static const unsigned char RPKTGEN_CONST_XFRM_MODE_TUNNEL = XFRM_MODE_TUNNEL;
static const unsigned char RPKTGEN_CONST_XFRM_MODE_BEET = XFRM_MODE_BEET;
static const unsigned char RPKTGEN_CONST_XFRM_DEV_OFFLOAD_PACKET = XFRM_DEV_OFFLOAD_PACKET;
static const unsigned short RPKTGEN_CONST_TCP_ENCAP_ESPINTCP = TCP_ENCAP_ESPINTCP;
static const unsigned int RPKTGEN_CONST_CRYPTO_ALG_ASYNC = CRYPTO_ALG_ASYNC;
static const int RPKTGEN_CONST_XFRM_OUT_ERROR = LINUX_MIB_XFRMOUTERROR;
static const int RPKTGEN_CONST_XFRM_OUT_PROTO_ERROR = LINUX_MIB_XFRMOUTSTATEPROTOERROR;
static const int RPKTGEN_CONST_XFRM_OUT_MODE_ERROR = LINUX_MIB_XFRMOUTSTATEMODEERROR;
static const int RPKTGEN_CONST_XFRM_OUT_SEQ_ERROR = LINUX_MIB_XFRMOUTSTATESEQERROR;
static const int RPKTGEN_CONST_XFRM_OUT_EXPIRED = LINUX_MIB_XFRMOUTSTATEEXPIRED;
static const int RPKTGEN_CONST_XFRM_OUT_INVALID = LINUX_MIB_XFRMOUTSTATEINVALID;
#endif
