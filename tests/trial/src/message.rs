//! What a generated program tells the process that started it.

use serde_json::{Value, json};

/// One line of standard output, a JSON object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// The device that executes the kernels.
    Device(String),
    /// The kernel with this number starts.
    Started(usize),
    /// It is done: all is equal, or this is the first difference.
    Finished(Result<(), String>),
}

impl Message {
    /// Prints the message.
    pub fn send(&self) {
        let value = match self {
            Self::Device(name) => json!({ "device": name }),
            Self::Started(index) => json!({ "started": index }),
            Self::Finished(Ok(())) => json!({ "finished": null }),
            Self::Finished(Err(difference)) => json!({ "finished": difference }),
        };
        println!("{value}");
    }

    /// Reads a line; other lines come from a driver.
    #[must_use]
    pub fn parse(line: &str) -> Option<Self> {
        let value: Value = serde_json::from_str(line).ok()?;
        let (kind, value) = value.as_object()?.iter().next()?;
        match (kind.as_str(), value) {
            ("device", Value::String(name)) => Some(Self::Device(name.clone())),
            ("started", Value::Number(index)) => Some(Self::Started(index.as_u64()?.try_into().ok()?)),
            ("finished", Value::Null) => Some(Self::Finished(Ok(()))),
            ("finished", Value::String(difference)) => Some(Self::Finished(Err(difference.clone()))),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Message;

    #[test]
    fn messages_are_read_and_other_lines_are_not() {
        assert_eq!(Message::parse("warning: {}"), None);
        assert_eq!(Message::parse(r#"{"started":3}"#), Some(Message::Started(3)));
        assert_eq!(Message::parse(r#"{"finished":null}"#), Some(Message::Finished(Ok(()))));
        let different = Message::Finished(Err("1 is not 2".to_owned()));
        assert_eq!(Message::parse(r#"{"finished":"1 is not 2"}"#), Some(different));
    }
}
