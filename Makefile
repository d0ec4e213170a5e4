# `make demo` shows the tool at work, `make test` is exactly what CI runs.
# Both install what is missing first, so they work in a fresh clone.

SHELL := /bin/sh
export PATH := $(HOME)/.cargo/bin:$(PATH)

# Build products live in the user's cache, not in the source tree.
CACHE := $(if $(XDG_CACHE_HOME),$(XDG_CACHE_HOME),$(HOME)/.cache)
export CARGO_TARGET_DIR ?= $(CACHE)/heapwright/target
HEAPWRIGHT := $(CARGO_TARGET_DIR)/release/heapwright

# Inputs of each of the two long fuzz runs; every run with the same seed tries the same inputs.
FUZZ_INPUTS ?= 1000000
FUZZ_SEED ?= 1

.PHONY: help setup build demo test fuzz bench clean

help:
	@echo "make demo   build, then show the tool at work: tests for a class, for a TreeMap, reports"
	@echo "make test   formatting, lints and all tests (what CI runs)"
	@echo "make fuzz   $(FUZZ_INPUTS) class files, jars and configuration files, and as many texts,"
	@echo "            random and mutated, repeatable (FUZZ_SEED=$(FUZZ_SEED))"
	@echo "make bench  this project beside published figures (SLCOMP=folder of .smt2 files)"

setup:
	@sh scripts/setup.sh

build: setup
	cargo build --release --locked --package heapwright-cli

demo: build
	@sh scripts/demo.sh $(HEAPWRIGHT)

test: setup
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- -D warnings
	cargo test --workspace --locked

fuzz: setup
	cargo build --release --locked --package heapwright-fuzz
	$(CARGO_TARGET_DIR)/release/heapwright-fuzz --what project --count $(FUZZ_INPUTS) \
		--seed $(FUZZ_SEED) examples
	$(CARGO_TARGET_DIR)/release/heapwright-fuzz --what texts --count $(FUZZ_INPUTS) \
		--seed $(FUZZ_SEED) library examples crates/spec/tests/data

bench: build
	$(HEAPWRIGHT) bench korat
	$(if $(SLCOMP),$(HEAPWRIGHT) bench slcomp $(SLCOMP))

clean:
	cargo clean
