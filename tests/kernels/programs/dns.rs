//! Messages of DNS: a header, compressed names, records.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    use core::fmt;

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Error {
        Truncated,
        Loop,
        Label(u8),
        Kind(u16),
    }

    type Result<T, E = Error> = core::result::Result<T, E>;

    #[derive(Clone, Copy)]
    pub struct Reader<'a> {
        message: &'a [u8],
        at: usize,
    }

    impl<'a> Reader<'a> {
        fn take(&mut self, len: usize) -> Result<&'a [u8]> {
            let taken =
                self.message.get(self.at..).and_then(|rest| rest.get(..len)).ok_or(Error::Truncated)?;
            self.at += len;
            Ok(taken)
        }

        fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
            let taken = self.take(N)?;
            taken.try_into().map_err(|_| Error::Truncated)
        }

        fn u8(&mut self) -> Result<u8> {
            self.array().map(u8::from_be_bytes)
        }

        fn u16(&mut self) -> Result<u16> {
            self.array().map(u16::from_be_bytes)
        }

        fn u32(&mut self) -> Result<u32> {
            Ok(u32::from_be_bytes(self.array()?))
        }

        fn name(&mut self) -> Result<Name<'a>> {
            let name = Name { message: self.message, start: self.at };
            loop {
                match self.u8()? {
                    0 => break,
                    len @ 1..=63 => {
                        self.take(len.into())?;
                    }
                    0xc0.. => {
                        self.u8()?;
                        break;
                    }
                    other => return Err(Error::Label(other)),
                }
            }
            name.labels().try_for_each(|label| label.map(|_| ()))?;
            Ok(name)
        }
    }

    #[derive(Clone, Copy)]
    pub struct Name<'a> {
        message: &'a [u8],
        start: usize,
    }

    impl<'a> Name<'a> {
        fn labels(&self) -> Labels<'a> {
            Labels { reader: Reader { message: self.message, at: self.start }, jumps: 0, done: false }
        }
    }

    struct Labels<'a> {
        reader: Reader<'a>,
        jumps: u8,
        done: bool,
    }

    impl<'a> Labels<'a> {
        fn label(&mut self) -> Result<Option<&'a [u8]>> {
            loop {
                match self.reader.u8()? {
                    0 => return Ok(None),
                    len @ 1..=63 => return self.reader.take(len as usize).map(Some),
                    high @ 0xc0.. => {
                        self.jumps += 1;
                        if self.jumps > 4 {
                            return Err(Error::Loop);
                        }
                        let low = self.reader.u8()?;
                        self.reader.at = usize::from(u16::from_be_bytes([high & 0x3f, low]));
                    }
                    other => return Err(Error::Label(other)),
                }
            }
        }
    }

    impl<'a> Iterator for Labels<'a> {
        type Item = Result<&'a [u8]>;

        fn next(&mut self) -> Option<Self::Item> {
            if self.done {
                return None;
            }
            let label = self.label().transpose();
            self.done = !matches!(label, Some(Ok(_)));
            label
        }
    }

    impl PartialEq for Name<'_> {
        fn eq(&self, other: &Self) -> bool {
            self.labels().flatten().eq(other.labels().flatten())
        }
    }

    impl fmt::Display for Name<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            for (n, label) in self.labels().enumerate() {
                if n > 0 {
                    f.write_str(".")?;
                }
                let label = label.map_err(|_| fmt::Error)?;
                f.write_str(core::str::from_utf8(label).map_err(|_| fmt::Error)?)?;
            }
            Ok(())
        }
    }

    #[derive(Clone, Copy, PartialEq)]
    pub enum Data<'a> {
        A([u8; 4]),
        Aaaa([u16; 8]),
        Cname(Name<'a>),
        Mx { preference: u16, exchange: Name<'a> },
        Txt(&'a [u8]),
    }

    pub struct Record<'a> {
        name: Name<'a>,
        ttl: u32,
        data: Data<'a>,
    }

    impl<'a> Record<'a> {
        fn read(reader: &mut Reader<'a>) -> Result<Self> {
            let name = reader.name()?;
            let kind = reader.u16()?;
            let _class = reader.u16()?;
            let ttl = reader.u32()?;
            let len = reader.u16()? as usize;
            let end = reader.at + len;
            let data = match kind {
                1 => Data::A(reader.array()?),
                28 => {
                    let mut words = [0; 8];
                    for word in &mut words {
                        *word = reader.u16()?;
                    }
                    Data::Aaaa(words)
                }
                5 => Data::Cname(reader.name()?),
                15 => Data::Mx { preference: reader.u16()?, exchange: reader.name()? },
                16 => {
                    let len = reader.u8()?;
                    Data::Txt(reader.take(len.into())?)
                }
                other => return Err(Error::Kind(other)),
            };
            if reader.at != end {
                return Err(Error::Truncated);
            }
            Ok(Record { name, ttl, data })
        }
    }

    #[derive(Default)]
    struct Sum {
        hash: u32,
        len: u32,
    }

    impl fmt::Write for Sum {
        fn write_str(&mut self, s: &str) -> fmt::Result {
            self.hash = s.bytes().fold(self.hash, |h, b| h.wrapping_mul(31).wrapping_add(b as u32));
            self.len += s.len() as u32;
            Ok(())
        }
    }

    const MESSAGE: [u8; 105] =
        *b"\x12\x34\x81\x80\x00\x01\x00\x04\x00\x00\x00\x00\x03www\x07example\x03org\x00\x00\x01\x00\x01\
        \xc0\x0c\x00\x05\x00\x01\x00\x00\x0e\x10\x00\x06\x03cdn\xc0\x10\
        \xc0\x2d\x00\x01\x00\x01\x00\x00\x00\x3c\x00\x04\x5d\xb8\xd8\x22\
        \xc0\x10\x00\x0f\x00\x01\x00\x00\x01\x2c\x00\x09\x00\x0a\x04mail\xc0\x10\
        \xc0\x10\x00\x10\x00\x01\x00\x00\x00\x05\x00\x05\x04v=ok";

    fn summary(message: &[u8]) -> Result<[u32; 6]> {
        use fmt::Write;
        let mut reader = Reader { message, at: 0 };
        let id = reader.u16()?;
        let flags = reader.u16()?;
        let [questions, answers, ..] = [reader.u16()?, reader.u16()?, reader.u16()?, reader.u16()?];
        let mut sum = Sum::default();
        let mut asked = None;
        for _ in 0..questions {
            let name = reader.name()?;
            let _ = write!(sum, "{name}?");
            asked.get_or_insert(name);
            reader.take(4)?;
        }
        let (mut ttl, mut values, mut same) = (u32::MAX, 0u32, 0);
        for _ in 0..answers {
            let record = Record::read(&mut reader)?;
            let _ = write!(sum, "{}={},", record.name, record.ttl);
            ttl = ttl.min(record.ttl);
            same += u32::from(asked == Some(record.name));
            values = values.rotate_left(7)
                ^ match record.data {
                    Data::A(octets) => u32::from_be_bytes(octets),
                    Data::Aaaa(words) => words.iter().fold(0, |x, w| x ^ u32::from(*w)),
                    Data::Cname(name) => {
                        let _ = write!(sum, "->{name}");
                        1
                    }
                    Data::Mx { preference, exchange } => {
                        let _ = write!(sum, "{preference:>4} {exchange}");
                        2
                    }
                    Data::Txt(text) => text.len() as u32,
                };
        }
        Ok([u32::from(id) << 16 | u32::from(flags), sum.hash, sum.len, ttl, values, same])
    }

    pub fn run(seed: u32) -> [u32; 6] {
        let mut message = MESSAGE;
        if seed & 3 != 0 {
            message[(seed >> 8) as usize % MESSAGE.len()] ^= 1 << (seed & 7);
        }
        let len = if seed & 12 == 12 { (seed >> 20) as usize % MESSAGE.len() } else { MESSAGE.len() };
        summary(&message[..len]).unwrap_or_else(|error| match error {
            Error::Truncated => [1; 6],
            Error::Loop => [2; 6],
            Error::Label(label) => [3, label.into(), 0, 0, 0, 0],
            Error::Kind(kind) => [4, kind.into(), 0, 0, 0, 0],
        })
    }
}

#[kernel]
pub fn dns_read(seeds: &[u32], y: &mut [[u32; 6]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&DNS_READ, program::run)
}
