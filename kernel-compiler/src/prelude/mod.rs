//! What the standard library gives `Option` and `Result`, as device code.
//!
//! A kernel needs few of these methods, so each is parsed only when it is asked for. Nothing can be kept between kernels: what a proc macro has parsed
//! is valid while it expands one of them.

/// The methods of the types of the standard library.
const SOURCES: &[&str] = &[include_str!("option.rs"), include_str!("result.rs")];

/// The `impl`s with a method of this name, each with that method alone.
pub(crate) fn impls_with(method: &str) -> Vec<syn::Item> {
    let found = SOURCES.iter().flat_map(|source| blocks(source)).filter_map(|block| {
        let method = methods(block.body).find(|(name, _)| *name == method)?;
        // That the sources are Rust is tested below.
        syn::parse_str(&format!("{} {{ {} }}", block.head, method.1)).ok()
    });
    found.collect()
}

/// An `impl` in a source: what stands before its brace, and what is in it.
struct Block<'s> {
    head: &'s str,
    body: &'s str,
}

/// The `impl`s of a source, which start at the beginning of a line and end with a brace there.
fn blocks(source: &str) -> impl Iterator<Item = Block<'_>> {
    source.split("\n}\n").filter_map(|text| {
        let text = &text[text.find("impl<")?..];
        let (head, body) = text.split_once(" {\n")?;
        Some(Block { head, body })
    })
}

/// The methods of an `impl`, with their names; they are indented by four spaces, and there is an empty line between two of them.
fn methods(body: &str) -> impl Iterator<Item = (&str, &str)> {
    body.split("\n\n").filter_map(|text| {
        let text = text.trim();
        let name = text.strip_prefix("fn ")?;
        let end = name.find(['<', '('])?;
        Some((&name[..end], text))
    })
}

#[cfg(test)]
mod tests {
    use super::{SOURCES, blocks, impls_with, methods};

    #[test]
    fn each_method_of_the_sources_is_found() {
        for source in SOURCES {
            let file: syn::File = syn::parse_str(source).expect("it is Rust");
            let (mut written, mut found) = (Vec::new(), Vec::new());
            for item in &file.items {
                let syn::Item::Impl(item) = item else { panic!("it has impls only") };
                written.extend(item.items.iter().map(|member| match member {
                    syn::ImplItem::Fn(member) => member.sig.ident.to_string(),
                    _ => panic!("they have methods only"),
                }));
            }
            for block in blocks(source) {
                found.extend(methods(block.body).map(|(name, _)| name.to_owned()));
            }
            assert_eq!(found, written);
            assert!(found.iter().all(|name| !impls_with(name).is_empty()));
        }
    }
}
