// The digits of an integer of 128 bits, of which the last ones are used.

struct WideDigits {
    bytes: [u8; 128],
    start: usize,
}

impl WideDigits {
    // In base ten: the number is divided by ten, word by word.
    fn decimal(high: u64, low: u64) -> WideDigits {
        let mut words = [(high >> 32) as u32, high as u32, (low >> 32) as u32, low as u32];
        let mut bytes = [0u8; 128];
        let mut start = 128;
        loop {
            let mut rest = 0u64;
            let mut is_done = true;
            for at in 0..4 {
                let value = rest << 32 | words[at] as u64;
                words[at] = (value / 10) as u32;
                rest = value % 10;
                is_done = is_done && words[at] == 0;
            }
            start -= 1;
            bytes[start] = 48 + rest as u8;
            if is_done {
                break;
            }
        }
        WideDigits { bytes, start }
    }

    // So many bits are a digit.
    fn of_bits(mut high: u64, mut low: u64, bits: u32, first_letter: u8) -> WideDigits {
        let mut bytes = [0u8; 128];
        let mut start = 128;
        loop {
            start -= 1;
            let digit = low as u8 & ((1u8 << bits) - 1);
            bytes[start] = if digit < 10 { 48 + digit } else { first_letter + (digit - 10) };
            low = low >> bits | high << (64 - bits);
            high >>= bits;
            if high == 0 && low == 0 {
                break;
            }
        }
        WideDigits { bytes, start }
    }

    fn text(&self) -> &str {
        str { bytes: &self.bytes[self.start..] }
    }
}
