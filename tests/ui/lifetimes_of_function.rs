use kernel_runtime::prelude::*;

#[device]
fn named<'a>(text: &'a [u8], at: usize) -> Option<(&'a [u8], usize)> {
    text.utf8_chunks().next().map(|chunk| (chunk.invalid(), at))
}

#[device]
fn left_out(text: &[u8]) -> &[u8] {
    text.utf8_chunks().next().map_or(text, |chunk| chunk.invalid())
}

#[device]
struct Reader<'a> {
    text: &'a [u8],
}

#[device]
impl<'a> Reader<'a> {
    fn first(&self) -> &'a [u8] {
        let text: &'a [u8] = self.text;
        text.utf8_chunks().next().map_or(text, |chunk| chunk.invalid())
    }
}

#[device]
fn unknown<'a>(text: &'a [u8]) -> &'a [u8] {
    let text: &'a [u8] = text.first_of_all();
    text
}

#[kernel]
fn run(text: &[u8], y: &mut [u32]) {
    let (_, at) = named(text, 1).unwrap_or((text, 2));
    y[at] = left_out(unknown(text)).len() as u32;
}

fn main() {}
