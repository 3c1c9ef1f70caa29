// `std::fmt::Write`: what it provides besides `write_str`.

trait Write {
    fn write_str(&mut self, text: &str) -> Result<(), std::fmt::Error>;

    fn write_char(&mut self, character: char) -> Result<(), std::fmt::Error> {
        if character.code >= 128 {
            panic!("the text of device code is ASCII");
        }
        let bytes = [character.code as u8];
        self.write_str(str { bytes: &bytes })
    }
}
