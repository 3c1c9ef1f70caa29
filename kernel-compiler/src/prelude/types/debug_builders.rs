// What `debug_struct` of a `std::fmt::Formatter` and its kin make.

struct DebugStruct<'a, F> {
    f: &'a mut F,
    is_ok: bool,
    has_fields: bool,
}

impl<'a, F> DebugStruct<'a, F> {
    fn field<T>(&mut self, name: &str, value: T) -> &mut DebugStruct<'a, F> {
        let before = if self.has_fields { ", " } else { " { " };
        self.is_ok = self.is_ok
            && self.f.write_str(before).is_ok()
            && self.f.write_str(name).is_ok()
            && self.f.write_str(": ").is_ok()
            && std::fmt::Debug::fmt(&value, self.f).is_ok();
        self.has_fields = true;
        self
    }

    fn finish(&mut self) -> Result<(), std::fmt::Error> {
        if self.has_fields {
            self.is_ok = self.is_ok && self.f.write_str(" }").is_ok();
        }
        if self.is_ok { Ok(()) } else { Err(std::fmt::Error) }
    }

    fn finish_non_exhaustive(&mut self) -> Result<(), std::fmt::Error> {
        let end = if self.has_fields { ", .. }" } else { " { .. }" };
        self.is_ok = self.is_ok && self.f.write_str(end).is_ok();
        if self.is_ok { Ok(()) } else { Err(std::fmt::Error) }
    }
}

struct DebugTuple<'a, F> {
    f: &'a mut F,
    is_ok: bool,
    fields: usize,
    has_name: bool,
}

impl<'a, F> DebugTuple<'a, F> {
    fn field<T>(&mut self, value: T) -> &mut DebugTuple<'a, F> {
        let before = if self.fields > 0 { ", " } else { "(" };
        self.is_ok = self.is_ok && self.f.write_str(before).is_ok() && std::fmt::Debug::fmt(&value, self.f).is_ok();
        self.fields += 1;
        self
    }

    fn finish(&mut self) -> Result<(), std::fmt::Error> {
        if self.fields > 0 {
            if self.fields == 1 && !self.has_name {
                self.is_ok = self.is_ok && self.f.write_str(",").is_ok();
            }
            self.is_ok = self.is_ok && self.f.write_str(")").is_ok();
        }
        if self.is_ok { Ok(()) } else { Err(std::fmt::Error) }
    }
}

struct DebugList<'a, F> {
    f: &'a mut F,
    is_ok: bool,
    has_fields: bool,
    end: &'a str,
}

impl<'a, F> DebugList<'a, F> {
    fn entry<T>(&mut self, value: T) -> &mut DebugList<'a, F> {
        if self.has_fields {
            self.is_ok = self.is_ok && self.f.write_str(", ").is_ok();
        }
        self.is_ok = self.is_ok && std::fmt::Debug::fmt(&value, self.f).is_ok();
        self.has_fields = true;
        self
    }

    fn entries<T, I: IntoIterator<Item = T>>(&mut self, values: I) -> &mut DebugList<'a, F> {
        for value in values {
            self.entry(value);
        }
        self
    }

    fn finish(&mut self) -> Result<(), std::fmt::Error> {
        self.is_ok = self.is_ok && self.f.write_str(self.end).is_ok();
        if self.is_ok { Ok(()) } else { Err(std::fmt::Error) }
    }
}
