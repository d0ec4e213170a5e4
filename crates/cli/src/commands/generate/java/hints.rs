//! What would make the tests better.

use std::io::Write;

use heapwright_engine::Mode;
use heapwright_java::classfile;
use heapwright_java::target::TargetMethod;

use super::session::Session;
use crate::failure::Failure;
use crate::java::JavaProgram;

impl Session<'_> {
    /// Mentions what would make the tests better.
    pub fn hint(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let arguments = self.arguments;
        if arguments.quiet || arguments.json_on_standard_output() {
            return Ok(());
        }
        let mut targets = self.methods.iter().map(|method| &method.target);
        if let Some(target) = targets.find(|target| is_nameless(&self.program, target)) {
            let class = &target.class.name;
            writeln!(
                out,
                "hint: {class} was compiled without -g; compile with -g to see the names of \
                 parameters"
            )?;
        }
        self.mention_predicate(out)
    }

    /// Mentions a predicate that nobody made use of, where every heap is a valid input.
    fn mention_predicate(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let arguments = self.arguments;
        let by_predicate = matches!(
            arguments.search.mode,
            Mode::Blackbox | Mode::Whitebox | Mode::Sequences
        );
        if by_predicate {
            return Ok(());
        }
        for method in self.methods.iter().filter(|method| method.suite.any_heap) {
            if let Some(predicate) = self.program.predicate(&method.target.class)? {
                let name = &predicate.declared.method.name;
                writeln!(
                    out,
                    "hint: {} has a method {name}; with --mode whitebox all inputs satisfy it",
                    method.target.class.name
                )?;
                return Ok(());
            }
        }
        Ok(())
    }
}

/// Whether somebody could compile the class of a method again to have names for its parameters: it
/// is not one of the JDK, and none of its methods has any.
fn is_nameless(program: &JavaProgram, target: &TargetMethod) -> bool {
    let class = &target.class;
    let has_parameters = |method: &classfile::Method| !method.descriptor.parameters.is_empty();
    let mut methods = class.methods.iter();
    has_parameters(&target.declared.method)
        && methods.all(|method| method.parameter_name(0).is_none())
        && (program.world.class_path().classes())
            .is_ok_and(|own| own.binary_search(&class.name).is_ok())
}
