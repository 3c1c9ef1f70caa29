//! What the book consists of: its chapters, and blocks of code that something holds to be true.

#[path = "../blocks.rs"]
mod blocks;

use std::fs;
use std::path::Path;

fn source(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(name))
        .expect("a file of the book")
}

#[test]
fn every_chapter_is_in_the_summary_and_tested() {
    let summary = source("SUMMARY.md");
    let linked: Vec<&str> = summary.split("](").skip(1).filter_map(|link| link.split(')').next()).collect();
    assert_eq!(linked, kernel_guide::CHAPTERS);
}

/// Rust is compiled and run, `sh` is run by `commands.rs`, and for what is not, the reason stands behind the comma.
#[test]
fn every_block_is_tested_or_says_why_not() {
    let known = [
        "rust",
        "rust,compile_fail",
        "rust,compile_fail,E0502",
        "sh",
        "sh,new-crate",
        "sh,in-your-crate",
        "sh,needs-gpu",
        "sh,needs-mpi",
        "sh,needs-clang",
        "sh,needs-ocloc",
        "text",
        "toml",
        "yaml",
        "cpp",
    ];
    for chapter in kernel_guide::CHAPTERS {
        for block in blocks::blocks(&source(chapter)) {
            assert!(known.contains(&block.info), "{chapter}, line {}: `{}`", block.line, block.info);
        }
    }
}

/// The lines of a chapter that are no code.
fn without_blocks(chapter: &str) -> String {
    let mut is_code = false;
    let text = chapter.lines().filter(|line| {
        is_code ^= line.starts_with("```");
        !is_code
    });
    text.collect::<Vec<_>>().join("\n")
}

#[test]
fn links_to_files_lead_somewhere() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for chapter in kernel_guide::CHAPTERS {
        let text = without_blocks(&source(chapter));
        // What is no page of the book is linked to in HTML, since mdBook takes each `.md` for one of its pages.
        let pages = text.split("](").skip(1).filter_map(|link| link.split(')').next());
        let others = text.split("<a href=\"").skip(1).filter_map(|link| link.split('"').next());
        let links = pages.chain(others);
        for link in links.filter(|link| !link.contains("://") && !link.starts_with('#')) {
            let file = link.split('#').next().unwrap_or_default();
            assert!(folder.join(file).exists(), "{chapter} links to {link}");
            assert!(
                !(file.starts_with("..") && text.contains(&format!("]({link})")) && file.ends_with(".md")),
                "{chapter} links to {link} as a page"
            );
        }
    }
}

/// `cargo xtask checks --check` holds that the file has what the compiler makes of the kernels.
#[test]
fn the_checks_that_are_shown_are_those_that_remain() {
    let kept = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../benches/checks.txt"))
        .expect("the checks");
    let chapter = source("performance.md");
    let shown = blocks::blocks(&chapter);
    let shown = shown.iter().find(|block| block.code.iter().any(|line| line.starts_with("examples::")));
    for line in &shown.expect("the chapter shows some").code {
        assert!(kept.lines().any(|kept| kept == *line), "not in benches/checks.txt: {line}");
    }
}

#[test]
fn hidden_lines_are_part_of_a_program() {
    let chapter = "Text.\n\n```rust\n# use x;\n#[kernel]\n#\nfn main() {}\n```\n\n```text\nout\n```\nText.\n```sh\nls\n```\n";
    let found = blocks::blocks(chapter);
    assert_eq!(blocks::program(&found[0]), "use x;\n#[kernel]\n\nfn main() {}\n");
    let shapes: Vec<_> = found.iter().map(|block| (block.line, block.info, block.follows)).collect();
    assert_eq!(shapes, [(4, "rust", false), (11, "text", true), (15, "sh", false)]);
}
