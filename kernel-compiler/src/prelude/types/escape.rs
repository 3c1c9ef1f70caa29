// What stands for a character in quotes: nothing if that is the character itself.

struct Escape {
    bytes: [u8; 10],
    len: usize,
}

impl Escape {
    fn of(code: u32, quote: u32) -> Escape {
        let letter = match code {
            0 => 48,
            9 => 116,
            10 => 110,
            13 => 114,
            92 => 92,
            _ if code == quote => code as u8,
            _ => 0,
        };
        let mut bytes = [0u8; 10];
        bytes[0] = 92;
        if letter > 0 {
            bytes[1] = letter;
            return Escape { bytes, len: 2 };
        }
        if code >= 32 && code < 127 || code > 127 && !std::char::Escaped::has(code) {
            return Escape { bytes, len: 0 };
        }
        bytes[1] = 117;
        bytes[2] = 123;
        let digits = (35 - (code | 1).leading_zeros()) / 4;
        for at in 0..digits {
            let digit = (code >> (4 * (digits - 1 - at)) & 15) as u8;
            bytes[3 + at as usize] = if digit < 10 { 48 + digit } else { 87 + digit };
        }
        bytes[3 + digits as usize] = 125;
        Escape { bytes, len: 4 + digits as usize }
    }

    fn text(&self) -> &str {
        str { bytes: &self.bytes[..self.len] }
    }
}
