// `std::hash::Hasher`: what it provides besides `write` and `finish`.

trait Hasher {
    fn finish(&self) -> u64;
    fn write(&mut self, bytes: &[u8]);

    fn write_u8(&mut self, value: u8) {
        self.write(&value.to_ne_bytes());
    }

    fn write_u16(&mut self, value: u16) {
        self.write(&value.to_ne_bytes());
    }

    fn write_u32(&mut self, value: u32) {
        self.write(&value.to_ne_bytes());
    }

    fn write_u64(&mut self, value: u64) {
        self.write(&value.to_ne_bytes());
    }

    fn write_usize(&mut self, value: usize) {
        self.write(&value.to_ne_bytes());
    }

    fn write_i8(&mut self, value: i8) {
        self.write_u8(value as u8);
    }

    fn write_i16(&mut self, value: i16) {
        self.write_u16(value as u16);
    }

    fn write_i32(&mut self, value: i32) {
        self.write_u32(value as u32);
    }

    fn write_i64(&mut self, value: i64) {
        self.write_u64(value as u64);
    }

    fn write_isize(&mut self, value: isize) {
        self.write_usize(value as usize);
    }
}
