//! Asks a C compiler how it lays the structures out.

use std::env;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{self, Command};

use super::bindings::Bindings;

/// The size and alignment of a structure in bytes, and the bytes that each field covers.
pub(super) struct Layout {
    pub(super) name: String,
    pub(super) size: usize,
    pub(super) align: usize,
    pub(super) fields: Vec<(String, Range<usize>)>,
}

/// Compiles and runs a C program that prints the layout of every structure and every table.
///
/// The compiler is `$CC`, or `cc`.
pub(super) fn measure(bindings: &Bindings, include: &Path) -> Result<Vec<Layout>, Box<dyn Error>> {
    let scratch = ScratchDir::new()?;
    let source = scratch.0.join("layout.c");
    let program = scratch.0.join("layout");
    fs::write(&source, c_program(bindings))?;
    let compiler = env::var_os("CC").unwrap_or_else(|| "cc".into());
    let mut compile = Command::new(&compiler);
    compile.arg("-I").arg(include).arg("-o").arg(&program).arg(&source);
    run(&mut compile).map_err(|error| format!("the C compiler {}: {error}", compiler.display()))?;
    parse(&run(&mut Command::new(&program))?)
}

/// A directory that is removed again, whatever happens in between.
struct ScratchDir(PathBuf);

impl ScratchDir {
    fn new() -> Result<Self, Box<dyn Error>> {
        let path = env::temp_dir().join(format!("level-zero-layout-{}", process::id()));
        fs::create_dir_all(&path)?;
        Ok(Self(path))
    }
}

impl Drop for ScratchDir {
    fn drop(&mut self) {
        // What cannot be removed is left to the system's own cleaning of its temporary directory.
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn run(command: &mut Command) -> Result<String, Box<dyn Error>> {
    let output = command.output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

fn c_program(bindings: &Bindings) -> String {
    let family = &bindings.family;
    let mut program = format!(
        "#include <stdio.h>\n#include <level_zero/{family}_api.h>\n#include <level_zero/{family}_ddi.h>\n\
         int main(void) {{\n"
    );
    for structure in &bindings.structures {
        let fields = structure.fields.iter().map(|field| field.name.as_str());
        print_structure(&mut program, &structure.name, fields);
    }
    for table in &bindings.tables {
        print_structure(&mut program, &table.name, table.slots.iter().map(|slot| slot.field.as_str()));
    }
    let container = format!("{family}_dditable_t");
    print_structure(&mut program, &container, bindings.tables.iter().map(|table| table.title.as_str()));
    program.push_str("return 0;\n}\n");
    program
}

fn print_structure<'a>(program: &mut String, name: &str, fields: impl Iterator<Item = &'a str>) {
    let printf = "printf(\"%s %zu %zu\\n\"";
    let _ = writeln!(program, "{printf}, \"{name}\", sizeof({name}), _Alignof({name}));");
    for field in fields {
        let _ = writeln!(
            program,
            "{printf}, \".{field}\", offsetof({name}, {field}), sizeof((({name}*)0)->{field}));"
        );
    }
}

/// Reads the lines `name size align`, each followed by lines `.field offset size`.
fn parse(output: &str) -> Result<Vec<Layout>, Box<dyn Error>> {
    let mut layouts: Vec<Layout> = Vec::new();
    for line in output.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let [name, first, second] = words[..] else { return Err(format!("layout line `{line}`").into()) };
        let (first, second) = (first.parse()?, second.parse()?);
        match (name.strip_prefix('.'), layouts.last_mut()) {
            (Some(field), Some(layout)) => layout.fields.push((field.to_owned(), first..first + second)),
            _ => layouts.push(Layout { name: name.to_owned(), size: first, align: second, fields: vec![] }),
        }
    }
    Ok(layouts)
}
