//! Class files: read, or refused with a place inside of the file.
#![no_main]

use heapwright_java::classfile::parse;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Err(error) = parse(bytes) {
        assert!(error.offset <= bytes.len(), "{error}");
    }
});
