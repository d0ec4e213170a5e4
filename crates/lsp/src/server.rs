//! The server: one message after the other, in the order in which they come.
//!
//! What is wrong with a text is told when no message waits, so that somebody who types quickly is
//! not told about every key.

use std::collections::BTreeMap;
use std::io::{BufReader, Read, Write};
use std::sync::mpsc::{Receiver, TryRecvError, channel};

use serde_json::{Value, json};

use crate::document::Document;
use crate::transport::{self, Message, ProtocolError};
use crate::world::World;
use crate::{completion, definition, diagnostics, format, hover, position, uri};

/// Error codes of the protocol.
mod code {
    pub const NO_JSON: i32 = -32700;
    pub const NOT_NOW: i32 = -32600;
    pub const NO_SUCH_METHOD: i32 = -32601;
    pub const NOT_INITIALIZED: i32 = -32002;
}

type Incoming = Result<Option<Message>, ProtocolError>;

/// Serves an editor until it says `exit`, or the stream ends. Whether it said `shutdown` before.
pub fn serve(
    input: impl Read + Send + 'static,
    output: &mut impl Write,
    world: &dyn World,
) -> Result<bool, ProtocolError> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut input = BufReader::new(input);
        loop {
            let message = transport::read(&mut input);
            let goes_on = matches!(message, Ok(Some(_)));
            if sender.send(message).is_err() || !goes_on {
                return;
            }
        }
    });
    let mut server = Server {
        world,
        state: State::New,
        documents: BTreeMap::new(),
        changed: Vec::new(),
    };
    server.run(&receiver, output)?;
    Ok(server.state == State::ShutDown)
}

#[derive(PartialEq, Eq)]
enum State {
    New,
    Ready,
    ShutDown,
}

struct Server<'a> {
    world: &'a dyn World,
    state: State,
    documents: BTreeMap<String, Document>,
    /// The texts that were not looked at since they changed.
    changed: Vec<String>,
}

/// An answer to a request: a result, or an error with its code.
type Answer = Result<Value, (i32, String)>;

impl Server<'_> {
    fn run(
        &mut self,
        incoming: &Receiver<Incoming>,
        output: &mut impl Write,
    ) -> Result<(), ProtocolError> {
        loop {
            let next = match incoming.try_recv() {
                Err(TryRecvError::Empty) => {
                    self.publish(output)?;
                    incoming.recv().ok()
                }
                next => next.ok(),
            };
            let Some(message) = next.transpose()?.flatten() else {
                return Ok(());
            };
            match message {
                Err(error) => {
                    let answer = Err((code::NO_JSON, error.to_string()));
                    transport::write(output, &response(&Value::Null, answer))?;
                }
                Ok(message) if message["method"] == "exit" => return Ok(()),
                Ok(message) => self.take(&message, output)?,
            }
        }
    }

    fn take(&mut self, message: &Value, output: &mut impl Write) -> Result<(), ProtocolError> {
        let Some(method) = message["method"].as_str() else {
            // An answer to a request, of which we make none.
            return Ok(());
        };
        let params = &message["params"];
        match message.get("id") {
            Some(id) => {
                let answer = self.answer(method, params);
                transport::write(output, &response(id, answer))?;
            }
            None if self.state == State::Ready => {
                if let Some(closed) = self.notice(method, params) {
                    transport::write(output, &published(&closed, Vec::new()))?;
                }
            }
            None => {}
        }
        Ok(())
    }

    fn answer(&mut self, method: &str, params: &Value) -> Answer {
        match (method, &self.state) {
            ("initialize", State::New) => {
                self.state = State::Ready;
                Ok(capabilities())
            }
            (_, State::New) => Err((code::NOT_INITIALIZED, "`initialize` comes first".to_owned())),
            (_, State::ShutDown) | ("initialize", _) => {
                Err((code::NOT_NOW, format!("`{method}` cannot come here")))
            }
            ("shutdown", _) => {
                self.state = State::ShutDown;
                Ok(Value::Null)
            }
            ("textDocument/hover", _) => Ok(self.at(params, hover::of)),
            ("textDocument/definition", _) => Ok(self.at(params, |document, world, byte| {
                definition::of(document, world, byte)
            })),
            ("textDocument/completion", _) => Ok(self.at(params, |document, world, byte| {
                Value::Array(completion::at(document, world, byte))
            })),
            ("textDocument/formatting", _) => Ok(self.formatting(params)),
            _ => Err((
                code::NO_SUCH_METHOD,
                format!("there is no method `{method}`"),
            )),
        }
    }

    /// Asks something about a place of a text.
    fn at(
        &mut self,
        params: &Value,
        ask: impl FnOnce(&mut Document, &dyn World, usize) -> Value,
    ) -> Value {
        let world = self.world;
        let Some(document) = self.document(params) else {
            return Value::Null;
        };
        let place = &params["position"];
        let line = place["line"].as_u64().unwrap_or_default();
        let column = place["character"].as_u64().unwrap_or_default();
        let byte = position::to_byte(&document.text, line, column);
        // A text that nobody has looked at yet has no meaning.
        if document.meaning.is_none() {
            diagnostics::refresh(document, world);
        }
        ask(document, world, byte)
    }

    fn formatting(&mut self, params: &Value) -> Value {
        let Some(document) = self.document(params) else {
            return Value::Null;
        };
        match format(&document.text) {
            None => Value::Null,
            Some(text) if text == document.text => json!([]),
            Some(text) => {
                let whole = position::range(&document.text, &(0..document.text.len()));
                json!([{ "range": whole, "newText": text }])
            }
        }
    }

    fn document(&mut self, params: &Value) -> Option<&mut Document> {
        self.documents
            .get_mut(params["textDocument"]["uri"].as_str()?)
    }

    /// Takes notice of something. The address of a text that was closed, if one was.
    fn notice(&mut self, method: &str, params: &Value) -> Option<String> {
        let uri = params["textDocument"]["uri"].as_str()?.to_owned();
        match method {
            "textDocument/didOpen" => {
                let text = params["textDocument"]["text"].as_str()?.to_owned();
                // A text that was never saved imports modules only.
                let path = uri::to_path(&uri).unwrap_or_else(|| "untitled.sl".into());
                let document = Document {
                    uri: uri.clone(),
                    path,
                    text,
                    meaning: None,
                };
                self.documents.insert(uri.clone(), document);
                self.changed.push(uri);
            }
            "textDocument/didChange" => {
                // Each change has the whole text, so the last one counts.
                let changes = params["contentChanges"].as_array()?;
                let text = changes.last()?["text"].as_str()?.to_owned();
                self.documents.get_mut(&uri)?.text = text;
                self.changed.push(uri);
            }
            // What others import may have changed with it.
            "textDocument/didSave" => self.changed = self.documents.keys().cloned().collect(),
            "textDocument/didClose" => {
                self.documents.remove(&uri)?;
                return Some(uri);
            }
            _ => {}
        }
        None
    }

    /// Says what is wrong with the texts that have changed.
    fn publish(&mut self, output: &mut impl Write) -> Result<(), ProtocolError> {
        let mut changed = std::mem::take(&mut self.changed);
        changed.sort();
        changed.dedup();
        for uri in changed {
            if let Some(document) = self.documents.get_mut(&uri) {
                let found = diagnostics::refresh(document, self.world);
                transport::write(output, &published(&uri, found))?;
            }
        }
        Ok(())
    }
}

fn capabilities() -> Value {
    json!({
        "capabilities": {
            "positionEncoding": "utf-16",
            // The whole text with each change: specifications are short.
            "textDocumentSync": { "openClose": true, "change": 1, "save": true },
            "hoverProvider": true,
            "definitionProvider": true,
            "completionProvider": { "triggerCharacters": [".", "("] },
            "documentFormattingProvider": true,
        },
        "serverInfo": { "name": "heapwright", "version": env!("CARGO_PKG_VERSION") },
    })
}

fn response(id: &Value, answer: Answer) -> Value {
    match answer {
        Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        Err((code, message)) => {
            let error = json!({ "code": code, "message": message });
            json!({ "jsonrpc": "2.0", "id": id, "error": error })
        }
    }
}

fn published(uri: &str, diagnostics: Vec<Value>) -> Value {
    json!({
        "jsonrpc": "2.0",
        "method": "textDocument/publishDiagnostics",
        "params": { "uri": uri, "diagnostics": diagnostics },
    })
}
