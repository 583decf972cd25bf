# What a developer types. Meson does the work; `make help` lists the targets.

BUILD ?= build
PREFIX ?= /usr/local
MESON_FLAGS ?=
SECONDS ?= 60

# Debian 12 package names.
PACKAGES = gcc libc6-dev meson ninja-build pkg-config python3 \
  libavformat-dev libavcodec-dev libavutil-dev libjansson-dev libxxhash-dev
# For the tests: other compilers and machines, oracles, checkers. What cannot be found only skips tests.
TEST_PACKAGES = $(PACKAGES) g++ clang clang-19 lld-19 llvm-19 clang-format clang-tidy libclang-rt-14-dev libclang-rt-19-dev libcmocka-dev libmpfr-dev ffmpeg \
  valgrind libxml2-utils gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static \
  pocl-opencl-icd ocl-icd-opencl-dev intel-opencl-icd python3-pip

.PHONY: help packages test-packages build build-tests demo test prove soak fuzz bench lint format install clean
.DEFAULT_GOAL := help

help:
	@echo "make demo     install what is missing, build, score a pair of clips that ships with the project"
	@echo "make test     install what is missing, build, run every test but the long ones"
	@echo "make prove    the long proofs of the arithmetic (hours)"
	@echo "make soak     the long runs under load and faults (hours)"
	@echo "make fuzz     fuzz each target for SECONDS ($(SECONDS)), with clang, in $(BUILD)-fuzz/"
	@echo "make bench    measure"
	@echo "make build    build into $(BUILD)/"
	@echo "make install  install under $(PREFIX) (PREFIX=...)"
	@echo "make lint     clang-format and clang-tidy;  make format  rewrites in place"

packages:
	@tools/install-packages.sh $(PACKAGES)

test-packages:
	@tools/install-packages.sh $(TEST_PACKAGES)

# The tests need packages that the rest does not.
$(BUILD)/build.ninja:
	meson setup $(BUILD) --prefix $(PREFIX) -Dtests=false $(MESON_FLAGS)

build: $(BUILD)/build.ninja
	@ninja -C $(BUILD)

# Configured anew, so that what was just installed is found.
build-tests: test-packages
	@if [ -e $(BUILD)/build.ninja ]; then meson setup --reconfigure $(BUILD) -Dtests=true $(MESON_FLAGS); \
	else meson setup $(BUILD) --prefix $(PREFIX) -Dtests=true $(MESON_FLAGS); fi
	@tools/get-cuda-tools.sh $(BUILD)
	@ninja -C $(BUILD)

demo: packages
	@$(MAKE) --no-print-directory build
	@tools/demo.sh $(BUILD)

test: build-tests
	@tools/run-tests.py $(BUILD) --no-suite prove --no-suite soak

prove: build-tests
	@tools/run-tests.py $(BUILD) --suite prove

soak: build-tests
	@tools/run-tests.py $(BUILD) --show --suite soak

fuzz: test-packages
	@tools/fuzz.py . $(BUILD)-fuzz --seconds $(SECONDS)

bench: packages
	@$(MAKE) --no-print-directory build
	@meson test -C $(BUILD) --benchmark --verbose

install: $(BUILD)/build.ninja
	@meson configure $(BUILD) --prefix $(abspath $(PREFIX)) # whatever it was set up with
	@ninja -C $(BUILD)
	meson install -C $(BUILD)

lint: $(BUILD)/build.ninja
	@tools/lint.sh $(BUILD)

format:
	@git ls-files '*.[ch]' | xargs clang-format -i

clean:
	rm -rf $(BUILD)
