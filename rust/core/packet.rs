// SPDX-License-Identifier: GPL-2.0

//! The headers of a packet, kept ready to be copied.
//!
//! ```text
//! Ethernet 14 | IPv4 20 | UDP 8 | pktgen 16 | zeros
//! ```
//!
//! Setting a field writes its bytes and its share of the checksums. A frame then costs one copy
//! of the headers, a few additions, and zeroing what follows. Sources: RFC 791 (IPv4), RFC 768
//! (UDP), RFC 1071 (checksum); the pktgen header is magic, sequence number, seconds and
//! microseconds, 32 bits each, big endian.

use crate::checksum::{fold, sum, sum_u32};
use crate::config::Config;
use crate::device::Current;
use crate::flags::Flags;
use crate::run::StartFacts;

/// Identifies a pktgen header.
pub const MAGIC: u32 = 0xbe9b_e955;

const ETH_LEN: usize = 14;
const ETH_P_IP: u16 = 0x0800;
const IPV4_LEN: usize = 20;
const UDP_LEN: usize = 8;
const PKTGEN_LEN: usize = 16;
const MAX_LEN: usize = ETH_LEN + IPV4_LEN + UDP_LEN + PKTGEN_LEN;

const TTL: u8 = 32;
const IPPROTO_UDP: u8 = 17;

/// The smallest IPv4 frame without tags or labels.
pub const MIN_IPV4: u32 = (ETH_LEN + IPV4_LEN + UDP_LEN + PKTGEN_LEN) as u32;

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
    checksum: Checksum,
    /// Sum of the IPv4 header's words that are set only once.
    ip_sum: u32,
    saddr_sum: u32,
    daddr_sum: u32,
    ports_sum: [u32; 2],
    total_len: u16,
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

impl Template {
    pub(crate) fn new(c: &Config, facts: &StartFacts, current: &Current) -> Self {
        let l3 = ETH_LEN;
        let l4 = after(l3, IPV4_LEN);
        let checksum = match c.flags.has(Flags::UDPCSUM) {
            false => Checksum::None,
            true if facts.csum_ipv4 => Checksum::Partial,
            true => Checksum::Full,
        };
        let mut template = Self {
            bytes: [0; MAX_LEN],
            len: after(l4, UDP_LEN + PKTGEN_LEN),
            l3,
            l4,
            protocol: ETH_P_IP,
            checksum,
            ip_sum: 0,
            saddr_sum: 0,
            daddr_sum: 0,
            ports_sum: [0; 2],
            total_len: 0,
            udp_len: 0,
        };
        let src_mac = if c.src_mac == [0; 6] {
            facts.dev_mac
        } else {
            c.src_mac
        };
        put(&mut template.bytes, 0, c.dst_mac);
        put(&mut template.bytes, 6, src_mac);
        put(&mut template.bytes, 12, ETH_P_IP.to_be_bytes());
        let fixed: [u8; 10] = [0x45, c.tos, 0, 0, 0, 0, 0, 0, TTL, IPPROTO_UDP];
        template.ip_sum = sum(&fixed);
        put(&mut template.bytes, l3, fixed);
        put(&mut template.bytes, after(l4, UDP_LEN), MAGIC.to_be_bytes());
        template.set_saddr(current.saddr);
        template.set_daddr(current.daddr);
        template.set_udp_src(current.udp_src);
        template.set_udp_dst(current.udp_dst);
        template.set_frame_len(template.frame_len(current.pkt_size));
        template
    }

    /// Bytes of tags and labels.
    pub(crate) fn overhead(&self) -> u32 {
        self.l3.saturating_sub(ETH_LEN) as u32
    }

    #[inline]
    pub(crate) fn l2_len(&self) -> u16 {
        self.l3 as u16
    }

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

    /// The length of a frame of a configured size: the headers always fit.
    #[inline]
    pub(crate) fn frame_len(&self, pkt_size: u32) -> usize {
        (pkt_size as usize).max(self.len)
    }

    #[inline]
    pub(crate) fn set_udp_src(&mut self, port: u16) {
        self.ports_sum[0] = u32::from(port);
        put(&mut self.bytes, self.l4, port.to_be_bytes());
    }

    #[inline]
    pub(crate) fn set_udp_dst(&mut self, port: u16) {
        self.ports_sum[1] = u32::from(port);
        put(&mut self.bytes, after(self.l4, 2), port.to_be_bytes());
    }

    #[inline]
    pub(crate) fn set_saddr(&mut self, addr: u32) {
        self.saddr_sum = sum_u32(addr);
        put(&mut self.bytes, after(self.l3, 12), addr.to_be_bytes());
    }

    #[inline]
    pub(crate) fn set_daddr(&mut self, addr: u32) {
        self.daddr_sum = sum_u32(addr);
        put(&mut self.bytes, after(self.l3, 16), addr.to_be_bytes());
    }

    /// Sets the length fields. They hold every size a command stores.
    #[inline]
    pub(crate) fn set_frame_len(&mut self, len: usize) {
        self.total_len = len.wrapping_sub(self.l3) as u16;
        self.udp_len = len.wrapping_sub(self.l4) as u16;
        put(
            &mut self.bytes,
            after(self.l3, 2),
            self.total_len.to_be_bytes(),
        );
        put(
            &mut self.bytes,
            after(self.l4, 4),
            self.udp_len.to_be_bytes(),
        );
    }

    /// Fills a frame: the headers, then zeros.
    #[inline]
    pub(crate) fn fill(&mut self, frame: &mut [u8], ip_id: u16, seq_num: u32, wall: (u32, u32)) {
        let (sec, usec) = wall;
        let addrs_sum = self.saddr_sum.wrapping_add(self.daddr_sum);
        self.set_ip_id(ip_id, addrs_sum);

        let pktgen = after(self.l4, UDP_LEN);
        put(&mut self.bytes, after(pktgen, 4), seq_num.to_be_bytes());
        put(&mut self.bytes, after(pktgen, 8), sec.to_be_bytes());
        put(&mut self.bytes, after(pktgen, 12), usec.to_be_bytes());

        if self.checksum != Checksum::None {
            let pseudo = addrs_sum
                .wrapping_add(u32::from(IPPROTO_UDP))
                .wrapping_add(u32::from(self.udp_len));
            let field = if self.checksum == Checksum::Partial {
                fold(pseudo)
            } else {
                let [src, dst] = self.ports_sum;
                let datagram = [
                    src,
                    dst,
                    u32::from(self.udp_len),
                    sum_u32(MAGIC),
                    sum_u32(seq_num),
                    sum_u32(sec),
                    sum_u32(usec),
                ];
                let whole = datagram.into_iter().fold(pseudo, u32::wrapping_add);
                match !fold(whole) {
                    // 0 would say that there is no checksum.
                    0 => 0xffff,
                    checksum => checksum,
                }
            };
            put(&mut self.bytes, after(self.l4, 6), field.to_be_bytes());
        }

        let headers = self.bytes.get(..self.len).unwrap_or(&self.bytes);
        for (to, from) in frame.iter_mut().zip(headers) {
            *to = *from;
        }
        if let Some(rest) = frame.get_mut(self.len..) {
            rest.fill(0);
        }
    }

    #[inline]
    fn set_ip_id(&mut self, ip_id: u16, addrs_sum: u32) {
        let header = self
            .ip_sum
            .wrapping_add(addrs_sum)
            .wrapping_add(u32::from(self.total_len))
            .wrapping_add(u32::from(ip_id));
        put(&mut self.bytes, after(self.l3, 4), ip_id.to_be_bytes());
        let checksum = !fold(header);
        put(&mut self.bytes, after(self.l3, 10), checksum.to_be_bytes());
    }
}
