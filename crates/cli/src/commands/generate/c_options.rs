//! What can be said about C on the command line.

use std::path::PathBuf;

/// Options for C.
#[derive(clap::Args, Clone, Debug)]
#[command(next_help_heading = "C")]
pub struct CArguments {
    /// The file with the flags that the build compiles the source with [default: the nearest
    /// compile_commands.json of the project, beside or above the source or in `build` there]
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub compile_commands: Option<PathBuf>,
    /// Tries what happens if malloc, calloc, realloc or strdup returns null: one call fails in each
    /// such test [default: memory is always there]
    #[arg(long, hide_short_help = true)]
    pub malloc_fails: bool,
    /// Flags for clang and gcc, after those of the build: -I, -isystem, -iquote, -include, -D, -U,
    /// -std=, -m, --target= [default: none]
    #[arg(last = true, value_name = "FLAG")]
    pub flags: Vec<String>,
}
