#include "format/chunk_header.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <string_view>

#include "format/byte_reader.hpp"
#include "io/bytes.hpp"

namespace jfrtree {

namespace {

constexpr std::int64_t nanoseconds_per_second = 1'000'000'000;
// NOLINTNEXTLINE(modernize-use-using): only a typedef can be marked as an extension.
__extension__ typedef __int128 Wide;

}  // namespace

std::int64_t ChunkInfo::to_epoch_ns(std::int64_t ticks) const noexcept {
  if (header.ticks_per_second <= 0) return header.start_ns;
  const Wide distance = Wide{ticks} - header.start_ticks;
  const Wide time = header.start_ns + distance * nanoseconds_per_second / header.ticks_per_second;
  using Range = std::numeric_limits<std::int64_t>;
  return static_cast<std::int64_t>(std::clamp<Wide>(time, Range::min(), Range::max()));
}

std::uint64_t ChunkInfo::to_duration_ns(std::int64_t ticks) const noexcept {
  if (header.ticks_per_second <= 0 || ticks <= 0) return 0;
  const Wide nanoseconds = Wide{ticks} * nanoseconds_per_second / header.ticks_per_second;
  return static_cast<std::uint64_t>(std::min<Wide>(nanoseconds, ~std::uint64_t{0}));
}

std::string ChunkInfo::version() const {
  return std::to_string(header.major) + "." + std::to_string(header.minor);
}

namespace internal {

namespace {

constexpr std::array<char, 4> magic = {'F', 'L', 'R', '\0'};
/// Count byte in front of the copy of a header inside a checkpoint.
constexpr std::byte header_copy_count{0x44};
/// Bytes that are searched before the wish to stop is asked again.
constexpr std::uint64_t search_step = std::uint64_t{16} << 20;
/// The JDK writes sizes of at most four bytes with seven bits each.
constexpr std::uint64_t max_followed_record = std::uint64_t{1} << 28;

[[nodiscard]] bool is_header_copy(std::span<const std::byte> bytes, std::uint64_t at,
                                  const ChunkHeader& candidate, const ChunkHeader& own) noexcept {
  return at > 0 && bytes[at - 1] == header_copy_count && candidate.start_ns == own.start_ns &&
         candidate.start_ticks == own.start_ticks;
}

[[nodiscard]] bool is_next_header(std::span<const std::byte> bytes, std::uint64_t at,
                                  const ChunkHeader& own) noexcept {
  const auto rest = bytes.subspan(at);
  if (rest.size() < chunk_header_bytes || !has_chunk_magic(rest)) return false;
  const ChunkHeader header = parse_chunk_header(rest);
  return is_plausible(header) && !is_header_copy(bytes, at, header, own);
}

}  // namespace

bool has_chunk_magic(std::span<const std::byte> bytes) noexcept {
  return bytes.size() >= magic.size() && std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
}

ChunkHeader parse_chunk_header(std::span<const std::byte> bytes) noexcept {
  const auto* p = reinterpret_cast<const std::uint8_t*>(bytes.data());
  const auto u16 = [p](int at) { return static_cast<std::uint16_t>(load_big_endian(p + at, 2)); };
  const auto u64 = [p](int at) { return load_big_endian(p + at, 8); };
  const auto i64 = [&u64](int at) { return static_cast<std::int64_t>(u64(at)); };
  ChunkHeader header;
  header.major = u16(4);
  header.minor = u16(6);
  header.size = u64(8);
  header.checkpoint_offset = u64(16);
  header.metadata_offset = u64(24);
  header.start_ns = i64(32);
  header.duration_ns = i64(40);
  header.start_ticks = i64(48);
  header.ticks_per_second = i64(56);
  header.state = p[64];
  header.has_compressed_integers = (p[67] & 1U) != 0;
  header.is_final = (p[67] & 2U) != 0;
  return header;
}

bool is_plausible(const ChunkHeader& header) noexcept {
  constexpr std::uint64_t max_size = std::uint64_t{1} << 48;
  return (header.major == 1 || header.major == 2) && header.minor < 100 &&
         header.size >= chunk_header_bytes && header.size < max_size &&
         header.checkpoint_offset < max_size && header.metadata_offset < max_size;
}

std::optional<std::uint64_t> search_header(std::span<const std::byte> bytes, std::uint64_t from,
                                           const ChunkHeader& own) noexcept {
  const std::string_view text = as_text(bytes);
  for (std::size_t at = text.find(std::string_view(magic.data(), magic.size()), from);
       at != std::string_view::npos;
       at = text.find(std::string_view(magic.data(), magic.size()), at + 1)) {
    if (is_next_header(bytes, at, own)) return at;
  }
  return std::nullopt;
}

RecordWalk find_next_header(std::span<const std::byte> bytes, std::uint64_t from,
                            const ChunkHeader& own, StopFlag stop) {
  constexpr std::uint64_t records_between_checks = 1 << 16;
  RecordWalk walk;
  walk.end = std::min<std::uint64_t>(from, bytes.size());
  for (std::uint64_t records = 0; walk.end < bytes.size(); ++records) {
    if (records % records_between_checks == 0) stop.check();
    if (is_next_header(bytes, walk.end, own)) {
      walk.found_header = walk.header_follows_record = true;
      walk.header = walk.end;
      return walk;
    }
    ByteReader reader(bytes.subspan(walk.end), own.has_compressed_integers);
    const std::uint64_t size = reader.count();
    if (reader.failed() || size < 2 || size > bytes.size() - walk.end) break;
    walk.end += size;
  }
  for (std::uint64_t at = walk.end; at < bytes.size(); at += search_step) {
    stop.check();
    // Headers that begin in this step; the last ones reach into the next.
    const std::uint64_t end =
        std::min<std::uint64_t>(bytes.size(), at + search_step + chunk_header_bytes - 1);
    if (const auto header = search_header(bytes.first(end), at, own)) {
      walk.found_header = true;
      walk.header = *header;
      break;
    }
  }
  return walk;
}

void follow_records(std::span<const std::byte> bytes, const ChunkHeader& own,
                    FollowedRecords& followed) noexcept {
  // Of fewer bytes nobody can tell whether they are a record or a header.
  while (bytes.size() >= followed.end + chunk_header_bytes) {
    if (is_next_header(bytes, followed.end, own)) {
      followed.state = FollowedRecords::State::header;
      return;
    }
    ByteReader reader(bytes.subspan(followed.end), own.has_compressed_integers);
    const std::uint64_t size = reader.count();
    if (reader.failed() || size < 2 || size > max_followed_record) {
      followed.state = FollowedRecords::State::broken;
      return;
    }
    followed.next_end = followed.end + size;
    if (followed.next_end > bytes.size()) return;
    followed.end = followed.next_end;
  }
}

}  // namespace internal

}  // namespace jfrtree
