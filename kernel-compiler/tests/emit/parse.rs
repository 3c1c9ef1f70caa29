//! Texts of modules: those that are right, those that are wrong, and those that are made of right ones at random.

use crate::round_trip;
use kernel_compiler::ir::{Module, ParseError};

/// All that the textual form has.
const TEXTS: [(&str, &str); 4] = [
    ("arithmetic", include_str!("texts/arithmetic.ir")),
    ("memory", include_str!("texts/memory.ir")),
    ("images", include_str!("texts/images.ir")),
    ("exported", include_str!("texts/exported.ir")),
];

#[test]
fn texts_are_written_as_they_are_read() {
    for (name, text) in TEXTS {
        let module: Module = text.parse().unwrap_or_else(|error| panic!("{name}:{error}"));
        assert_eq!(module.verify(), Ok(()), "{name}");
        assert_eq!(format!("{module}\n"), text);
        round_trip::check(&module);
    }
}

#[test]
fn types_need_not_be_listed_nor_constants_numbered() {
    let short = "kernel k(%x: &mut [u32]) { %0: usize = query global_id 0 // the element\n store %x[%0] = 1_u32 return }";
    let expected = "\
types u32, &mut [u32], usize
kernel k(%x: &mut [u32]) {
    %0: usize = query global_id 0
    store %x[%0] = 1_u32
    return
}";
    let module = Module::parse(short).expect("it is the text of a module");
    assert_eq!(module.to_string(), expected);
    assert_eq!(module.verify(), Ok(()));
}

/// Checks what is said of a text in a kernel without parameters.
#[track_caller]
fn refuse(statements: &str, line: u32, column: u32, expected: &str, found: &str) {
    refuse_text(&format!("kernel k() {{\n{statements}\n}}"), line + 1, column, expected, found);
}

#[track_caller]
fn refuse_text(text: &str, line: u32, column: u32, expected: &str, found: &str) {
    let error = Module::parse(text).expect_err("something is wrong with the text");
    let (expected, found) = (expected.to_owned(), found.to_owned());
    assert_eq!(error, ParseError { line, column, expected, found }, "{text}");
}

#[test]
fn errors_say_where_they_are_and_what_would_be_right() {
    refuse_text("", 1, 1, "`kernel`", "the end of the text");
    refuse_text("kernel k(é)", 1, 10, "a word, a number, a string or a symbol", "'é'");
    refuse_text("kernel k() {\n  return\n} more", 3, 3, "the end of the text", "`more`");
    refuse_text("kernel k(%x: u32, %x: u32) {}", 1, 19, "a name of its own", "`%x`");
    refuse_text("types f32, u32, f32\nkernel k() {}", 1, 17, "a type that is not listed yet", "`f32`");
    refuse_text("kernel k(x: Other) {}", 1, 13, "a type, or a struct that is listed", "`Other`");
    refuse_text("struct A align 3 { a: f32 }", 1, 16, "a power of two, at most 128", "`3`");
    refuse_text("struct A align 256 { a: f32 }", 1, 16, "a power of two, at most 128", "`256`");
    refuse_text("struct A { }\nstruct A { }", 2, 8, "the name of a struct that is not listed yet", "`A`");
    refuse_text("kernel \"k", 1, 8, "a string that ends", "'\"'");
    refuse_text(r#"kernel "a\q" () {}"#, 1, 10, "an escape of Rust", r"'\\'");
    refuse_text("export f() -> $0 {}", 1, 15, "`$` and the number of one that is declared", "`$0`");
    refuse_text("kernel k() -> $0 {}", 1, 12, "`{`", "`->`");
    refuse("stor $0 = %0", 1, 1, "a statement or `}`", "`stor`");
    refuse("store $0 = 1_u32", 1, 7, "`$` and the number of one that is declared", "`$0`");
    refuse("%0: u32 = load %x", 1, 16, "the name of a parameter with a value", "`%x`");
    refuse("%0: u32 = 1_u32 + %1", 1, 19, "a value `%1` in the text", "none");
    refuse("%2: u32 = 1_u32 + 2_u32\n%7: u32 = %2 + 2_u32", 2, 1, "`%4`", "`%7`");
    refuse("%0: u32 = 1_u32\n%0: u32 = 1_u32", 2, 1, "a value that has not been defined", "`%0`");
    refuse("%0: u32 = 1_u32%1 + 2_u32%1", 1, 21, "what has this number elsewhere too", "`2_u32%1`");
    refuse("%0: u32 = 1_i32", 1, 11, "a constant of the type of the value", "`1_i32`");
    refuse("%0: u8 = 256_u8", 1, 10, "a value", "`256_u8`");
    refuse("%0: f32 = math sqart(1.0_f32)", 1, 16, "a function of OpenCL.std", "`sqart`");
    refuse("%0: f32x5 = zeroed", 1, 5, "a scalar or a vector of 2, 3, 4, 8 or 16 lanes", "`f32x5`");
    refuse("%0: f32 = select(true, 1.0_f32)", 1, 31, "3 values in parentheses", "`)`");
    refuse("barrier of device (texture)", 1, 20, "one of `local`, `global`, `image`", "`texture`");
    refuse("loop 'l0 { break 'l0 return } continuing {}", 1, 22, "`}`", "`return`");
    refuse("%99999999999: u32 = zeroed", 1, 1, "a number below 2^32", "99999999999");
    refuse("%0: u32 = call f()", 1, 16, "the name of an import or its position", "`f`");
    let error = Module::parse("kernel k(").expect_err("it ends early");
    assert_eq!(error.to_string(), "1:10: expected a name, found the end of the text");
}

#[test]
fn what_is_too_deep_or_too_large_is_refused() {
    let deep = |open: &str, count: usize| open.repeat(count);
    let too_deep = "no more than 200 levels";
    for text in [
        format!("kernel k() {{ {}", deep("if true { ", 100_000)),
        format!("kernel k() {{ {}", deep("loop 'l0 { ", 100_000)),
        format!("kernel k(x: {}", deep("[", 100_000)),
        format!("kernel k(x: {}", deep("&", 100_000)),
        format!("kernel k() {{ format ?0 stdout \"\"({}", deep("(", 100_000)),
        format!("kernel k() {{ format ?0 stdout \"\"({}", deep("struct S(a: ", 100_000)),
    ] {
        assert_eq!(Module::parse(&text).expect_err("it is too deep").expected, too_deep);
    }
    let doubled: String = (1..100).map(|i| format!("struct A{i} {{ a: A{0}, b: A{0} }} ", i - 1)).collect();
    let chained: String = (1..9999).map(|i| format!("struct A{i} {{ a: A{} }} ", i - 1)).collect();
    let too_large = "only types above that do not contain themselves and are not too large";
    for types in [
        "struct A { a: A }".to_owned(),
        "struct A { b: [B; 2] } struct B { a: A }".to_owned(),
        format!("struct A0 {{ a: f32 }} {doubled}"),
        format!("struct A0 {{ a: f32 }} {chained}"),
        "types [[[f32; 4294967295]; 4294967295]; 4294967295]".to_owned(),
    ] {
        let error = Module::parse(&format!("{types} kernel k() {{}}")).expect_err("there are such types");
        assert_eq!(error.expected, too_large);
    }
    let linked = "struct A { b: *mut B } struct B { a: *const A } kernel k() {}";
    assert_eq!(Module::parse(linked).map(|module| module.verify()), Ok(Ok(())));
}

#[test]
fn what_is_as_deep_as_may_be_is_read() {
    let text = format!("kernel k() {{ {}{} }}", "if true { ".repeat(200), "}".repeat(200));
    round_trip::check_emitted(&Module::parse(&text).expect("it is deep enough"));
}

/// Numbers that look random, always the same.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }
}

/// The words, numbers and symbols of a text, with what is between them.
fn pieces(text: &str) -> Vec<&str> {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let len = match rest.find(|letter| !is_word(letter)) {
            Some(0) => first.len_utf8(),
            Some(end) => end,
            None => rest.len(),
        };
        let (piece, after) = rest.split_at(len);
        pieces.push(piece);
        rest = after;
    }
    pieces
}

/// What a text can have in a place where it has something else.
const STRANGE: [&str; 16] = [
    "4294967295",
    "%4294967295",
    "-1",
    "zero",
    "%0",
    "!0",
    "$1",
    "{",
    ")",
    "\"",
    "//",
    "0x7f_f32",
    "u64",
    "'l1",
    "loose",
    "🦀",
];

/// What one piece may be replaced by: another one that starts as it does.
fn alike<'t>(pieces: &[&'t str], at: usize, random: &mut Random) -> &'t str {
    let kind = |piece: &str| piece.chars().next().map(|first| (first.is_numeric(), first.is_alphabetic()));
    let alike: Vec<_> = pieces.iter().filter(|piece| kind(piece) == kind(pieces[at])).collect();
    alike[random.below(alike.len())]
}

/// Changes a text in one or two places.
fn change(text: &str, random: &mut Random) -> String {
    let mut pieces = pieces(text);
    for _ in 0..=random.below(2) {
        let at = random.below(pieces.len());
        let other = random.below(pieces.len());
        match random.below(10) {
            0 => drop(pieces.remove(at)),
            1 => pieces.insert(at, pieces[at]),
            2 => pieces.swap(at, other),
            3 => pieces[at] = STRANGE[random.below(STRANGE.len())],
            4 => pieces.insert(at, STRANGE[random.below(STRANGE.len())]),
            5 if other > at => pieces.truncate(other),
            _ => pieces[at] = alike(&pieces, at, random),
        }
    }
    pieces.concat()
}

#[test]
fn changed_texts_are_refused_or_read() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut refused, mut broken, mut whole) = (0, 0, 0);
    for (_, text) in TEXTS {
        for _ in 0..1000 {
            let changed = change(text, &mut random);
            match Module::parse(&changed) {
                Err(_) => refused += 1,
                Ok(module) => {
                    let again = Module::parse(&module.to_string());
                    assert!(again.as_ref() == Ok(&module), "{changed}\n{again:?}");
                    match module.verify() {
                        Ok(()) => whole += 1,
                        Err(_) => broken += 1,
                    }
                }
            }
        }
    }
    assert!(refused > 1000 && broken > 20 && whole > 200, "{refused} {broken} {whole}");
}
