// What the methods of text ask of a closure that says which characters it looks for: where the first or the last match is, and where one ends or starts that is at the beginning or at the end.

fn __find<F: Fn(char) -> bool>(this: F, bytes: &[u8]) -> Option<(usize, usize)> {
    let mut at = 0;
    while at < bytes.len() {
        let next = char::__at(bytes, at);
        let end = at + next.len_utf8();
        if this(next) {
            return Some((at, end));
        }
        at = end;
    }
    None
}

fn __find_last<F: Fn(char) -> bool>(this: F, bytes: &[u8]) -> Option<(usize, usize)> {
    let mut end = bytes.len();
    while end > 0 {
        let at = char::__start(bytes, end);
        if this(char::__at(bytes, at)) {
            return Some((at, end));
        }
        end = at;
    }
    None
}

fn __starts<F: Fn(char) -> bool>(this: F, bytes: &[u8]) -> Option<usize> {
    if bytes.len() == 0 {
        return None;
    }
    let first = char::__at(bytes, 0);
    if this(first) { Some(first.len_utf8()) } else { None }
}

fn __ends<F: Fn(char) -> bool>(this: F, bytes: &[u8]) -> Option<usize> {
    if bytes.len() == 0 {
        return None;
    }
    let at = char::__start(bytes, bytes.len());
    if this(char::__at(bytes, at)) { Some(at) } else { None }
}
