// The traits of `std::fmt` for what is formatted as the number in it is.

macro_rules! formatted {
    ($name:ident: $($of:ident)*) => {
        $(impl<T: $of> $of for $name<T> {
            fn fmt<F>(&self, f: &mut F) -> Result<(), std::fmt::Error> {
                $of::fmt(&self.0, f)
            }
        })*
    };
}
