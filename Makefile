# `make demo` shows the tool at work, `make check` answers within about a minute, and `make test` is
# exactly what CI runs. All install what is missing first, so they work in a fresh clone.

SHELL := /bin/sh
export PATH := $(HOME)/.cargo/bin:$(PATH)

# Build products live in the user's cache, not in the source tree.
CACHE := $(if $(XDG_CACHE_HOME),$(XDG_CACHE_HOME),$(HOME)/.cache)
export CARGO_TARGET_DIR ?= $(CACHE)/heapwright/target
HEAPWRIGHT := $(CARGO_TARGET_DIR)/release/heapwright

# Inputs of each of the two long fuzz runs; every run with the same seed tries the same inputs.
FUZZ_INPUTS ?= 1000000
FUZZ_SEED ?= 1
# Random C programs that are compared with gcc, and mutated C sources: clang reads each of
# them, and every third one is tested.
FUZZ_PROGRAMS ?= 1000
FUZZ_SOURCES ?= 20000
# Seconds for each coverage-guided fuzz target.
FUZZ_SECONDS ?= 60

# The tests in files of their own that `make check` runs, besides those inside of the crates. Each
# takes a few seconds at most: none starts a Java compiler, a virtual machine, a browser or Maven,
# and none searches for long. A name stands for the tests so called in all crates. Nothing is marked
# in the tests themselves, so `cargo test` never leaves one out.
FAST_TESTS := \
	environment limits properties sl_files smtlib_competition smtlib_data smtlib_robustness \
	starfinder_data starfinder_robustness \
	machine_arithmetic machine_budgets machine_domain machine_errors machine_exceptions \
	machine_faults machine_globals machine_intrinsics machine_memory machine_robustness \
	machine_structures machine_well_sorted text_files text_properties verify_files \
	formats page pictures \
	arith_examples branch_distance path_conditions \
	core_language \
	arrays bounds claims coverage globals input_rules intrinsics modes nullness oracle replay \
	rules specification strategies suite verdicts \
	contracts data_files enumeration runs semantics

# The same for the tests of the command line, which are modules of one program.
FAST_MODULES := \
	architecture dependencies commands configuration enumeration generate growth json_schema \
	manual readme transcripts progress

# What is measured and tested is searched for, not looked up.
export HEAPWRIGHT_CACHE := none

.PHONY: help setup build demo dist test-dist docs check test lint advisories msrv fuzz fuzz-guided bench clean

help:
	@echo "make demo         build, then show the tool at work: tests for a class, a TreeMap and C, reports"
	@echo "make check        formatting, lints and the fast tests: about a minute once all is compiled"
	@echo "make test         formatting, lints, all tests, licences of dependencies (what CI runs)"
	@echo "make fuzz         $(FUZZ_INPUTS) class files, jars and configuration files, and as many texts,"
	@echo "                  random and mutated, repeatable (FUZZ_SEED=$(FUZZ_SEED)); $(FUZZ_SOURCES) C sources,"
	@echo "                  and $(FUZZ_PROGRAMS) random C programs, with the checksums of gcc"
	@echo "make dist         an archive with the binary, the Z3 library, completions, manual, licences"
	@echo "make test-dist    the same, tried in a bare Debian of this and of the next release (root,"
	@echo "                  debootstrap, the network)"
	@echo "make docs         the pages of docs as a site, with a page for each command and a gallery"
	@echo "make bench        this project beside published figures (SLCOMP=folder of .smt2 files)"
	@echo ""
	@echo "These need more than make installs, and say what is missing:"
	@echo "make advisories   known vulnerabilities of dependencies (a current cargo-deny, the network)"
	@echo "make msrv         the oldest Rust that is promised (its toolchain)"
	@echo "make fuzz-guided  inputs that coverage leads to, against the readers (nightly Rust,"
	@echo "                  cargo-fuzz), FUZZ_SECONDS=$(FUZZ_SECONDS) for each"

setup:
	@sh scripts/setup.sh

build: setup
	cargo build --release --locked --package heapwright-cli --features cluster

demo: build
	@sh scripts/demo.sh $(HEAPWRIGHT)

# Where archives are made.
DIST ?= $(CARGO_TARGET_DIR)/dist

dist: setup
	@DIST=$(DIST) sh scripts/dist.sh

test-dist: dist
	@sh scripts/test-dist.sh "$$(ls -t $(DIST)/heapwright-*.tar.gz | head -n 1)"

# Where the site of the documentation is made.
SITE ?= $(CARGO_TARGET_DIR)/site

docs: build
	@mdbook=$$(sh scripts/mdbook.sh) && python3 scripts/docs.py $(HEAPWRIGHT) "$$mdbook" $(SITE)

lint: setup
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- -D warnings

check: lint
	cargo test --quiet --workspace --locked --lib $(addprefix --test ,$(FAST_TESTS))
	cargo test --quiet --workspace --locked --test it -- $(addsuffix ::,$(FAST_MODULES))

test: lint
	sh scripts/deny.sh bans licenses sources
	python3 scripts/run-tests.py

advisories:
	@sh scripts/deny.sh advisories

msrv:
	@sh scripts/msrv.sh

fuzz: setup
	cargo build --release --locked --package heapwright-fuzz
	$(CARGO_TARGET_DIR)/release/heapwright-fuzz --what project --count $(FUZZ_INPUTS) \
		--seed $(FUZZ_SEED) examples
	$(CARGO_TARGET_DIR)/release/heapwright-fuzz --what texts --count $(FUZZ_INPUTS) \
		--seed $(FUZZ_SEED) library examples crates/spec/tests/data
	$(CARGO_TARGET_DIR)/release/heapwright-fuzz --what c --count $(FUZZ_SOURCES) \
		--seed $(FUZZ_SEED) examples/c subjects/c
	CSMITH_PROGRAMS=$(FUZZ_PROGRAMS) CSMITH_SEED=$(FUZZ_SEED) cargo test --release --locked \
		--package heapwright-c --test csmith -- --nocapture

fuzz-guided:
	@sh scripts/fuzz-guided.sh $(FUZZ_SECONDS)

bench: build
	$(HEAPWRIGHT) bench korat
	$(if $(SLCOMP),$(HEAPWRIGHT) bench slcomp $(SLCOMP))

clean:
	cargo clean
