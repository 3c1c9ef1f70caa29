//! Packages of another Debian than that of the machine, unpacked in a folder, and programs that are run with the libraries in it.
//!
//! They come from where the machine's own packages come from. Nothing is installed: a program is started by the dynamic linker of the folder.

use crate::temporary::TemporaryFolder;
use crate::workspace;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// By which key the lists of packages are signed.
const KEYS: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";

/// The libraries that programs in C and C++ need, whatever else they do.
const LIBRARIES: [&str; 3] = ["libc6", "libstdc++6", "libgcc-s1"];

/// The packages of another Debian in a folder.
pub(crate) struct Suite {
    folder: TemporaryFolder,
}

impl Suite {
    /// Gets packages of the suite with this name, and the libraries that programs need.
    pub(crate) fn unpack(name: &str, packages: &[&str]) -> Result<Self, Box<dyn Error>> {
        if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') {
            return Err(format!("`{name}` is no name of a suite").into());
        }
        let this = Self { folder: TemporaryFolder::new()? };
        let folder = this.folder.path();
        for part in ["lists/partial", "cache/archives/partial", "packages", "root"] {
            fs::create_dir_all(folder.join(part))?;
        }
        let source = format!("deb [signed-by={KEYS}] {} {name} main\n", archive()?);
        fs::write(folder.join("sources.list"), source)?;
        workspace::capture(this.apt_get().arg("update"))?;
        let wanted = packages.iter().chain(&LIBRARIES).map(|package| format!("{package}/{name}"));
        workspace::capture(this.apt_get().arg("download").args(wanted))?;
        for package in fs::read_dir(folder.join("packages"))? {
            let mut unpack = Command::new("dpkg-deb");
            unpack.arg("-x").arg(package?.path()).arg(folder.join("root"));
            workspace::capture(&mut unpack)?;
        }
        Ok(this)
    }

    /// The folder of the headers.
    pub(crate) fn headers(&self) -> PathBuf {
        self.folder.path().join("root/usr/include")
    }

    /// The folder of the libraries.
    pub(crate) fn libraries(&self) -> PathBuf {
        self.folder.path().join("root/usr/lib/x86_64-linux-gnu")
    }

    /// Runs a program with these libraries.
    pub(crate) fn command(&self, program: &Path) -> Command {
        let libraries = self.libraries();
        let mut command = Command::new(libraries.join("ld-linux-x86-64.so.2"));
        command.arg("--library-path").arg(libraries).arg(program);
        command
    }

    /// The client of the packages, which knows this suite alone and leaves the machine's own lists as they are.
    fn apt_get(&self) -> Command {
        let folder = self.folder.path();
        let mut command = Command::new("apt-get");
        command.current_dir(folder.join("packages"));
        for (option, place) in [
            ("Dir::State::lists", folder.join("lists")),
            ("Dir::Cache", folder.join("cache")),
            ("Dir::Etc::sourcelist", folder.join("sources.list")),
            ("Dir::Etc::sourceparts", PathBuf::from("/dev/null")),
        ] {
            command.arg("-o").arg(format!("{option}={}", place.display()));
        }
        command
    }
}

/// Where the machine's packages of Debian come from.
fn archive() -> Result<String, Box<dyn Error>> {
    let mut targets = Command::new("apt-get");
    targets.args(["indextargets", "--format", "$(REPO_URI)", "Created-By: Packages", "Label: Debian"]);
    let said = workspace::printed(&workspace::capture(&mut targets)?);
    let first =
        said.lines().next().ok_or("the machine has no lists of Debian's packages: run `apt-get update`")?;
    Ok(first.to_owned())
}
