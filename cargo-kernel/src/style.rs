//! Colours. They are only seen on terminals, and not where `NO_COLOR` is set: `anstream` takes them out elsewhere.

use anstyle::{AnsiColor, Style};

/// Names of kernels, and headers.
pub(crate) const NAME: Style = Style::new().bold();
/// What is well.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
/// What deserves a look.
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default();
/// What is wrong.
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
/// What to do.
pub(crate) const HELP: Style = AnsiColor::Cyan.on_default();
/// Places in the source, and other things beside.
pub(crate) const ASIDE: Style = Style::new().dimmed();
/// Lines of the source between those of another language.
pub(crate) const SOURCE: Style = AnsiColor::Green.on_default();
