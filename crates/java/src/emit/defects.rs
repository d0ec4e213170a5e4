//! Tests that show something to be wrong assert what should be, and nothing about what is wrong: they
//! pass as soon as the program is mended.

use super::call::{Call, Throws};
use super::case::Ending;
use super::error::EmitError;
use super::layout::{split_string, sum};
use super::test_method::Writer;
use crate::descriptor::Type;

impl Writer<'_, '_> {
    /// The call, which may return or throw what it threw before.
    pub fn call_whatever_it_throws(&mut self, call: &Call) -> Result<Throws, EmitError> {
        let Ending::Threw { class, .. } = &self.case.ending else {
            self.line(format!("{};", call.text));
            return Ok(call.throws);
        };
        let ty = self.unit.world.type_of(*class).cloned();
        let ty = ty.ok_or(EmitError::UnknownClass(*class))?;
        let caught = self.caught(&ty)?;
        let name = self.names.plain("ignored");
        self.line("try {".to_owned());
        self.line(format!("    {};", call.text));
        self.line(format!("}} catch ({caught} {name}) {{"));
        self.line("    // What it leaves behind has to be valid all the same.".to_owned());
        self.line("}".to_owned());
        Ok(call.throws)
    }

    /// An exception class that may be caught whatever the call declares: the compiler refuses to catch
    /// a checked exception that nothing throws.
    fn caught(&mut self, ty: &Type) -> Result<String, EmitError> {
        let mut caught = "java.lang.Throwable";
        if let Type::Class(name) = ty {
            let hierarchy = self.unit.hierarchy();
            let is_below = |class: &str| hierarchy.is_subclass(name, class);
            let general = [
                "java.lang.RuntimeException",
                "java.lang.Error",
                "java.lang.Exception",
            ];
            for class in general {
                if is_below(class)? {
                    caught = class;
                    break;
                }
            }
        }
        let is_unchecked = !matches!(caught, "java.lang.Throwable" | "java.lang.Exception");
        let own = match is_unchecked && self.unit.is_nameable(ty)? {
            true => self.unit.type_name(ty)?,
            false => None,
        };
        let general = self.unit.type_name(&Type::class(caught))?;
        Ok(own.or(general).unwrap_or_else(|| caught.to_owned()))
    }

    /// Fails as long as the statements from a position on pass, which say what was observed; if they
    /// do not, something else has to hold.
    pub fn fail_while(&mut self, start: usize, reason: &str, otherwise: Vec<String>) {
        let observed = self.lines.split_off(start.min(self.lines.len()));
        let assertion = self.unit.assertion("fail");
        let changed = self.names.plain("changed");
        let indented = |lines: Vec<String>| {
            let lines = lines.into_iter().map(|line| match line.is_empty() {
                true => line,
                false => format!("    {line}"),
            });
            lines.collect::<Vec<String>>()
        };
        let trimmed = |mut lines: Vec<String>| {
            while lines.last().is_some_and(String::is_empty) {
                lines.pop();
            }
            let first = lines.iter().position(|line| !line.is_empty());
            lines.split_off(first.unwrap_or(lines.len()))
        };
        self.line("try {".to_owned());
        self.lines.extend(indented(trimmed(observed)));
        self.line(format!("}} catch (AssertionError {changed}) {{"));
        self.line(
            "    // The call leaves something else behind than when this was written. Whether that is"
                .to_owned(),
        );
        self.line("    // right is not checked here: generate the tests again.".to_owned());
        self.lines.extend(indented(trimmed(otherwise)));
        self.line("    return;".to_owned());
        self.line("}".to_owned());
        let pieces = split_string(reason);
        self.lines
            .extend(sum(&format!("{assertion}("), &pieces, ");"));
    }
}
