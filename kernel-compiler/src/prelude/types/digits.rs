// The digits of an integer, of which the last ones are used.

struct Digits {
    bytes: [u8; 64],
    start: usize,
}

impl Digits {
    fn of(magnitude: u64, radix: u64, first_letter: u8) -> Digits {
        let mut bytes = [0u8; 64];
        let mut start = 64;
        let mut rest = magnitude;
        loop {
            start -= 1;
            let digit = (rest % radix) as u8;
            bytes[start] = if digit < 10 { 48 + digit } else { first_letter + (digit - 10) };
            rest /= radix;
            if rest == 0 {
                break;
            }
        }
        Digits { bytes, start }
    }

    fn text(&self) -> &str {
        str { bytes: &self.bytes[self.start..] }
    }
}
