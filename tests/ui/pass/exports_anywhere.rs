//! Exported functions in all places where a function can be, with names and bodies of all kinds, each linked and run.
#![deny(warnings, missing_docs)]

use kernel_runtime::prelude::*;
use kernel_runtime::{ExportDescriptor, Library};

macro_rules! exported {
    ($name:ident, $symbol:literal, $by:expr) => {
        /// Made by a macro.
        #[device(export = $symbol)]
        pub fn $name(x: u32) -> u32 {
            x.wrapping_mul($by)
        }
    };
}

exported!(tripled, "tripled", 3);

/// A keyword.
#[device(export = "keyword")]
pub fn r#move(x: u32) -> u32 {
    x ^ 1
}

/// Of a crate's own.
#[device(export = "own")]
pub(crate) const fn own(x: u32) -> u32 {
    x / 2
}

/// Calls another export, and names that its parameters shadow.
#[device(export = "shadows")]
pub fn shadows(result: u32) -> u32 {
    let tripled = tripled(result);
    let result = own(tripled);
    if result > 100 {
        return result - 100;
    }
    result
}

mod nested {
    pub mod deeper {
        use kernel_runtime::prelude::*;

        /// Private to its parent.
        #[device(export = "deep", fp = "fast", float_atomics = "exchange")]
        pub(in crate::nested) fn deep(x: u32) -> u32 {
            (x as f32 * 0.5) as u32
        }
    }

    /// The descriptor is as visible as the function.
    pub static DEEP: &kernel_runtime::ExportDescriptor = &deeper::DEEP;
}

mod importer {
    use kernel_runtime::prelude::*;

    macro_rules! import {
        ($($name:ident $symbol:literal)*) => {
            $(
                #[device(import = $symbol)]
                unsafe fn $name(x: u32) -> u32 {
                    x
                }
            )*
        };
    }

    import!(tripled "tripled" keyword "keyword" own "own" shadows "shadows" deep "deep" inner "inner");

    /// Calls all of them.
    #[kernel(unsafe(races(y)))]
    pub fn all(x: u32, y: &mut [u32; 6]) {
        // SAFETY: they take any number.
        *y = unsafe { [tripled(x), keyword(x), own(x), shadows(x), deep(x), inner(x)] };
    }
}

fn main() -> Result<()> {
    #[device(export = "inner")]
    fn inner(x: u32) -> u32 {
        x.rotate_left(4)
    }

    let all: [&ExportDescriptor; 6] = [&TRIPLED, &MOVE, &OWN, &SHADOWS, nested::DEEP, &INNER];
    assert_eq!(
        all.map(|export| export.name),
        ["tripled", "keyword", "own", "shadows", "deep", "inner"]
    );
    // SAFETY: these are the functions above.
    let library = unsafe { Library::new(&all.map(|export| export.spirv.bytes())) }?;
    let queue = Device::best()?.queue()?;
    for x in [0_u32, 7, 80, 1000, u32::MAX] {
        let mut y = queue.upload(&[[0_u32; 6]])?;
        importer::all(x, &mut y).linked(&library).launch(&queue, 1)?;
        let expected = [tripled(x), r#move(x), own(x), shadows(x), (x as f32 * 0.5) as u32, inner(x)];
        assert_eq!(queue.download(&y)?, [expected]);
    }
    Ok(())
}
