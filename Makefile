# Two commands do everything: `make run` and `make test`. `make help` lists the rest.
PRESET ?= release
BUILD := build/$(PRESET)
JOBS := $(shell nproc)
# Configures only once: ninja runs CMake again by itself when its inputs change.
CONFIGURE = [ -f build/$(1)/build.ninja ] || cmake --preset $(1) >build/$(1).log 2>&1 || { cat build/$(1).log; exit 1; }

.PHONY: run tour test build bench lint format fuzz golden clean help setup

run: PRESET := release
run: build ## Set up, build and show what tuning one network saves
	@tools/first-run

tour: PRESET := release
tour: build ## Set up, build and show every capability, one command each
	@tools/tour

test: build ## Set up, build and run every test (PRESET=release, dev, asan or tsan)
	@tools/setup test
	@ctest --preset $(PRESET) -j$(JOBS)

build: ## Set up and build (PRESET=...)
	@tools/setup build
	@mkdir -p build && $(call CONFIGURE,$(PRESET))
	@cmake --build --preset $(PRESET)

bench: ## Build and run the benchmarks beside their peers
	@tools/setup build test bench
	@mkdir -p build && $(call CONFIGURE,bench)
	@cmake --build --preset bench
	@bench/run

lint: ## Check style (clang-format) and run clang-tidy over the library and the programs
	@tools/setup build lint
	@tools/sources | xargs clang-format --dry-run -Werror
	@mkdir -p build && $(call CONFIGURE,tidy)
	@cmake --build --preset tidy

format: ## Rewrite the sources in the house style
	@tools/setup lint
	@tools/sources | xargs clang-format -i

fuzz: ## Run every fuzz target for FUZZ_SECONDS (default 60) from its corpus
	@tools/setup build fuzz
	@mkdir -p build && $(call CONFIGURE,fuzz)
	@cmake --build --preset fuzz
	@fuzz/run

golden: build ## Rewrite golden files and transcripts from what the program does now; read the diff
	@ERGON_UPDATE_GOLDEN=1 ctest --preset $(PRESET) -j$(JOBS) -L golden

clean: ## Remove everything that was built
	@rm -rf build

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
