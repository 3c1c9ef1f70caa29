// `std::fmt::Debug`; of what consists of others and derives it, the compiler makes it.

trait Debug {
    fn fmt<F>(&self, f: &mut F) -> Result<(), std::fmt::Error>;
}

macro_rules! as_displayed {
    ($($name:ident)*) => {
        $(impl Debug for $name {
            fn fmt<F>(&self, f: &mut F) -> Result<(), std::fmt::Error> {
                Display::fmt(self, f)
            }
        })*
    };
}

as_displayed!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize bool);

impl Debug for f32 {
    fn fmt<F>(&self, f: &mut F) -> Result<(), std::fmt::Error> {
        f.__number::<9, 136>(std::fmt::Float::of(self.to_bits() as u64, 32, 23), 1, true)
    }
}

impl Debug for f64 {
    fn fmt<F>(&self, f: &mut F) -> Result<(), std::fmt::Error> {
        f.__number::<38, 832>(std::fmt::Float::of(self.to_bits(), 64, 52), 1, true)
    }
}

impl Debug for char {
    fn fmt<F>(&self, f: &mut F) -> Result<(), std::fmt::Error> {
        f.write_char(char { code: 39 })?;
        let escape = std::fmt::Escape::of(self.code, 39);
        if escape.len == 0 { f.write_char(*self)? } else { f.write_str(escape.text())? }
        f.write_char(char { code: 39 })
    }
}

// What lies between two characters that are escaped is written at once.
impl<'a> Debug for str<'a> {
    fn fmt<F>(&self, f: &mut F) -> Result<(), std::fmt::Error> {
        f.write_char(char { code: 34 })?;
        let bytes = self.bytes;
        let (mut start, mut at) = (0, 0);
        while at < bytes.len() {
            let character = char::__at(bytes, at);
            let escape = std::fmt::Escape::of(character.code, 34);
            let next = at + character.len_utf8();
            if escape.len > 0 {
                f.write_str(str { bytes: &bytes[start..at] })?;
                f.write_str(escape.text())?;
                start = next;
            }
            at = next;
        }
        f.write_str(str { bytes: &bytes[start..] })?;
        f.write_char(char { code: 34 })
    }
}
