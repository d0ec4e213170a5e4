//! Calls that end the program: a function of the test takes the place of `exit` and jumps back, so
//! that the test sees the status, and what was changed before.
//!
//! What such a call has allocated is not freed, which is no leak: the program would be over.

use crate::lower::EXITS;

use super::TestCase;

/// What stands in front of the source, so that its calls lead to the test.
pub(super) const BEFORE: &str = r#"
#include <setjmp.h>

// Where a call that ends the program comes back to, and the status that it was given.
static jmp_buf before_exit;
static int exit_status;

static _Noreturn void exit_of_source(int status) {
    exit_status = status;
    longjmp(before_exit, 1);
}
#define exit exit_of_source
#define _exit exit_of_source
#define _Exit exit_of_source
#define quick_exit exit_of_source
"#;

/// What stands behind the source.
pub(super) const CHECK: &str = r#"#undef exit
#undef _exit
#undef _Exit
#undef quick_exit

// What is lost when the program ends is no leak.
#if defined __SANITIZE_ADDRESS__
#define HAS_LEAK_CHECK 1
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define HAS_LEAK_CHECK 1
#endif
#endif
#ifdef HAS_LEAK_CHECK
void __lsan_disable(void);
void __lsan_enable(void);
#else
#define __lsan_disable() ((void)0)
#define __lsan_enable() ((void)0)
#endif

#define CHECK_EXIT(status, call) \
    do { \
        exit_status = (status) + 1; \
        __lsan_disable(); \
        if (setjmp(before_exit) == 0) call; \
        __lsan_enable(); \
        CHECK(exit_status == (status)); \
    } while (0)

"#;

/// Whether a test has a call that ends the program.
pub(super) fn are_there(cases: &[TestCase<'_>]) -> bool {
    debug_assert!(EXITS.iter().all(|name| BEFORE.contains(name)));
    let ends = |case: &TestCase<'_>| case.after.is_some_and(|after| after.exit.is_some());
    cases.iter().any(ends)
}
