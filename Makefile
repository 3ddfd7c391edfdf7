# Each target installs missing packages (tools/deps), builds and runs what it needs, also on
# a bare Debian.  The build itself is in CMakeLists.txt.

JOBS ?=

PREFIX ?= /usr/local
DESTDIR ?=

.PHONY: build demo test soak fuzz bench compare coverage portable lint format clean help
.PHONY: install uninstall deb tarball npm
.DEFAULT_GOAL := build

anywhere_release = -DCORDON_ANYWHERE=ON
configure = cmake --preset $(1) $(anywhere_$(1)) $(2) >build/configure-$(1).log || \
	{ cat build/configure-$(1).log; exit 1; }
compile = cmake --build --preset $(1) $(if $(JOBS),-j $(JOBS))

build:
	@tools/deps build && mkdir -p build
	@$(call configure,release)
	@$(call compile,release)

# make install DESTDIR=/tmp/tree PREFIX=/usr: packaging/install.cmake lists the files.
install: build
	@$(call configure,release,-DCMAKE_INSTALL_PREFIX=$(PREFIX))
	@$(call compile,release)
	@DESTDIR=$(DESTDIR) cmake --install build/release --strip >build/install.log || \
		{ cat build/install.log; exit 1; }
	@echo "installed in $(DESTDIR)$(PREFIX)"

uninstall:
	@test -e build/release/install_manifest.txt || \
		{ echo 'make uninstall: build/release does not know what was installed' >&2; exit 1; }
	@sed 's|^|$(DESTDIR)|' build/release/install_manifest.txt | xargs -d '\n' rm -f

deb:
	@tools/deps package && tools/package deb

tarball: build
	@tools/package tarball

npm: build
	@tools/deps npm && tools/package npm

demo: build
	@tools/deps demo
	@tools/demo build/cordon

# Test the release program, and the same sources with sanitizers.  Random inputs are the same
# each time; `SEED= make test` uses a new seed.
# An earlier make install may have set another prefix.
test:
	@tools/deps test && mkdir -p build
	@$(call configure,release,-DCORDON_TESTS=ON -DCORDON_WERROR=ON -DCMAKE_INSTALL_PREFIX=/usr/local)
	@$(call compile,release)
	@$(call configure,asan)
	@$(call compile,asan)
	@SEED=$${SEED-20261115} tests/run

# Long tests, not for CI: CASES=100000 make soak
soak:
	@tools/deps soak && mkdir -p build
	@$(call configure,release,-DCORDON_TESTS=ON)
	@$(call compile,release)
	@LANES=1 tests/run tests/soak.d

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

# Write doc/COMPARISON.md again: takes some minutes, and needs a network the first time.
compare:
	@tools/deps compare && mkdir -p build
	@$(call configure,release,-DCORDON_TESTS=ON)
	@$(call compile,release)
	@bench/peers

coverage:
	@tools/deps coverage && mkdir -p build
	@$(call configure,coverage)
	@$(call compile,coverage)
	@tools/coverage build/coverage

# Build and test the core with other compilers, C libraries and machines, under qemu and wine.
portable:
	@tools/deps portable && mkdir -p build
	@$(call configure,release)
	@$(call compile,release)
	@LANES=1 tests/run tests/portable

lint:
	@tools/deps lint && mkdir -p build
	@$(call configure,asan)
	@cmake --build --preset asan --target tables wire_form >build/lint-tables.log
	@JOBS=$(JOBS) tools/lint build/asan

format:
	@clang-format -i $$(find src include tests bench -name '*.[ch]')

clean:
	@rm -rf build

help:
	@echo 'make [build]   build/cordon, build/cordond, build/libcordon.so, build/libcordon.a'
	@echo 'make demo      a live tour: a stopped, a confined and a refused command, the journal'
	@echo 'make test      all tests'
	@echo 'make install   DESTDIR=... PREFIX=/usr/local; make uninstall removes it'
	@echo 'make deb       packages for Debian: build/dist/*.deb'
	@echo 'make tarball   the static program with its manual: build/dist/*.tar.gz'
	@echo 'make npm       a package for npm install: build/dist/*.tgz'
	@echo 'make soak      the long comparison with real bash: CASES=N'
	@echo 'make fuzz      libFuzzer on every parser: FUZZ_SECONDS=N for each'
	@echo 'make bench     measure speed, compared with other programs'
	@echo 'make compare   compare with other guards and sandboxes: doc/COMPARISON.md'
	@echo 'make coverage  lines and branches that the tests reach, room by room'
	@echo 'make portable  the core with other compilers, C libraries and machines'
	@echo 'make lint      clang-tidy, cppcheck, shellcheck, codespell'
	@echo 'make format    clang-format for all C files'
	@echo 'make clean     remove everything that was built'
