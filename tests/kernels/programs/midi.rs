//! Messages of MIDI from a stream of bytes, with running status, as an iterator.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Channel(pub u8);

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Message<'a> {
        NoteOff { channel: Channel, key: u8, velocity: u8 },
        NoteOn { channel: Channel, key: u8, velocity: u8 },
        Control { channel: Channel, controller: u8, value: u8 },
        Program(Channel, u8),
        PitchBend(Channel, i16),
        SysEx(&'a [u8]),
        Clock,
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum ParseError {
        UnexpectedEnd,
        NoStatus(u8),
        Unsupported(u8),
    }

    pub struct Parser<'a> {
        bytes: &'a [u8],
        running: Option<u8>,
    }

    impl<'a> Parser<'a> {
        pub fn new(bytes: &'a [u8]) -> Self {
            Self { bytes, running: None }
        }

        fn take(&mut self) -> Result<u8, ParseError> {
            let (&first, rest) = self.bytes.split_first().ok_or(ParseError::UnexpectedEnd)?;
            self.bytes = rest;
            Ok(first)
        }

        fn data(&mut self) -> Result<u8, ParseError> {
            match self.take()? {
                byte @ 0..=0x7f => Ok(byte),
                status => Err(ParseError::Unsupported(status)),
            }
        }

        fn message(&mut self) -> Result<Message<'a>, ParseError> {
            let status = match (self.bytes.first().copied(), self.running) {
                (None, _) => return Err(ParseError::UnexpectedEnd),
                (Some(status @ 0x80..), _) => {
                    self.bytes = &self.bytes[1..];
                    status
                }
                (Some(_), Some(status)) => status,
                (Some(byte), None) => {
                    self.bytes = &self.bytes[1..];
                    return Err(ParseError::NoStatus(byte));
                }
            };
            if status < 0xf0 {
                self.running = Some(status);
            }
            let channel = Channel(status & 0x0f);
            Ok(match status >> 4 {
                0x8 => Message::NoteOff { channel, key: self.data()?, velocity: self.data()? },
                0x9 => {
                    let (key, velocity) = (self.data()?, self.data()?);
                    if velocity == 0 {
                        Message::NoteOff { channel, key, velocity: 64 }
                    } else {
                        Message::NoteOn { channel, key, velocity }
                    }
                }
                0xb => Message::Control { channel, controller: self.data()?, value: self.data()? },
                0xc => Message::Program(channel, self.data()?),
                0xe => {
                    let low = i16::from(self.data()?);
                    let high = i16::from(self.data()?);
                    Message::PitchBend(channel, (high << 7 | low) - 8192)
                }
                0xf => match status {
                    0xf0 => {
                        self.running = None;
                        let end =
                            self.bytes.iter().position(|&b| b == 0xf7).ok_or(ParseError::UnexpectedEnd)?;
                        let (content, rest) = self.bytes.split_at(end);
                        self.bytes = &rest[1..];
                        Message::SysEx(content)
                    }
                    0xf8 => Message::Clock,
                    other => return Err(ParseError::Unsupported(other)),
                },
                _ => {
                    self.running = None;
                    return Err(ParseError::Unsupported(status));
                }
            })
        }
    }

    impl<'a> Iterator for Parser<'a> {
        type Item = Result<Message<'a>, ParseError>;

        fn next(&mut self) -> Option<Self::Item> {
            if self.bytes.is_empty() {
                return None;
            }
            let message = self.message();
            if let Err(ParseError::UnexpectedEnd) = message {
                self.bytes = &[];
            }
            Some(message)
        }
    }

    #[derive(Default)]
    pub struct Synth {
        held: u128,
        volume: [u8; 16],
        bend: i32,
        checksum: u32,
        errors: u32,
    }

    impl Synth {
        fn play(&mut self, message: Message<'_>) {
            match message {
                Message::NoteOn { key, .. } => self.held |= 1 << key,
                Message::NoteOff { key, .. } => self.held &= !(1 << key),
                Message::Control { channel: Channel(n), controller: 7, value } => {
                    self.volume[usize::from(n)] = value;
                }
                Message::Control { .. } | Message::Clock => {}
                Message::Program(Channel(channel), program) => {
                    let change = u32::from(channel) * 128 + u32::from(program);
                    self.checksum = self.checksum.wrapping_mul(31).wrapping_add(change);
                }
                Message::PitchBend(_, bend) => self.bend += i32::from(bend),
                Message::SysEx([manufacturer, payload @ ..]) => {
                    let sum = payload.iter().fold(0u8, |sum, b| sum.wrapping_add(*b));
                    self.checksum ^= u32::from(*manufacturer) << 16 | u32::from(sum & 0x7f);
                }
                Message::SysEx([]) => self.errors += 1,
            }
        }
    }

    const SONG: [u8; 46] = [
        0x90, 60, 100, 64, 90, 67, 80, 0xf8, 60, 0, 0xb3, 7, 127, 7, 55, 0xc2, 5, 17, 0xe0, 0, 0x40, 0x7f,
        0x7f, 0xf0, 0x43, 1, 2, 3, 0xf7, 12, 0x91, 12, 1, 0x80, 64, 0, 0xf0, 0xf7, 0xf3, 0xa5, 1, 0x93, 127,
        127, 0xc9, 99,
    ];

    pub fn run(seed: u32) -> [u32; 9] {
        let mut bytes = SONG;
        for n in 0..3 {
            let at = (seed >> (n * 9)) as usize % bytes.len();
            bytes[at] ^= (seed >> (n * 3)) as u8 & 0x9f;
        }
        let len = bytes.len() - (seed % 5) as usize;
        let mut synth = Synth::default();
        let mut count = 0u32;
        let mut last = None;
        for message in Parser::new(&bytes[..len]) {
            count += 1;
            match message {
                Ok(message) => synth.play(message),
                Err(error) => {
                    synth.errors += 1;
                    last = Some(error);
                }
            }
        }
        let last = match last {
            None => 0,
            Some(ParseError::UnexpectedEnd) => 1,
            Some(ParseError::NoStatus(byte)) => 0x100 | u32::from(byte),
            Some(ParseError::Unsupported(byte)) => 0x200 | u32::from(byte),
        };
        let clocks = Parser::new(&bytes).flatten().filter(|m| matches!(m, Message::Clock)).count();
        [
            synth.held as u32,
            (synth.held >> 64) as u32,
            synth.volume.iter().map(|&v| u32::from(v)).sum(),
            synth.bend as u32,
            synth.checksum,
            synth.errors,
            count,
            last,
            clocks as u32,
        ]
    }
}

#[kernel]
pub fn midi_played(seeds: &[u32], y: &mut [[u32; 9]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&MIDI_PLAYED, program::run)
}
