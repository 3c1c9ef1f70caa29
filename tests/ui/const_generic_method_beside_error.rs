use kernel_runtime::prelude::*;

// What rustc is asked to judge when there is an error leaves out methods with generic numbers, which cannot stand by themselves.
#[device]
mod program {
    pub struct Bytes<'a>(pub &'a [u8]);

    impl<'a> Bytes<'a> {
        fn array<const N: usize>(&self) -> Option<[u8; N]> {
            self.0.get(..N)?.try_into().ok()
        }

        pub fn skipped(&self) -> Option<()> {
            self.array::<4>().map(core::mem::forget)
        }
    }
}

#[kernel]
fn reads(bytes: &[u8], y: &mut [u32]) {
    let i = global_id(0);
    y[i] = program::Bytes(bytes).skipped().is_some() as u32;
}

fn main() {}
