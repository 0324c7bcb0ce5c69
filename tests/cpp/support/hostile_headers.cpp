#include "support/hostile_recordings.hpp"
#include "support/scenarios.hpp"

#include <limits>

namespace jfrtree::test {

namespace {

constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t one_gibibyte = 0x40000000;

Bytes with_header(void (*change)(HeaderFields&)) {
  StandardChunk chunk = three_samples();
  change(chunk.header());
  return chunk.bytes();
}

/// The header can depend on where records are.
Bytes with_layout(const StandardChunk& chunk, void (*change)(HeaderFields&, std::int64_t size)) {
  ChunkWriter writer = chunk.writer();
  change(writer.header(), static_cast<std::int64_t>(writer.offset()));
  return writer.bytes();
}

Bytes first_bytes(std::size_t count) {
  Bytes bytes = three_samples().bytes();
  bytes.resize(count);
  return bytes;
}

/// Format 0.9 of JDK 7 and 8: fixed-width records, the metadata record last.
Bytes version_0_9() {
  constexpr std::uint64_t event_size = 100;
  constexpr std::uint64_t metadata_size = 24;
  ByteWriter file;
  file.big_endian(0x464c5200, 4).big_endian(0, 2).big_endian(9, 2).big_endian(16 + event_size, 8);
  file.big_endian(event_size, 4).big_endian(5, 4).zeros(event_size - 8);
  return file.big_endian(metadata_size, 4).zeros(metadata_size - 4).bytes();
}

Bytes live_header(std::uint8_t state) {
  HeaderFields header;
  header.chunk_size = chunk_header_size;
  header.file_state = state;
  header.flags = 1;
  return header.bytes();
}

/// As async-profiler leaves a chunk that it never finished: metadata and events, no constants.
Bytes placeholder() {
  StandardChunk profiler(Producer::async_profiler_2);
  profiler.without_enum_pools().execution_sample({}).execution_sample({}).execution_sample({});
  ChunkWriter writer = profiler.writer();
  writer.header().chunk_size = one_gibibyte;
  writer.header().metadata_offset = 0;
  writer.header().checkpoint_offset = 0;
  return writer.bytes();
}

/// Flushed up to chunkSize; one more event stands beyond.
Bytes killed() {
  StandardChunk chunk = three_samples();
  chunk.header().file_state = 4;
  chunk.header().flags = 1;
  Bytes bytes = chunk.bytes();
  const ByteWriter uncommitted = ByteWriter().long_value(5000).key(0).key(0).key(0);
  append(bytes, ChunkWriter().payload().u8(7).key(chunk.type_id("jdk.ExecutionSample")).bytes());
  append(bytes, uncommitted.bytes());
  return bytes;
}

Bytes many_empty_chunks() {
  RecordingWriter file;
  for (int i = 0; i < 10'000; ++i) file.add(live_header(1));
  return file.add(three_samples()).bytes();
}

/// A copy of a header stands in a constant pool; the real header lies about its size.
Bytes fake_header_in_pool() {
  StandardChunk chunk = three_samples();
  HeaderFields copy;
  copy.chunk_size = 4096;
  copy.metadata_offset = 128;
  copy.checkpoint_offset = 256;
  chunk.raw_constant("ChunkHeader", 1, ByteWriter().count(chunk_header_size).raw(copy.bytes()));
  chunk.header().chunk_size = 200;
  return RecordingWriter().add(chunk).add(three_samples()).bytes();
}

constexpr auto error = Outcome::error;
constexpr auto lost = Outcome::problem_or_error;
constexpr auto odd = Outcome::fine_or_problem;

constexpr HostileRecording starts[] = {
    {"empty_file", "no bytes", error, 0, 0, [] { return Bytes{}; }},
    {"four_bytes", "the magic alone", error, 0, 0, [] { return first_bytes(4); }},
    {"sixty_seven_bytes", "one byte less than a header", error, 0, 0,
     [] { return first_bytes(67); }},
    {"sixty_eight_bytes", "the header of a finished chunk, nothing else", error, 0, 0,
     [] { return first_bytes(68); }},
    {"hundred_bytes", "header and a part of the first record", error, 0, 0,
     [] { return first_bytes(100); }},
    {"bad_magic", "FLX instead of FLR", error, 0, 0,
     [] { return with_header([](HeaderFields& header) { header.magic = 0x464c5800; }); }},
    {"version_0_9", "format of Oracle JDK 7 and 8", error, 0, 0, version_0_9},
    {"version_3", "a major version of the future", error, 0, 0,
     [] { return with_header([](HeaderFields& header) { header.major = 3; }); }},
    {"version_2_9", "a minor version of the future", Outcome::fine, 3, 3,
     [] { return with_header([](HeaderFields& header) { header.minor = 9; }); }},
    {"unknown_flags", "all flag bits are set", Outcome::fine, 3, 3,
     [] { return with_header([](HeaderFields& header) { header.flags = 0xffff; }); }},
    {"varints_declared_fixed_width",
     "the flag for compressed integers is clear, the records are "
     "compressed",
     Outcome::problem_or_error, 0, 3,
     [] {
       Bytes bytes = three_samples().bytes();
       bytes[67] = std::byte{2};
       return bytes;
     }},
};

constexpr HostileRecording sizes[] = {
    {"chunk_size_0", "JDK readers loop for ever", lost, 0, 3,
     [] { return with_header([](HeaderFields& header) { header.chunk_size = 0; }); }},
    {"chunk_size_67", "less than a header", lost, 0, 3,
     [] { return with_header([](HeaderFields& header) { header.chunk_size = 67; }); }},
    {"chunk_size_68", "a header alone, with offsets beyond it", lost, 0, 3,
     [] { return with_header([](HeaderFields& header) { header.chunk_size = 68; }); }},
    {"chunk_size_negative", "-1", lost, 0, 3,
     [] { return with_header([](HeaderFields& header) { header.chunk_size = -1; }); }},
    {"chunk_size_huge", "2^63-1: start + size overflows", lost, 0, 3,
     [] { return with_header([](HeaderFields& header) { header.chunk_size = highest; }); }},
    {"chunk_size_past_end", "1000 bytes more than there are", Outcome::problem, 3, 3,
     [] {
       return with_layout(three_samples(), [](HeaderFields& header, std::int64_t size) {
         header.chunk_size = size + 1000;
       });
     }},
    {"chunk_size_cuts_constants", "20 bytes too small, the last checkpoint is cut",
     Outcome::problem, 3, 3,
     [] {
       return with_layout(three_profiler_samples(), [](HeaderFields& header, std::int64_t size) {
         header.chunk_size = size - 20;
       });
     }},
    {"chunk_size_cuts_metadata", "20 bytes too small, the metadata is cut", lost, 0, 3,
     [] {
       return with_layout(three_samples(), [](HeaderFields& header, std::int64_t size) {
         header.chunk_size = size - 20;
       });
     }},
    {"placeholder_only", "1 GiB claimed, no offsets: a chunk its writer never finished", lost, 0, 3,
     placeholder},
    {"finished_then_placeholder", "the last chunk was never finished", Outcome::problem, 3, 6,
     [] { return RecordingWriter().add(three_samples()).add(placeholder()).bytes(); }},
    {"header_only_live", "a chunk that was just opened", Outcome::fine, 0, 0,
     [] { return live_header(1); }},
    {"empty_chunk_then_chunk", "an empty chunk before a good one", Outcome::fine_or_problem, 3, 3,
     [] { return RecordingWriter().add(live_header(1)).add(three_samples()).bytes(); }},
    {"ten_thousand_empty_chunks", "and a good one at the end", Outcome::fine_or_problem, 3, 3,
     many_empty_chunks},
    {"state_255", "the header is for ever being rewritten", Outcome::fine_or_problem, 3, 3,
     [] { return with_header([](HeaderFields& header) { header.file_state = 255; }); }},
    {"killed", "state 4, an uncommitted event beyond the last flush", Outcome::problem, 3, 4,
     killed},
    {"fake_header_in_pool", "size too small, and a pool holds the copy of a header",
     Outcome::problem, 3, 6, fake_header_in_pool},
};

constexpr HostileRecording offsets[] = {
    {"metadata_offset_0", "no metadata in a finished chunk", lost, 0, 3,
     [] { return with_header([](HeaderFields& header) { header.metadata_offset = 0; }); }},
    {"metadata_offset_negative", "-100", lost, 0, 3,
     [] { return with_header([](HeaderFields& header) { header.metadata_offset = -100; }); }},
    {"metadata_offset_past_end", "2^40", lost, 0, 3,
     [] { return with_header([](HeaderFields& header) { header.metadata_offset = 1LL << 40; }); }},
    {"metadata_offset_highest", "2^63-1", lost, 0, 3,
     [] { return with_header([](HeaderFields& header) { header.metadata_offset = highest; }); }},
    {"metadata_offset_at_checkpoint", "the record there is of type 1", lost, 0, 3,
     [] { return with_header([](HeaderFields& header) { header.metadata_offset = 68; }); }},
    {"metadata_offset_in_header", "inside of the header", lost, 0, 3,
     [] { return with_header([](HeaderFields& header) { header.metadata_offset = 10; }); }},
    {"checkpoint_offset_0", "no constants", Outcome::fine, 3, 3,
     [] { return with_header([](HeaderFields& header) { header.checkpoint_offset = 0; }); }},
    {"checkpoint_offset_negative", "-100", Outcome::problem, 3, 3,
     [] { return with_header([](HeaderFields& header) { header.checkpoint_offset = -100; }); }},
    {"checkpoint_offset_past_end", "2^40", Outcome::problem, 3, 3,
     [] {
       return with_header([](HeaderFields& header) { header.checkpoint_offset = 1LL << 40; });
     }},
    {"checkpoint_offset_highest", "2^63-1", Outcome::problem, 3, 3,
     [] { return with_header([](HeaderFields& header) { header.checkpoint_offset = highest; }); }},
    {"checkpoint_offset_at_metadata", "the record there is of type 0", Outcome::problem, 3, 3,
     [] {
       ChunkWriter writer = three_profiler_samples().writer();
       writer.header().checkpoint_offset = 68;
       return writer.bytes();
     }},
};

constexpr HostileRecording clocks[] = {
    {"ticks_per_second_0", "the clock stands still", odd, 3, 3,
     [] { return with_header([](HeaderFields& header) { header.ticks_per_second = 0; }); }},
    {"ticks_per_second_negative", "the clock runs backwards", odd, 3, 3,
     [] { return with_header([](HeaderFields& header) { header.ticks_per_second = -1; }); }},
    {"ticks_per_second_highest", "2^63-1", odd, 3, 3,
     [] { return with_header([](HeaderFields& header) { header.ticks_per_second = highest; }); }},
    {"start_ticks_lowest", "differences overflow", odd, 3, 3,
     [] { return with_header([](HeaderFields& header) { header.start_ticks = lowest; }); }},
    {"start_nanos_highest", "times overflow", odd, 3, 3,
     [] { return with_header([](HeaderFields& header) { header.start_nanos = highest; }); }},
    {"start_nanos_lowest", "long before 1970", odd, 3, 3,
     [] { return with_header([](HeaderFields& header) { header.start_nanos = lowest; }); }},
    {"duration_negative", "the chunk ends before it starts", odd, 3, 3,
     [] { return with_header([](HeaderFields& header) { header.duration_nanos = -1; }); }},
    {"duration_highest", "start + duration overflows", odd, 3, 3,
     [] { return with_header([](HeaderFields& header) { header.duration_nanos = highest; }); }},
    {"equal_start_times", "two chunks with equal start and content", Outcome::fine, 6, 6,
     [] { return RecordingWriter().add(three_samples()).add(three_samples()).bytes(); }},
};

}  // namespace

std::vector<HostileRecording> hostile_headers() { return joined({starts, sizes, offsets, clocks}); }

}  // namespace jfrtree::test
