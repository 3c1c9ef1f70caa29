//! Frames by consistent overhead byte stuffing, in the manner of the crate `cobs`.

use super::case_of_words;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod program {
    use core::fmt;
    use core::slice;

    /// What is wrong with a frame.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum DecodeError {
        EmptyFrame,
        InvalidFrame { decoded_bytes: usize },
        TargetBufTooSmall,
    }

    impl fmt::Display for DecodeError {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            match self {
                DecodeError::EmptyFrame => f.write_str("empty frame"),
                DecodeError::InvalidFrame { decoded_bytes } => {
                    write!(f, "invalid frame after {decoded_bytes} bytes")
                }
                DecodeError::TargetBufTooSmall => f.write_str("target buffer too small"),
            }
        }
    }

    impl core::error::Error for DecodeError {}

    pub enum PushResult {
        AddSingle(u8),
        ModifyFromStartAndSkip((usize, u8)),
        ModifyFromStartAndPushAndSkip((usize, u8, u8)),
    }

    #[derive(Clone, Debug)]
    pub struct EncoderState {
        code_idx: usize,
        num_bt_sent: u8,
        offset_idx: u8,
    }

    impl Default for EncoderState {
        fn default() -> Self {
            Self { code_idx: 0, num_bt_sent: 1, offset_idx: 1 }
        }
    }

    impl EncoderState {
        pub fn push(&mut self, data: u8) -> PushResult {
            if data == 0 {
                let ret = PushResult::ModifyFromStartAndSkip((self.code_idx, self.num_bt_sent));
                self.code_idx += usize::from(self.offset_idx);
                self.num_bt_sent = 1;
                self.offset_idx = 1;
                ret
            } else {
                self.num_bt_sent += 1;
                self.offset_idx += 1;
                if 0xFF == self.num_bt_sent {
                    let ret =
                        PushResult::ModifyFromStartAndPushAndSkip((self.code_idx, self.num_bt_sent, data));
                    self.num_bt_sent = 1;
                    self.code_idx += usize::from(self.offset_idx);
                    self.offset_idx = 1;
                    ret
                } else {
                    PushResult::AddSingle(data)
                }
            }
        }

        pub fn finalize(self) -> (usize, u8) {
            (self.code_idx, self.num_bt_sent)
        }
    }

    #[derive(Debug)]
    pub struct CobsEncoder<'a> {
        dest: &'a mut [u8],
        dest_idx: usize,
        state: EncoderState,
    }

    #[derive(Debug, PartialEq, Eq)]
    pub struct DestBufTooSmallError;

    impl<'a> CobsEncoder<'a> {
        pub fn new(out_buf: &'a mut [u8]) -> CobsEncoder<'a> {
            CobsEncoder { dest: out_buf, dest_idx: 1, state: EncoderState::default() }
        }

        pub fn push(&mut self, data: &[u8]) -> Result<(), DestBufTooSmallError> {
            for x in data {
                use PushResult::*;
                match self.state.push(*x) {
                    AddSingle(y) => {
                        *self.dest.get_mut(self.dest_idx).ok_or(DestBufTooSmallError)? = y;
                    }
                    ModifyFromStartAndSkip((idx, mval)) => {
                        *self.dest.get_mut(idx).ok_or(DestBufTooSmallError)? = mval;
                    }
                    ModifyFromStartAndPushAndSkip((idx, mval, nval1)) => {
                        *self.dest.get_mut(idx).ok_or(DestBufTooSmallError)? = mval;
                        *self.dest.get_mut(self.dest_idx).ok_or(DestBufTooSmallError)? = nval1;
                        self.dest_idx += 1;
                    }
                }
                self.dest_idx += 1;
            }
            Ok(())
        }

        pub fn finalize(self) -> usize {
            let (idx, mval) = self.state.finalize();
            if let Some(i) = self.dest.get_mut(idx) {
                *i = mval;
            }
            self.dest_idx.min(self.dest.len())
        }
    }

    pub fn encode(source: &[u8], dest: &mut [u8]) -> usize {
        let mut enc = CobsEncoder::new(dest);
        enc.push(source).expect("the destination has room");
        enc.finalize()
    }

    fn next_code(bytes: &mut slice::Iter<'_, u8>) -> Option<u8> {
        bytes.next().copied().filter(|&b| b != 0)
    }

    pub fn decode(source: &[u8], dest: &mut [u8]) -> Result<usize, DecodeError> {
        let mut bytes = source.iter();
        let mut written = 0;
        if bytes.as_slice().is_empty() {
            return Err(DecodeError::EmptyFrame);
        }
        while let Some(code) = next_code(&mut bytes) {
            for _ in 1..code {
                let byte =
                    next_code(&mut bytes).ok_or(DecodeError::InvalidFrame { decoded_bytes: written })?;
                *dest.get_mut(written).ok_or(DecodeError::TargetBufTooSmall)? = byte;
                written += 1;
            }
            if code != 0xFF && bytes.len() != 0 {
                match dest.get_mut(written) {
                    Some(slot) => *slot = 0,
                    None => return Err(DecodeError::TargetBufTooSmall),
                }
                written += 1;
            }
        }
        match bytes.as_slice() {
            [] => Ok(written),
            _ => Err(DecodeError::InvalidFrame { decoded_bytes: written }),
        }
    }

    pub fn run(i: u32) -> u64 {
        let mut message = [0u8; 24];
        for (k, byte) in message.iter_mut().enumerate() {
            *byte = (i.wrapping_mul(37).rotate_left(k as u32) >> 5) as u8 & 3;
        }
        let mut frame = [0xAAu8; 32];
        let len = encode(&message[..(i as usize % 24)], &mut frame);
        let mut back = [0u8; 24];
        if i % 5 == 3 {
            frame[0] = frame[0].wrapping_add(1);
        }
        let outcome = decode(&frame[..len], &mut back[..]);
        let sum = frame.iter().fold(len as u64, |h, &b| h.wrapping_mul(31).wrapping_add(b.into()));
        match outcome {
            Ok(n) if back[..n] == message[..n] => sum << 8 | n as u64,
            Ok(n) => sum << 8 | 0x80 | n as u64,
            Err(DecodeError::InvalidFrame { decoded_bytes }) => sum << 8 | 0xC0 | decoded_bytes as u64,
            Err(_) => sum << 8 | 0xFF,
        }
    }
}

#[kernel]
pub fn cobs(y: &mut [u64]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::run(i as u32);
    }
}

pub fn case() -> Case {
    case_of_words(&COBS, program::run)
}
