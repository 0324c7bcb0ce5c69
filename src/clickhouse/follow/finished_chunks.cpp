#include "clickhouse/follow/finished_chunks.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include "format/byte_reader.hpp"
#include "format/chunk_header.hpp"
#include "io/decompressing_input.hpp"

namespace jfrtree::internal {

namespace {

using HeaderBytes = std::array<std::byte, chunk_header_bytes>;

constexpr std::size_t stream_step = std::size_t{1} << 20;
constexpr std::uint64_t metadata_type = 0;
constexpr std::uint64_t checkpoint_type = 1;

[[nodiscard]] bool is_finished(const ChunkHeader& header) noexcept {
  return is_plausible(header) && header.state == 0 && header.metadata_offset != 0;
}

/// Whether a record of a type lies at an offset of a chunk, and ends in it.
[[nodiscard]] bool has_record(const FollowedFile& file, std::uint64_t chunk,
                              const ChunkHeader& header, std::uint64_t offset, std::uint64_t type) {
  constexpr std::size_t longest_start = 16;  // size and type of a record
  if (offset < chunk_header_bytes || offset >= header.size) return false;
  std::array<std::byte, longest_start> bytes{};
  const std::uint64_t wanted = std::min<std::uint64_t>(bytes.size(), header.size - offset);
  const auto start = std::span(bytes).first(static_cast<std::size_t>(wanted));
  const std::size_t got = file.read_at(chunk + offset, start);
  ByteReader reader(start.first(got), header.has_compressed_integers);
  const std::uint64_t size = reader.count();
  const bool is_type = reader.key() == type;
  return !reader.failed() && is_type && size >= 2 && size <= header.size - offset;
}

/// Whether the chunk at an offset is finished, and all of it there: also where a program that
/// copies the file made room for it before.
[[nodiscard]] bool is_whole_chunk(const FollowedFile& file, std::uint64_t chunk,
                                  const HeaderBytes& bytes, const ChunkHeader& header) {
  if (!has_record(file, chunk, header, header.metadata_offset, metadata_type)) return false;
  const bool has_pools = header.checkpoint_offset != 0;
  if (has_pools && !has_record(file, chunk, header, header.checkpoint_offset, checkpoint_type)) {
    return false;
  }
  // What is copied comes in order, so the end comes last.
  constexpr std::uint64_t end_bytes = 16;
  std::array<std::byte, end_bytes> end{};
  static_cast<void>(file.read_at(chunk + header.size - end_bytes, end));
  const auto is_zero = [](std::byte value) { return value == std::byte{0}; };
  if (std::all_of(end.begin(), end.end(), is_zero)) return false;
  // The header may have been written at the moment it was read.
  HeaderBytes again{};
  return file.read_at(chunk, again) == again.size() && again == bytes;
}

/// Follows the chunks of a stream by their sizes.
class StreamWalk {
 public:
  /// False when a chunk is not finished.
  [[nodiscard]] bool add(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      if (position_ < next_) {
        const std::uint64_t passed = std::min<std::uint64_t>(bytes.size(), next_ - position_);
        position_ += passed;
        bytes = bytes.subspan(static_cast<std::size_t>(passed));
        continue;
      }
      const std::size_t taken = std::min(bytes.size(), header_.size() - header_count_);
      std::memcpy(header_.data() + header_count_, bytes.data(), taken);
      header_count_ += taken;
      bytes = bytes.subspan(taken);
      if (header_count_ < header_.size()) continue;
      if (!has_chunk_magic(header_)) return false;
      const ChunkHeader header = parse_chunk_header(header_);
      if (!is_finished(header)) return false;
      next_ = position_ + header.size;
      position_ += header_.size();
      header_count_ = 0;
    }
    return true;
  }
  [[nodiscard]] bool is_at_end_of_chunk() const noexcept {
    return next_ > 0 && position_ == next_ && header_count_ == 0;
  }

 private:
  HeaderBytes header_{};
  std::size_t header_count_ = 0;
  std::uint64_t position_ = 0;  // without what is in `header_`
  std::uint64_t next_ = 0;
};

}  // namespace

FinishedChunks find_finished_chunks(const FollowedFile& file, std::uint64_t from,
                                    std::uint64_t size) {
  FinishedChunks chunks;
  chunks.end = from;
  HeaderBytes bytes{};
  while (size - chunks.end >= chunk_header_bytes) {
    if (file.read_at(chunks.end, bytes) < bytes.size() || !has_chunk_magic(bytes)) break;
    const ChunkHeader header = parse_chunk_header(bytes);
    if (!is_finished(header)) {
      // A writer that dies leaves a state, or no metadata.
      chunks.has_begun_next = header.major == 1 || header.major == 2;
      break;
    }
    if (header.size > size - chunks.end || !is_whole_chunk(file, chunks.end, bytes, header)) break;
    if (!chunks.first_start_ns) chunks.first_start_ns = header.start_ns;
    chunks.end += header.size;
    ++chunks.count;
  }
  return chunks;
}

bool is_compressed(const FollowedFile& file) {
  std::array<std::byte, magic_size> start{};
  const std::size_t count = file.read_at(0, start);
  return detect_container(ByteSpan(start).first(count)) != Container::plain;
}

std::unique_ptr<Input> decompressed(std::shared_ptr<const FollowedFile> file, std::uint64_t size,
                                    const Limits& limits) {
  std::array<std::byte, magic_size> start{};
  const std::size_t count = file->read_at(0, start);
  return decompress_by_magic(part_of_file(std::move(file), 0, size), ByteSpan(start).first(count),
                             limits);
}

bool is_whole_stream(Input& input, StopFlag stop) {
  std::vector<std::byte> buffer(stream_step);
  StreamWalk walk;
  try {
    for (;;) {
      stop.check();
      const std::size_t count = input.read(buffer);
      if (count == 0) return walk.is_at_end_of_chunk();
      if (!walk.add(std::span(buffer).first(count))) return false;
    }
  } catch (const Error&) {
    return false;  // cut short or damaged: whoever reads it in the end says so
  }
}

}  // namespace jfrtree::internal
