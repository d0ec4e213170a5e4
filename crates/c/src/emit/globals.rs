//! Variables outside of functions: tests set them, and run in processes of their own where they
//! would disturb each other.

use std::fmt::Write;

use heapwright_logic::Value;

use super::values::is_zero;
use super::{TestCase, Writer};
use crate::ast::{CType, Storage, Variable, VariableId};
use crate::lower::{FAILING_ALLOCATION, InputGlobal};
use crate::unit::CUnit;

/// What takes the place of functions that allocate.
pub(super) const FAILING: &str = r#"
// The allocation that fails, counted from 1; none if it is less.
static int failing_allocation, allocations;

static int allocation_fails(void) { return ++allocations == failing_allocation; }
static void *try_malloc(size_t size) { return allocation_fails() ? NULL : malloc(size); }
static void *try_calloc(size_t count, size_t size) {
    return allocation_fails() ? NULL : calloc(count, size);
}
static void *try_realloc(void *old, size_t size) {
    return allocation_fails() ? NULL : realloc(old, size);
}
static char *try_strdup(const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = try_malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}
#undef strdup
#define malloc try_malloc
#define calloc try_calloc
#define realloc try_realloc
#define strdup try_strdup
"#;

/// What ends that.
pub(super) const FAILED: &str = r#"
#undef malloc
#undef calloc
#undef realloc
#undef strdup
"#;

/// Whether allocations may fail.
pub(super) fn may_fail(unit: &CUnit) -> bool {
    let mut globals = unit.source.globals.iter();
    globals.any(|id| {
        let variable = unit.source.variables.get(id.0 as usize);
        variable.is_some_and(|variable| variable.name == FAILING_ALLOCATION)
    })
}

/// How a test names a variable.
fn name_of(variable: &Variable) -> &str {
    match variable.name.as_str() {
        FAILING_ALLOCATION => "failing_allocation",
        name => name,
    }
}

/// Runs a test in a process of its own.
pub(super) const APART: &str = r#"
#ifndef _WIN32
#include <sys/wait.h>
#include <unistd.h>

// What one test leaves in variables of the program is not there in the next one.
static int is_elsewhere(int test, int *failed) {
    fflush(stdout);
    pid_t child = fork();
    if (child < 0) return 0;
    if (child == 0) {
        failures = 0;
        tests[test].run();
        fflush(stdout);
        _exit(failures > 0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    *failed += status != 0;
    printf("%s %s\n", status ? "FAILED" : "ok", tests[test].name);
    return 1;
}
#else
#define is_elsewhere(test, failed) 0
#endif
"#;

/// Whether there are variables that tests could leave changed.
pub(super) fn have_state(unit: &CUnit, cases: &[TestCase<'_>]) -> bool {
    let mut globals = unit.source.globals.iter();
    let may_change = |id: &VariableId| {
        let variable = unit.source.variables.get(id.0 as usize);
        variable.is_some_and(|variable| !variable.is_const && variable.place.file == 0)
    };
    cases.len() > 1 && (globals.any(may_change) || may_fail(unit))
}

/// Definitions of variables that the source only declares.
pub(super) fn definitions(unit: &CUnit, cases: &[TestCase<'_>]) -> String {
    let mut found: Vec<&str> = Vec::new();
    for case in cases {
        for known in unit.input_globals(case.function) {
            if let Some(variable) = unit.source.variables.get(known.variable.0 as usize)
                && variable.storage == Storage::Extern
                && !found.contains(&variable.name.as_str())
            {
                found.push(&variable.name);
            }
        }
    }
    let mut text = String::new();
    for name in found {
        let _ = writeln!(text, "__typeof__({name}) {name};");
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

impl Writer<'_> {
    /// The variables of a test that are objects have names already.
    pub(super) fn name_globals(&mut self, case: &TestCase<'_>) {
        let unit = self.unit;
        for known in unit.input_globals(case.function) {
            let variable = unit.source.variables.get(known.variable.0 as usize);
            if let (Some(variable), true, Some(&Value::Ref(loc))) = (
                variable,
                known.is_object,
                case.arguments.get(known.parameter),
            ) {
                let name = match variable.ty {
                    CType::Array(..) => self.flat_name(&variable.ty, variable.name.clone()),
                    _ => format!("&{}", variable.name),
                };
                self.names.insert(loc, name.clone());
                self.name_inside(case.before, loc, &name);
                // What the source gives it is not what the test wants.
                if variable.init.is_some() {
                    self.clear(&variable.name);
                }
            }
        }
    }

    /// Gives variables their values, objects that nobody looks at included.
    pub(super) fn set_globals(&mut self, case: &TestCase<'_>) {
        let unit = self.unit;
        for known in unit.input_globals(case.function) {
            let variable = unit.source.variables.get(known.variable.0 as usize);
            let value = case.arguments.get(known.parameter);
            let (Some(variable), Some(&value)) = (variable, value) else {
                continue;
            };
            match (known.is_object, value) {
                (true, Value::Ref(_)) => {}
                (true, _) => {
                    if variable.init.is_some() {
                        self.clear(&variable.name);
                    }
                }
                (false, value) if is_zero(value) && variable.init.is_none() => {}
                (false, value) => {
                    let sort = self.sort_of(case, known);
                    let value = self.value(value, sort);
                    self.line(format!("{} = {value};", name_of(variable)));
                }
            }
        }
    }

    pub(super) fn sort_of(
        &self,
        case: &TestCase<'_>,
        known: &InputGlobal,
    ) -> heapwright_logic::Sort {
        let registers = &self.unit.program.function(case.function).registers;
        let register = registers.get(known.parameter);
        register.map_or(heapwright_logic::Sort::Int, |register| register.sort)
    }

    fn clear(&mut self, name: &str) {
        self.line(format!("memset(&{name}, 0, sizeof {name});"));
    }
}
