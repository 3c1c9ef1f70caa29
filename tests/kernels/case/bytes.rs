//! Values as the bytes that a device sees.

use kernel_core::Element;
use std::mem::MaybeUninit;
use std::ptr;

/// The bytes of elements, with zeros for padding.
pub(super) fn of<T: Element>(elements: &[T]) -> Vec<u8> {
    let mut bytes = vec![0; size_of_val(elements)];
    for (element, bytes) in elements.iter().zip(bytes.chunks_exact_mut(size_of::<T>())) {
        let from = ptr::from_ref(element).cast::<u8>();
        T::TYPE.for_each_scalar(&mut |scalar, offset| {
            let to = bytes[offset..].as_mut_ptr();
            // SAFETY: the element has a scalar of this size at this offset, so that its bytes are initialised; there is room for
            // it, since the layout of the type is that of its description.
            unsafe { ptr::copy_nonoverlapping(from.add(offset), to, scalar.size()) };
        });
    }
    bytes
}

/// The elements that these bytes are.
pub(super) fn elements<T: Element>(bytes: &[u8]) -> Vec<T> {
    let element = |bytes: &[u8]| {
        // SAFETY: all of the bytes are initialised, and there are as many as an element has.
        assert!(unsafe {
            T::TYPE.is_valid(std::slice::from_raw_parts(
                bytes.as_ptr().cast::<MaybeUninit<u8>>(),
                size_of::<T>(),
            ))
        });
        // SAFETY: as many bytes as an element has can be read, and they are one.
        unsafe { ptr::read_unaligned(bytes.as_ptr().cast::<T>()) }
    };
    bytes.chunks_exact(size_of::<T>()).map(element).collect()
}
