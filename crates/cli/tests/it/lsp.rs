//! `heapwright lsp`, asked by a client over pipes as an editor asks it.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::common::root;

/// An editor with one server.
struct Editor {
    server: Child,
    answers: BufReader<ChildStdout>,
    asked: u64,
    /// Diagnostics that came while something else was waited for.
    published: Vec<Value>,
}

impl Editor {
    /// Starts the server, and says hello.
    fn new(folder: &Path, options: &[&str]) -> Editor {
        let mut server = Command::new(env!("CARGO_BIN_EXE_heapwright"))
            .arg("lsp")
            .args(options)
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let answers = BufReader::new(server.stdout.take().expect("a pipe"));
        let mut editor = Editor {
            server,
            answers,
            asked: 0,
            published: Vec::new(),
        };
        let hello = editor.ask("initialize", json!({ "capabilities": {} }));
        assert_eq!(hello["capabilities"]["hoverProvider"], true);
        editor.tell("initialized", json!({}));
        editor
    }

    fn send(&mut self, message: &Value) {
        let body = message.to_string();
        let stdin = self.server.stdin.as_mut().expect("a pipe");
        write!(stdin, "Content-Length: {}\r\n\r\n{body}", body.len()).expect("it listens");
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.answers.read_line(&mut line).expect("a line");
            match line.trim_end().strip_prefix("Content-Length: ") {
                Some(number) => length = number.parse().expect("a number"),
                None => break,
            }
        }
        let mut body = vec![0; length];
        self.answers.read_exact(&mut body).expect("a message");
        serde_json::from_slice(&body).expect("JSON")
    }

    /// The whole answer to a request.
    fn answer(&mut self, method: &str, params: Value) -> Value {
        self.asked += 1;
        let id = self.asked;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let message = self.receive();
            if message["id"] == id {
                return message;
            }
            self.published.push(message);
        }
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        let answer = self.answer(method, params);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// Opens or changes a text, and gives what is wrong with it.
    fn show(&mut self, file: &Path, text: &str, is_open: bool) -> Vec<Value> {
        let uri = uri(file);
        match is_open {
            true => self.tell(
                "textDocument/didChange",
                json!({ "textDocument": { "uri": uri, "version": 2 }, "contentChanges": [{ "text": text }] }),
            ),
            false => self.tell(
                "textDocument/didOpen",
                json!({ "textDocument": { "uri": uri, "languageId": "sl", "version": 1, "text": text } }),
            ),
        }
        loop {
            let message = match self.published.is_empty() {
                true => self.receive(),
                false => self.published.remove(0),
            };
            if message["params"]["uri"] == uri.as_str() {
                return message["params"]["diagnostics"]
                    .as_array()
                    .expect("a list")
                    .clone();
            }
        }
    }

    /// Asks about the place where a piece of the text begins.
    fn at(&mut self, method: &str, file: &Path, text: &str, piece: &str) -> Value {
        let byte = text.find(piece).unwrap_or_else(|| panic!("no {piece}"));
        let before = &text[..byte];
        let line = before.matches('\n').count();
        let column = before
            .rsplit('\n')
            .next()
            .unwrap_or_default()
            .encode_utf16()
            .count();
        let place = json!({ "line": line, "character": column });
        self.ask(
            method,
            json!({ "textDocument": { "uri": uri(file) }, "position": place }),
        )
    }

    /// Says goodbye, and gives the exit code.
    fn end(mut self) -> Option<i32> {
        self.ask("shutdown", Value::Null);
        self.tell("exit", Value::Null);
        self.server.wait().expect("the server ends").code()
    }
}

fn uri(file: &Path) -> String {
    format!("file://{}", file.display())
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("heapwright-lsp-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

const LIST: &str = "\
import \"node.sl\";

// Lists.
pred list(x) :=
    emp & x = null
  | exists n. x -> Node(_, n) * list(n);

pre Stack#push(v) := list(this.top);
data Stack { Node top; }
";

#[test]
fn an_editor_is_told_what_is_wrong_and_what_things_mean() {
    let folder = folder("meaning");
    let node = folder.join("node.sl");
    std::fs::write(&node, "data Node { int value; Node next; }\n").expect("a file");
    let file = folder.join("list.sl");
    let mut editor = Editor::new(&folder, &["--stdio"]);

    let wrong = LIST.replace("list(n)", "lsit(n)");
    let found = editor.show(&file, &wrong, false);
    assert_eq!(found.len(), 1, "{found:?}");
    let message = found[0]["message"].as_str().expect("a text");
    assert!(message.contains("unknown predicate `lsit`"), "{message}");
    assert!(message.contains("did you mean `list`?"), "{message}");
    let start = json!({ "line": 5, "character": 32 });
    assert_eq!(
        (&found[0]["range"]["start"], &found[0]["severity"]),
        (&start, &json!(1))
    );
    assert_eq!(editor.show(&file, LIST, true), Vec::<Value>::new());

    let told = |value: Value| {
        value["contents"]["value"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    let hover = told(editor.at("textDocument/hover", &file, LIST, "list(n)"));
    assert!(hover.contains("pred list(Node x)"), "{hover}");
    assert!(hover.contains("Case 2 of 2"), "{hover}");
    assert!(
        hover.contains("x ─► #1 Node(value: 0, next: null)"),
        "the smallest model: {hover}"
    );
    let hover = told(editor.at("textDocument/hover", &file, LIST, "Node(_"));
    assert!(hover.contains("Node next;"), "{hover}");
    let hover = told(editor.at("textDocument/hover", &file, LIST, "push"));
    assert!(hover.contains("precondition of Stack"), "{hover}");
    let hover = editor.at("textDocument/hover", &file, LIST, ":=");
    assert_eq!(hover, Value::Null);

    let place = editor.at("textDocument/definition", &file, LIST, "Node(_");
    assert_eq!(place["uri"], uri(&node).as_str());
    assert_eq!(
        place["range"]["start"],
        json!({ "line": 0, "character": 5 })
    );
    let place = editor.at("textDocument/definition", &file, LIST, "list(n)");
    assert_eq!(
        place["range"]["start"],
        json!({ "line": 3, "character": 5 })
    );
    let place = editor.at("textDocument/definition", &file, LIST, "n) *");
    assert_eq!(
        place["range"]["start"],
        json!({ "line": 5, "character": 11 })
    );
    assert_eq!(editor.end(), Some(0));
    std::fs::remove_dir_all(folder).expect("the folder is removed");
}

#[test]
fn an_editor_completes_what_is_being_typed() {
    let folder = folder("completion");
    let file = folder.join("tree.sl");
    let mut editor = Editor::new(&folder, &[]);
    let labels = |value: &Value| -> Vec<String> {
        let items = value.as_array().expect("a list").iter();
        items
            .map(|item| item["label"].as_str().expect("a word").to_owned())
            .collect()
    };
    let text = "import search_tree;\n\npred p(root) := root -> TreeNode(\n";
    assert!(
        !editor.show(&file, text, false).is_empty(),
        "the text is not complete"
    );
    let mut complete = |text: &str, end: &str| {
        editor.show(&file, text, true);
        labels(&editor.at("textDocument/completion", &file, text, end))
    };
    let found = complete(text, "\n\0".trim_end_matches('\0'));
    assert!(
        found.contains(&"search_tree".to_owned()),
        "in front of the first line break: {found:?}"
    );
    let text = "import search_tree;\npred p(root) := root -> TreeNode(¶";
    let found = complete(text, "¶");
    assert_eq!(found[..3], ["value", "left", "right"], "{found:?}");
    assert!(found.contains(&"root".to_owned()) && found.contains(&"search_tree".to_owned()));
    let found = complete("import ¶", "¶");
    assert!(found.contains(&"red_black_tree".to_owned()), "{found:?}");
    let found = complete("import search_tree;\ncheck x -> ¶", "¶");
    assert_eq!(found, ["TreeNode"]);
    let found = complete("import search_tree;\ncheck x.¶", "¶");
    assert_eq!(found, ["value", "left", "right"]);
    assert_eq!(editor.end(), Some(0));
    std::fs::remove_dir_all(folder).expect("the folder is removed");
}

#[test]
fn an_editor_has_texts_formatted() {
    let file = root().join("nowhere.sl");
    let mut editor = Editor::new(&root(), &[]);
    editor.show(&file, "check  a=1;// why\n", false);
    let options = json!({ "textDocument": { "uri": uri(&file) }, "options": {} });
    let edits = editor.ask("textDocument/formatting", options.clone());
    assert_eq!(edits[0]["newText"], "check a = 1; // why\n");
    assert_eq!(
        edits[0]["range"]["end"],
        json!({ "line": 1, "character": 0 })
    );
    editor.show(&file, "check a = 1; // why\n", true);
    assert_eq!(
        editor.ask("textDocument/formatting", options.clone()),
        json!([])
    );
    editor.show(&file, "check (", true);
    assert_eq!(editor.ask("textDocument/formatting", options), Value::Null);
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn specifications_beside_code_have_its_classes() {
    // The classes come from the C file beside it.
    let file = root().join("examples/c/intrusive_list.sl");
    let text = std::fs::read_to_string(&file).expect("the example");
    let mut editor = Editor::new(&root(), &[]);
    assert_eq!(editor.show(&file, &text, false), Vec::<Value>::new());
    let hover = editor.at("textDocument/hover", &file, &text, "item(key");
    let hover = hover["contents"]["value"].as_str().unwrap_or_default();
    assert!(hover.contains("data item"), "{hover}");
    assert_eq!(editor.end(), Some(0));
}

#[test]
fn what_no_editor_should_send_is_answered() {
    let mut editor = Editor::new(&root(), &[]);
    let code = |answer: Value| answer["error"]["code"].as_i64();
    assert_eq!(code(editor.answer("initialize", Value::Null)), Some(-32600));
    assert_eq!(
        code(editor.answer("textDocument/rename", Value::Null)),
        Some(-32601)
    );
    let nothing = editor.ask("textDocument/hover", json!({ "textDocument": 5 }));
    assert_eq!(nothing, Value::Null);
    editor.tell("textDocument/didChange", json!([]));
    let stdin = editor.server.stdin.as_mut().expect("a pipe");
    stdin
        .write_all(b"Content-Length: 1\r\n\r\n{")
        .expect("it listens");
    assert_eq!(editor.receive()["error"]["code"], -32700);
    // Gone without a word.
    drop(editor.server.stdin.take());
    assert_eq!(
        editor.server.wait().expect("the server ends").code(),
        Some(4)
    );
}
