//! The Level Zero C ABI: types, function tables and a loader that opens the system library at run time.
