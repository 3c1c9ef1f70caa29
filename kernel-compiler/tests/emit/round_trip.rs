//! The textual form read back.

use kernel_compiler::emit::emit;
use kernel_compiler::ir::Module;

/// Checks that what is read is what was written. What breaks an invariant need not be read.
#[track_caller]
pub(crate) fn check(module: &Module) {
    let text = module.to_string();
    match Module::parse(&text) {
        Ok(read) => {
            assert!(read == *module, "{text}\nbecame\n{read}");
            assert_eq!(read.to_string(), text);
            assert_eq!(read.verify(), module.verify());
        }
        Err(error) => assert!(module.verify().is_err(), "{error}\n{text}"),
    }
}

/// Checks that what is read becomes the same SPIR-V too.
#[track_caller]
pub(crate) fn check_emitted(module: &Module) {
    check(module);
    if module.verify().is_ok() {
        let text = module.to_string();
        let read = Module::parse(&text).expect("it has been read before");
        assert!(emit(&read).words == emit(module).words, "{text}");
    }
}
