#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <jfrtree/error.hpp>
#include <jfrtree/ids.hpp>
#include <jfrtree/input.hpp>
#include <jfrtree/limits.hpp>
#include <jfrtree/metadata.hpp>

namespace jfrtree {

/// The 68 bytes at the start of a chunk, versions 1.0 to 2.x.
struct ChunkHeader {
  std::uint16_t major = 0;
  std::uint16_t minor = 0;
  std::uint64_t size = 0;               ///< bytes of the chunk as claimed, header included
  std::uint64_t checkpoint_offset = 0;  ///< from the chunk's start; 0: none
  std::uint64_t metadata_offset = 0;    ///< from the chunk's start; 0: none yet
  std::int64_t start_ns = 0;            ///< since 1970-01-01T00:00:00Z
  std::int64_t duration_ns = 0;
  std::int64_t start_ticks = 0;
  std::int64_t ticks_per_second = 0;
  std::uint8_t state = 0;  ///< 0: complete; 1 to 254: being written; 255: header being rewritten
  bool has_compressed_integers = true;
  bool is_final = false;
};

/// Whether all of a chunk is there.
enum class ChunkState : std::uint8_t {
  complete,
  empty,       ///< a header, nothing flushed yet
  unfinished,  ///< readable up to the last flush
  truncated,   ///< fewer bytes than claimed, or no header where it should end
};

/// A chunk as found in an input.
struct ChunkInfo {
  std::uint64_t number = 0;  ///< from 1, within the input
  std::uint64_t offset = 0;  ///< byte position in the (decompressed) input
  std::uint64_t bytes = 0;   ///< bytes that belong to it, at most those available
  ChunkHeader header;
  ChunkState state = ChunkState::complete;

  /// Time of a tick value in ns since the epoch, by this chunk's clock; truncated toward the chunk
  /// start, and within the range of 64 bits. `start_ns` when the clock is unusable.
  [[nodiscard]] std::int64_t to_epoch_ns(std::int64_t ticks) const noexcept;
  /// Length of a span of ticks in ns, rounded down; 0 when the clock is unusable or `ticks` < 0.
  [[nodiscard]] std::uint64_t to_duration_ns(std::int64_t ticks) const noexcept;
  /// Version as text, e.g. "2.1".
  [[nodiscard]] std::string version() const;
};

/// One record of a chunk that is no metadata and no checkpoint.
struct RawEvent {
  TypeId type{};
  std::uint64_t offset = 0;            ///< of the record, from the chunk's start
  std::span<const std::byte> payload;  ///< behind size and type id, up to the record's end
};

namespace internal {
struct ChunkContents;
}  // namespace internal

/// Level 1: a chunk in memory, with its metadata, and its events as bytes.
///
/// Cheap to copy (a shared pointer); all members are const and may be used from several threads.
/// Events, values and spans taken from a chunk stay valid as long as a copy of it lives.
class Chunk {
 public:
  explicit Chunk(std::shared_ptr<const internal::ChunkContents> contents);

  [[nodiscard]] const ChunkInfo& info() const noexcept;
  [[nodiscard]] const Metadata& metadata() const noexcept;
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept;

  /// Walks the events in the order of the file. Ends at the first record whose size cannot be right
  /// (that is a problem of the `ChunkReader`, found when the chunk was opened).
  class EventIterator {
   public:
    using value_type = RawEvent;
    using difference_type = std::ptrdiff_t;
    EventIterator() = default;
    explicit EventIterator(const internal::ChunkContents* contents);
    const RawEvent& operator*() const noexcept { return event_; }
    const RawEvent* operator->() const noexcept { return &event_; }
    EventIterator& operator++();
    void operator++(int) { ++*this; }
    [[nodiscard]] bool operator==(std::default_sentinel_t) const noexcept { return !contents_; }

   private:
    const internal::ChunkContents* contents_ = nullptr;
    std::uint64_t position_ = 0;
    RawEvent event_;
  };
  [[nodiscard]] EventIterator begin() const { return EventIterator(contents_.get()); }
  [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }

  [[nodiscard]] const internal::ChunkContents& contents() const noexcept { return *contents_; }

 private:
  std::shared_ptr<const internal::ChunkContents> contents_;
};

/// Reads the chunks of one input one after the other, holding one at a time.
///
/// Not thread-safe; the chunks it returns are. The input must outlive the reader, and for memory
/// inputs the bytes must outlive the chunks.
class ChunkReader {
 public:
  /// Scans the chunk headers of an input that has a size. Throws IoError.
  explicit ChunkReader(Input& input, const Limits& limits = {});
  ~ChunkReader();
  ChunkReader(ChunkReader&&) noexcept;
  ChunkReader& operator=(ChunkReader&&) noexcept;

  /// The next chunk whose metadata can be read, or nothing at the end. Chunks that cannot be read
  /// are passed over and reported in `problems`. Throws FormatError at the end of an input of which
  /// nothing could be read.
  [[nodiscard]] std::optional<Chunk> next();

  /// What was found so far.
  [[nodiscard]] std::vector<Problem> problems() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace jfrtree
