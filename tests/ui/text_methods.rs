use kernel_runtime::prelude::*;

#[kernel]
fn run(y: &mut [u32]) {
    y[0] = 'a'.to_uppercase().count() as u32;
    y[1] = "a b".encode_utf16().count() as u32;
    println!("{}", 'a');
    println!("{}", "text");
}

fn main() {}
