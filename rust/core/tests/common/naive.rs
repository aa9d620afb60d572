// SPDX-License-Identifier: GPL-2.0

//! A builder that knows nothing of templates or partial sums: one field after the other, and the
//! checksum over all of them at the end. The fuzz targets compare with it, too.

use super::DEV_MAC;

/// What a frame is made of.
#[derive(Clone)]
pub struct Naive {
    pub dst_mac: [u8; 6],
    pub src_mac: [u8; 6],
    /// Everything from the first Ethernet type to the network header.
    pub tags: Vec<u8>,
    /// TOS or traffic class.
    pub tos: u8,
    pub id: u16,
    /// Four or sixteen bytes.
    pub saddr: Vec<u8>,
    pub daddr: Vec<u8>,
    pub ports: (u16, u16),
    pub csum: Csum,
    pub seq: u32,
    pub wall: (u32, u32),
    pub len: usize,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Csum {
    None,
    Partial,
    Full,
}

/// RFC 1071: the one's complement of the one's complement sum, one word after the other.
fn internet_checksum(bytes: &[u8]) -> u16 {
    let mut sum = 0u16;
    for pair in bytes.chunks(2) {
        let word = (u16::from(pair[0]) << 8) | pair.get(1).copied().map_or(0, u16::from);
        let (total, carry) = sum.overflowing_add(word);
        sum = total + u16::from(carry);
    }
    !sum
}

impl Naive {
    pub fn new() -> Self {
        Self {
            dst_mac: [0; 6],
            src_mac: DEV_MAC,
            tags: vec![0x08, 0x00],
            tos: 0,
            id: 0,
            saddr: vec![192, 0, 2, 7],
            daddr: vec![0; 4],
            ports: (9, 9),
            csum: Csum::None,
            seq: 1,
            wall: (0, 0),
            len: 58,
        }
    }

    fn datagram(&self, len: usize) -> Vec<u8> {
        let mut udp = Vec::new();
        udp.extend(self.ports.0.to_be_bytes());
        udp.extend(self.ports.1.to_be_bytes());
        udp.extend((len as u16).to_be_bytes());
        udp.extend([0, 0]);
        udp.extend([0xbe, 0x9b, 0xe9, 0x55]);
        udp.extend(self.seq.to_be_bytes());
        udp.extend(self.wall.0.to_be_bytes());
        udp.extend(self.wall.1.to_be_bytes());
        udp.resize(len, 0);

        let mut pseudo = Vec::new();
        pseudo.extend(&self.saddr);
        pseudo.extend(&self.daddr);
        if self.saddr.len() == 4 {
            pseudo.extend([0, 17]);
            pseudo.extend((len as u16).to_be_bytes());
        } else {
            pseudo.extend((len as u32).to_be_bytes());
            pseudo.extend([0, 0, 0, 17]);
        }
        let checksum = match self.csum {
            Csum::None => 0,
            Csum::Partial => !internet_checksum(&pseudo),
            Csum::Full => {
                pseudo.extend(&udp);
                match internet_checksum(&pseudo) {
                    0 => 0xffff,
                    other => other,
                }
            }
        };
        udp[6..8].copy_from_slice(&checksum.to_be_bytes());
        udp
    }

    pub fn frame(&self) -> Vec<u8> {
        let mut frame = Vec::new();
        frame.extend(self.dst_mac);
        frame.extend(self.src_mac);
        frame.extend(&self.tags);
        let mut ip = Vec::new();
        if self.saddr.len() == 16 {
            let udp_len = self.len - frame.len() - 40;
            ip.extend([0x60 + (self.tos >> 4), self.tos << 4, 0, 0]);
            ip.extend((udp_len as u16).to_be_bytes());
            ip.extend([17, 32]);
            ip.extend(&self.saddr);
            ip.extend(&self.daddr);
            frame.extend(ip);
            frame.extend(self.datagram(udp_len));
            assert_eq!(frame.len(), self.len);
            return frame;
        }
        let udp_len = self.len - frame.len() - 20;
        ip.extend([0x45, self.tos]);
        ip.extend((20 + udp_len as u16).to_be_bytes());
        ip.extend(self.id.to_be_bytes());
        ip.extend([0, 0, 32, 17, 0, 0]);
        ip.extend(&self.saddr);
        ip.extend(&self.daddr);
        let checksum = internet_checksum(&ip);
        ip[10..12].copy_from_slice(&checksum.to_be_bytes());
        frame.extend(ip);
        frame.extend(self.datagram(udp_len));
        assert_eq!(frame.len(), self.len);
        frame
    }
}
