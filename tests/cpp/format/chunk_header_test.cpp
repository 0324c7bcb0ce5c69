#include "format/chunk_header.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <limits>

#include <jfrtree/error.hpp>

#include "format/delimited.hpp"
#include "format/small_chunk.hpp"

namespace jfrtree::internal {

namespace {

using test::append;
using test::Bytes;
using test::chunk_of_2000;
using test::from_hex;
using test::HeaderFields;
using test::to_bytes;

constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();

ChunkInfo with_clock(std::int64_t start_ns, std::int64_t start_ticks, std::int64_t frequency) {
  ChunkInfo info;
  info.header.start_ns = start_ns;
  info.header.start_ticks = start_ticks;
  info.header.ticks_per_second = frequency;
  return info;
}

/// A header as a search may meet it: complete, 1000 bytes, offsets inside.
HeaderFields sound_fields() {
  HeaderFields fields;
  fields.chunk_size = 1000;
  fields.checkpoint_offset = 500;
  fields.metadata_offset = 100;
  return fields;
}

bool is_plausible(const HeaderFields& fields) {
  return internal::is_plausible(parse_chunk_header(fields.bytes()));
}

ChunkHeader header_of(const Bytes& chunk) { return parse_chunk_header(chunk); }

}  // namespace

TEST_CASE("the header of a JDK 17 chunk has the values that the JDK wrote") {
  const ChunkHeader header = parse_chunk_header(from_hex(
      "464c5200 0002 0001 000000000005ff8b 000000000005ff2c 0000000000001f9c 18ecbde4461f92d4"
      "00000000a7f9a2ce 00000000354abda2 000000003b9aca00 00000003"));
  CHECK(header.major == 2);
  CHECK(header.minor == 1);
  CHECK(header.size == 393'099);
  CHECK(header.checkpoint_offset == 393'004);
  CHECK(header.metadata_offset == 8092);
  CHECK(header.start_ns == 1'796'019'139'540'652'756);
  CHECK(header.duration_ns == 2'818'155'214);
  CHECK(header.start_ticks == 894'090'658);
  CHECK(header.ticks_per_second == 1'000'000'000);
  CHECK(header.state == 0);
  CHECK(header.has_compressed_integers);
  CHECK(header.is_final);
}

TEST_CASE("the feature word of versions 1.0 and 2.0 is read like state and flags of 2.1") {
  const ChunkHeader header = parse_chunk_header(from_hex(
      "464c5200 0001 0000 00000000000281fa 0000000000010fc8 0000000000018af5 15268af1e4fc8f00"
      "0000000000000000 0000000000000000 000000008f0d1800 00000001"));
  CHECK(header.major == 1);
  CHECK(header.minor == 0);
  CHECK(header.size == 164'346);
  CHECK(header.checkpoint_offset == 69'576);
  CHECK(header.metadata_offset == 101'109);
  CHECK(header.start_ns == 1'524'058'295'444'999'936);
  CHECK(header.ticks_per_second == 2'400'000'000);
  CHECK(header.state == 0);
  CHECK(header.has_compressed_integers);
  CHECK_FALSE(header.is_final);
}

TEST_CASE("each flag is one bit, unknown ones are ignored") {
  HeaderFields fields;
  fields.flags = 0;
  CHECK_FALSE(parse_chunk_header(fields.bytes()).has_compressed_integers);
  CHECK_FALSE(parse_chunk_header(fields.bytes()).is_final);
  fields.flags = 2;
  CHECK_FALSE(parse_chunk_header(fields.bytes()).has_compressed_integers);
  CHECK(parse_chunk_header(fields.bytes()).is_final);
  fields.flags = 0xfffd;
  CHECK(parse_chunk_header(fields.bytes()).has_compressed_integers);
  CHECK_FALSE(parse_chunk_header(fields.bytes()).is_final);
}

TEST_CASE("the state of a chunk that is being written is kept") {
  HeaderFields fields;
  for (const std::uint8_t state : {std::uint8_t{1}, std::uint8_t{254}, std::uint8_t{255}}) {
    fields.file_state = state;
    CHECK(parse_chunk_header(fields.bytes()).state == state);
  }
}

TEST_CASE("the magic needs four bytes") {
  CHECK(has_chunk_magic(from_hex("464c5200")));
  CHECK(has_chunk_magic(from_hex("464c520000")));
  CHECK_FALSE(has_chunk_magic(from_hex("464c52")));
  CHECK_FALSE(has_chunk_magic(from_hex("464c5201")));
  CHECK_FALSE(has_chunk_magic({}));
}

TEST_CASE("ticks become nanoseconds by the chunk's own clock") {
  // The minimal recording: 2000 ticks at 1e9 ticks/s, chunk start at 1000 ticks.
  CHECK(with_clock(1'700'000'000'000'000'000, 1000, 1'000'000'000).to_epoch_ns(2000) ==
        1'700'000'000'000'001'000);
  // A third of a second, before and after the start: cut toward the start.
  CHECK(with_clock(1000, 0, 3).to_epoch_ns(1) == 333'334'333);
  CHECK(with_clock(1000, 0, 3).to_epoch_ns(-1) == -333'332'333);
  // A measured frequency: 2,799,998,858 ticks are one second.
  CHECK(with_clock(0, 5, 2'799'998'858).to_epoch_ns(2'799'998'863) == 1'000'000'000);
  CHECK(with_clock(0, 5, 2'799'998'858).to_epoch_ns(5 + 10 * 2'799'998'858) == 10'000'000'000);
  // An event that began before its chunk.
  CHECK(with_clock(1'000'000, 5000, 1'000'000'000).to_epoch_ns(4000) == 999'000);
}

TEST_CASE("spans of ticks become nanoseconds, cut to whole ones") {
  CHECK(with_clock(0, 0, 1'000'000'000).to_duration_ns(46'327) == 46'327);
  CHECK(with_clock(0, 0, 2'000'000'000).to_duration_ns(3) == 1);
  CHECK(with_clock(0, 0, 3).to_duration_ns(2) == 666'666'666);
  CHECK(with_clock(0, 0, 1'000'000'000).to_duration_ns(0) == 0);
  CHECK(with_clock(0, 0, 1'000'000'000).to_duration_ns(-5) == 0);
  CHECK(with_clock(0, 0, 1'000'000'000).to_duration_ns(lowest) == 0);
  CHECK(with_clock(0, 0, 1'000'000'000).to_duration_ns(highest) == highest);
  // 2^63-1 seconds are more nanoseconds than there are.
  CHECK(with_clock(0, 0, 1).to_duration_ns(highest) == std::numeric_limits<std::uint64_t>::max());
}

TEST_CASE("a clock without a frequency gives the start of the chunk and no duration") {
  for (const std::int64_t frequency : {std::int64_t{0}, std::int64_t{-1}, lowest}) {
    const ChunkInfo info = with_clock(77, 5, frequency);
    CHECK(info.to_epoch_ns(1'000'000) == 77);
    CHECK(info.to_duration_ns(1'000'000) == 0);
  }
}

TEST_CASE("times beyond the range of 64 bits stay at its ends") {
  CHECK(with_clock(1'700'000'000'000'000'000, 0, 1'000'000'000).to_epoch_ns(highest) == highest);
  CHECK(with_clock(-1'700'000'000'000'000'000, 0, 1'000'000'000).to_epoch_ns(lowest) == lowest);
  CHECK(with_clock(0, highest, 1).to_epoch_ns(lowest) == lowest);
  CHECK(with_clock(0, lowest, 1).to_epoch_ns(highest) == highest);
}

TEST_CASE("the version is written with a dot") {
  ChunkInfo info;
  info.header.major = 2;
  info.header.minor = 1;
  CHECK(info.version() == "2.1");
  info.header.minor = 0;
  CHECK(info.version() == "2.0");
}

TEST_CASE("a header that was searched for is one of version 1 or 2 with sane sizes") {
  CHECK(is_plausible(sound_fields()));
  HeaderFields fields = sound_fields();
  fields.chunk_size = 68;
  fields.checkpoint_offset = fields.metadata_offset = 0;
  CHECK(is_plausible(fields));
  for (const std::int64_t size : {std::int64_t{0}, std::int64_t{67}, std::int64_t{-1}, highest}) {
    fields.chunk_size = size;
    CHECK_FALSE(is_plausible(fields));
  }
  fields = sound_fields();
  fields.major = 0;
  CHECK_FALSE(is_plausible(fields));
  fields.major = 3;
  CHECK_FALSE(is_plausible(fields));
  fields = sound_fields();
  fields.metadata_offset = -100;
  CHECK_FALSE(is_plausible(fields));
  fields = sound_fields();
  fields.checkpoint_offset = highest;
  CHECK_FALSE(is_plausible(fields));
}

TEST_CASE("a header is found at any byte, a damaged one is passed over") {
  HeaderFields damaged = sound_fields();
  damaged.major = 7;
  Bytes bytes = to_bytes("FLR FLR noise");
  append(bytes, damaged.bytes());
  append(bytes, to_bytes("xyz"));
  const std::size_t at = bytes.size();
  append(bytes, sound_fields().bytes());
  CHECK(search_header(bytes, 0, {}) == at);
  CHECK(search_header(bytes, at, {}) == at);
  CHECK_FALSE(search_header(bytes, at + 1, {}));
  // One byte short of a header.
  CHECK_FALSE(search_header(std::span(bytes).first(bytes.size() - 1), 0, {}));
  CHECK_FALSE(search_header({}, 0, {}));
}

TEST_CASE("a chunk's copy of its own header is not taken for the next chunk") {
  HeaderFields own = sound_fields();
  own.start_nanos = 123'456'789;
  own.start_ticks = 4711;
  Bytes bytes(10);
  bytes.push_back(std::byte{0x44});  // the count of the copy's bytes
  append(bytes, own.bytes());
  CHECK_FALSE(search_header(bytes, 0, parse_chunk_header(own.bytes())));
  // The header of another chunk may stand behind any byte.
  HeaderFields next = own;
  next.start_nanos = 223'456'789;
  CHECK(search_header(bytes, 0, parse_chunk_header(next.bytes())) == 11);
}

TEST_CASE("a walk over records ends at the header behind the last of them") {
  const Bytes chunk = test::two_ticks().bytes();
  Bytes bytes = chunk;
  append(bytes, chunk);
  const RecordWalk walk = find_next_header(bytes, chunk_header_bytes, header_of(chunk));
  CHECK(walk.found_header);
  CHECK(walk.header_follows_record);
  CHECK(walk.header == chunk.size());
  CHECK(walk.end == chunk.size());
}

TEST_CASE("a walk over records that is not disturbed ends with the bytes") {
  const Bytes chunk = test::two_ticks().bytes();
  const RecordWalk walk = find_next_header(chunk, chunk_header_bytes, header_of(chunk));
  CHECK_FALSE(walk.found_header);
  CHECK(walk.end == chunk.size());
}

TEST_CASE("a walk stops at a record that cannot be right and searches from there") {
  const Bytes chunk = test::two_ticks().bytes();
  Bytes bytes = chunk;
  bytes.resize(bytes.size() + 4096);  // zeros: records of size 0
  append(bytes, chunk);
  const RecordWalk walk = find_next_header(bytes, chunk_header_bytes, header_of(chunk));
  CHECK(walk.end == chunk.size());
  CHECK(walk.found_header);
  CHECK_FALSE(walk.header_follows_record);
  CHECK(walk.header == chunk.size() + 4096);
}

TEST_CASE("a walk that begins behind the bytes finds nothing") {
  const Bytes chunk = test::two_ticks().bytes();
  const auto header = std::span(chunk).first(chunk_header_bytes);
  const RecordWalk walk = find_next_header(header, chunk_header_bytes, header_of(chunk));
  CHECK(walk.end == chunk_header_bytes);
  CHECK_FALSE(walk.found_header);
  CHECK(find_next_header(header.first(10), chunk_header_bytes, header_of(chunk)).end == 10);
}

TEST_CASE("looking for the next header ends with the wish to stop") {
  const Bytes chunk = chunk_of_2000();
  const std::atomic<bool> stop{true};
  CHECK_THROWS_AS((void)find_next_header(chunk, 0, header_of(chunk), StopFlag(&stop)), Interrupted);
}

TEST_CASE("a header that lies across two steps of the search is found") {
  // The steps are 16 MiB; the record at the start has no sound size, so the search goes by bytes.
  constexpr std::size_t step = std::size_t{16} << 20;
  const Bytes chunk = chunk_of_2000();
  for (const std::size_t at : {step - 1, step, step + chunk_header_bytes - 1}) {
    CAPTURE(at);
    Bytes bytes(at, std::byte{0});
    append(bytes, chunk);
    const RecordWalk walk = find_next_header(bytes, 0, ChunkHeader{});
    CHECK(walk.found_header);
    CHECK(walk.header == at);
  }
}

}  // namespace jfrtree::internal
