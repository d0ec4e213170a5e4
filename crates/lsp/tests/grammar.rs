//! The grammar for colours knows the words of the language.

use heapwright_spec::syntax::ast::function_names;
use serde_json::Value;

#[test]
fn the_grammar_knows_every_function_and_includes_what_exists() {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../editors/vscode/syntaxes/heapwright.tmLanguage.json"
    );
    let text = std::fs::read_to_string(file).expect("the grammar");
    let grammar: Value = serde_json::from_str(&text).expect("JSON");
    let functions = grammar["repository"]["function"]["match"]
        .as_str()
        .expect("a pattern");
    let known: Vec<&str> = functions.split(['(', '|', ')']).collect();
    for name in function_names() {
        assert!(known.contains(&name), "{name}");
    }
    let words = text.as_str();
    for word in [
        "import", "data", "pred", "pre", "post", "check", "throws", "extends", "exists", "emp",
    ] {
        assert!(words.contains(word), "{word}");
    }
    let mut included = 0;
    for piece in text.split("\"#").skip(1) {
        let name = piece.split('"').next().unwrap_or_default();
        assert!(grammar["repository"].get(name).is_some(), "{name}");
        included += 1;
    }
    assert!(included > 10, "{included}");
}
