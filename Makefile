# Two commands do everything: `make run` and `make test`. `make help` lists the rest; docs/install.md says more.
PRESET ?= release
JOBS := $(shell nproc)
# Many tests wait: for a browser, for sensors, for servers.
TEST_JOBS := $(shell echo $$(($(JOBS) + 1)))
# Where `make install` puts the files. DESTDIR is put before it, for packaging.
PREFIX ?= /usr/local
# The Python that the package is built for.
PYTHON ?= $(firstword $(wildcard /usr/bin/python3) python3)
WITH_PYTHON := -DERGON_PYTHON=ON -DPython3_EXECUTABLE=$(PYTHON)
# ON: warnings are errors, as in CI. By default the build folder stays as it was configured, without -Werror.
WERROR ?=
STRICT := $(if $(WERROR),-DCMAKE_COMPILE_WARNING_AS_ERROR=$(WERROR))

.PHONY: run tour test check build programs python install uninstall package bench format fuzz golden clean help

run: ## Install packages, build the program, and show what tuning one network saves
	@tools/setup build
	@tools/configure release
	@echo "build: ergon and libergon_torch.so, in build/release" >&2
	@cmake --build --preset release --target ergon
	@tools/first-run

tour: programs ## Build the programs and show every capability, one command each
	@tools/tour

test: ## Build and run every test (PRESET=release, dev, asan or tsan; WERROR=ON)
	@tools/setup build python test
	@tools/configure $(PRESET) -DERGON_TESTS=ON $(WITH_PYTHON) $(STRICT)
	@echo "build: programs and tests, in build/$(PRESET)" >&2
	@cmake --build --preset $(PRESET)
	@ctest --preset $(PRESET) -j$(TEST_JOBS)

check: ## Run all checks before a release, more than three hours (STAGE=dev: one of them)
	@tools/check $(STAGE)

build: ## Build everything that a preset configures (PRESET=...)
	@tools/setup build
	@tools/configure $(PRESET) $(STRICT)
	@cmake --build --preset $(PRESET)

programs:
	@tools/setup build
	@tools/configure release
	@cmake --build --preset release --target programs

python: ## Build the Python package: one wheel, in build/python/dist (PYTHON=python3)
	@tools/setup build python
	@tools/configure release $(WITH_PYTHON)
	@echo "build: the Python package, in build/release/python" >&2
	@cmake --build --preset release --target python_files programs
	@tools/wheel $(PYTHON)

install: programs ## Install programs, library, manual pages and headers (PREFIX=/usr/local, DESTDIR=)
	@DESTDIR="$(DESTDIR)" cmake --install build/release --strip --prefix "$(abspath $(PREFIX))"

uninstall: ## Remove what the last `make install` of this folder installed
	@tools/uninstall build/release/install_manifest.txt "$(DESTDIR)"

package: ## Build the Debian packages ergon, ergon-dev and python3-ergon, in build/package
	@tools/setup build python package
	@tools/configure release $(WITH_PYTHON)
	@cmake --build --preset release --target programs python_files
	@rm -rf build/package
	@cpack --config build/release/CPackConfig.cmake >build/package.log 2>&1 || { cat build/package.log; exit 1; }
	@rm -rf build/package/_CPack_Packages
	@ls -sh build/package/*.deb

bench: ## Build and run the benchmarks beside their peers
	@tools/setup build test bench
	@tools/configure bench
	@cmake --build --preset bench
	@bench/run

format: ## Rewrite the sources in the house style
	@tools/setup test
	@tools/sources | xargs clang-format -i

fuzz: ## Run every fuzz target for FUZZ_SECONDS (default 60) from its corpus
	@tools/check fuzz

golden: ## Rewrite golden files and transcripts from what the program does now; read the diff
	@tools/setup build python test
	@tools/configure $(PRESET) -DERGON_TESTS=ON $(WITH_PYTHON)
	@cmake --build --preset $(PRESET)
	@ERGON_UPDATE_GOLDEN=1 ctest --preset $(PRESET) -j$(JOBS) -L golden

clean: ## Remove everything that was built
	@rm -rf build

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
