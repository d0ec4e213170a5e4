//! Messages on a stream: a header with the length, an empty line, JSON.

use std::io::{self, BufRead, Read, Write};

use serde_json::Value;

/// Longer messages are no texts that anybody edits.
const LONGEST: u64 = 64 << 20;

/// No header line is longer.
const LONGEST_HEADER: u64 = 4096;

/// What is wrong with a stream of messages; nothing can be read behind it.
#[derive(Debug, thiserror::Error)]
pub enum ProtocolError {
    /// The stream could not be read or written.
    #[error(transparent)]
    Stream(#[from] io::Error),
    /// A message has no length.
    #[error("a message has no Content-Length")]
    NoLength,
    /// A message is too long.
    #[error("a message has {0} bytes; more than {LONGEST} are not read")]
    TooLong(u64),
    /// A header line is none.
    #[error("a header line of a message is too long or no text")]
    Header,
}

/// A message, if it is JSON.
pub type Message = Result<Value, serde_json::Error>;

/// The next message. Returns `None` at the end of the stream; behind a message that is
/// no JSON others can be read.
pub fn read(input: &mut impl BufRead) -> Result<Option<Message>, ProtocolError> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        input
            .by_ref()
            .take(LONGEST_HEADER)
            .read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Ok(None);
        }
        let line = match std::str::from_utf8(&line) {
            Ok(line) if line.ends_with('\n') => line.trim_end(),
            _ => return Err(ProtocolError::Header),
        };
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse::<u64>().ok();
        }
    }
    let length = length.ok_or(ProtocolError::NoLength)?;
    if length > LONGEST {
        return Err(ProtocolError::TooLong(length));
    }
    // Memory grows with what comes, not with what is announced.
    let mut body = Vec::new();
    let read = input.by_ref().take(length).read_to_end(&mut body)?;
    if (read as u64) < length {
        return Ok(None);
    }
    Ok(Some(serde_json::from_slice(&body)))
}

/// Sends a message.
pub fn write(output: &mut impl Write, message: &Value) -> io::Result<()> {
    let body = message.to_string();
    write!(output, "Content-Length: {}\r\n\r\n{body}", body.len())?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn messages(bytes: &[u8]) -> Vec<String> {
        let mut input = bytes;
        let mut read_all = Vec::new();
        loop {
            match read(&mut input) {
                Ok(Some(Ok(message))) => read_all.push(message.to_string()),
                Ok(Some(Err(_))) => read_all.push("no JSON".to_owned()),
                Ok(None) => return read_all,
                Err(error) => {
                    read_all.push(error.to_string());
                    return read_all;
                }
            }
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let mut bytes = Vec::new();
        write(&mut bytes, &json!({"a": "é\n"})).unwrap();
        write(&mut bytes, &json!([1])).unwrap();
        assert_eq!(messages(&bytes), ["{\"a\":\"é\\n\"}", "[1]"]);
        bytes.truncate(bytes.len() - 1);
        assert_eq!(
            messages(&bytes),
            ["{\"a\":\"é\\n\"}"],
            "the last one is cut"
        );
    }

    #[test]
    fn broken_streams_end_and_broken_messages_do_not_end_them() {
        let check = |text: &str, expected: &[&str]| assert_eq!(messages(text.as_bytes()), expected);
        check(
            "Content-Length: 2\r\n\r\n[}Content-Length: 2\n\n[]",
            &["no JSON", "[]"],
        );
        check("Other: 1\r\n\r\n", &["a message has no Content-Length"]);
        check(
            "no end",
            &["a header line of a message is too long or no text"],
        );
        let huge = "Content-Length: 99999999999\r\n\r\n";
        check(
            huge,
            &["a message has 99999999999 bytes; more than 67108864 are not read"],
        );
    }
}
