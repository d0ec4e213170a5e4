//! The binary `heapwright`.

use std::process::ExitCode;

fn main() -> ExitCode {
    heapwright_cli::main()
}
