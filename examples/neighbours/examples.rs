//! Runs the examples, which check their results themselves.

use kernel_runtime::Result;

macro_rules! examples {
    ($($name:ident)*) => {$(
        mod $name;

        #[test]
        fn $name() -> Result<()> {
            $name::main()
        }
    )*};
}

examples! {
    complex_numbers
    half_precision
    matrices_of_ndarray
    pictures_of_image
    plain_old_data
    vectors_of_glam
}
