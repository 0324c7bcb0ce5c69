# Short names for what the scripts do. "make help" lists them.

PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60
BENCH_ROUNDS ?= 9

.DEFAULT_GOAL := help
.PHONY: help demo test build install bench bench-peers bench-growth bench-clickhouse fuzz format lint asan clean

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo:  ## install what is missing, build, make a flame graph of a recording of testdata/
	@scripts/demo

test:  ## install what is missing, build, run every test
	@scripts/test

build:  ## build the program: build/bin/jfrtree (packages: scripts/setup)
	@scripts/build-program

install: build  ## install program and library below PREFIX (default /usr/local)
	@cmake --install build --prefix "$(PREFIX)"

bench:  ## build and run the benchmarks of single parts, print one table (1 to 2 minutes)
	@scripts/bench

bench-peers:  ## run jfrtree beside other programs on large recordings, BENCH_ROUNDS times (default 9)
	@scripts/bench-peers --rounds $(BENCH_ROUNDS)

bench-clickhouse:  ## fill ClickHouse with 10 million rows of many services and measure it (10 minutes)
	@scripts/bench-clickhouse

bench-growth:  ## double recordings in ten directions, fail where time or memory grows faster (10 minutes)
	@scripts/bench-growth

fuzz:  ## fuzz the reader for FUZZ_SECONDS (default 60)
	@scripts/fuzz $(FUZZ_SECONDS)

asan:  ## run the C++ and command tests under AddressSanitizer and UBSan
	@scripts/setup --test
	@scripts/build asan-ubsan
	@ctest --preset asan-ubsan --parallel $$(nproc)

format:  ## format all C++ files
	@scripts/setup --lint
	@scripts/cpp-files | xargs clang-format-14 -i

lint:  ## check format, code (clang-tidy) and layers
	@scripts/lint

clean:  ## remove everything that was built
	@rm -rf build
