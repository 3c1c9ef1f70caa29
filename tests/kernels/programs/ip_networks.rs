//! Networks of IPv4 in CIDR notation and a routing table with the longest prefix, as the crate `ipnet` has them.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    use core::cmp::Ordering;
    use core::fmt::{self, Write};
    use core::num::ParseIntError;
    use core::str::FromStr;

    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
    pub struct Ipv4(u32);

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum ParseError {
        MissingSlash,
        Octets(usize),
        BadNumber,
        PrefixTooLong { len: u8 },
    }

    impl From<ParseIntError> for ParseError {
        fn from(_: ParseIntError) -> Self {
            ParseError::BadNumber
        }
    }

    impl From<[u8; 4]> for Ipv4 {
        fn from(octets: [u8; 4]) -> Self {
            Ipv4(u32::from_be_bytes(octets))
        }
    }

    impl Ipv4 {
        pub const fn octets(self) -> [u8; 4] {
            self.0.to_be_bytes()
        }

        pub fn is_private(&self) -> bool {
            match self.octets() {
                [10, ..] => true,
                [172, b, ..] if b >= 16 && b <= 31 => true,
                [192, 168, ..] => true,
                _ => false,
            }
        }
    }

    impl FromStr for Ipv4 {
        type Err = ParseError;

        fn from_str(s: &str) -> Result<Self, Self::Err> {
            let mut octets = [0u8; 4];
            let mut count = 0;
            for part in s.split('.') {
                let slot = octets.get_mut(count).ok_or(ParseError::Octets(count + 1))?;
                *slot = part.parse()?;
                count += 1;
            }
            if count != 4 {
                return Err(ParseError::Octets(count));
            }
            Ok(octets.into())
        }
    }

    impl fmt::Display for Ipv4 {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            let [a, b, c, d] = self.octets();
            write!(f, "{a}.{b}.{c}.{d}")
        }
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Network {
        addr: Ipv4,
        prefix_len: u8,
    }

    impl Network {
        pub const DEFAULT: Network = Network { addr: Ipv4(0), prefix_len: 0 };

        pub fn new(addr: Ipv4, prefix_len: u8) -> Result<Self, ParseError> {
            if prefix_len > 32 {
                Err(ParseError::PrefixTooLong { len: prefix_len })
            } else {
                Ok(Self { addr, prefix_len })
            }
        }

        pub fn mask(&self) -> u32 {
            u32::MAX.checked_shl(32 - u32::from(self.prefix_len)).unwrap_or(0)
        }

        pub fn trunc(&self) -> Self {
            Network { addr: Ipv4(self.addr.0 & self.mask()), ..*self }
        }

        pub fn broadcast(&self) -> Ipv4 {
            Ipv4(self.addr.0 | !self.mask())
        }

        pub fn contains<T: Into<Network>>(&self, other: T) -> bool {
            let other = other.into();
            self.prefix_len <= other.prefix_len && (other.addr.0 & self.mask()) == self.trunc().addr.0
        }

        pub fn hosts(&self) -> impl Iterator<Item = Ipv4> + use<> {
            let (first, last) = match self.prefix_len {
                31 | 32 => (self.trunc().addr.0, self.broadcast().0),
                _ => (self.trunc().addr.0 + 1, self.broadcast().0 - 1),
            };
            (first..=last).map(Ipv4)
        }

        pub fn subnets(self, len: u8) -> Option<Subnets> {
            (len >= self.prefix_len && len <= 32).then(|| Subnets {
                next: Some(self.trunc().addr),
                end: self.broadcast(),
                len,
            })
        }
    }

    impl From<Ipv4> for Network {
        fn from(addr: Ipv4) -> Network {
            Network { addr, prefix_len: 32 }
        }
    }

    impl FromStr for Network {
        type Err = ParseError;

        fn from_str(s: &str) -> Result<Network, ParseError> {
            let (addr, len) = s.split_once('/').ok_or(ParseError::MissingSlash)?;
            Network::new(addr.parse()?, len.parse::<u8>()?)
        }
    }

    impl PartialOrd for Network {
        fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
            Some(self.cmp(other))
        }
    }

    impl Ord for Network {
        fn cmp(&self, other: &Self) -> Ordering {
            self.addr.cmp(&other.addr).then_with(|| other.prefix_len.cmp(&self.prefix_len))
        }
    }

    pub struct Subnets {
        next: Option<Ipv4>,
        end: Ipv4,
        len: u8,
    }

    impl Iterator for Subnets {
        type Item = Network;

        fn next(&mut self) -> Option<Self::Item> {
            let addr = self.next.take()?;
            let net = Network { addr, prefix_len: self.len };
            self.next = net.broadcast().0.checked_add(1).map(Ipv4).filter(|next| *next <= self.end);
            Some(net)
        }
    }

    pub struct Table<V, const N: usize> {
        routes: [(Network, V); N],
        used: usize,
    }

    impl<V: Copy + Default, const N: usize> Table<V, N> {
        pub fn new() -> Self {
            Table { routes: [(Network::DEFAULT, V::default()); N], used: 0 }
        }

        pub fn insert(&mut self, net: Network, value: V) -> Option<V> {
            let net = net.trunc();
            match self.routes[..self.used].binary_search_by(|(other, _)| other.cmp(&net)) {
                Ok(at) => Some(core::mem::replace(&mut self.routes[at].1, value)),
                Err(at) => {
                    self.routes.copy_within(at..self.used, at + 1);
                    self.routes[at] = (net, value);
                    self.used += 1;
                    None
                }
            }
        }

        pub fn lookup(&self, addr: Ipv4) -> Option<&V> {
            self.routes[..self.used]
                .iter()
                .filter(|(net, _)| net.contains(addr))
                .max_by_key(|(net, _)| net.prefix_len)
                .map(|(_, v)| v)
        }
    }

    #[derive(Default)]
    struct Fnv {
        hash: u32,
        len: u32,
    }

    impl Write for Fnv {
        fn write_str(&mut self, s: &str) -> fmt::Result {
            for b in s.bytes() {
                self.hash = (self.hash ^ u32::from(b)).wrapping_mul(0x0100_0193);
                self.len += 1;
            }
            Ok(())
        }
    }

    static ROUTES: &[(&str, u16)] = &[
        ("0.0.0.0/0", 1),
        ("10.0.0.0/8", 2),
        ("10.1.0.0/16", 3),
        ("10.1.2.0/24", 4),
        ("192.168.0.0/16", 5),
        ("10.1.2.3/32", 6),
    ];

    pub fn run(seed: u32) -> [u32; 8] {
        let mut out = [0u32; 8];
        let mut table: Table<u16, 16> = Table::new();
        for &(text, hop) in ROUTES {
            if let Ok(net) = text.parse() {
                table.insert(net, hop);
            }
        }
        let addr = match seed % 4 {
            0 => Ipv4::from([10, 1, 2, (seed >> 8) as u8 % 5]),
            1 => Ipv4::from([10, (seed >> 8) as u8 & 3, 2, 3]),
            2 => [192, 168, (seed >> 3) as u8, 1].into(),
            _ => Ipv4(seed),
        };
        out[0] = table.lookup(addr).copied().map_or(0, u32::from);
        out[1] = addr.is_private() as u32;

        let mut text = Fnv { hash: 0x811c_9dc5, ..Default::default() };
        write!(text, "{addr}/{}", seed % 33).unwrap();
        out[2] = text.hash;
        out[3] = text.len;

        let net = Network::new(addr, 20 + (seed % 13) as u8).unwrap();
        out[4] = net.hosts().take(5).fold(0, |h, ip| h.rotate_left(7) ^ ip.0);
        out[5] = net.subnets(28).map_or(0xdead, |nets| {
            nets.map(|n| n.addr.0 ^ u32::from(n.prefix_len)).take(9).fold(0, u32::wrapping_add) & 0xffff
        });
        out[6] = ["1.2.3.4", "1.2.3/8", "1.2.3.4.5/6", "256.1.1.1/3", "9.8.7.6/40", "9.8.7.6/17"]
            .iter()
            .map(|s| match s.parse::<Network>() {
                Ok(n) => n.trunc().addr.0 % 1000,
                Err(ParseError::MissingSlash) => 1,
                Err(ParseError::Octets(n)) => 10 + n as u32,
                Err(ParseError::BadNumber) => 2,
                Err(ParseError::PrefixTooLong { len }) => 100 + len as u32,
            })
            .fold(seed, |h, v| h.wrapping_mul(31).wrapping_add(v));
        out[7] = table.insert("10.1.0.0/16".parse().unwrap(), 9).unwrap_or_default().into();
        out
    }
}

#[kernel]
pub fn addresses_routed(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&ADDRESSES_ROUTED, program::run)
}
