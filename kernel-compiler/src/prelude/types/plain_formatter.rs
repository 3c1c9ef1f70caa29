// A `std::fmt::Formatter` of which a format string asks nothing, as `{}` does: it has no code for what others pad and align.

struct PlainFormatter<'a, W> {
    out: &'a mut W,
}

impl<'a, W: std::fmt::Write> PlainFormatter<'a, W> {
    fn width(&self) -> Option<usize> {
        None
    }

    fn precision(&self) -> Option<usize> {
        None
    }

    fn fill(&self) -> char {
        char { code: 32 }
    }

    fn alternate(&self) -> bool {
        false
    }

    fn sign_plus(&self) -> bool {
        false
    }

    fn sign_aware_zero_pad(&self) -> bool {
        false
    }

    fn pad(&mut self, text: &str) -> Result<(), std::fmt::Error> {
        self.out.write_str(text)
    }

    fn pad_integral(&mut self, is_nonnegative: bool, prefix: &str, digits: &str) -> Result<(), std::fmt::Error> {
        if !is_nonnegative {
            self.out.write_char(char { code: 45 })?;
        }
        self.out.write_str(digits)
    }

    // At least so many digits behind the point.
    fn __float<const N: usize, const D: usize>(&mut self, number: std::fmt::Float, least: usize) -> Result<(), std::fmt::Error> {
        self.__number::<N, D>(number, least, false)
    }

    // By a power of ten if it is far from 1, where that may be.
    fn __number<const N: usize, const D: usize>(
        &mut self,
        number: std::fmt::Float,
        least: usize,
        may_be_scientific: bool,
    ) -> Result<(), std::fmt::Error> {
        if number.is_nan {
            return self.out.write_str("NaN");
        }
        if number.is_negative {
            self.out.write_str("-")?;
        }
        if number.is_infinite {
            return self.out.write_str("inf");
        }
        let mut decimal = std::fmt::Decimal { digits: [48u8; 17], len: 0, point: 0 };
        decimal.set_shortest::<N>(number.mantissa, number.exponent, number.is_power);
        if may_be_scientific && decimal.is_far() {
            return decimal.write_scientific(self.out);
        }
        decimal.write(least, self.out)
    }

    fn debug_struct(&mut self, name: &str) -> std::fmt::DebugStruct<Self> {
        let is_ok = self.write_str(name).is_ok();
        std::fmt::DebugStruct { f: self, is_ok, has_fields: false }
    }

    fn debug_tuple(&mut self, name: &str) -> std::fmt::DebugTuple<Self> {
        let is_ok = self.write_str(name).is_ok();
        std::fmt::DebugTuple { f: self, is_ok, fields: 0, has_name: name.bytes.len() > 0 }
    }

    fn debug_list(&mut self) -> std::fmt::DebugList<Self> {
        let is_ok = self.write_str("[").is_ok();
        std::fmt::DebugList { f: self, is_ok, has_fields: false, end: "]" }
    }

    fn debug_set(&mut self) -> std::fmt::DebugList<Self> {
        let is_ok = self.write_str("{").is_ok();
        std::fmt::DebugList { f: self, is_ok, has_fields: false, end: "}" }
    }

    fn __char(&mut self, character: char) -> Result<(), std::fmt::Error> {
        self.out.write_char(character)
    }
}

impl<'a, W: std::fmt::Write> std::fmt::Write for PlainFormatter<'a, W> {
    fn write_str(&mut self, text: &str) -> Result<(), std::fmt::Error> {
        self.out.write_str(text)
    }

    fn write_char(&mut self, character: char) -> Result<(), std::fmt::Error> {
        self.out.write_char(character)
    }

    fn __write_plain(&mut self) -> std::fmt::PlainFormatter<W> {
        std::fmt::PlainFormatter { out: &mut *self.out }
    }

    fn __write_formatter(
        &mut self,
        fill: char,
        align: u8,
        width: Option<usize>,
        precision: Option<usize>,
        flags: [bool; 3],
    ) -> std::fmt::Formatter<W> {
        let [is_plus, is_alternate, is_zero] = flags;
        std::fmt::Formatter { out: &mut *self.out, fill, align, width, precision, is_plus, is_alternate, is_zero }
    }
}
