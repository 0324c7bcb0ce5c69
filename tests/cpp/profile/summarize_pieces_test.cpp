#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <jfrtree/summary.hpp>

#include "profile/reading.hpp"
#include "support/hostile_recordings.hpp"
#include "support/scenarios.hpp"
#include "support/test_paths.hpp"

// Counting alone reads the chunks of files piece by piece, those in memory as they lie there: both
// have to find the same.

using namespace jfrtree;
using namespace jfrtree::test;

namespace {

/// Bytes that can be read at any position, as those of a file, but do not lie in memory.
class SizedInput final : public Input {
 public:
  explicit SizedInput(Bytes bytes) : bytes_(std::move(bytes)) {}

  [[nodiscard]] std::string_view name() const noexcept override { return "1.jfr"; }
  [[nodiscard]] std::optional<std::uint64_t> size() const noexcept override {
    return bytes_.size();
  }
  std::size_t read(std::span<std::byte> buffer) override {
    const std::size_t count = read_at(position_, buffer);
    position_ += count;
    return count;
  }
  std::size_t read_at(std::uint64_t offset, std::span<std::byte> buffer) override {
    if (offset >= bytes_.size()) return 0;
    const std::size_t count = std::min<std::size_t>(buffer.size(), bytes_.size() - offset);
    std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(offset), count, buffer.begin());
    return count;
  }

 private:
  Bytes bytes_;
  std::uint64_t position_ = 0;
};

/// What quick counting says, or the error it ends with.
template <typename Read>
std::string report_of(Read&& read) {
  std::string text;
  try {
    const RecordingSummary summary = read();
    for (const auto& [name, count] : summary.events)
      text += name + " x" + std::to_string(count) + "\n";
    for (const ChunkSummary& chunk : summary.files.at(0).chunks) {
      text += "chunk at " + std::to_string(chunk.info.offset) + ": " +
              std::to_string(chunk.info.bytes) + " bytes, " + std::to_string(chunk.events) +
              " events\n";
    }
    text += findings(summary.notes) + "\n" + findings(summary.problems) + "\n" +
            std::to_string(summary.statistics.bytes) + " bytes\n";
  } catch (const Error& error) {
    text = error.what();
  }
  return text;
}

void check_same(const Bytes& bytes) {
  // What is compressed, or no recording at all, is told apart before chunks are read.
  if (bytes.size() < 4 || bytes[0] != std::byte{'F'}) return;
  const std::string whole = report_of([&] { return summary_of({bytes}, true); });
  const std::string pieces = report_of([&] {
    std::vector<Source> sources;
    sources.push_back({"1.jfr", std::make_shared<SizedInput>(bytes)});
    return summarize(std::move(sources), true);
  });
  CHECK(pieces == whole);
}

}  // namespace

TEST_CASE("quick counts of files are those of the same bytes in memory") {
  for (const Scenario& scenario : scenarios()) {
    CAPTURE(scenario.name);
    check_same(scenario.build());
    check_same(joined({scenario.build(), scenario.build()}));
  }
  for (const HostileRecording& hostile : hostile_recordings()) {
    CAPTURE(hostile.name);
    check_same(hostile.build());
  }
}

TEST_CASE("quick counts go on behind records that are larger than a piece") {
  const std::string large(700'000, 'x');
  auto chunk = jdk17_chunk();
  const auto stack = chunk.stack({"Main.main"});
  for (int i = 0; i < 3; ++i) {
    chunk.jvm_information({.name = large, .version = "17"});
    for (int j = 0; j < 20'000; ++j) {
      chunk.allocation_outside_tlab({.stack = stack, .allocation_size = 100});
    }
  }
  const Bytes bytes = chunk.bytes();
  std::vector<Source> sources;
  sources.push_back({"1.jfr", std::make_shared<SizedInput>(bytes)});
  const RecordingSummary summary = summarize(std::move(sources), true);
  CHECK(summary.events ==
        std::map<std::string, std::uint64_t>{{"jdk.JVMInformation", 3},
                                             {"jdk.ObjectAllocationOutsideTLAB", 60'000}});
  CHECK(summary.problems.empty());
  check_same(bytes);
}

TEST_CASE(
    "quick counts of a chunk that is cut anywhere, or has a wrong byte, are those in memory") {
  auto chunk = jdk17_chunk();
  const auto stack = chunk.stack({"Main.main"});
  for (int i = 0; i < 5; ++i) chunk.thread_park({.stack = stack, .duration_ticks = 40});
  const Bytes bytes = chunk.bytes();
  for (std::size_t size = 0; size < bytes.size(); size += 7) {
    CAPTURE(size);
    check_same(Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)));
  }
  for (std::size_t position = 0; position < bytes.size(); position += 3) {
    CAPTURE(position);
    Bytes wrong = bytes;
    wrong[position] ^= std::byte{0xFF};
    check_same(wrong);
  }
}
