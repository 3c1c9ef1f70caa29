//! Variables that hold one constant, in kernels that are lowered several times because variables hold references.

use crate::source::lowered;

/// Whether text is looked for a separator that may take more than a byte.
fn asks_how_long_the_separator_is(parts: &str) -> bool {
    let source = format!(
        "fn parts(x: &[u32], y: &mut [usize]) {{
            let i = global_id(0);
            let text = if x[i] > 3 {{ \"1.2.3\" }} else {{ \"4.5\" }};
            {parts}
        }}"
    );
    // The first of three bytes is made of this.
    lowered(&source, None).to_string().contains("224_u8")
}

#[test]
fn what_is_stored_once_is_known_wherever_it_is_read() {
    assert!(!asks_how_long_the_separator_is(
        "let mut parts = text.split('.');
        parts.next();
        y[i] = parts.next().map_or(0, |part| part.len());"
    ));
    assert!(!asks_how_long_the_separator_is(
        "let mut separator = '.';
        if x[i] == 7 {
            separator = '.';
        }
        y[i] = text.split(separator).count();"
    ));
}

#[test]
fn what_is_stored_later_counts_too() {
    assert!(asks_how_long_the_separator_is(
        "let mut separator = '.';
        if x[i] == 7 {
            separator = '\u{e9}';
        }
        y[i] = text.split(separator).count();"
    ));
    assert!(asks_how_long_the_separator_is(
        "let (mut separator, mut rest, mut count) = ('.', text, 0);
        while let Some((_, tail)) = rest.split_once(separator) {
            count += 1;
            rest = tail;
            separator = ',';
            if count > 1 {
                separator = '\u{e9}';
            }
        }
        y[i] = count;"
    ));
    // The first pass knows of one store; that it leads to another one shows in the second.
    assert!(asks_how_long_the_separator_is(
        "let mut separator = '.';
        let mut rest = text;
        loop {
            let Some((part, tail)) = rest.split_once(separator) else { break };
            rest = tail;
            if part.len() > 2 {
                separator = '\u{e9}';
            }
        }
        y[i] = rest.len();"
    ));
}
