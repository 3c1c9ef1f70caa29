//! Runs the shell commands of the guide, each block of them as it is written; `cargo run -p kernel-guide`.
//!
//! A block of `sh` is run at the root of the repository. Those of `sh,new-crate` are run in one folder that is empty at first, but for a link to the repository by the name
//! of `kernels`; the crate that the first of them makes gets the first program of its chapter. Others need what is not there, which stands behind the comma.

mod blocks;

use blocks::{Block, blocks, program};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize()?;
    let mut count = 0;
    for name in kernel_guide::CHAPTERS {
        let chapter = fs::read_to_string(root.join("guide/src").join(name))?;
        let blocks = blocks(&chapter);
        let mut new_crate = NewCrate { root: &root, folder: None };
        for block in &blocks {
            match block.info {
                "sh" => run(&root, &root, name, block)?,
                "sh,new-crate" => new_crate.run(name, block, &blocks)?,
                _ => continue,
            }
            count += 1;
        }
    }
    println!("\n{count} passed, 0 failed");
    Ok(())
}

/// A folder in which a chapter makes a crate.
struct NewCrate<'r> {
    root: &'r Path,
    folder: Option<PathBuf>,
}

impl NewCrate<'_> {
    fn run(&mut self, chapter: &str, block: &Block<'_>, blocks: &[Block<'_>]) -> Result<(), Box<dyn Error>> {
        if let Some(folder) = &self.folder {
            return run(self.root, &folder.join("hello"), chapter, block);
        }
        let folder = env::temp_dir().join(format!("kernel-guide-{}", std::process::id()));
        fs::create_dir(&folder)?;
        std::os::unix::fs::symlink(self.root, folder.join("kernels"))?;
        run(self.root, &folder, chapter, block)?;
        let first = blocks.iter().find(|block| block.info == "rust").ok_or("the chapter has a program")?;
        fs::write(folder.join("hello/src/main.rs"), program(first))?;
        self.folder = Some(folder);
        Ok(())
    }
}

impl Drop for NewCrate<'_> {
    fn drop(&mut self) {
        if let Some(folder) = &self.folder {
            let _ = fs::remove_dir_all(folder);
        }
    }
}

/// Runs a block in a folder.
fn run(root: &Path, folder: &Path, chapter: &str, block: &Block<'_>) -> Result<(), Box<dyn Error>> {
    let script = block.code.join("\n");
    println!("\n== {chapter}, line {}\n{script}", block.line);
    let mut shell = Command::new("sh");
    shell.args(["-e", "-c", &script]).current_dir(folder).env("CARGO_TARGET_DIR", root.join("target"));
    let status = shell.status()?;
    if status.success() { Ok(()) } else { Err(format!("{chapter}, line {}: {status}", block.line).into()) }
}
