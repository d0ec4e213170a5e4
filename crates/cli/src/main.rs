//! The binary `heapwright`.

fn main() {
    heapwright_cli::main()
}
