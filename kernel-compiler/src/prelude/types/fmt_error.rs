// `std::fmt::Error`.

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
struct Error;

impl std::fmt::Display for Error {
    fn fmt<F>(&self, f: &mut F) -> Result<(), std::fmt::Error> {
        f.pad("an error occurred when formatting an argument")
    }
}
