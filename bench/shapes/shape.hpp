#pragma once

#include "support/byte_writer.hpp"

#include <cstdint>
#include <functional>
#include <string_view>

namespace jfrtree::bench {

/// How large a recording is in each direction. All numbers are at least 1.
struct Shape {
  std::uint64_t events = 1;       ///< samples of all kinds, and as many others as `types` asks for
  std::uint64_t stacks = 1;       ///< different ones; every chunk has those that it uses
  std::uint64_t depth = 8;        ///< frames of each stack
  std::uint64_t children = 8;     ///< of the nodes in which stacks part, from the leaf upwards
  std::uint64_t symbols = 64;     ///< methods, each of a class of its own
  std::uint64_t threads = 1;      ///< a sample in turn for each
  std::uint64_t chunks = 1;       ///< samples are spread evenly
  std::uint64_t checkpoints = 1;  ///< of each chunk; stacks are spread evenly
  std::uint64_t kinds = 1;        ///< 1 to 4: cpu, alloc, lock, park
  std::uint64_t types = 0;        ///< further event types; above 0, every second event is of one

  /// Sets the number called `name`; false when there is none.
  bool set(std::string_view name, std::uint64_t value);

  /// Throws std::invalid_argument when stacks of this depth cannot be so many, or when siblings
  /// would have equal frames.
  void check() const;
};

/// Hands on the chunks of a recording, one after the other. The same shape gives the same bytes.
void make_recording(const Shape& shape, const std::function<void(const test::Bytes&)>& sink);

}  // namespace jfrtree::bench
