// SPDX-License-Identifier: GPL-2.0

//! The headers of a packet, kept ready to be copied.
//!
//! ```text
//! Ethernet 14 | MPLS 4 each, or [VLAN 4] VLAN 4 | IPv4 20 or IPv6 40 | UDP 8 | pktgen 16 | zeros
//! ```
//!
//! Setting a field writes its bytes and its share of the checksums. A frame then costs one copy
//! of the headers, a few additions, and zeroing what follows. Sources: RFC 791 (IPv4), RFC 8200
//! (IPv6), RFC 768 (UDP), RFC 1071 (checksum), IEEE 802.1Q and RFC 3032 (tags and labels); the
//! pktgen header is magic, sequence number, seconds and microseconds, 32 bits each, big endian.

use crate::checksum::{fold, sum, sum_u32};
use crate::config::Config;
use crate::device::Current;
use crate::flags::Flags;
use crate::plan;
use crate::run::StartFacts;
use crate::tags::{Labels, Vlan, MAX_LABELS};

/// Identifies a pktgen header.
pub const MAGIC: u32 = 0xbe9b_e955;

const ETH_LEN: usize = 14;
const ETH_P_IP: u16 = 0x0800;
const ETH_P_IPV6: u16 = 0x86dd;
/// Also of the outer one of two tags.
const ETH_P_8021Q: u16 = 0x8100;
const ETH_P_MPLS_UC: u16 = 0x8847;

const TAG_LEN: usize = 4;
const IPV4_LEN: usize = 20;
const IPV6_LEN: usize = 40;
const UDP_LEN: usize = 8;
const PKTGEN_LEN: usize = 16;
const MAX_LEN: usize = ETH_LEN + MAX_LABELS * TAG_LEN + IPV6_LEN + UDP_LEN + PKTGEN_LEN;

/// Time to live, hop limit.
const TTL: u8 = 32;
const IPPROTO_UDP: u8 = 17;

/// The length of the smallest frame of a configuration, which has no payload but the pktgen
/// header.
pub(crate) fn smallest(c: &Config) -> u32 {
    let network = if c.flags.has(Flags::IPV6) {
        IPV6_LEN
    } else {
        IPV4_LEN
    };
    // A few hundred at most.
    after(after(l2_len(c), network), UDP_LEN + PKTGEN_LEN) as u32
}

/// The length of Ethernet header, tags and labels.
fn l2_len(c: &Config) -> usize {
    let tags = if c.vlan.on {
        after(1, usize::from(c.svlan.on))
    } else {
        c.mpls.entries().len()
    };
    after(ETH_LEN, tags.wrapping_mul(TAG_LEN))
}

/// Who fills in the UDP checksum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Checksum {
    /// Nobody: the field is 0.
    None,
    /// The net device; the field holds the sum of the pseudo header.
    Partial,
    /// We do.
    Full,
}

/// The headers of the packets of a run.
#[derive(Clone, Debug)]
pub(crate) struct Template {
    bytes: [u8; MAX_LEN],
    /// Length of the headers, the pktgen header included.
    len: usize,
    /// Where the network header begins.
    l3: usize,
    /// Where the UDP header begins.
    l4: usize,
    protocol: u16,
    ipv6: bool,
    checksum: Checksum,
    /// Sum of the IPv4 header's words that are set only once.
    ip_sum: u32,
    saddr_sum: u32,
    daddr_sum: u32,
    udp_src: u16,
    udp_dst: u16,
    /// The IPv4 total length.
    total_len: u16,
    /// The UDP length, which is the IPv6 payload length as well.
    udp_len: u16,
}

/// Overwrites `N` bytes at an offset, if they are there.
#[inline]
fn put<const N: usize>(bytes: &mut [u8], at: usize, value: [u8; N]) {
    if let Some(field) = bytes.get_mut(at..).and_then(<[u8]>::first_chunk_mut) {
        *field = value;
    }
}

/// `base + offset`: header offsets are small.
#[inline]
const fn after(base: usize, offset: usize) -> usize {
    base.wrapping_add(offset)
}

/// Sums of 16-bit words, added.
#[inline]
fn total<const N: usize>(sums: [u32; N]) -> u32 {
    sums.into_iter().fold(0, u32::wrapping_add)
}

impl Template {
    pub(crate) fn new(c: &Config, facts: &StartFacts, current: &Current) -> Self {
        let ipv6 = c.flags.has(Flags::IPV6);
        let network = if ipv6 { ETH_P_IPV6 } else { ETH_P_IP };
        let l3 = l2_len(c);
        let l4 = after(l3, if ipv6 { IPV6_LEN } else { IPV4_LEN });
        let offload = if ipv6 {
            facts.csum_ipv6
        } else {
            facts.csum_ipv4
        };
        // What IPsec transforms must be complete.
        let offload = offload && !plan::secured(c);
        let mut template = Self {
            bytes: [0; MAX_LEN],
            len: after(l4, UDP_LEN + PKTGEN_LEN),
            l3,
            l4,
            protocol: if c.vlan.on {
                ETH_P_8021Q
            } else if c.mpls.is_empty() {
                network
            } else {
                ETH_P_MPLS_UC
            },
            ipv6,
            checksum: match (c.flags.has(Flags::UDPCSUM), offload) {
                (false, _) => Checksum::None,
                (true, true) => Checksum::Partial,
                (true, false) => Checksum::Full,
            },
            ip_sum: 0,
            saddr_sum: 0,
            daddr_sum: 0,
            udp_src: 0,
            udp_dst: 0,
            total_len: 0,
            udp_len: 0,
        };
        template.set_dst_mac(c.dst_mac);
        template.set_src_mac(plan::src_mac(c, facts));
        template.put(12, template.protocol.to_be_bytes());
        if c.vlan.on {
            // The last two bytes before the network header name it.
            template.put(l3.wrapping_sub(2), network.to_be_bytes());
            template.set_vlans(&c.vlan, &c.svlan);
        } else {
            template.set_mpls(&c.mpls);
        }
        if ipv6 {
            template.begin_ipv6(c.traffic_class, current);
        } else {
            template.begin_ipv4(c.tos, current);
        }
        template.put(after(l4, UDP_LEN), MAGIC.to_be_bytes());
        template.set_udp_src(current.udp_src);
        template.set_udp_dst(current.udp_dst);
        template.set_frame_len(template.frame_len(current.pkt_size));
        template
    }

    #[inline]
    fn put<const N: usize>(&mut self, at: usize, value: [u8; N]) {
        put(&mut self.bytes, at, value);
    }

    fn begin_ipv4(&mut self, tos: u8, current: &Current) {
        // Version and header length, TOS, length, identification, fragment, TTL, protocol.
        let fixed: [u8; 10] = [0x45, tos, 0, 0, 0, 0, 0, 0, TTL, IPPROTO_UDP];
        self.ip_sum = sum(&fixed);
        self.put(self.l3, fixed);
        self.set_saddr(current.saddr);
        self.set_daddr(current.daddr);
    }

    fn begin_ipv6(&mut self, traffic_class: u8, current: &Current) {
        // Version, traffic class and flow label in 32 bits; length, next header, hop limit.
        let first = (6 << 28) | (u32::from(traffic_class) << 20);
        self.put(self.l3, first.to_be_bytes());
        self.put(after(self.l3, 6), [IPPROTO_UDP, TTL]);
        self.saddr_sum = sum(&current.saddr6);
        self.put(after(self.l3, 8), current.saddr6);
        self.set_daddr6(current.daddr6);
    }

    /// Where the network header begins.
    #[inline]
    pub(crate) fn l2_len(&self) -> u16 {
        self.l3 as u16
    }

    /// Where the UDP header begins.
    #[inline]
    pub(crate) fn l4_offset(&self) -> u16 {
        self.l4 as u16
    }

    /// The Ethernet type.
    #[inline]
    pub(crate) fn protocol(&self) -> u16 {
        self.protocol
    }

    #[inline]
    pub(crate) fn csum_partial(&self) -> bool {
        self.checksum == Checksum::Partial
    }

    /// The length of the headers, the pktgen header included.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The length of a frame of a configured size: the headers always fit.
    #[inline]
    pub(crate) fn frame_len(&self, pkt_size: u32) -> usize {
        (pkt_size as usize).max(self.len)
    }

    #[inline]
    pub(crate) fn set_dst_mac(&mut self, mac: [u8; 6]) {
        self.put(0, mac);
    }

    #[inline]
    pub(crate) fn set_src_mac(&mut self, mac: [u8; 6]) {
        self.put(6, mac);
    }

    #[inline]
    pub(crate) fn set_mpls(&mut self, labels: &Labels) {
        let mut at = ETH_LEN;
        for entry in labels.wire() {
            self.put(at, entry.to_be_bytes());
            at = after(at, TAG_LEN);
        }
    }

    /// Writes the tags that are on; there is an inner one.
    #[inline]
    pub(crate) fn set_vlans(&mut self, vlan: &Vlan, svlan: &Vlan) {
        let mut at = ETH_LEN;
        if svlan.on {
            self.put(at, svlan.tci().to_be_bytes());
            self.put(after(at, 2), ETH_P_8021Q.to_be_bytes());
            at = after(at, TAG_LEN);
        }
        self.put(at, vlan.tci().to_be_bytes());
    }

    #[inline]
    pub(crate) fn set_udp_src(&mut self, port: u16) {
        self.udp_src = port;
        self.put(self.l4, port.to_be_bytes());
    }

    #[inline]
    pub(crate) fn set_udp_dst(&mut self, port: u16) {
        self.udp_dst = port;
        self.put(after(self.l4, 2), port.to_be_bytes());
    }

    #[inline]
    pub(crate) fn set_saddr(&mut self, addr: u32) {
        self.saddr_sum = sum_u32(addr);
        self.put(after(self.l3, 12), addr.to_be_bytes());
    }

    #[inline]
    pub(crate) fn set_daddr(&mut self, addr: u32) {
        self.daddr_sum = sum_u32(addr);
        self.put(after(self.l3, 16), addr.to_be_bytes());
    }

    #[inline]
    pub(crate) fn set_daddr6(&mut self, addr: [u8; 16]) {
        self.daddr_sum = sum(&addr);
        self.put(after(self.l3, 24), addr);
    }

    /// Sets the length fields. They hold every size a command stores.
    #[inline]
    pub(crate) fn set_frame_len(&mut self, len: usize) {
        self.total_len = len.wrapping_sub(self.l3) as u16;
        self.udp_len = len.wrapping_sub(self.l4) as u16;
        if self.ipv6 {
            self.put(after(self.l3, 4), self.udp_len.to_be_bytes());
        } else {
            self.put(after(self.l3, 2), self.total_len.to_be_bytes());
        }
        self.put(after(self.l4, 4), self.udp_len.to_be_bytes());
    }

    /// Whether packets have an IPv4 identification.
    #[inline]
    pub(crate) fn has_ip_id(&self) -> bool {
        !self.ipv6
    }

    /// Fills a frame: the headers, then zeros.
    ///
    /// What differs in every packet is written to the frame only; the template stays as it is.
    #[inline]
    pub(crate) fn fill(&self, frame: &mut [u8], ip_id: u16, seq_num: u32, sec: u32, usec: u32) {
        self.copy(frame);
        if !self.ipv6 {
            let [id_high, id_low] = ip_id.to_be_bytes();
            let [sum_high, sum_low] = self.ip_checksum(ip_id).to_be_bytes();
            // Identification, fragment, TTL, protocol, checksum.
            let fields = [id_high, id_low, 0, 0, TTL, IPPROTO_UDP, sum_high, sum_low];
            put(frame, after(self.l3, 4), fields);
        }
        let pktgen = after(self.l4, UDP_LEN);
        put(frame, after(pktgen, 4), seq_num.to_be_bytes());
        put(frame, after(pktgen, 8), sec.to_be_bytes());
        put(frame, after(pktgen, 12), usec.to_be_bytes());
        if self.checksum != Checksum::None {
            let checksum = self.udp_checksum(seq_num, sec, usec);
            put(frame, after(self.l4, 6), checksum.to_be_bytes());
        }
    }

    /// Copies the headers and zeroes what follows. Behind the headers the template is zero, too.
    #[inline]
    fn copy(&self, frame: &mut [u8]) {
        let headers = self.bytes.get(..self.len).unwrap_or(&self.bytes);
        for (to, from) in frame.iter_mut().zip(headers) {
            *to = *from;
        }
        if let Some(rest) = frame.get_mut(self.len..) {
            rest.fill(0);
        }
    }

    #[inline]
    fn ip_checksum(&self, ip_id: u16) -> u16 {
        let header = [
            self.ip_sum,
            self.saddr_sum,
            self.daddr_sum,
            u32::from(self.total_len),
            u32::from(ip_id),
        ];
        !fold(total(header))
    }

    #[inline]
    fn udp_checksum(&self, seq_num: u32, sec: u32, usec: u32) -> u16 {
        let pseudo = total([
            self.saddr_sum,
            self.daddr_sum,
            u32::from(IPPROTO_UDP),
            u32::from(self.udp_len),
        ]);
        if self.checksum == Checksum::Partial {
            return fold(pseudo);
        }
        let datagram = total([
            u32::from(self.udp_src),
            u32::from(self.udp_dst),
            u32::from(self.udp_len),
            sum_u32(MAGIC),
            sum_u32(seq_num),
            sum_u32(sec),
            sum_u32(usec),
        ]);
        match !fold(pseudo.wrapping_add(datagram)) {
            // 0 would say that there is no checksum.
            0 => 0xffff,
            checksum => checksum,
        }
    }
}
