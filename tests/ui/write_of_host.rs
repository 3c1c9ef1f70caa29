use kernel_runtime::prelude::*;

#[device]
mod texts {
    use core::fmt::{self, Write};

    #[derive(Clone, Copy, Debug)]
    pub struct Point(u32);

    #[derive(Default)]
    pub struct Sum(pub u32);

    impl Write for Sum {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0 += text.len() as u32;
            Ok(())
        }
    }

    /// It formats by itself.
    #[derive(Default)]
    pub struct Count(pub u32);

    impl Write for Count {
        fn write_str(&mut self, _text: &str) -> fmt::Result {
            Ok(())
        }

        fn write_fmt(&mut self, _arguments: fmt::Arguments<'_>) -> fmt::Result {
            self.0 += 1;
            Ok(())
        }
    }

    pub fn spread(out: &mut Sum, point: Point) -> fmt::Result {
        write!(out, "{} {point:#?}", 1)
    }

    pub fn exponent(out: &mut Sum, x: u32) -> fmt::Result {
        write!(out, "{x:e}")
    }

    pub fn counted(out: &mut Count, x: u32) -> fmt::Result {
        write!(out, "{x}")
    }

    pub fn kept(out: &mut Sum, x: u32) -> fmt::Result {
        let _ = format_args!("{x}");
        out.write_str("x")
    }
}

#[kernel]
fn run(y: &mut [u32]) {
    let out = texts::Sum::default();
    let mut count = texts::Count::default();
    let _ = texts::counted(&mut count, 1);
    y[0] = out.0 + count.0;
}

fn main() {}
