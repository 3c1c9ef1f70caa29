// `std::fmt::Octal`.

trait Octal {
    fn fmt<F>(&self, f: &mut F) -> Result<(), std::fmt::Error>;
}

macro_rules! integers {
    ($($name:ident $bits:ident)*) => {
        $(impl Octal for $name {
            fn fmt<F>(&self, f: &mut F) -> Result<(), std::fmt::Error> {
                f.pad_integral(true, "0o", std::fmt::Digits::of(*self as $bits as u64, 8, 97).text())
            }
        })*
    };
}

integers!(u8 u8 u16 u16 u32 u32 u64 u64 usize usize i8 u8 i16 u16 i32 u32 i64 u64 isize usize);
