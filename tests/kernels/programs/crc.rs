//! A table-driven CRC-32 and the usual small checksums.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    //! A table-driven CRC-32 and the usual small checksums.

    /// The reversed polynomial of CRC-32 (IEEE).
    const POLY: u32 = 0xEDB8_8320;

    const fn make_table() -> [u32; 256] {
        let mut table = [0u32; 256];
        let mut i = 0;
        while i < 256 {
            let mut crc = i as u32;
            let mut k = 0;
            while k < 8 {
                crc = if crc & 1 == 1 { (crc >> 1) ^ POLY } else { crc >> 1 };
                k += 1;
            }
            table[i] = crc;
            i += 1;
        }
        table
    }

    static TABLE: [u32; 256] = make_table();

    pub trait Checksum: Default {
        type Output;
        fn update(&mut self, bytes: &[u8]);
        fn finish(self) -> Self::Output;
    }

    pub struct Crc32 {
        state: u32,
    }

    impl Default for Crc32 {
        fn default() -> Self {
            Crc32 { state: !0 }
        }
    }

    impl Checksum for Crc32 {
        type Output = u32;
        fn update(&mut self, bytes: &[u8]) {
            self.state = bytes
                .iter()
                .fold(self.state, |crc, &b| (crc >> 8) ^ TABLE[((crc ^ b as u32) & 0xff) as usize]);
        }
        fn finish(self) -> u32 {
            !self.state
        }
    }

    #[derive(Default)]
    pub struct Fletcher16(u16, u16);

    impl Checksum for Fletcher16 {
        type Output = u16;
        fn update(&mut self, bytes: &[u8]) {
            for b in bytes {
                self.0 = (self.0 + u16::from(*b)) % 255;
                self.1 = (self.1 + self.0) % 255;
            }
        }
        fn finish(self) -> u16 {
            (self.1 << 8) | self.0
        }
    }

    fn digest<C: Checksum>(bytes: &[u8]) -> C::Output {
        let mut c = C::default();
        for chunk in bytes.chunks(3) {
            c.update(chunk);
        }
        c.finish()
    }

    fn crc(bytes: &[u8]) -> u32 {
        digest::<Crc32>(bytes)
    }

    pub fn check(seed: u32) -> u32 {
        let mut text = *b"123456789";
        text[(seed % 9) as usize] ^= seed as u8;
        let crc = crc(&text);
        crc ^ u32::from(digest::<Fletcher16>(&text))
    }
}

#[kernel]
pub fn crc(y: &mut [u32]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::check(i as u32);
    }
}

pub fn case() -> Case {
    super::case_of(&CRC, program::check)
}
