// SPDX-License-Identifier: GPL-2.0

//! What each write does, one command after the other.

use crate::addresses;
use crate::grammar::Input;
use crate::model::{Ipv4, Mode, Model, FLAGS, NODES};

/// Why a write fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Errno {
    Invalid,
    NotSupported,
    TooBig,
}

type Outcome = Result<(), Errno>;

/// A write to a device file.
pub fn device(model: &mut Model, input: &[u8], strict: bool) -> Outcome {
    if input.is_empty() {
        return Err(Errno::Invalid);
    }
    let mut input = Input::new(input);
    input.separators();
    let name = input.word(15);
    input.separators();
    let mut write = Write {
        model,
        input,
        strict,
        name: String::from_utf8_lossy(name).into_owned(),
    };
    let Some(outcome) = write.command() else {
        write.model.result = [b"No such parameter \"", name, b"\""].concat();
        return Err(Errno::Invalid);
    };
    outcome
}

struct Write<'m, 'i> {
    model: &'m mut Model,
    input: Input<'i>,
    strict: bool,
    name: String,
}

impl Write<'_, '_> {
    fn result(&mut self, text: impl AsRef<[u8]>) {
        self.model.result = text.as_ref().to_vec();
        self.model.result.truncate(512);
    }

    fn ok(&mut self, value: impl AsRef<[u8]>) -> Outcome {
        self.result([b"OK: ", self.name.as_bytes(), b"=", value.as_ref()].concat());
        Ok(())
    }

    fn ok_number(&mut self, value: u64) -> Outcome {
        self.ok(value.to_string())
    }

    /// What only strict mode minds.
    fn mind(&mut self, what: &str) -> Outcome {
        self.result(format!("ERROR: {}: {what}", self.name));
        Err(Errno::Invalid)
    }

    /// What strict mode refuses and else only the result tells.
    fn remark(&mut self, text: impl AsRef<[u8]>) -> Outcome {
        self.result(text);
        if self.strict {
            Err(Errno::Invalid)
        } else {
            Ok(())
        }
    }

    fn nothing_more(&mut self) -> Outcome {
        if self.strict && self.input.more() {
            return self.mind("there is more than the command takes");
        }
        Ok(())
    }

    fn number_of(&mut self, digits: usize, max: u64) -> Result<u64, Errno> {
        self.number_between(digits, 0, max)
    }

    fn number_between(&mut self, digits: usize, min: u64, max: u64) -> Result<u64, Errno> {
        let (value, read) = self.input.number(digits, 10);
        if self.strict && read == 0 {
            self.mind("a number is missing")?;
        }
        self.nothing_more()?;
        if self.strict && value > max {
            self.mind("the number is too large")?;
        }
        if self.strict && value < min {
            self.mind("the number is too small")?;
        }
        Ok(value)
    }

    fn word(&mut self, limit: usize) -> Result<Vec<u8>, Errno> {
        let word = self.input.argument(limit).to_vec();
        self.nothing_more()?;
        Ok(word)
    }

    /// Carries out the command; `None` if there is none of that name.
    #[rustfmt::skip]
    fn command(&mut self) -> Option<Outcome> {
        let name = self.name.clone();
        Some(match name.as_str() {
            "min_pkt_size" | "max_pkt_size" | "pkt_size" => self.size(),
            "imix_weights" => self.imix(),
            "count" | "delay" => self.amount(),
            "pps" | "bps" => self.rate_of_packets(),
            "rate" | "ratep" => self.rate(),
            "frags" | "flows" | "flowlen" | "debug" => self.limited(),
            "spi" if self.model.host.ipsec => self.limited(),
            "node" => self.node(),
            "clone_skb" => self.clone_skb(),
            "burst" => self.burst(),
            "xmit_mode" => self.xmit_mode(),
            "clear_counters" => self.clear_counters(),
            "dst" | "dst_min" | "dst_max" | "src_min" | "src_max" => self.ipv4(),
            "dst6" | "dst6_min" | "dst6_max" | "src6" => self.ipv6(),
            "dst_mac" | "src_mac" => self.mac(),
            "src_mac_count" | "dst_mac_count" => self.mac_count(),
            "udp_src_min" | "udp_src_max" | "udp_dst_min" | "udp_dst_max" => self.port(),
            "queue_map_min" | "queue_map_max" => self.queue(),
            "skb_priority" => self.skb_priority(),
            "flag" => self.flag(),
            "vlan_id" => self.vlan_id(),
            "svlan_id" => self.svlan_id(),
            "vlan_p" | "svlan_p" => self.tag_bits(7),
            "vlan_cfi" | "svlan_cfi" => self.tag_bits(1),
            "mpls" => self.mpls(),
            "tos" | "traffic_class" => self.octet(),
            _ => return None,
        })
    }

    fn size(&mut self) -> Outcome {
        let size = self.number_between(10, 42, 65535)?.clamp(42, 65535);
        let model = &mut *self.model;
        let differs = match self.name.as_str() {
            "max_pkt_size" => model.size.max != size,
            _ => model.size.min != size,
        };
        if differs {
            if self.name != "max_pkt_size" {
                model.size.min = size;
            }
            if self.name != "min_pkt_size" {
                model.size.max = size;
            }
            model.cur_size = size;
        }
        self.ok_number(size)
    }

    fn imix(&mut self) -> Outcome {
        if self.model.clone_skb > 0 {
            return Err(Errno::Invalid);
        }
        if !self.input.more() {
            self.model.imix.clear();
            return match self.strict {
                true => Ok(()),
                false => Err(Errno::Invalid),
            };
        }
        let mut table = Vec::new();
        let outcome = self.imix_entries(&mut table);
        if outcome.is_err() && self.strict {
            let _ = self.mind("a list of at most 20 SIZE,WEIGHT is needed");
        }
        outcome?;
        self.nothing_more()?;
        self.model.imix = table;
        Ok(())
    }

    fn imix_entries(&mut self, table: &mut Vec<(u64, u64)>) -> Outcome {
        loop {
            if table.len() == 20 {
                return Err(Errno::TooBig);
            }
            let size = self.input.number(10, 10).0;
            if self.input.peek() != Some(b',') {
                return Err(Errno::Invalid);
            }
            self.input.skip();
            let weight = self.input.number(10, 10).0;
            if weight == 0 {
                return Err(Errno::Invalid);
            }
            table.push((size.clamp(42, 65535), weight));
            if self.input.peek() != Some(b' ') {
                return Ok(());
            }
            self.input.skip();
        }
    }

    fn amount(&mut self) -> Outcome {
        let number = self.number_of(10, u64::MAX)?;
        if self.name == "count" {
            self.model.count = number;
            return self.ok_number(number);
        }
        self.model.shown_rate = None;
        self.model.delay = match number {
            2_147_483_647 => u64::MAX,
            _ => number,
        };
        self.ok_number(self.model.delay)
    }

    fn rate(&mut self) -> Outcome {
        let number = self.number_of(10, u64::MAX)?;
        if number == 0 {
            return Err(Errno::Invalid);
        }
        self.model.shown_rate = None;
        self.model.delay = match self.name.as_str() {
            "rate" => self.model.size.min * 8000 / number,
            _ => 1_000_000_000 / number,
        };
        self.result(format!("OK: rate={number}"));
        Ok(())
    }

    /// A number above 0 with a power of 1000 behind it, and nothing else in the same word.
    fn rate_of_packets(&mut self) -> Outcome {
        let (number, _) = self.input.number(19, 10);
        let factor: u128 = match self.input.argument(2) {
            b"" => 1,
            b"k" | b"K" => 1_000,
            b"m" | b"M" => 1_000_000,
            b"g" | b"G" => 1_000_000_000,
            _ => 0,
        };
        let rate = u64::try_from(u128::from(number) * factor).unwrap_or(0);
        if rate == 0 {
            if self.strict {
                self.mind("a number above 0 is needed, with k, M or G if wanted")?;
            }
            return Err(Errno::Invalid);
        }
        self.nothing_more()?;
        self.model.delay = 0;
        self.model.shown_rate = Some(format!("     {}: {rate}", self.name));
        self.ok_number(rate)
    }

    /// Numbers that end at what is stored.
    fn limited(&mut self) -> Outcome {
        let max = match self.name.as_str() {
            "frags" => i32::MAX as u64,
            "flows" => 65536,
            _ => u64::from(u32::MAX),
        };
        let number = self.number_of(10, max)?;
        let stored = number.min(max);
        match self.name.as_str() {
            "frags" => self.model.frags = stored,
            "flows" => self.model.flows = stored,
            "flowlen" => self.model.flowlen = stored,
            "spi" => self.model.spi = stored,
            _ => self.model.debug = stored as u32,
        }
        self.ok_number(stored)
    }

    fn node(&mut self) -> Outcome {
        let number = self.number_of(10, u64::MAX)?;
        if number >= NODES {
            return self.remark("ERROR: node not possible");
        }
        self.model.node = Some(number);
        self.ok_number(number)
    }

    fn clone_skb(&mut self) -> Outcome {
        let number = self.number_of(10, i32::MAX as u64)?;
        let model = &mut *self.model;
        if number > 0 && (model.mode == Mode::NetifReceive || !model.host.sharing) {
            return Err(Errno::NotSupported);
        }
        if number > 0 && (!model.imix.is_empty() || !model.flag("SHARED")) {
            return Err(Errno::Invalid);
        }
        model.clone_skb = number.min(i32::MAX as u64);
        self.ok_number(self.model.clone_skb)
    }

    fn burst(&mut self) -> Outcome {
        let number = self.number_of(10, 65535)?;
        let model = &mut *self.model;
        let direct = model.mode == Mode::StartXmit && !model.host.sharing;
        if number > 1 && (model.mode == Mode::QueueXmit || direct) {
            return Err(Errno::NotSupported);
        }
        if number > 1 && !model.flag("SHARED") {
            return Err(Errno::Invalid);
        }
        model.burst = number.clamp(1, 65535);
        self.ok_number(self.model.burst)
    }

    fn xmit_mode(&mut self) -> Outcome {
        let word = self.word(31)?;
        let mode = match word.as_slice() {
            b"start_xmit" => Mode::StartXmit,
            b"netif_receive" => Mode::NetifReceive,
            b"queue_xmit" => Mode::QueueXmit,
            _ => {
                let help = b":- unknown\nAvailable modes: start_xmit, netif_receive\n";
                return self.remark([b"xmit_mode -:", word.as_slice(), help].concat());
            }
        };
        if mode == Mode::NetifReceive && self.model.clone_skb > 0 {
            return Err(Errno::NotSupported);
        }
        self.model.mode = mode;
        self.ok(word)
    }

    fn clear_counters(&mut self) -> Outcome {
        self.nothing_more()?;
        self.model.clear_counters();
        self.result("OK: Clearing counters.\n");
        Ok(())
    }

    fn ipv4(&mut self) -> Outcome {
        let text = self.word(31)?;
        let addr = match text.is_empty() && !self.strict {
            true => Some(0),
            false => addresses::ipv4(&text),
        };
        let Some(addr) = addr else {
            return self.remark(format!("ERROR: {}: not an IPv4 address", self.name));
        };
        let model = &mut *self.model;
        let (end, current) = match self.name.as_str() {
            "src_min" => (&mut model.src.min, &mut model.saddr),
            "src_max" => (&mut model.src.max, &mut model.saddr),
            "dst_max" => (&mut model.dst.max, &mut model.daddr),
            _ => (&mut model.dst.min, &mut model.daddr),
        };
        if end.text != text {
            let text = text.clone();
            *end = Ipv4 { text, addr };
            *current = addr;
        }
        if self.name == "dst" {
            self.name = "dst_min".to_string();
        }
        self.ok(text)
    }

    fn ipv6(&mut self) -> Outcome {
        let text = self.word(127)?;
        let addr = addresses::ipv6(&text).filter(|_| !self.strict || addresses::is_ipv6(&text));
        let Some(addr) = addr else {
            return self.remark(format!("ERROR: {}: not an IPv6 address", self.name));
        };
        self.model.set_flag("IPV6");
        let model = &mut *self.model;
        match self.name.as_str() {
            "dst6" => model.dst6 = addr,
            "dst6_min" => model.dst6_mask.min = addr,
            "dst6_max" => model.dst6_mask.max = addr,
            _ => model.src6 = addr,
        }
        match self.name.as_str() {
            "dst6" | "dst6_min" => model.daddr6 = addr,
            "src6" => model.saddr6 = addr,
            _ => {}
        }
        self.ok(addresses::show_ipv6(addr))
    }

    fn mac(&mut self) -> Outcome {
        let text = self.word(31)?;
        if self.strict && text.len() > 17 {
            return self.mind("not a MAC address");
        }
        let mac = addresses::mac(&text).ok_or(Errno::Invalid)?;
        let shown = addresses::show_mac(mac);
        if self.name == "src_mac" {
            self.model.src_mac = mac;
            self.result(format!("OK: srcmac {shown}"));
        } else {
            self.model.dst_mac = mac;
            self.result(format!("OK: dstmac {shown}"));
        }
        Ok(())
    }

    fn mac_count(&mut self) -> Outcome {
        let max = u64::from(u32::MAX);
        let number = self.number_of(10, max)?.min(max) as u32;
        let model = &mut *self.model;
        let (count, offset) = match self.name.as_str() {
            "src_mac_count" => (&mut model.src_mac_count, &mut model.src_mac_offset),
            _ => (&mut model.dst_mac_count, &mut model.dst_mac_offset),
        };
        if *count != number {
            *count = number;
            *offset = 0;
        }
        self.ok((number as i32).to_string())
    }

    fn port(&mut self) -> Outcome {
        let number = self.number_of(10, 65535)?;
        let model = &mut *self.model;
        let (end, current) = match self.name.as_str() {
            "udp_src_min" => (&mut model.udp_src.min, &mut model.cur_udp_src),
            "udp_src_max" => (&mut model.udp_src.max, &mut model.cur_udp_src),
            "udp_dst_min" => (&mut model.udp_dst.min, &mut model.cur_udp_dst),
            _ => (&mut model.udp_dst.max, &mut model.cur_udp_dst),
        };
        // The number before it is cut to 16 bits.
        if u64::from(*end) != number {
            *end = number as u16;
            *current = number as u16;
        }
        self.ok_number(number % 65536)
    }

    fn queue(&mut self) -> Outcome {
        let queue = self.number_of(5, 65535)? as u16;
        match self.name.as_str() {
            "queue_map_min" => self.model.queue.min = queue,
            _ => self.model.queue.max = queue,
        }
        self.ok_number(u64::from(queue))
    }

    fn skb_priority(&mut self) -> Outcome {
        self.model.skb_priority = self.number_of(9, u64::MAX)?;
        self.ok_number(self.model.skb_priority)
    }

    fn flag(&mut self) -> Outcome {
        let word = self.word(31)?;
        let ipsec = self.model.host.ipsec;
        let offered = |name: &str| ipsec || name != "IPSEC";
        let (mut set, name) = match word.split_first() {
            Some((b'!', name)) => (false, name),
            _ => (true, word.as_slice()),
        };
        let mut name = String::from_utf8_lossy(name).into_owned();
        if name == "FLOW_RND" {
            name = "FLOW_SEQ".to_string();
            set = !set;
        }
        let known = FLAGS
            .iter()
            .find(|(known, _)| *known == name && offered(known))
            .filter(|_| !(set && name == "IPV6"));
        let Some((_, bit)) = known else {
            let names: Vec<&str> = FLAGS
                .iter()
                .map(|(name, _)| *name)
                .filter(|name| offered(name))
                .collect();
            let help = format!(
                ":- unknown\nAvailable flags, (prepend ! to un-set flag):\n{}",
                names.join(", ")
            );
            return self.remark([b"Flag -:", word.as_slice(), help.as_bytes()].concat());
        };
        let model = &mut *self.model;
        if set {
            model.flags |= bit;
        } else {
            if name == "SHARED" && (model.clone_skb != 0 || model.burst > 1) {
                return Err(Errno::Invalid);
            }
            model.flags &= !bit;
        }
        self.result(format!("OK: flags={:#x}", self.model.flags));
        Ok(())
    }

    fn vlan_id(&mut self) -> Outcome {
        let number = self.number_of(4, u64::MAX)?;
        let model = &mut *self.model;
        if number > 4095 {
            model.vlan.on = false;
            model.svlan.on = false;
            return Ok(());
        }
        model.vlan.id = number as u16;
        model.vlan.on = true;
        model.mpls.clear();
        self.ok_number(number)
    }

    fn svlan_id(&mut self) -> Outcome {
        let number = self.number_of(4, u64::MAX)?;
        if self.strict && number <= 4095 && !self.model.vlan.on {
            return self.mind("there is no inner tag: set vlan_id first");
        }
        let model = &mut *self.model;
        if number > 4095 || !model.vlan.on {
            model.vlan.on = false;
            model.svlan.on = false;
            return Ok(());
        }
        model.svlan.id = number as u16;
        model.svlan.on = true;
        model.mpls.clear();
        self.ok_number(number)
    }

    fn tag_bits(&mut self, max: u64) -> Outcome {
        let number = self.number_of(1, u64::MAX)?;
        let model = &mut *self.model;
        let tag = match self.name.starts_with('s') {
            true => &mut model.svlan,
            false => &mut model.vlan,
        };
        if !tag.on || number > max {
            return self.remark(format!("ERROR: {} must be 0-{max}", self.name));
        }
        match max {
            1 => tag.cfi = number as u16,
            _ => tag.priority = number as u16,
        }
        self.ok_number(number)
    }

    fn mpls(&mut self) -> Outcome {
        let mut stack = Vec::new();
        let outcome = self.mpls_entries(&mut stack);
        if self.strict {
            let cut_short = outcome == Ok(false) && !stack.is_empty();
            if outcome.is_err() || cut_short {
                let _ = self.mind("a list of at most 16 entries is needed");
                return Err(outcome.err().unwrap_or(Errno::Invalid));
            }
            if !stack.is_empty() {
                self.nothing_more()?;
            }
        }
        if stack.iter().any(|entry| entry & 0x100 != 0) {
            self.model.set_flag("MPLS_RND");
        }
        self.model.mpls.clear();
        if outcome? {
            self.model.mpls = stack;
        }
        if !self.model.mpls.is_empty() {
            self.model.vlan.on = false;
            self.model.svlan.on = false;
        }
        let shown: Vec<String> = self
            .model
            .mpls
            .iter()
            .map(|entry| format!("{entry:08x}"))
            .collect();
        self.ok(shown.join(","))
    }

    /// Whether every entry is one.
    fn mpls_entries(&mut self, stack: &mut Vec<u32>) -> Result<bool, Errno> {
        loop {
            if stack.len() == 16 {
                return Err(Errno::TooBig);
            }
            if self.input.at_end() {
                return Err(Errno::Invalid);
            }
            let (entry, _) = self.input.number(8, 16);
            if entry == 0 {
                return Ok(false);
            }
            stack.push(entry as u32);
            if self.input.peek() != Some(b',') {
                return Ok(true);
            }
            self.input.skip();
        }
    }

    fn octet(&mut self) -> Outcome {
        let (value, digits) = self.input.number(2, 16);
        self.nothing_more()?;
        if digits != 2 {
            return self.remark(format!("ERROR: {} must be 00-ff", self.name));
        }
        match self.name.as_str() {
            "tos" => self.model.tos = value as u8,
            _ => self.model.traffic_class = value as u8,
        }
        self.ok(format!("0x{value:02x}"))
    }
}
