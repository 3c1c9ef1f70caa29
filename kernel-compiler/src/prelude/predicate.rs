// What the methods of text ask of a closure that says which characters it looks for.

fn __size<F: Fn(char) -> bool>(this: F) -> usize {
    1
}

fn __find<F: Fn(char) -> bool>(this: F, bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|byte| this(*byte as char))
}

fn __find_last<F: Fn(char) -> bool>(this: F, bytes: &[u8]) -> Option<usize> {
    bytes.iter().rposition(|byte| this(*byte as char))
}

fn __is_in<F: Fn(char) -> bool>(this: F, bytes: &[u8]) -> bool {
    bytes.iter().any(|byte| this(*byte as char))
}

fn __starts<F: Fn(char) -> bool>(this: F, bytes: &[u8]) -> bool {
    bytes.len() > 0 && this(bytes[0] as char)
}

fn __ends<F: Fn(char) -> bool>(this: F, bytes: &[u8]) -> bool {
    bytes.len() > 0 && this(bytes[bytes.len() - 1] as char)
}
