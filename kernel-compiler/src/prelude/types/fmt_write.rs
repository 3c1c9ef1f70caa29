// `std::fmt::Write`: what it provides besides `write_str`.

trait Write {
    fn write_str(&mut self, text: &str) -> Result<(), std::fmt::Error>;

    fn write_char(&mut self, character: char) -> Result<(), std::fmt::Error> {
        let mut bytes = [0u8; 4];
        self.write_str(character.encode_utf8(&mut bytes))
    }

    fn __write_text(&mut self, text: &str) -> Result<(), std::fmt::Error> {
        self.write_str(text)
    }

    fn __write_plain(&mut self) -> std::fmt::PlainFormatter<Self> {
        std::fmt::PlainFormatter { out: self }
    }

    fn __write_formatter(
        &mut self,
        fill: char,
        align: u8,
        width: Option<usize>,
        precision: Option<usize>,
        flags: [bool; 3],
    ) -> std::fmt::Formatter<Self> {
        let [is_plus, is_alternate, is_zero] = flags;
        std::fmt::Formatter { out: self, fill, align, width, precision, is_plus, is_alternate, is_zero }
    }
}
