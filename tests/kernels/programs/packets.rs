//! Packets built by types that know which part is there, and read again.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    use core::convert::TryFrom;
    use core::marker::PhantomData;

    pub trait State {}
    pub struct NoAddress;
    pub struct NoPayload;
    pub struct Complete;
    impl State for NoAddress {}
    impl State for NoPayload {}
    impl State for Complete {}

    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    #[repr(transparent)]
    pub struct Ipv4([u8; 4]);

    impl From<u32> for Ipv4 {
        fn from(n: u32) -> Self {
            Self(n.to_be_bytes())
        }
    }

    impl AsRef<[u8]> for Ipv4 {
        fn as_ref(&self) -> &[u8] {
            &self.0
        }
    }

    #[non_exhaustive]
    #[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
    #[repr(u8)]
    pub enum Protocol {
        Icmp = 1,
        Tcp = 6,
        Udp = 17,
    }

    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub struct UnknownProtocol(pub u8);

    impl TryFrom<u8> for Protocol {
        type Error = UnknownProtocol;
        fn try_from(value: u8) -> Result<Self, Self::Error> {
            match value {
                1 => Ok(Self::Icmp),
                6 => Ok(Self::Tcp),
                17 => Ok(Self::Udp),
                other => Err(UnknownProtocol(other)),
            }
        }
    }

    pub struct Builder<S: State, const MTU: usize> {
        bytes: [u8; MTU],
        len: usize,
        _state: PhantomData<S>,
    }

    impl<S: State, const MTU: usize> Builder<S, MTU> {
        const HEADER: usize = 20;

        fn into_state<T: State>(self) -> Builder<T, MTU> {
            Builder { bytes: self.bytes, len: self.len, _state: PhantomData }
        }

        pub fn ttl(mut self, ttl: u8) -> Self {
            self.bytes[8] = ttl;
            self
        }
    }

    impl<const MTU: usize> Builder<NoAddress, MTU> {
        pub fn new(protocol: Protocol) -> Self {
            let mut bytes = [0; MTU];
            bytes[0] = 0x45;
            bytes[9] = protocol as u8;
            Self { bytes, len: Self::HEADER, _state: PhantomData }
        }

        pub fn addresses(mut self, from: impl Into<Ipv4>, to: impl Into<Ipv4>) -> Builder<NoPayload, MTU> {
            let (from, to) = (from.into(), to.into());
            self.bytes[12..16].copy_from_slice(from.as_ref());
            self.bytes[16..20].copy_from_slice(to.as_ref());
            self.into_state()
        }
    }

    impl<const MTU: usize> Builder<NoPayload, MTU> {
        pub fn payload<B: AsRef<[u8]> + ?Sized>(
            mut self,
            payload: &B,
        ) -> Result<Builder<Complete, MTU>, usize> {
            let payload = payload.as_ref();
            let end = self.len + payload.len();
            self.bytes.get_mut(self.len..end).ok_or_else(|| end - MTU)?.copy_from_slice(payload);
            self.len = end;
            Ok(self.into_state())
        }
    }

    impl<const MTU: usize> Builder<Complete, MTU> {
        pub fn finish(mut self) -> ([u8; MTU], usize) {
            self.bytes[2..4].copy_from_slice(&(self.len as u16).to_be_bytes());
            let sum = checksum(&self.bytes[..Self::HEADER]);
            self.bytes[10..12].copy_from_slice(&sum.to_be_bytes());
            (self.bytes, self.len)
        }
    }

    pub fn checksum(data: &[u8]) -> u16 {
        let mut sum = data
            .chunks(2)
            .map(|pair| match *pair {
                [high, low] => u16::from_be_bytes([high, low]),
                [high] => u16::from(high) << 8,
                _ => unreachable!(),
            })
            .fold(0u32, |sum, word| sum + u32::from(word));
        while sum > 0xffff {
            sum = (sum & 0xffff) + (sum >> 16);
        }
        !(sum as u16)
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum ParseError {
        TooShort { needed: usize },
        Version(u8),
        Checksum,
        Protocol(UnknownProtocol),
    }

    impl From<UnknownProtocol> for ParseError {
        fn from(e: UnknownProtocol) -> Self {
            Self::Protocol(e)
        }
    }

    #[derive(Debug, Clone, Copy)]
    pub struct Packet<'a> {
        bytes: &'a [u8],
    }

    impl<'a> Packet<'a> {
        pub fn protocol(&self) -> Result<Protocol, UnknownProtocol> {
            self.bytes[9].try_into()
        }
        pub fn source(&self) -> Ipv4 {
            Ipv4(self.bytes[12..16].try_into().unwrap())
        }
        pub fn payload(&self) -> &'a [u8] {
            let header = usize::from(self.bytes[0] & 15) * 4;
            &self.bytes[header..]
        }
    }

    impl<'a> TryFrom<&'a [u8]> for Packet<'a> {
        type Error = ParseError;

        fn try_from(bytes: &'a [u8]) -> Result<Self, ParseError> {
            let (&first, _) = bytes.split_first().ok_or(ParseError::TooShort { needed: 20 })?;
            if first >> 4 != 4 {
                return Err(ParseError::Version(first >> 4));
            }
            let header = bytes
                .get(..20)
                .ok_or(ParseError::TooShort { needed: 20_usize.saturating_sub(bytes.len()) })?;
            if checksum(header) != 0 {
                return Err(ParseError::Checksum);
            }
            let total = usize::from(u16::from_be_bytes([header[2], header[3]]));
            let packet = Packet { bytes: bytes.get(..total).ok_or(ParseError::TooShort { needed: total })? };
            packet.protocol()?;
            Ok(packet)
        }
    }

    pub fn run(seed: u32) -> [u32; 8] {
        let payload: [u8; 11] = core::array::from_fn(|i| (seed >> i) as u8);
        let protocol = if seed & 1 == 0 { Protocol::Udp } else { Protocol::Tcp };
        let builder = Builder::<_, 40>::new(protocol).ttl(64).addresses(0x0a00_0001, seed);
        let (bytes, len) = builder
            .payload(&payload[..(seed % 12) as usize])
            .unwrap_or_else(|_| unreachable!())
            .ttl(3)
            .finish();
        let code = |r: Result<Packet<'_>, ParseError>| match r {
            Ok(p) => {
                p.payload().iter().map(|&b| b as u32).sum::<u32>()
                    + p.protocol().map_or(0, |p| p as u32) * 1000
            }
            Err(ParseError::TooShort { needed }) => 100_000 + needed as u32,
            Err(ParseError::Version(v)) => 200_000 + u32::from(v),
            Err(ParseError::Checksum) => 300_000,
            Err(ParseError::Protocol(UnknownProtocol(p))) => 400_000 + p as u32,
        };
        let packet = Packet::try_from(&bytes[..len]);
        let source = packet.map(|p| p.source()).map_or(0, |Ipv4(b)| u32::from_le_bytes(b));
        let mut bad = bytes;
        bad[9] = 200;
        let broken = code(bad[..len].try_into());
        bad[10..12].fill(0);
        let sum = checksum(&bad[..20]);
        bad[10..12].copy_from_slice(&sum.to_be_bytes());
        let too_long =
            Builder::<NoAddress, 24>::new(Protocol::Icmp).addresses(Ipv4([1; 4]), 7).payload("hello").err();
        [
            code(packet),
            source,
            u32::from(checksum(&bytes[..len])),
            broken,
            code(Packet::try_from(&bad[..len])),
            code(Packet::try_from(&bytes[..len.min(21) - 2])),
            code(Packet::try_from(&payload[..])),
            too_long.map_or(99, |n| n as u32),
        ]
    }
}

#[kernel]
pub fn packets_built(seeds: &[u32], y: &mut [[u32; 8]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&PACKETS_BUILT, program::run)
}
