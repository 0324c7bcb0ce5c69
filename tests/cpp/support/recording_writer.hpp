#pragma once

#include "support/byte_writer.hpp"
#include "support/metadata_writer.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace jfrtree::test {

constexpr std::size_t chunk_header_size = 68;

/// The 68 bytes at the start of a chunk. The three offsets are computed from what was written
/// unless a test sets them; everything else is written as it stands here.
struct HeaderFields {
  std::uint32_t magic = 0x464c5200;  // "FLR\0"
  std::uint16_t major = 2;
  std::uint16_t minor = 1;
  std::optional<std::int64_t> chunk_size = std::nullopt;
  std::optional<std::int64_t> checkpoint_offset = std::nullopt;
  std::optional<std::int64_t> metadata_offset = std::nullopt;
  std::int64_t start_nanos = 1'700'000'000'000'000'000;
  std::int64_t duration_nanos = 5'000'000;
  std::int64_t start_ticks = 1000;
  std::int64_t ticks_per_second = 1'000'000'000;
  std::uint8_t file_state = 0;
  std::uint8_t padding = 0;
  std::uint16_t flags = 3;  // bit 0: compressed integers, bit 1: final chunk

  /// Offsets that are not set are written as 0.
  [[nodiscard]] Bytes bytes() const;
};

/// How the size of one record is written.
struct RecordSize {
  /// Bytes of the varint, 1 to 9; 0: as few as possible.
  std::size_t width = 0;

  /// Written instead of the true size.
  std::optional<std::uint64_t> claimed = std::nullopt;
};

/// One pool of a checkpoint: the constants of one class.
struct Pool {
  std::uint64_t class_id = 0;
  std::vector<std::pair<std::uint64_t, Bytes>> entries = {};
  std::optional<std::uint64_t> claimed_count = std::nullopt;
  std::size_t count_width = 0;

  Pool& entry(std::uint64_t key, const ByteWriter& value);
};

/// A checkpoint event. `delta` is computed so that checkpoints of a chunk form a chain, newest
/// first, unless a test sets it.
struct Checkpoint {
  std::vector<Pool> pools = {};
  std::int64_t start_ticks = 1000;
  std::int64_t duration_ticks = 0;
  std::optional<std::int64_t> delta = std::nullopt;
  std::uint8_t flags = 1;
  std::optional<std::uint64_t> claimed_pool_count = std::nullopt;
  RecordSize size = {};

  /// Written after the last pool, inside the checkpoint.
  Bytes trailing = {};
};

/// What surrounds the element tree in a metadata event.
struct MetadataEvent {
  std::int64_t start_ticks = 1000;
  std::int64_t duration_ticks = 0;
  std::int64_t metadata_id = 1;
  StringEncoding strings = StringEncoding::utf8;
  RecordSize size = {};
};

/// One chunk. Records are laid out in the order of the calls; every call returns the offset of the
/// record from the start of the chunk. Nothing is checked.
class ChunkWriter {
 public:
  explicit ChunkWriter(HeaderFields header = {});

  HeaderFields& header() { return header_; }

  /// Integers of records follow bit 0 of the header's flags as it is when the writer is made.
  [[nodiscard]] IntegerEncoding integers() const { return integers_; }
  [[nodiscard]] ByteWriter payload() const { return ByteWriter(integers_); }

  std::size_t event(std::uint64_t type_id, const ByteWriter& payload, RecordSize size = {});
  std::size_t checkpoint(const Checkpoint& checkpoint);
  std::size_t metadata(const Element& root, const MetadataEvent& options = {});

  /// A metadata event whose string table and tree are given as bytes.
  std::size_t raw_metadata(const Bytes& table_and_tree, const MetadataEvent& options = {});

  std::size_t raw(const Bytes& bytes);

  /// Overwrites bytes already written; offsets from 68 on.
  void patch(std::size_t offset, const Bytes& bytes);

  /// The offset of the next record.
  [[nodiscard]] std::size_t offset() const { return chunk_header_size + records_.size(); }

  [[nodiscard]] Bytes bytes() const;

 private:
  std::size_t record(std::uint64_t type_id, const Bytes& content, const RecordSize& size);

  HeaderFields header_;
  IntegerEncoding integers_;
  Bytes records_;
  std::size_t newest_checkpoint_ = 0;
  std::size_t newest_metadata_ = 0;
};

/// A file: chunks and other bytes, one after the other.
class RecordingWriter {
 public:
  RecordingWriter& add(const Bytes& bytes);

  /// A ChunkWriter, a StandardChunk or anything else that has `bytes()`.
  template <typename Chunk>
  RecordingWriter& add(const Chunk& chunk) {
    return add(chunk.bytes());
  }

  [[nodiscard]] const Bytes& bytes() const { return bytes_; }

 private:
  Bytes bytes_;
};

}  // namespace jfrtree::test
