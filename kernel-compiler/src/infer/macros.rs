//! Macros in bodies: `matches!` is the only one, and for each of the others of the standard library there is another way.

use super::Infer;
use crate::diagnostics::Code;
use crate::names;
use crate::typed::{Expr, ExprKind, Ty};
use quote::ToTokens;
use syn::ExprMatch;
use syn::spanned::Spanned;

impl Infer<'_> {
    pub(super) fn macro_statement(&mut self, call: &syn::StmtMacro) -> Expr {
        let (kind, ty) = self.macro_call(&call.mac);
        Expr { kind, ty, span: call.mac.path.span() }
    }

    /// A macro call: one that is known, or else it is refused.
    pub(super) fn macro_call(&mut self, call: &syn::Macro) -> (ExprKind, Ty) {
        if let Some(matching) = names::matching(call) {
            return self.matches(&matching);
        }
        let name = call.path.to_token_stream().to_string().replace(' ', "");
        let message = format!("device code cannot use the macro `{name}!`");
        let last = call.path.segments.last().map(|segment| segment.ident.to_string());
        self.error(Code::UnsupportedMacro, call, message, advice(last.as_deref().unwrap_or_default()));
        (ExprKind::Error, Ty::Error)
    }

    /// `matches!`, as the `match` that it stands for.
    fn matches(&mut self, matching: &ExprMatch) -> (ExprKind, Ty) {
        let (kind, ty) = self.match_expr(matching);
        match kind {
            ExprKind::Match(scrutinee, mut arms) if arms.first().is_some_and(|arm| arm.guard.is_none()) => {
                (ExprKind::Matches(arms.swap_remove(0).pattern, scrutinee), ty)
            }
            other => (other, ty),
        }
    }
}

/// What to do instead of a macro.
fn advice(name: &str) -> &'static str {
    match name {
        "vec" => "a device has no heap: use an array `[value; N]`, or a slice that the host allocates",
        "print" | "println" | "eprint" | "eprintln" | "write" | "writeln" => {
            "a device cannot print: write the values to a `&mut [T]` parameter, and print them on the host"
        }
        "dbg" => "a device cannot print: write the value to a `&mut [T]` parameter, and print it on the host",
        "format" | "format_args" | "concat" | "stringify" => {
            "a device has no text: write numbers to a `&mut [T]` parameter, and format them on the host"
        }
        "assert" | "assert_eq" | "assert_ne" | "debug_assert" | "debug_assert_eq" | "debug_assert_ne" => {
            "check the arguments on the host before the launch, or write a flag to a `&mut [T]` parameter; indexing is checked anyway"
        }
        "panic" | "unreachable" | "todo" | "unimplemented" => {
            "`return`, and write a flag to a `&mut [T]` parameter for the host to see"
        }
        "cfg" => {
            "declare a constant with `#[device] const`, once for each configuration, and test it with `if`"
        }
        "line" | "file" | "column" | "module_path" | "env" | "option_env" | "include" | "include_str"
        | "include_bytes" => "pass the value as a parameter",
        _ => "its expansion cannot be seen here: write a `#[device] fn`, or write out what it expands to",
    }
}
