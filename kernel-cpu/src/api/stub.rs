//! Functions for the slots of the tables that the driver does not implement.

use level_zero_sys::ze_result_t;

/// A type of pointers to functions that has one that returns `ZE_RESULT_ERROR_UNSUPPORTED_FEATURE`.
pub(super) trait Stub: Sized {
    const STUB: Self;
}

/// The content of a slot that is not implemented.
pub(super) const fn stub<F: Stub>() -> Option<F> {
    Some(F::STUB)
}

macro_rules! stubs {
    ($($function:ident($($argument:ident)*);)*) => {$(
        unsafe extern "C" fn $function<$($argument),*>($(_: $argument),*) -> ze_result_t {
            super::fail(ze_result_t::ZE_RESULT_ERROR_UNSUPPORTED_FEATURE)
        }

        impl<$($argument),*> Stub for unsafe extern "C" fn($($argument),*) -> ze_result_t {
            const STUB: Self = $function;
        }
    )*};
}

stubs! {
    stub1(A);
    stub2(A B);
    stub3(A B C);
    stub4(A B C D);
    stub5(A B C D E);
    stub6(A B C D E F);
    stub7(A B C D E F G);
    stub8(A B C D E F G H);
    stub9(A B C D E F G H I);
    stub10(A B C D E F G H I J);
    stub11(A B C D E F G H I J K);
    stub12(A B C D E F G H I J K L);
}
