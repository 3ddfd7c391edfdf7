# Each target does all its own set-up: `make test` on a bare Debian installs what is
# missing (tools/deps), builds and runs.  The build itself is in CMakeLists.txt.

JOBS ?=

.PHONY: build demo test soak fuzz bench coverage lint format clean help
.DEFAULT_GOAL := build

configure = cmake --preset $(1) $(2) >build/configure-$(1).log || \
	{ cat build/configure-$(1).log; exit 1; }
compile = cmake --build --preset $(1) $(if $(JOBS),-j $(JOBS))

build:
	@tools/deps build && mkdir -p build
	@$(call configure,release)
	@$(call compile,release)

demo: build
	@tools/deps demo
	@tools/demo build/cordon

# What is tested is what is shipped, plus the same sources under the sanitizers.
test:
	@tools/deps test && mkdir -p build
	@$(call configure,release,-DCORDON_TESTS=ON -DCORDON_WERROR=ON)
	@$(call compile,release)
	@$(call configure,asan)
	@$(call compile,asan)
	@tests/run

# Longer than CI has time for: CASES=100000 make soak
soak:
	@tools/deps soak && mkdir -p build
	@$(call configure,release,-DCORDON_TESTS=ON)
	@$(call compile,release)
	@tests/run tests/soak.d

# FUZZ_SECONDS=1800 make fuzz
fuzz:
	@tools/deps fuzz && mkdir -p build
	@$(call configure,fuzz)
	@$(call compile,fuzz)
	@tools/fuzz build/fuzz/fuzz

bench:
	@tools/deps bench && mkdir -p build
	@$(call configure,release,-DCORDON_TESTS=ON)
	@$(call compile,release)
	@bench/run

coverage:
	@tools/deps coverage && mkdir -p build
	@$(call configure,coverage)
	@$(call compile,coverage)
	@tools/coverage build/coverage

lint:
	@tools/deps lint && mkdir -p build
	@$(call configure,asan)
	@tools/lint build/asan

format:
	@clang-format -i $$(find src include tests bench -name '*.[ch]')

clean:
	@rm -rf build

help:
	@echo 'make [build]   build/cordon, build/cordond, build/libcordon.so, build/libcordon.a'
	@echo 'make demo      the story, live: what is stopped, confined, refused, recorded'
	@echo 'make test      everything that must hold for a change'
	@echo 'make soak      the long comparison with real bash: CASES=N'
	@echo 'make fuzz      libFuzzer on every parser: FUZZ_SECONDS=N for each'
	@echo 'make bench     speed, side by side with others'
	@echo 'make coverage  lines and branches that the tests reach'
	@echo 'make lint      clang-tidy, cppcheck, shellcheck, codespell'
	@echo 'make format    clang-format all of it'
	@echo 'make clean     forget everything that was built'
