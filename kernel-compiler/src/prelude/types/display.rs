// `std::fmt::Display`.

trait Display {
    fn fmt<F>(&self, f: &mut F) -> Result<(), std::fmt::Error>;
}

macro_rules! unsigned {
    ($($name:ident)*) => {
        $(impl Display for $name {
            fn fmt<F>(&self, f: &mut F) -> Result<(), std::fmt::Error> {
                f.pad_integral(true, "", std::fmt::Digits::of(*self as u64, 10, 97).text())
            }
        })*
    };
}

macro_rules! signed {
    ($($name:ident)*) => {
        $(impl Display for $name {
            fn fmt<F>(&self, f: &mut F) -> Result<(), std::fmt::Error> {
                f.pad_integral(*self >= 0, "", std::fmt::Digits::of((*self as i64).unsigned_abs(), 10, 97).text())
            }
        })*
    };
}

unsigned!(u8 u16 u32 u64 usize);
signed!(i8 i16 i32 i64 isize);

impl Display for f32 {
    fn fmt<F>(&self, f: &mut F) -> Result<(), std::fmt::Error> {
        f.__float::<9, 136>(std::fmt::Float::of(self.to_bits() as u64, 32, 23), 0)
    }
}

impl Display for f64 {
    fn fmt<F>(&self, f: &mut F) -> Result<(), std::fmt::Error> {
        f.__float::<38, 832>(std::fmt::Float::of(self.to_bits(), 64, 52), 0)
    }
}

impl Display for bool {
    fn fmt<F>(&self, f: &mut F) -> Result<(), std::fmt::Error> {
        f.pad(if *self { "true" } else { "false" })
    }
}

impl Display for char {
    fn fmt<F>(&self, f: &mut F) -> Result<(), std::fmt::Error> {
        f.__char(*self)
    }
}

impl<'a> Display for str<'a> {
    fn fmt<F>(&self, f: &mut F) -> Result<(), std::fmt::Error> {
        f.pad(*self)
    }
}
