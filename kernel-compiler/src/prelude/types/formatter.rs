// `std::fmt::Formatter`, of what it writes to. The alignment is a number: none, left, centre, right.

struct Formatter<'a, W> {
    out: &'a mut W,
    fill: char,
    align: u8,
    width: Option<usize>,
    precision: Option<usize>,
    is_plus: bool,
    is_alternate: bool,
    is_zero: bool,
}

impl<'a, W: std::fmt::Write> Formatter<'a, W> {
    fn width(&self) -> Option<usize> {
        self.width
    }

    fn precision(&self) -> Option<usize> {
        self.precision
    }

    fn fill(&self) -> char {
        self.fill
    }

    fn alternate(&self) -> bool {
        self.is_alternate
    }

    fn sign_plus(&self) -> bool {
        self.is_plus
    }

    fn sign_aware_zero_pad(&self) -> bool {
        self.is_zero
    }

    fn pad(&mut self, text: &str) -> Result<(), std::fmt::Error> {
        let shown = match self.precision {
            Some(most) => {
                let (mut left, mut taken) = (text.chars(), 0);
                while taken < most && left.next().is_some() {
                    taken += 1;
                }
                str { bytes: &text.bytes[..left.start] }
            }
            None => text,
        };
        let missing = self.__missing(shown.__count());
        let before = self.__before(missing, 1);
        self.__fill(before)?;
        self.out.write_str(shown)?;
        self.__fill(missing - before)
    }

    fn pad_integral(&mut self, is_nonnegative: bool, prefix: &str, digits: &str) -> Result<(), std::fmt::Error> {
        let mut size = digits.bytes.len();
        if !is_nonnegative || self.is_plus {
            size += 1;
        }
        if self.is_alternate {
            size += prefix.__count();
        }
        let missing = self.__missing(size);
        if self.is_zero {
            self.__sign(is_nonnegative, prefix)?;
            for _ in 0..missing {
                self.out.write_char(char { code: 48 })?;
            }
            return self.out.write_str(digits);
        }
        let before = self.__before(missing, 3);
        self.__fill(before)?;
        self.__sign(is_nonnegative, prefix)?;
        self.out.write_str(digits)?;
        self.__fill(missing - before)
    }

    fn __sign(&mut self, is_nonnegative: bool, prefix: &str) -> Result<(), std::fmt::Error> {
        if !is_nonnegative {
            self.out.write_char(char { code: 45 })?;
        } else if self.is_plus {
            self.out.write_char(char { code: 43 })?;
        }
        if self.is_alternate { self.out.write_str(prefix) } else { Ok(()) }
    }

    fn __missing(&self, size: usize) -> usize {
        match self.width {
            Some(width) => width.saturating_sub(size),
            None => 0,
        }
    }

    fn __before(&self, missing: usize, default: u8) -> usize {
        match if self.align == 0 { default } else { self.align } {
            1 => 0,
            2 => missing / 2,
            _ => missing,
        }
    }

    fn __fill(&mut self, count: usize) -> Result<(), std::fmt::Error> {
        for _ in 0..count {
            self.out.write_char(self.fill)?;
        }
        Ok(())
    }

    // At least so many digits behind the point, or as many as the precision says.
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
        let is_number = !number.is_nan && !number.is_infinite;
        let mantissa = if is_number { number.mantissa } else { 0 };
        let mut decimal = std::fmt::Decimal { digits: [48u8; D], len: 0, point: 0 };
        let mut least = least;
        if let Some(places) = self.precision {
            decimal.set_exact::<N>(mantissa, number.exponent, number.is_power, places as i32);
            least = places;
        } else {
            decimal.set_shortest::<N>(mantissa, number.exponent, number.is_power);
        }
        let is_scientific = may_be_scientific && self.precision.is_none() && decimal.is_far();
        let sign = if number.is_nan {
            ""
        } else if number.is_negative {
            "-"
        } else if self.is_plus {
            "+"
        } else {
            ""
        };
        let size = sign.bytes.len()
            + if !is_number {
                3
            } else if is_scientific {
                decimal.scientific_size()
            } else {
                decimal.size(least)
            };
        let missing = self.__missing(size);
        // Zeros come behind the sign.
        let are_zeros = self.is_zero;
        let before = if are_zeros { missing } else { self.__before(missing, 3) };
        if !are_zeros {
            self.__fill(before)?;
        }
        if sign.bytes.len() > 0 || are_zeros && self.width.is_some() {
            self.out.write_str(sign)?;
        }
        if are_zeros {
            for _ in 0..missing {
                self.out.write_char(char { code: 48 })?;
            }
        }
        if number.is_nan {
            self.out.write_str("NaN")?;
        } else if number.is_infinite {
            self.out.write_str("inf")?;
        } else if is_scientific {
            decimal.write_scientific(self.out)?;
        } else {
            decimal.write(least, self.out)?;
        }
        self.__fill(missing - before)
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
        if self.width.is_none() && self.precision.is_none() {
            return self.write_char(character);
        }
        let mut bytes = [0u8; 4];
        self.pad(character.encode_utf8(&mut bytes))
    }
}

impl<'a, W: std::fmt::Write> std::fmt::Write for Formatter<'a, W> {
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
    ) -> Formatter<W> {
        let [is_plus, is_alternate, is_zero] = flags;
        Formatter { out: &mut *self.out, fill, align, width, precision, is_plus, is_alternate, is_zero }
    }
}
