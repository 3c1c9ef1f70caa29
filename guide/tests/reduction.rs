//! The kernels of the chapter on a reduction are those of the example that is measured.

#[test]
fn the_chapter_has_the_kernels_of_the_example() {
    let chapter = include_str!("../src/reduction.md");
    let example = include_str!("../../examples/reduction.rs");
    let kernels: Vec<&str> = example.split("\n#[kernel").skip(1).collect();
    assert_eq!(kernels.len(), 7);
    for kernel in kernels {
        let end = kernel.find("\n}\n").expect("the end of the function");
        let kernel = format!("#[kernel{}\n}}\n", &kernel[..end]);
        assert!(chapter.contains(&kernel), "the chapter has another form of\n{kernel}");
    }
}
