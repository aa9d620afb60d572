// SPDX-License-Identifier: GPL-2.0
//! The parameters of a device that are worth a look, spelled as the commands that set them.

use crate::text::device::{Ipv6Range, Params, Vlan};

/// `command=value` for the size, the amount, the mode, and for everything that is not as a fresh
/// device has it.
pub fn settings(params: &Params) -> Vec<String> {
    let mut list = List(Vec::new());
    list.always("xmit_mode", params.xmit_mode.as_ref());
    match (params.min_pkt_size, params.max_pkt_size) {
        (Some(min), Some(max)) if min == max => list.always("pkt_size", Some(min)),
        (min, max) => {
            list.always("min_pkt_size", min);
            list.always("max_pkt_size", max);
        }
    }
    let mix = params.imix_weights.iter();
    let mix: Vec<_> = mix.map(|e| format!("{},{}", e.size, e.weight)).collect();
    list.unless("imix_weights", Some(mix.join(" ")), String::new());
    list.always("count", params.count);
    list.unless("clone_skb", params.clone_skb, 0);
    list.unless("burst", params.burst, 1);
    match params.delay_ns {
        // "Never send" is shown as another number than it is set with.
        Some(u64::MAX) => list.always("delay", Some(2_147_483_647)),
        delay => list.unless("delay", delay, 0),
    }
    list.always("pps", params.pps);
    list.always("bps", params.bps);
    list.unless("frags", params.frags, 0);
    let any_queue =
        params.queue_map_min.is_some_and(|q| q > 0) || params.queue_map_max.is_some_and(|q| q > 0);
    if any_queue {
        list.always("queue_map_min", params.queue_map_min);
        list.always("queue_map_max", params.queue_map_max);
    }
    addresses(&mut list, params);
    tags(&mut list, params);
    list.unless("flows", params.flows, 0);
    list.unless("flowlen", params.flowlen, 0);
    list.always("skb_priority", params.skb_priority);
    list.always("node", params.node);
    list.always("spi", params.spi);
    for flag in &params.flags {
        list.always("flag", Some(flag));
    }
    list.0
}

fn addresses(list: &mut List, params: &Params) {
    const UNSET_MAC: &str = "00:00:00:00:00:00";
    if let Some(ip) = &params.ipv4 {
        list.range("dst", &ip.dst_min, &ip.dst_max);
        list.range("src", &ip.src_min, &ip.src_max);
    }
    let v6 = |list: &mut List, name, range: &Option<Ipv6Range>| {
        if let Some(range) = range {
            list.unless(name, Some(range.address.as_str()), "::");
            let limits = [&range.min, &range.max];
            if limits.iter().any(|limit| *limit != "::") {
                list.range(name, &range.min, &range.max);
            }
        }
    };
    v6(list, "dst6", &params.ipv6_destination);
    v6(list, "src6", &params.ipv6_source);
    list.unless("dst_mac", params.dst_mac.as_deref(), UNSET_MAC);
    list.unless("src_mac", params.src_mac.as_deref(), UNSET_MAC);
    list.unless("dst_mac_count", params.dst_mac_count, 0);
    list.unless("src_mac_count", params.src_mac_count, 0);
    for (name, value) in [
        ("udp_src_min", params.udp_src_min),
        ("udp_src_max", params.udp_src_max),
        ("udp_dst_min", params.udp_dst_min),
        ("udp_dst_max", params.udp_dst_max),
    ] {
        const DISCARD: u32 = 9;
        list.unless(name, value, DISCARD);
    }
}

fn tags(list: &mut List, params: &Params) {
    list.unless("mpls", Some(params.mpls.join(",")), String::new());
    let mut tag = |prefix: &str, tag: &Option<Vlan>| {
        if let Some(tag) = tag {
            list.always(&format!("{prefix}_id"), Some(tag.id));
            list.unless(&format!("{prefix}_p"), Some(tag.p), 0);
            list.unless(&format!("{prefix}_cfi"), Some(tag.cfi), 0);
        }
    };
    tag("vlan", &params.vlan);
    tag("svlan", &params.svlan);
    let hex = |byte: Option<u8>| byte.map(|b| format!("{b:02x}"));
    list.always("tos", hex(params.tos));
    list.always("traffic_class", hex(params.traffic_class));
}

struct List(Vec<String>);

impl List {
    fn always(&mut self, name: &str, value: Option<impl std::fmt::Display>) {
        if let Some(value) = value {
            self.0.push(format!("{name}={value}"));
        }
    }

    fn unless<T: std::fmt::Display + PartialEq>(&mut self, name: &str, value: Option<T>, usual: T) {
        self.always(name, value.filter(|value| *value != usual));
    }

    fn range(&mut self, name: &str, min: &str, max: &str) {
        self.unless(&format!("{name}_min"), Some(min), "");
        self.unless(&format!("{name}_max"), Some(max), "");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::device::parse;

    #[test]
    fn a_fresh_device_is_short() {
        let text = parse(include_str!("../../tests/golden/fresh-lo.txt"));
        assert_eq!(
            settings(&text.params),
            [
                "xmit_mode=start_xmit",
                "pkt_size=0",
                "count=1000",
                "flag=SHARED"
            ]
        );
    }

    #[test]
    fn all_kinds() {
        let text = parse(include_str!("../../tests/golden/everything-v6.txt"));
        assert_eq!(
            settings(&text.params).join(" "),
            "xmit_mode=queue_xmit min_pkt_size=78 max_pkt_size=1500 imix_weights=78,7 576,4 count=0 \
             clone_skb=5 burst=32 delay=2147483647 frags=2 queue_map_min=1 queue_map_max=3 \
             dst6=fd00::2 dst6_min=fd00::2 dst6_max=fd00::ff src6=fd00::1 \
             dst_mac=90:e2:ba:ff:ff:ff src_mac=02:00:00:00:00:01 dst_mac_count=2 src_mac_count=3 \
             udp_src_max=109 udp_dst_min=1000 udp_dst_max=2000 vlan_id=7 vlan_p=1 \
             svlan_id=8 svlan_p=2 svlan_cfi=1 traffic_class=f0 flows=8 flowlen=4 skb_priority=6 \
             node=1 spi=77 flag=IPV6 flag=UDPSRC_RND flag=FLOW_SEQ flag=IPSEC flag=SHARED"
        );
        let text = parse(include_str!("../../tests/golden/everything-v4.txt"));
        assert_eq!(
            settings(&text.params).join(" "),
            "xmit_mode=netif_receive pkt_size=60 count=100000 dst_min=198.18.0.42 dst_max=198.18.0.42 \
             src_min=10.0.0.1 dst_mac=90:e2:ba:ff:ff:ff src_mac=02:00:00:00:00:01 \
             mpls=00000001,000000f2 tos=0f flag=NO_TIMESTAMP"
        );
        let text = parse(include_str!("../../tests/golden/rate.txt"));
        assert_eq!(
            settings(&text.params).join(" "),
            "xmit_mode=start_xmit pkt_size=60 count=0 burst=8 pps=7000000 dst_min=198.18.0.42 \
             dst_mac=02:00:00:00:00:02 src_mac=02:00:00:00:00:01 flag=SHARED"
        );
    }
}
