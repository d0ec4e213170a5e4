//! A browser without a window, driven by the DevTools protocol through a pair of pipes.
//!
//! With `--remote-debugging-pipe` Chromium reads commands from file descriptor 3 and writes answers
//! and events to descriptor 4, each a JSON text that ends with a zero byte. A shell connects them
//! to standard input and output, so nothing is needed but the standard library.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value as Json, json};

/// How long an answer may take; nobody waits that long unless something is wrong.
const PATIENCE: Duration = Duration::from_secs(60);

/// The names of the binary, in the order in which they are tried.
const NAMES: &str = "chromium chromium-browser google-chrome";

/// One page in a browser.
pub struct Browser {
    process: Child,
    commands: ChildStdin,
    messages: Receiver<Json>,
    profile: PathBuf,
    session: Option<String>,
    last: u64,
    /// What the page complained about.
    complaints: Vec<String>,
    /// Whether the page was loaded since it was asked for.
    loaded: bool,
}

impl Browser {
    /// Starts a browser with an empty page.
    pub fn start(name: &str) -> Browser {
        let folder = format!("heapwright-browser-{name}-{}", std::process::id());
        let profile = std::env::temp_dir().join(folder);
        let flags = "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run \
                     --disable-background-networking --disable-component-update --disable-sync \
                     --disable-dev-shm-usage --remote-debugging-pipe";
        let script = format!(
            "for name in {NAMES}; do command -v $name >/dev/null && exec $name {flags} \
             --user-data-dir=\"$PROFILE\" about:blank 3<&0 4>&1 1>/dev/null 2>/dev/null; done"
        );
        let mut process = Command::new("sh")
            .args(["-c", &script])
            .env("PROFILE", &profile)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell starts");
        let commands = process.stdin.take().expect("a pipe");
        let answers = BufReader::new(process.stdout.take().expect("a pipe"));
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            for text in answers.split(0).map_while(Result::ok) {
                let message = serde_json::from_slice(&text).expect("answers are JSON");
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let mut browser = Browser {
            process,
            commands,
            messages,
            profile,
            session: None,
            last: 0,
            complaints: Vec::new(),
            loaded: false,
        };
        let target = browser.call("Target.createTarget", json!({ "url": "about:blank" }));
        let attached = browser.call(
            "Target.attachToTarget",
            json!({ "targetId": target["targetId"], "flatten": true }),
        );
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser
    }

    /// Opens a file and waits until it is loaded.
    pub fn open(&mut self, file: &Path) {
        self.loaded = false;
        let url = format!("file://{}", file.display());
        self.call("Page.navigate", json!({ "url": url }));
        while !self.loaded {
            self.receive();
        }
    }

    /// The value of an expression in the page.
    pub fn evaluate(&mut self, expression: &str) -> Json {
        let answer = self.call(
            "Runtime.evaluate",
            json!({ "expression": expression, "returnByValue": true, "awaitPromise": true }),
        );
        let failure = &answer["exceptionDetails"];
        assert!(failure.is_null(), "{expression}: {failure}");
        answer["result"]["value"].clone()
    }

    /// The texts that the page shows, those of the style sheet included, in their order.
    pub fn shown_texts(&mut self) -> Vec<String> {
        let tree = self.call("Accessibility.getFullAXTree", json!({}));
        let nodes = tree["nodes"].as_array().cloned().unwrap_or_default();
        let id = |node: &Json| node["nodeId"].as_str().unwrap_or_default().to_owned();
        let by_id: HashMap<String, &Json> = nodes.iter().map(|node| (id(node), node)).collect();
        let mut texts = Vec::new();
        // The nodes come in another order, the first one is the page.
        let mut pending: Vec<String> = nodes.first().map(id).into_iter().collect();
        while let Some(node) = pending.pop().and_then(|id| by_id.get(&id)) {
            if node["role"]["value"] == "StaticText" {
                let text = node["name"]["value"].as_str().unwrap_or_default();
                texts.push(text.trim().to_owned());
            }
            let below = node["childIds"].as_array().into_iter().flatten();
            let below = below.filter_map(|id| Some(id.as_str()?.to_owned()));
            let below: Vec<String> = below.filter(|id| by_id.contains_key(id)).collect();
            pending.extend(below.into_iter().rev());
        }
        texts
    }

    /// Presses and releases a key: a character, or a name such as `ArrowDown`.
    pub fn press(&mut self, key: &str) {
        let text = match key {
            "Enter" => Some("\r"),
            _ if key.chars().count() == 1 => Some(key),
            _ => None,
        };
        let code = match key {
            "Enter" => 13,
            "Escape" => 27,
            "Tab" => 9,
            _ => 0,
        };
        let mut down = json!({ "type": "keyDown", "key": key, "windowsVirtualKeyCode": code });
        if let Some(text) = text {
            down["text"] = text.into();
        }
        self.call("Input.dispatchKeyEvent", down);
        self.call(
            "Input.dispatchKeyEvent",
            json!({ "type": "keyUp", "key": key, "windowsVirtualKeyCode": code }),
        );
    }

    /// Types a text into what has the focus.
    pub fn type_text(&mut self, text: &str) {
        self.call("Input.insertText", json!({ "text": text }));
    }

    /// Makes the page so large.
    pub fn resize(&mut self, width: u32, height: u32) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600 });
        self.call("Emulation.setDeviceMetricsOverride", size);
    }

    /// Makes the system prefer light or dark colours.
    pub fn prefer(&mut self, scheme: &str) {
        let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        self.call("Emulation.setEmulatedMedia", features);
    }

    /// Errors and warnings in the console, and exceptions that nobody caught.
    pub fn complaints(&mut self) -> &[String] {
        // Events that were sent before this answer have arrived with it.
        self.evaluate("0");
        &self.complaints
    }

    fn call(&mut self, method: &str, parameters: Json) -> Json {
        self.last += 1;
        let mut message = json!({ "id": self.last, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            message["sessionId"] = session.as_str().into();
        }
        let mut text = message.to_string().into_bytes();
        text.push(0);
        let sent = self.commands.write_all(&text);
        sent.expect("Chromium takes commands; scripts/setup.sh installs it");
        loop {
            let message = self.receive();
            if message["id"] == self.last {
                assert!(message["error"].is_null(), "{method}: {}", message["error"]);
                return message["result"].clone();
            }
        }
    }

    fn receive(&mut self) -> Json {
        let message = self.messages.recv_timeout(PATIENCE);
        let message = message.expect("Chromium answers; scripts/setup.sh installs it");
        let parameters = &message["params"];
        match message["method"].as_str() {
            Some("Page.loadEventFired") => self.loaded = true,
            Some("Runtime.exceptionThrown") => {
                self.complaints
                    .push(parameters["exceptionDetails"].to_string());
            }
            Some("Runtime.consoleAPICalled") if parameters["type"] != "log" => {
                self.complaints.push(parameters["args"].to_string());
            }
            Some("Log.entryAdded") => self.complaints.push(parameters["entry"].to_string()),
            _ => {}
        }
        message
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = std::fs::remove_dir_all(&self.profile);
    }
}
