//! Parses the declarations of a Level Zero header.
//!
//! The headers are generated and use few forms: typedefs of handles, structures, enumerations, integers
//! and function pointers, and prototypes. Any other form is an error with its line.

use super::error::HeaderError;
use super::lexer::{self, Token};
use super::model::{
    Constant, Declarations, Enum, Enumerator, Field, Function, Parameter, Struct, Type, Value,
};
use super::preprocess::{self, Define};

/// The macros that decorate a declaration and mean nothing here.
const EXPORT_MARKERS: [&str; 2] = ["ZE_APIEXPORT", "ZE_DLLEXPORT"];
const CALL_MARKER: &str = "ZE_APICALL";

/// Adds the declarations of a header's text to `out`.
pub(super) fn parse(source: &str, out: &mut Declarations) -> Result<(), HeaderError> {
    let preprocessed = preprocess::preprocess(source)?;
    for define in &preprocessed.defines {
        if let Some(constant) = constant(define)? {
            out.constants.push((define.name.to_owned(), constant));
        }
    }
    let tokens = lexer::tokens(&preprocessed.lines)?;
    let mut parser = Parser { tokens: &tokens, last_line: 0 };
    while parser.skip_notes().is_some() {
        parser.declaration(out)?;
    }
    Ok(())
}

/// The value of a macro, unless it is one of the markers.
fn constant(define: &Define<'_>) -> Result<Option<Constant>, HeaderError> {
    if define.name == CALL_MARKER || EXPORT_MARKERS.contains(&define.name) {
        return Ok(None);
    }
    let text = define.body.strip_prefix('"').and_then(|body| body.strip_suffix('"'));
    match (text, define.body.parse()) {
        (Some(text), _) => Ok(Some(Constant::Text(text.to_owned()))),
        (None, Ok(number)) => Ok(Some(Constant::Number(number))),
        (None, Err(_)) => Err(HeaderError::new(define.line, format!("the value of `{}`", define.name))),
    }
}

struct Parser<'t, 'a> {
    tokens: &'t [(usize, Token<'a>)],
    last_line: usize,
}

impl<'a> Parser<'_, 'a> {
    fn declaration(&mut self, out: &mut Declarations) -> Result<(), HeaderError> {
        match self.word()? {
            "typedef" => self.typedef(out),
            marker if EXPORT_MARKERS.contains(&marker) => {
                let result = self.ty()?;
                self.expect_word(CALL_MARKER)?;
                let name = self.word()?.to_owned();
                let parameters = self.parameters()?;
                out.prototypes.push(Function { name, result, parameters });
                self.symbol(';')
            }
            other => Err(self.error(format!("a declaration cannot begin with `{other}`"))),
        }
    }

    fn typedef(&mut self, out: &mut Declarations) -> Result<(), HeaderError> {
        match self.peek() {
            Some(Token::Word("struct")) => self.typedef_struct(out)?,
            Some(Token::Word("enum")) => {
                self.word()?;
                self.word()?;
                let enumerators = self.enumerators()?;
                out.enums.push(Enum { name: self.word()?.to_owned(), enumerators });
            }
            _ => {
                let ty = self.ty()?;
                if self.eat_symbol('(') {
                    let function = self.function_pointer(ty)?;
                    out.pointer_types.push(function);
                } else {
                    out.aliases.push((self.word()?.to_owned(), ty));
                }
            }
        }
        self.symbol(';')
    }

    /// A handle is a pointer to a structure that is never defined; a forward declaration adds nothing.
    fn typedef_struct(&mut self, out: &mut Declarations) -> Result<(), HeaderError> {
        self.word()?;
        self.word()?;
        if self.eat_symbol('*') {
            out.handles.push(self.word()?.to_owned());
        } else if self.eat_symbol('{') {
            let fields = self.fields()?;
            out.structs.push(Struct { name: self.word()?.to_owned(), fields });
        } else {
            self.word()?;
        }
        Ok(())
    }

    fn function_pointer(&mut self, result: Type) -> Result<Function, HeaderError> {
        self.expect_word(CALL_MARKER)?;
        self.symbol('*')?;
        let name = self.word()?.to_owned();
        self.symbol(')')?;
        Ok(Function { name, result, parameters: self.parameters()? })
    }

    fn fields(&mut self) -> Result<Vec<Field>, HeaderError> {
        let mut fields = Vec::new();
        while !self.eat_symbol('}') {
            let ty = self.ty()?;
            let name = self.word()?.to_owned();
            let length = if self.eat_symbol('[') {
                let length = self.word()?.to_owned();
                self.symbol(']')?;
                Some(length)
            } else {
                None
            };
            self.symbol(';')?;
            fields.push(Field { name, ty, length });
        }
        Ok(fields)
    }

    fn enumerators(&mut self) -> Result<Vec<Enumerator>, HeaderError> {
        self.symbol('{')?;
        let mut enumerators = Vec::new();
        while !self.eat_symbol('}') {
            let name = self.word()?.to_owned();
            self.symbol('=')?;
            let value = self.value()?;
            self.eat_symbol(',');
            enumerators.push(Enumerator { name, value, link: self.link() });
        }
        Ok(enumerators)
    }

    fn value(&mut self) -> Result<Value, HeaderError> {
        if let Some(Token::Number(number)) = self.peek() {
            self.advance();
            return Ok(Value::Number(number));
        }
        let macro_name = self.word()?;
        self.symbol('(')?;
        let value = match macro_name {
            "ZE_BIT" => Value::Bit(self.number()?),
            "ZE_MAKE_VERSION" => {
                let major = self.number()?;
                self.symbol(',')?;
                Value::Version { major, minor: self.number()? }
            }
            other => return Err(self.error(format!("macro `{other}` is not understood"))),
        };
        self.symbol(')')?;
        Ok(value)
    }

    /// The `::name` with which the comment behind an enumerator begins.
    fn link(&mut self) -> Option<String> {
        let Some(&(_, Token::Note(note))) = self.tokens.first() else { return None };
        let name = note.strip_prefix("::")?;
        let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(name.len());
        Some(name[..end].to_owned())
    }

    fn parameters(&mut self) -> Result<Vec<Parameter>, HeaderError> {
        self.symbol('(')?;
        let mut parameters = Vec::new();
        while !self.eat_symbol(')') {
            let ty = self.ty()?;
            let name = match self.peek() {
                Some(Token::Word(_)) => Some(self.word()?.to_owned()),
                _ => None,
            };
            parameters.push(Parameter { name, ty });
            self.eat_symbol(',');
        }
        Ok(parameters)
    }

    fn ty(&mut self) -> Result<Type, HeaderError> {
        let first = self.word()?;
        let points_to_const = first == "const";
        let base = if points_to_const { self.word()? } else { first };
        let mut pointers = Vec::new();
        while self.eat_symbol('*') {
            pointers.push(points_to_const && pointers.is_empty());
        }
        if points_to_const && pointers.is_empty() {
            return Err(self.error("const that is not behind a pointer"));
        }
        Ok(Type { base: base.to_owned(), pointers })
    }

    fn peek(&mut self) -> Option<Token<'a>> {
        self.skip_notes()
    }

    fn skip_notes(&mut self) -> Option<Token<'a>> {
        while let Some((_, Token::Note(_))) = self.tokens.first() {
            self.advance();
        }
        self.tokens.first().map(|&(_, token)| token)
    }

    fn advance(&mut self) {
        if let Some((&(line, _), rest)) = self.tokens.split_first() {
            self.last_line = line;
            self.tokens = rest;
        }
    }

    fn word(&mut self) -> Result<&'a str, HeaderError> {
        match self.peek() {
            Some(Token::Word(word)) => {
                self.advance();
                Ok(word)
            }
            other => Err(self.unexpected("a name", other)),
        }
    }

    fn number(&mut self) -> Result<u32, HeaderError> {
        match self.peek() {
            Some(Token::Number(number)) => {
                self.advance();
                Ok(number)
            }
            other => Err(self.unexpected("a number", other)),
        }
    }

    fn expect_word(&mut self, want: &str) -> Result<(), HeaderError> {
        match self.word()? {
            word if word == want => Ok(()),
            word => Err(self.error(format!("expected `{want}`, found `{word}`"))),
        }
    }

    fn symbol(&mut self, want: char) -> Result<(), HeaderError> {
        if self.eat_symbol(want) {
            return Ok(());
        }
        let found = self.peek();
        Err(self.unexpected(&format!("`{want}`"), found))
    }

    fn eat_symbol(&mut self, want: char) -> bool {
        let found = self.peek() == Some(Token::Symbol(want));
        if found {
            self.advance();
        }
        found
    }

    fn unexpected(&self, want: &str, found: Option<Token<'_>>) -> HeaderError {
        match found {
            Some(token) => self.error(format!("expected {want}, found {token:?}")),
            None => self.error(format!("expected {want}, found the end of the file")),
        }
    }

    fn error(&self, message: impl Into<String>) -> HeaderError {
        let line = self.tokens.first().map_or(self.last_line, |&(line, _)| line);
        HeaderError::new(line, message)
    }
}

#[cfg(test)]
mod tests {
    use super::super::model::{Constant, Declarations, Value};
    use super::parse;

    fn parsed(source: &str) -> Declarations {
        let mut out = Declarations::default();
        parse(source, &mut out).unwrap_or_else(|error| panic!("{error} in {source}"));
        out
    }

    #[test]
    fn reads_each_kind_of_declaration() {
        let out = parsed(
            "#define ZE_N 4\n#define ZE_NAME \"a name\"\n#define ZE_APICALL\n\
             typedef uint8_t ze_bool_t;\n\
             typedef struct _ze_h_t *ze_h_t;\n\
             typedef struct _ze_s_t ze_s_t;\n\
             typedef struct _ze_s_t\n{\n    char text[ZE_N]; ///< [in] text\n    const void* p;\n} ze_s_t;\n\
             ZE_APIEXPORT ze_result_t ZE_APICALL\nzeF(\n    ze_h_t h,   ///< [in] a handle\n    ze_s_t** s\n    );\n\
             typedef ze_result_t (ZE_APICALL *ze_pfnF_t)(\n    ze_h_t,\n    ze_s_t**\n    );\n",
        );
        assert!(matches!(&out.constants[0], (name, Constant::Number(4)) if name == "ZE_N"));
        assert!(matches!(&out.constants[1], (_, Constant::Text(text)) if text == "a name"));
        assert_eq!(out.constants.len(), 2);
        assert_eq!(out.aliases[0].0, "ze_bool_t");
        assert_eq!(out.handles, ["ze_h_t"]);
        let [text, pointer] = &out.structs[0].fields[..] else { panic!("{:?}", out.structs) };
        assert_eq!((text.name.as_str(), text.length.as_deref()), ("text", Some("ZE_N")));
        assert_eq!(pointer.ty.pointers, [true]);
        let types = |function: &super::Function| -> Vec<_> {
            function.parameters.iter().map(|p| (p.ty.base.clone(), p.ty.pointers.len())).collect()
        };
        assert_eq!(out.prototypes[0].name, "zeF");
        assert_eq!(types(&out.prototypes[0]), types(&out.pointer_types[0]));
    }

    #[test]
    fn reads_the_values_and_links_of_enumerators() {
        let out = parsed(
            "typedef enum _ze_e_t\n{\n    A = 0x1f,   ///< ::ze_s_t and more\n    B = ZE_BIT(3),\n\
                 C = ZE_MAKE_VERSION( 1, 4 ),   ///< no link\n    D = 7\n} ze_e_t;\n",
        );
        let [a, b, c, d] = &out.enums[0].enumerators[..] else { panic!("{:?}", out.enums) };
        assert!(matches!(a.value, Value::Number(31)));
        assert_eq!(a.link.as_deref(), Some("ze_s_t"));
        assert!(matches!(b.value, Value::Bit(3)));
        assert!(matches!(c.value, Value::Version { major: 1, minor: 4 }));
        assert_eq!((c.link.as_deref(), d.name.as_str()), (None, "D"));
    }

    #[test]
    fn refuses_other_forms_with_their_line() {
        let cases = [
            ("\ntypedef union _u { int a; } u;", 2),
            ("int x;", 1),
            ("typedef struct _s {\n int a[4];\n} s;", 2),
            ("typedef enum _e {\n A\n} e;", 3),
            ("typedef enum _e {\n A = FOO(1)\n} e;", 2),
            ("typedef struct _s {\n const int a;\n} s;", 2),
            ("#define ZE_X (1 + 1)", 1),
            ("typedef struct _s {\n int a;", 2),
        ];
        for (source, line) in cases {
            let error = parse(source, &mut Declarations::default()).err();
            assert_eq!(error.map(|error| error.line()), Some(line), "{source}");
        }
    }
}
