// What `Debug` of slices and arrays writes.

fn debug_elements<T, F>(this: &[T], f: &mut F) -> Result<(), std::fmt::Error> {
    f.write_str("[")?;
    let mut is_first = true;
    for element in this {
        if !is_first {
            f.write_str(", ")?;
        }
        is_first = false;
        std::fmt::Debug::fmt(element, f)?;
    }
    f.write_str("]")
}
