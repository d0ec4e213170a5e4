//! The binary `heapwright`.

/// Searches copy terms, heaps and memories by the million; the allocator of the C library makes them
/// take a fifth longer.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    heapwright_cli::main()
}
