//! Checksums by a catalogue of algorithms.

use super::case_of_words;
use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
mod program {
    //! Parametrised CRCs, in the manner of a catalogue.
    #[derive(Debug, Clone, Copy)]
    pub struct Algorithm<W> {
        pub width: u8,
        pub poly: W,
        pub init: W,
        pub refin: bool,
        pub refout: bool,
        pub xorout: W,
        pub check: W,
    }
    pub const CRC_8_SMBUS: Algorithm<u8> = Algorithm {
        width: 8,
        poly: 0x07,
        init: 0x00,
        refin: false,
        refout: false,
        xorout: 0x00,
        check: 0xf4,
    };
    pub const CRC_16_USB: Algorithm<u16> = Algorithm {
        width: 16,
        poly: 0x8005,
        init: 0xffff,
        refin: true,
        refout: true,
        xorout: 0xffff,
        check: 0xb4c8,
    };
    pub const CRC_32_ISO_HDLC: Algorithm<u32> = Algorithm {
        width: 32,
        poly: 0x04c11db7,
        init: 0xffffffff,
        refin: true,
        refout: true,
        xorout: 0xffffffff,
        check: 0xcbf43926,
    };
    pub struct Table<const L: usize>;
    pub trait Implementation: private::Sealed {
        type Data;
    }
    mod private {
        pub trait Sealed {}
        impl<const L: usize> Sealed for super::Table<L> {}
        pub trait Word {}
        impl Word for u8 {}
        impl Word for u16 {}
        impl Word for u32 {}
    }
    impl<const L: usize> Implementation for Table<L> {
        type Data = [u8; L];
    }
    pub struct Crc<W: 'static, I: Implementation = Table<1>> {
        pub algorithm: &'static Algorithm<W>,
        data: [[W; 256]; 1],
        _i: core::marker::PhantomData<I>,
    }
    pub struct Digest<'a, W: 'static, I: Implementation = Table<1>> {
        crc: &'a Crc<W, I>,
        value: W,
    }
    macro_rules! implement { ($($w:ident),*) => { $(
    impl<const L: usize> Crc<$w, Table<L>> {
        pub const fn new(algorithm: &'static Algorithm<$w>) -> Self {
            let mut data = [[0; 256]; 1];
            let mut i = 0;
            while i < 256 {
                let mut v = if algorithm.refin { i as $w } else { (i as $w) << ($w::BITS - 8) };
                let mut k = 0;
                while k < 8 {
                    v = if algorithm.refin { (v >> 1) ^ ((v & 1) * algorithm.poly.reverse_bits()) } else { (v << 1) ^ ((v >> ($w::BITS - 1)) * algorithm.poly) };
                    k += 1;
                }
                data[0][i] = v;
                i += 1;
            }
            Self { algorithm, data, _i: core::marker::PhantomData }
        }
        const fn init(&self) -> $w { if self.algorithm.refin { self.algorithm.init.reverse_bits() } else { self.algorithm.init } }
        fn update(&self, mut crc: $w, bytes: &[u8]) -> $w {
            let reflect = self.algorithm.refin;
            for &b in bytes {
                let index = if reflect { (crc as u8 ^ b) as usize } else { ((crc >> ($w::BITS - 8)) as u8 ^ b) as usize };
                let rest = if $w::BITS == 8 { 0 } else if reflect { crc.checked_shr(8).unwrap_or(0) } else { crc.checked_shl(8).unwrap_or(0) };
                crc = self.data[0][index] ^ rest;
            }
            crc
        }
        fn finalize(&self, mut crc: $w) -> $w {
            if self.algorithm.refin ^ self.algorithm.refout { crc = crc.reverse_bits(); }
            crc ^ self.algorithm.xorout
        }
        pub fn checksum(&self, bytes: &[u8]) -> $w { self.finalize(self.update(self.init(), bytes)) }
        pub fn digest(&self) -> Digest<'_, $w, Table<L>> { Digest { crc: self, value: self.init() } }
    }
    impl<'a, const L: usize> Digest<'a, $w, Table<L>> {
        pub fn update(&mut self, bytes: &[u8]) -> &mut Self { self.value = self.crc.update(self.value, bytes); self }
        pub fn finalize(self) -> $w { self.crc.finalize(self.value) }
    }
)* } }
    implement!(u8, u16, u32);
    static CRC32: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);
    pub fn run(i: u32) -> u64 {
        let text = *b"The quick brown fox jumps over the lazy dog; 123456789";
        let at = i as usize % 40;
        let (a, b) = text.split_at(at);
        let mut d = CRC32.digest();
        d.update(a).update(b);
        let small = Crc::<u8, Table<1>>::new(&CRC_8_SMBUS);
        let usb = Crc::<u16, Table<1>>::new(&CRC_16_USB);
        let ok = CRC32.checksum(b"123456789") == CRC_32_ISO_HDLC.check
            && small.checksum(b"123456789") == CRC_8_SMBUS.check
            && usb.checksum(&text[text.len() - 9..]) == CRC_16_USB.check;
        u64::from(d.finalize()) << 32
            | u64::from(usb.checksum(b)) << 12
            | u64::from(small.checksum(a)) << 2
            | ok as u64
    }
}

#[kernel]
pub fn crc_catalogue(y: &mut [u64]) {
    let i = global_id(0);
    if i < y.len() {
        y[i] = program::run(i as u32);
    }
}

pub fn case() -> Case {
    case_of_words(&CRC_CATALOGUE, program::run)
}
