#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "format/byte_reader.hpp"
#include "format/chunk_header.hpp"

namespace jfrtree::internal {

inline constexpr std::uint64_t metadata_record = 0;
inline constexpr std::uint64_t checkpoint_record = 1;

/// One record: `size` counts all its bytes, `payload` begins behind the type id.
struct Record {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::uint64_t type = 0;
  std::span<const std::byte> payload;
};

/// Reads the record at `offset`; false at the end and when its size cannot be right: less than its
/// own fields, or more than there is.
[[nodiscard]] inline bool read_record(std::span<const std::byte> bytes, std::uint64_t offset,
                                      bool has_compressed_integers, Record& record) noexcept {
  if (offset >= bytes.size()) return false;
  const auto rest = bytes.subspan(offset);
  ByteReader reader(rest, has_compressed_integers);
  record.offset = offset;
  record.size = reader.count();
  record.type = reader.key();
  const std::size_t head = rest.size() - reader.remaining();
  if (reader.failed() || record.size < head || record.size > rest.size()) return false;
  record.payload = rest.subspan(head, record.size - head);
  return true;
}

/// Calls `visit(record)` for every record of a chunk behind its header, metadata and checkpoints
/// included. Returns the position where it stopped: the end of `bytes`, or the first record whose
/// size cannot be right.
template <typename Visit>
std::uint64_t walk_records(std::span<const std::byte> bytes, bool has_compressed_integers,
                           Visit&& visit) {
  std::uint64_t offset = chunk_header_bytes;
  Record record;
  while (read_record(bytes, offset, has_compressed_integers, record)) {
    visit(record);
    offset += record.size;
  }
  return offset < bytes.size() ? offset : bytes.size();
}

/// Whether a chunk has a metadata record, where its header says or anywhere before its end.
[[nodiscard]] inline bool has_metadata(std::span<const std::byte> bytes,
                                       const ChunkHeader& header) {
  Record record;
  const bool is_named =
      header.metadata_offset >= chunk_header_bytes &&
      read_record(bytes, header.metadata_offset, header.has_compressed_integers, record);
  bool is_found = is_named && record.type == metadata_record;
  if (is_found) return true;
  walk_records(bytes, header.has_compressed_integers, [&is_found](const Record& other) {
    is_found = is_found || other.type == metadata_record;
  });
  return is_found;
}

}  // namespace jfrtree::internal
