//! The head of a request as the crate `httparse` reads it: a cursor over bytes, headers that borrow from it, and a partial answer where bytes are missing.

use crate::kernels::case::Case;
use kernel_runtime::prelude::*;

#[device]
pub mod program {
    use core::str;

    #[derive(Copy, Clone, PartialEq, Eq, Debug)]
    pub enum Error {
        HeaderName,
        HeaderValue,
        NewLine,
        Token,
        TooManyHeaders,
        Version,
    }

    #[derive(Copy, Clone, Eq, PartialEq, Debug)]
    pub enum Status<T> {
        Complete(T),
        Partial,
    }

    impl<T> Status<T> {
        pub fn is_partial(&self) -> bool {
            matches!(*self, Status::Partial)
        }

        pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Status<U> {
            match self {
                Status::Complete(t) => Status::Complete(f(t)),
                Status::Partial => Status::Partial,
            }
        }
    }

    pub type Result<T> = core::result::Result<Status<T>, Error>;

    macro_rules! complete {
        ($e:expr) => {
            match $e? {
                Status::Complete(v) => v,
                Status::Partial => return Ok(Status::Partial),
            }
        };
    }

    macro_rules! next {
        ($bytes:ident) => {
            match $bytes.next() {
                Some(b) => b,
                None => return Ok(Status::Partial),
            }
        };
    }

    macro_rules! expect {
        ($bytes:ident . next() == $pat:pat => $ret:expr) => {
            match next!($bytes) {
                v @ $pat => v,
                _ => return $ret,
            }
        };
    }

    pub struct Bytes<'a> {
        slice: &'a [u8],
        pos: usize,
    }

    impl<'a> Bytes<'a> {
        pub fn new(slice: &'a [u8]) -> Bytes<'a> {
            Bytes { slice, pos: 0 }
        }

        pub fn peek(&self) -> Option<u8> {
            self.slice.get(self.pos).copied()
        }

        pub fn bump(&mut self) {
            self.pos += 1;
        }

        /// What has been read, without the last `skip` bytes.
        pub fn slice_skip(&mut self, skip: usize) -> &'a [u8] {
            debug_assert!(self.pos >= skip);
            let head_pos = self.pos - skip;
            let head = &self.slice[..head_pos];
            self.slice = &self.slice[self.pos..];
            self.pos = 0;
            head
        }
    }

    impl Iterator for Bytes<'_> {
        type Item = u8;

        fn next(&mut self) -> Option<u8> {
            let b = self.peek()?;
            self.bump();
            Some(b)
        }
    }

    #[derive(Copy, Clone, Debug, PartialEq, Eq)]
    pub struct Header<'a> {
        pub name: &'a str,
        pub value: &'a [u8],
    }

    pub const EMPTY_HEADER: Header<'static> = Header { name: "", value: b"" };

    #[derive(Debug)]
    pub struct Request<'headers, 'buf: 'headers> {
        pub method: Option<&'buf str>,
        pub path: Option<&'buf str>,
        pub version: Option<u8>,
        pub headers: &'headers mut [Header<'buf>],
        pub count: usize,
    }

    const fn is_token(b: u8) -> bool {
        b > 0x1f
            && b < 0x7f
            && !matches!(b, b' ' | b'"' | b'(' | b')' | b',' | b'/' | b':'..=b'@' | b'['..=b']' | b'{' | b'}')
    }

    static TOKENS: [bool; 256] = {
        let mut table = [false; 256];
        let mut i = 0;
        while i < 256 {
            table[i] = is_token(i as u8);
            i += 1;
        }
        table
    };

    fn parse_token<'a>(bytes: &mut Bytes<'a>) -> Result<&'a str> {
        let b = next!(bytes);
        if !TOKENS[usize::from(b)] {
            return Err(Error::Token);
        }
        loop {
            let b = next!(bytes);
            if b == b' ' {
                // SAFETY: tokens are ASCII.
                return Ok(Status::Complete(unsafe { str::from_utf8_unchecked(bytes.slice_skip(1)) }));
            } else if !TOKENS[b as usize] {
                return Err(Error::Token);
            }
        }
    }

    fn parse_uri<'a>(bytes: &mut Bytes<'a>) -> Result<&'a str> {
        loop {
            match next!(bytes) {
                b' ' => {
                    let uri = bytes.slice_skip(1);
                    return match str::from_utf8(uri) {
                        Ok("") | Err(_) => Err(Error::Token),
                        Ok(uri) => Ok(Status::Complete(uri)),
                    };
                }
                0x21..=0x7e => {}
                _ => return Err(Error::Token),
            }
        }
    }

    fn parse_version(bytes: &mut Bytes) -> Result<u8> {
        for expected in b"HTTP/1." {
            if next!(bytes) != *expected {
                return Err(Error::Version);
            }
        }
        let version = expect!(bytes.next() == b'0' | b'1' => Err(Error::Version)) - b'0';
        Ok(Status::Complete(version))
    }

    fn newline(bytes: &mut Bytes) -> Result<()> {
        match next!(bytes) {
            b'\r' => {
                expect!(bytes.next() == b'\n' => Err(Error::NewLine));
            }
            b'\n' => {}
            _ => return Err(Error::NewLine),
        }
        bytes.slice_skip(0);
        Ok(Status::Complete(()))
    }

    fn trimmed(value: &[u8]) -> &[u8] {
        let end = value.iter().rposition(|b| !matches!(b, b' ' | b'\t')).map_or(0, |last| last + 1);
        &value[..end]
    }

    impl<'h, 'b> Request<'h, 'b> {
        pub fn new(headers: &'h mut [Header<'b>]) -> Request<'h, 'b> {
            Request { method: None, path: None, version: None, headers, count: 0 }
        }

        pub fn parse(&mut self, buf: &'b [u8]) -> Result<usize> {
            let mut bytes = Bytes::new(buf);
            self.method = Some(complete!(parse_token(&mut bytes)));
            self.path = Some(complete!(parse_uri(&mut bytes)));
            self.version = Some(complete!(parse_version(&mut bytes)));
            complete!(newline(&mut bytes));
            loop {
                match bytes.peek() {
                    None => return Ok(Status::Partial),
                    Some(b'\r' | b'\n') => {
                        complete!(newline(&mut bytes));
                        return Ok(Status::Complete(buf.len() - bytes.slice.len()));
                    }
                    Some(_) => {}
                }
                let slot = self.headers.get_mut(self.count).ok_or(Error::TooManyHeaders)?;
                let name = loop {
                    match next!(bytes) {
                        b':' => break bytes.slice_skip(1),
                        b if is_token(b) => continue,
                        _ => return Err(Error::HeaderName),
                    }
                };
                while let Some(b' ' | b'\t') = bytes.peek() {
                    bytes.bump();
                }
                bytes.slice_skip(0);
                let value = loop {
                    match bytes.peek() {
                        None => return Ok(Status::Partial),
                        Some(b'\r' | b'\n') => break bytes.slice_skip(0),
                        Some(b) if b >= 0x20 || b == b'\t' => bytes.bump(),
                        Some(_) => return Err(Error::HeaderValue),
                    }
                };
                complete!(newline(&mut bytes));
                *slot = Header {
                    name: str::from_utf8(name).map_err(|_| Error::HeaderName)?,
                    value: trimmed(value),
                };
                self.count += 1;
            }
        }

        pub fn header(&self, name: &str) -> Option<&'b [u8]> {
            self.headers[..self.count].iter().find(|h| h.name.eq_ignore_ascii_case(name)).map(|h| h.value)
        }
    }

    const REQUESTS: [&str; 8] = [
        "GET / HTTP/1.1\r\nHost: example.org\r\nContent-Length: 42 \r\n\r\nbody",
        "POST /a/b?c=d HTTP/1.0\nX: y\nx-forwarded-for:   10.0.0.1\t\n\n",
        "GET /unfinished HTTP/1.1\r\nHost: exa",
        "G@T / HTTP/1.1\r\n\r\n",
        "DELETE  HTTP/1.1\r\n\r\n",
        "PUT /x HTTP/2.0\r\n\r\n",
        "HEAD /x HTTP/1.1\r\nA: 1\r\nB: 2\r\nC: 3\r\nD: 4\r\nE: 5\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nBad Name: 1\r\n\r\n",
    ];

    pub fn run(seed: u32) -> [u32; 6] {
        let text = REQUESTS[seed as usize % REQUESTS.len()].as_bytes();
        let cut = if seed & 0x100 == 0 { text.len() } else { (seed >> 9) as usize % text.len() };
        let mut headers = [EMPTY_HEADER; 4];
        let mut request = Request::new(&mut headers);
        let result = request.parse(&text[..cut]);
        let code = match result {
            Ok(status) if status.is_partial() => u32::MAX,
            Ok(status) => match status.map(|n| n as u32) {
                Status::Complete(n) => n,
                Status::Partial => unreachable!(),
            },
            Err(error) => 1000 + error as u32,
        };
        let length = request
            .header("content-length")
            .and_then(|v| str::from_utf8(v).ok())
            .and_then(|s| s.parse::<u32>().ok());
        [
            code,
            request.method.map_or(0, |m| m.bytes().fold(0, |h, b| h * 7 + u32::from(b))),
            request.path.map_or(0, str::len) as u32,
            request.version.map_or(9, u32::from),
            length.unwrap_or(request.count as u32 + 100),
            request
                .headers
                .iter()
                .map(|h| h.name.len() as u32 * 16 + h.value.len() as u32)
                .fold(0, |a, b| a * 257 + b),
        ]
    }
}

#[kernel]
pub fn heads_parsed(seeds: &[u32], y: &mut [[u32; 6]]) {
    let i = global_id(0);
    y[i] = program::run(seeds[i]);
}

pub fn case() -> Case {
    super::case_by_seed(&HEADS_PARSED, program::run)
}
