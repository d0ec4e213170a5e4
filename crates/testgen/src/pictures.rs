//! The heaps of tests as pictures.

use heapwright_explain::texts_of_values;
use heapwright_report::Scene;

use crate::suite::Suite;

/// Every test before and after its run, drawn with one of the writers of the report crate, each with
/// the name of a file.
pub fn pictures(
    suite: &Suite,
    ending: &str,
    writer: fn(&Scene<'_>) -> String,
) -> Vec<(String, String)> {
    let mut pictures = Vec::new();
    let definitions = &suite.subject.definitions;
    for kept in &suite.tests {
        let test = suite.test(kept);
        let arguments = suite.arguments(test);
        let labels_before = texts_of_values(suite.language, definitions, &test.input.heap);
        let labels_after = texts_of_values(suite.language, definitions, &test.run.heap);
        let roots = test.run.roots();
        let title = format!("{}: before", kept.name);
        let before = Scene::new(definitions, &arguments, &test.input.heap)
            .labelled(&labels_before, &labels_before)
            .followed_by(&roots, &test.run.heap, Some(&labels_after))
            .titled(&title);
        let title = format!("{}: after", kept.name);
        let after = Scene::new(definitions, &roots, &test.run.heap)
            .compared_with(&arguments, &test.input.heap)
            .labelled(&labels_after, &labels_before)
            .titled(&title);
        for (moment, scene) in [("before", before), ("after", after)] {
            let name = format!("{}.{moment}.{ending}", kept.name);
            pictures.push((name, writer(&scene)));
        }
    }
    pictures
}
