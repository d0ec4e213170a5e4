//! The report of real runs, opened in a real browser.

mod chromium;

use std::path::{Path, PathBuf};

use crate::common::{heapwright, javac, root};
use chromium::Browser;

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder =
            std::env::temp_dir().join(format!("heapwright-browser-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        Folder(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn text(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    /// Runs `generate` with a report in this folder, and returns the page.
    fn report(&self, arguments: &[&str]) -> PathBuf {
        let folder = self.text("report");
        let mut words = vec!["generate"];
        words.extend(arguments);
        words.extend(["--report", &folder, "-q"]);
        let run = heapwright(&words);
        assert!([0, 4].contains(&run.code), "{}{}", run.stdout, run.stderr);
        self.path("report/index.html")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Compiles Java files into a folder.
fn compile(folder: &Folder, files: &[PathBuf]) -> String {
    let classes = folder.text("classes");
    javac::compile(&javac::usual(), &["-g"], Path::new(&classes), files);
    classes
}

/// Opens a page in a wide window.
fn open(name: &str, page: &Path) -> Browser {
    let mut browser = Browser::start(name);
    browser.resize(1280, 900);
    browser.prefer("light");
    browser.open(page);
    browser
}

fn number(browser: &mut Browser, expression: &str) -> i64 {
    let value = browser.evaluate(expression);
    value
        .as_i64()
        .unwrap_or_else(|| panic!("{expression} is {value}"))
}

fn is_true(browser: &mut Browser, expression: &str) {
    let value = browser.evaluate(expression);
    assert_eq!(value, true, "{expression}");
}

/// What holds for every report: the console is empty, pictures have a size, nothing scrolls
/// sideways but what is meant to.
fn check_page(browser: &mut Browser) {
    let pictures = "[...document.querySelectorAll('.test[open] svg')]";
    assert!(number(browser, &format!("{pictures}.length")) > 0);
    is_true(
        browser,
        &format!("{pictures}.every(p => p.getBBox().width > 0 && p.clientHeight > 0)"),
    );
    // Also those of tests that are closed at first.
    is_true(
        browser,
        "(() => { const closed = [...document.querySelectorAll('.test:not([open])')]; \
         closed.forEach(test => test.open = true); \
         const all = [...document.querySelectorAll('.test svg')].every(p => p.getBBox().width > 0); \
         closed.forEach(test => test.open = false); return all })()",
    );
    for width in [1280, 1100, 768, 390, 320] {
        browser.resize(width, 800);
        let scrolled = "document.documentElement.scrollWidth - innerWidth";
        let beyond = number(browser, scrolled);
        assert!(beyond <= 0, "{beyond} pixels too wide in {width}");
        // Verdicts under lines of code can be read without scrolling.
        is_true(
            browser,
            "[...document.querySelectorAll('.lines .why')].every(box => \
             box.getBoundingClientRect().right <= \
             box.closest('.lines').getBoundingClientRect().right)",
        );
    }
    browser.resize(1280, 900);
    assert_eq!(browser.complaints(), [] as [String; 0]);
}

const VISIBLE_TESTS: &str =
    "[...document.querySelectorAll('.test')].filter(t => t.checkVisibility())";
const FOCUSED_TEST: &str = "document.activeElement.closest('.test')?.id ?? ''";

#[test]
fn a_report_can_be_searched_and_walked_through_by_keyboard() {
    let folder = Folder::new("browser-list");
    let page = folder.report(&["examples/impl/list.impl"]);
    let mut browser = open("list", &page);
    check_page(&mut browser);
    let all = number(&mut browser, &format!("{VISIBLE_TESTS}.length"));
    assert!(all > 5, "{all}");

    // Search, by a word of a method, of a test, and of none.
    browser.press("/");
    is_true(&mut browser, "document.activeElement.id === 'search'");
    browser.type_text("remove");
    let found = number(&mut browser, &format!("{VISIBLE_TESTS}.length"));
    assert!(0 < found && found < all, "{found} of {all}");
    is_true(
        &mut browser,
        &format!("{VISIBLE_TESTS}.every(t => t.closest('.method').textContent.includes('remove'))"),
    );
    is_true(
        &mut browser,
        "[...document.querySelectorAll('.side li')].filter(l => !l.hidden).length === 1",
    );
    // The code is shown with what is found by the name of its method, and not with single tests.
    let code = "[...document.querySelectorAll('.code')].filter(c => c.checkVisibility()).length";
    assert_eq!(number(&mut browser, code), 1);
    browser.type_text(" first_is_nil");
    assert_eq!(number(&mut browser, &format!("{VISIBLE_TESTS}.length")), 1);
    assert_eq!(number(&mut browser, code), 0);
    browser.type_text(" nothing_has_this_name");
    assert_eq!(number(&mut browser, &format!("{VISIBLE_TESTS}.length")), 0);
    is_true(
        &mut browser,
        "document.querySelector('#found').textContent === 'Nothing matches.'",
    );
    browser.press("Escape");
    assert_eq!(
        number(&mut browser, &format!("{VISIBLE_TESTS}.length")),
        all
    );

    // From test to test.
    browser.press("j");
    assert_eq!(browser.evaluate(FOCUSED_TEST), "t0");
    browser.press("j");
    browser.press("ArrowDown");
    assert_eq!(browser.evaluate(FOCUSED_TEST), "t2");
    browser.press("k");
    assert_eq!(browser.evaluate(FOCUSED_TEST), "t1");
    is_true(&mut browser, "!document.querySelector('#t1').open");
    browser.press("Enter");
    is_true(&mut browser, "document.querySelector('#t1').open");
    is_true(
        &mut browser,
        "document.querySelector('#t1').getBoundingClientRect().top < innerHeight",
    );
    browser.press("ArrowLeft");
    is_true(&mut browser, "!document.querySelector('#t1').open");
    is_true(
        &mut browser,
        "getComputedStyle(document.activeElement).outlineStyle !== 'none'",
    );

    // The first stop of the tabulator skips the navigation, and the list of keys can be read.
    browser.open(&page);
    browser.press("Tab");
    is_true(&mut browser, "document.activeElement.matches('.skip')");
    browser.press("Enter");
    is_true(&mut browser, "document.activeElement.id === 'main'");
    browser.press("?");
    is_true(&mut browser, "document.querySelector('#help').open");
    browser.press("Escape");
    is_true(&mut browser, "!document.querySelector('#help').open");

    // A link from a branch opens the test that takes it.
    is_true(
        &mut browser,
        "(() => { location.hash = '#t3'; return true })()",
    );
    is_true(
        &mut browser,
        "new Promise(done => setTimeout(() => done(document.querySelector('#t3').open), 50))",
    );
    assert_eq!(browser.complaints(), [] as [String; 0]);
}

#[test]
fn the_constraint_tree_shows_what_no_test_takes_and_why() {
    let folder = Folder::new("browser-tree");
    let page = folder.report(&["examples/impl/red_black_tree.impl#insert"]);
    let mut browser = open("tree", &page);
    check_page(&mut browser);
    is_true(&mut browser, "!document.querySelector('.tree').open");
    is_true(
        &mut browser,
        "document.querySelector('.tree summary').textContent.includes(' unreachable · ')",
    );
    is_true(
        &mut browser,
        "(() => { document.querySelectorAll('.tree, .tree details').forEach(d => d.open = true); \
         return true })()",
    );
    for (kind, reason, style) in [
        (
            "no",
            "unreachable: ",
            "textDecorationLine === 'line-through'",
        ),
        ("open", "not explored: ", "fontStyle === 'italic'"),
    ] {
        let ends = format!("[...document.querySelectorAll('.tree .{kind}')]");
        assert!(
            number(&mut browser, &format!("{ends}.length")) > 0,
            "{kind}"
        );
        is_true(
            &mut browser,
            &format!(
                "{ends}.every(e => e.textContent.includes(' — {reason}') && e.checkVisibility())"
            ),
        );
        is_true(
            &mut browser,
            &format!("{ends}.every(e => getComputedStyle(e.firstChild).{style})"),
        );
    }
    assert_eq!(browser.complaints(), [] as [String; 0]);
}

#[test]
fn light_and_dark_follow_the_system_and_the_reader() {
    let folder = Folder::new("browser-theme");
    let page = folder.report(&["examples/impl/stack.impl"]);
    let mut browser = open("theme", &page);
    let background = "getComputedStyle(document.body).backgroundColor";
    let light = browser.evaluate(background);
    let box_colour = "getComputedStyle(document.querySelector('.test[open] .b')).fill";
    let light_box = browser.evaluate(box_colour);
    browser.prefer("dark");
    let dark = browser.evaluate(background);
    assert_ne!(light, dark);
    assert_ne!(browser.evaluate(box_colour), light_box);
    is_true(
        &mut browser,
        "(() => { document.querySelector('#theme').click(); return true })()",
    );
    assert_eq!(browser.evaluate(background), light);
    assert_eq!(browser.evaluate(box_colour), light_box);
    browser.press("t");
    assert_eq!(browser.evaluate(background), dark);
    assert_eq!(browser.complaints(), [] as [String; 0]);
}

#[test]
fn the_report_of_a_java_class_shows_findings_first() {
    let folder = Folder::new("browser-java");
    let sources = "crates/cli/tests/data/java";
    let classes = compile(&folder, &[root().join(sources).join("demo/Chain.java")]);
    let target = ["demo.Chain", "--any-heap", "-c", &classes];
    let page = folder.report(&[&target[..], &["--sources", sources]].concat());
    let mut browser = open("java", &page);
    check_page(&mut browser);
    is_true(
        &mut browser,
        "document.querySelector('.finding').textContent.includes('AssertionError')",
    );
    is_true(
        &mut browser,
        "document.querySelector('.finding').getBoundingClientRect().top < innerHeight",
    );
    is_true(
        &mut browser,
        "document.querySelector(document.querySelector('.finding').getAttribute('href')).matches('.test.found')",
    );
    let text = browser.evaluate("document.querySelector('main').textContent");
    let text = text.as_str().expect("a text");
    for expected in ["int length()", "@Test", "void cut_all()", "chain.cut(true)"] {
        assert!(text.contains(expected), "{expected}");
    }
    // Lines have the numbers that they have in the file.
    let source = std::fs::read_to_string(root().join(sources).join("demo/Chain.java"));
    let source = source.expect("a source");
    let shown = browser.shown_texts();
    let mut numbered = 0;
    for (number, line) in (1..).zip(source.lines().map(str::trim)) {
        let is_unique = source.lines().filter(|other| other.trim() == line).count() == 1;
        let place = shown.iter().position(|text| text == line);
        if let Some(place) = place.filter(|place| *place > 0 && is_unique) {
            assert_eq!(shown[place - 1], format!("{number}"), "{line}");
            numbered += 1;
        }
    }
    // What is out of sight need not be among the texts.
    assert!(numbered > 1, "{shown:?}");
    // Changes are marked in the picture after the run.
    is_true(
        &mut browser,
        "document.querySelectorAll('.test .f').length > 0",
    );
    is_true(
        &mut browser,
        "document.querySelectorAll('.lines .x').length > 0",
    );
}

/// Names that class files may have although Java has no way to write them, as long as what javac
/// wrote in their place.
const HOSTILE_FIELD: &str = "<img src=x onerror=hacked=1>";
const HOSTILE_CLASS: &str = "<svg onload=hacked=2>'\"&amp";

/// Names and texts of the program under test are never taken for markup.
#[test]
fn hostile_names_stay_text() {
    let folder = Folder::new("browser-hostile");
    let field = "F".repeat(HOSTILE_FIELD.len());
    let class = "C".repeat(HOSTILE_CLASS.len());
    let source = format!(
        "package hostile;
class Evil {{
    static class {class} {{ int {field}; String label; {class} next; }}
    static String find({class} n, String s) {{ // <script>hacked = 3</script>
        if (n == null) return \"<script>hacked = 4</script>\";
        if (s != null && s.equals(\"\\\"'><img src=x onerror='hacked=5'>\")) return s;
        n.label = \"</svg></pre></details><iframe srcdoc='x'>&lt;b&gt;\";
        n.{field} = 7;
        return n.label;
    }}
}}
"
    );
    std::fs::create_dir_all(folder.path("src/hostile")).expect("a folder");
    std::fs::write(folder.path("src/hostile/Evil.java"), source).expect("a file");
    let classes = compile(&folder, &[folder.path("src/hostile/Evil.java")]);
    for entry in std::fs::read_dir(folder.path("classes/hostile")).expect("classes") {
        let file = entry.expect("a file").path();
        let mut bytes = std::fs::read(&file).expect("a class");
        replace(&mut bytes, field.as_bytes(), HOSTILE_FIELD.as_bytes());
        replace(&mut bytes, class.as_bytes(), HOSTILE_CLASS.as_bytes());
        std::fs::remove_file(&file).expect("a file");
        let name = file.display().to_string().replace(&class, HOSTILE_CLASS);
        std::fs::write(name, bytes).expect("a class");
    }
    let sources = folder.text("src");
    let page = folder.report(&["hostile.Evil#find", "-c", &classes, "--sources", &sources]);
    let mut browser = open("hostile", &page);
    check_page(&mut browser);
    check_harmless(&mut browser);
    let text = browser.evaluate("document.body.textContent");
    let text = text.as_str().expect("a text");
    for shown in [
        "<script>hacked = 3</script>",
        "<script>hacked = 4",
        "</svg></pre></details><iframe",
        HOSTILE_FIELD,
        HOSTILE_CLASS,
    ] {
        assert!(text.contains(shown), "{shown}");
    }

    // ImpL has plain names only, but files and comments can be called anything.
    let name = "\"><img src=x onerror=hacked=6>.impl";
    let program = "// </script><script>hacked = 7</script>\nif (x == nil) then x := nil";
    std::fs::write(folder.path(name), program).expect("a file");
    let page = folder.report(&[&folder.text(name)]);
    browser.open(&page);
    check_page(&mut browser);
    check_harmless(&mut browser);
    is_true(&mut browser, "document.title.includes('onerror=hacked=6')");
}

/// Nothing ran, and nothing is there, but what the page itself has.
fn check_harmless(browser: &mut Browser) {
    is_true(browser, "window.hacked === undefined");
    is_true(
        browser,
        "document.querySelectorAll('img, iframe, b b, [onload], [onerror]').length === 0",
    );
    is_true(browser, "document.querySelectorAll('script').length === 1");
}

/// Replaces every occurrence of some bytes by as many others.
fn replace(bytes: &mut [u8], old: &[u8], new: &[u8]) {
    assert_eq!(old.len(), new.len());
    for at in 0..bytes.len().saturating_sub(old.len() - 1) {
        if bytes[at..].starts_with(old) {
            bytes[at..at + new.len()].copy_from_slice(new);
        }
    }
}

#[test]
fn two_hundred_tests_make_a_page_of_less_than_two_megabytes() {
    let folder = Folder::new("browser-large");
    let options = [
        "--all-paths",
        "--keep",
        "all",
        "--max-objects",
        "5",
        "--max-paths",
        "250",
    ];
    let mut arguments = vec!["examples/impl/red_black_tree.impl#insert"];
    arguments.extend(options);
    let page = folder.report(&arguments);
    let mut browser = open("large", &page);
    let tests = number(&mut browser, "document.querySelectorAll('.test').length");
    assert!(tests >= 200, "{tests}");
    let size = std::fs::metadata(&page).expect("a page").len();
    assert!(size < 2_000_000, "{size}");
    is_true(
        &mut browser,
        "document.querySelectorAll('.tree .no, .tree .open').length <= 60",
    );
    is_true(
        &mut browser,
        "document.querySelector('.tree').textContent.includes('left out here')",
    );
    is_true(
        &mut browser,
        "[...document.querySelectorAll('.test')].every(t => t.querySelector('svg'))",
    );
    assert_eq!(browser.complaints(), [] as [String; 0]);
}
