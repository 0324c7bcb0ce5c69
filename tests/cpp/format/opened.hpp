#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <jfrtree/chunk.hpp>
#include <jfrtree/event.hpp>
#include <jfrtree/input.hpp>

#include "support/byte_writer.hpp"

namespace jfrtree::test {

/// How the bytes of a recording arrive.
enum class Source { memory, file, stream };

/// The input of that kind for bytes that outlive it. A stream hands out 97 bytes at a time; a file
/// is written to `folder`, which the other kinds ignore.
std::unique_ptr<Input> input_of(const Bytes& bytes, Source source, const std::string& folder);

/// A recording read to its end by a `ChunkReader`, with all its chunks kept.
class Opened {
 public:
  explicit Opened(Bytes bytes, Source source = Source::memory, const Limits& limits = {});

  std::vector<Chunk> chunks;
  std::vector<Problem> problems;
  std::optional<Problem> error;  ///< of the exception that ended reading

  /// The events of a chunk, in order.
  [[nodiscard]] std::vector<RawEvent> raw_events(std::size_t chunk = 0) const;
  [[nodiscard]] std::vector<Event> events(std::size_t chunk = 0) const;
  /// Event by number; a test whose recording has too few of them fails.
  [[nodiscard]] Event event(std::size_t index, std::size_t chunk = 0) const;

  /// Value of the field `name` in every event of every chunk that has it: "1 2 | 7" are two events
  /// of the first chunk and one of the second.
  [[nodiscard]] std::string integers(std::string_view name) const;
  /// What was found: "CODE [xCOUNT] [chunk N] [at OFFSET]", notes in brackets, joined by "; ".
  /// With `error`, that comes first, after "error ".
  [[nodiscard]] std::string findings() const;

 private:
  Bytes bytes_;
};

/// The findings of any list of problems in that form.
std::string to_text(const std::vector<Problem>& problems);

}  // namespace jfrtree::test
