//! Takes the programs out of the chapters right after which their output is shown, for `tests/printed.rs` to run.

mod blocks;

use std::error::Error;
use std::fmt::Write;
use std::path::PathBuf;
use std::{env, fs, io};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=src");
    println!("cargo::rerun-if-changed=blocks.rs");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let mut chapters: Vec<PathBuf> =
        fs::read_dir("src")?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    chapters.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    chapters.sort();
    let (mut modules, mut table) = (String::new(), String::new());
    for path in chapters {
        let chapter = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let text = fs::read_to_string(&path)?;
        for pair in blocks::blocks(&text).windows(2) {
            let [block, printed] = pair else { continue };
            if block.info != "rust" || printed.info != "text" || !printed.follows {
                continue;
            }
            let name = format!("{chapter}_{}", block.line);
            let file = out.join(format!("{name}.rs"));
            fs::write(&file, blocks::program(block).replacen("fn main()", "pub(crate) fn main()", 1))?;
            let printed = printed.code.join("\n") + "\n";
            writeln!(modules, "#[path = {file:?}]\nmod {name};")?;
            writeln!(table, "    (\"{name}\", {printed:?}, || report({name}::main())),")?;
        }
    }
    fs::write(out.join("programs.rs"), format!("{modules}\nconst PROGRAMS: &[Row] = &[\n{table}];\n"))?;
    Ok(())
}
