#include "cli/timings.hpp"

#include <doctest/doctest.h>

#include <string>

namespace jfrtree::cli {
namespace {

/// What stands in the line of a number, without the spaces around it.
std::string value_of(const std::string& text, const std::string& name) {
  const std::size_t line = text.find("\n  " + name + "  ");
  REQUIRE(line != std::string::npos);
  const std::size_t begin = text.find_first_not_of(' ', line + 3 + name.size());
  return text.substr(begin, text.find('\n', begin) - begin);
}

RunCosts costs_of_a_run() {
  RunCosts costs;
  costs.wall_ns = 250'000'000;
  costs.cpu_ns = 1'400'000'600;
  costs.peak_bytes = 96 * 1024 * 1024 + 512 * 1024;
  costs.threads = 2;
  costs.read.bytes = 84'000'000;
  costs.read.chunks = 3;
  costs.read.events = 4'000'001;
  costs.read.stacks_decoded = 12'000;
  costs.read.unique_stacks = 700;
  costs.read.stack_bytes = 70'699;
  costs.read.names = 99;
  return costs;
}

}  // namespace

TEST_CASE("timings are computed from a run's numbers") {
  const std::string text = timings_text(costs_of_a_run());
  CHECK(value_of(text, "wall") == "0.250000 s");
  CHECK(value_of(text, "cpu") == "1.400001 s");
  CHECK(value_of(text, "threads") == "2");
  CHECK(value_of(text, "peak memory") == "96.5 MiB");
  CHECK(value_of(text, "bytes read") == "84,000,000");
  CHECK(value_of(text, "bytes per second") == "336,000,000");
  CHECK(value_of(text, "chunks") == "3");
  CHECK(value_of(text, "events") == "4,000,001");
  CHECK(value_of(text, "events per second") == "16,000,004");
  CHECK(value_of(text, "stacks decoded") == "12,000");
  CHECK(value_of(text, "unique stacks") == "700");
  CHECK(value_of(text, "bytes per unique stack") == "100");
  CHECK(value_of(text, "names") == "99");
}

TEST_CASE("timings of a run that read nothing, in no time, divide by nothing") {
  RunCosts costs = costs_of_a_run();
  costs.wall_ns = 0;
  costs.read.unique_stacks = 0;
  const std::string text = timings_text(costs);
  CHECK(value_of(text, "wall") == "0.000000 s");
  CHECK(value_of(text, "bytes per second") == "0");
  CHECK(value_of(text, "events per second") == "0");
  CHECK(value_of(text, "bytes per unique stack") == "-");
}

}  // namespace jfrtree::cli
