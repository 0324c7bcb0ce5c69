#pragma once

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <jfrtree/chunk.hpp>
#include <jfrtree/input.hpp>
#include <jfrtree/output.hpp>
#include <jfrtree/profile.hpp>

namespace jfrtree::bench {

/// Says what was done in all rounds: so many items and bytes in each.
void count_work(benchmark::State& state, std::size_t items, std::size_t bytes);

/// Random numbers that are the same in every run.
[[nodiscard]] inline std::mt19937_64 fixed_random() { return std::mt19937_64(20240229); }

/// Appends a compressed integer.
void append_varint(std::vector<std::uint8_t>& bytes, std::uint64_t value);

/// All bytes of a recording of testdata/. Throws std::runtime_error when it cannot be read.
[[nodiscard]] std::vector<std::byte> read_testdata(const std::string& name);

/// A recording of one chunk with its events `times` times: the copies stand behind everything else,
/// so that no offset changes.
[[nodiscard]] std::vector<std::byte> with_repeated_events(const std::vector<std::byte>& recording,
                                                          unsigned times);

/// The first chunk of a recording in memory, opened.
class OpenChunk {
 public:
  explicit OpenChunk(std::vector<std::byte> bytes);
  [[nodiscard]] const internal::ChunkContents& contents() const { return chunk_->contents(); }

 private:
  std::vector<std::byte> bytes_;
  std::unique_ptr<Input> input_;
  ChunkReader reader_;
  std::optional<Chunk> chunk_;
};

/// Stacks as a recursive program has them, nearly all different: `count` of up to `max_depth`
/// frames out of `methods`, root first, one behind the other in `frames`. In random order.
struct RandomStacks {
  std::vector<FrameId> frames;
  std::vector<StackSum> stacks;
};
[[nodiscard]] RandomStacks random_stacks(std::size_t count, std::uint32_t max_depth,
                                         std::uint32_t methods);

/// A profile of such stacks, sorted, with counts and bytes.
[[nodiscard]] Profile random_profile(std::size_t count, std::uint32_t max_depth,
                                     std::uint32_t methods);

/// Counts what is written, and forgets it.
class NullOutput final : public Output {
 public:
  void write(std::string_view bytes) override { bytes_ += bytes.size(); }
  void commit() override {}
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

 private:
  std::size_t bytes_ = 0;
};

}  // namespace jfrtree::bench
