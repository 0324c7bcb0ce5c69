#include "support/hostile_recordings.hpp"
#include "support/scenarios.hpp"

#include <string>

namespace jfrtree::test {

namespace {

constexpr auto problem = Outcome::problem;
constexpr auto error = Outcome::error;
constexpr std::size_t mebibyte = std::size_t{1} << 20;

/// 300 methods of one class whose name has 1 MiB: 300 MiB of frame texts.
Bytes long_class_name() {
  StandardChunk chunk = jdk17_chunk();
  const std::string name(mebibyte, 'x');
  for (int i = 0; i < 300; ++i) {
    const std::string method = "m" + std::to_string(i);
    const std::uint64_t stack = chunk.stack({FrameSpec::of(name, method)});
    chunk.execution_sample({.stack = stack});
  }
  return chunk.bytes();
}

/// 300 fields that share one name of 1 MiB, which the file holds once.
Bytes long_field_name() {
  StandardChunk chunk = three_samples();
  Element root = chunk.types().metadata();
  Element wide = class_element("my.Wide", 5000);
  const std::string name(mebibyte, 'y');
  for (int i = 0; i < 300; ++i) wide.child(field(name, 206));
  root.children.front().child(wide);
  return chunk.replace_metadata(root).bytes();
}

/// 100000 records of the type of metadata that are none, and a header that names no metadata.
Bytes metadata_records() {
  StandardChunk chunk = three_samples();
  chunk.header().metadata_offset = std::int64_t{1} << 40;
  const Bytes record = from_hex("0700000000007f");
  Bytes records;
  for (int i = 0; i < 100'000; ++i) append(records, record);
  return chunk.raw(records).bytes();
}

/// Checkpoints that all reach to the end of the chunk: each swallows the ones behind it as an array
/// of bytes, and all share a last pool of 100000 entries.
Bytes overlapping_checkpoints() {
  constexpr std::size_t heads = 5000;
  constexpr std::uint64_t entries = 100'000;
  StandardChunk chunk = three_samples();
  chunk.types().declare(TypeKind::plain, "my.Bytes", 5000, "byte[] bytes");
  ByteWriter tail;
  tail.count(chunk.type_id("Symbol")).count(entries);
  for (std::uint64_t i = 0; i < entries; ++i) tail.key(0x7f).string("", StringEncoding::empty);
  ChunkWriter writer = chunk.writer();
  const auto real_one = writer.bytes();  // its newest checkpoint ends the chain
  const std::size_t first = writer.offset();
  constexpr std::size_t head_size = 9 + 1 + 1 + 1 + 9 + 1 + 1 + 2 + 1 + 1 + 9;
  std::uint64_t newest = 0;
  for (std::size_t i = 16; i < 24; ++i)
    newest = newest << 8 | std::to_integer<unsigned>(real_one[i]);
  for (std::size_t i = 0; i < heads; ++i) {
    const std::size_t at = first + i * head_size;
    const std::uint64_t before = i == 0 ? newest : at - head_size;
    const std::uint64_t left = (heads - i - 1) * head_size;
    ByteWriter head;
    head.padded(head_size + left + tail.size(), 9).count(1).count(0).count(0);
    head.padded(before - at, 9).u8(1).count(2).count(5000).count(1).count(7);
    writer.raw(head.padded(left, 9).bytes());
  }
  writer.raw(tail.bytes());
  writer.header().checkpoint_offset = static_cast<std::int64_t>(first + (heads - 1) * head_size);
  return writer.bytes();
}

/// A good chunk, then 20000 headers of different chunks that claim 2^40 bytes.
Bytes headers_of_chunks() {
  HeaderFields header;
  header.chunk_size = std::int64_t{1} << 40;
  header.metadata_offset = 200;
  Bytes bytes = three_samples().bytes();
  for (int i = 0; i < 20'000; ++i) {
    header.start_nanos += 1;
    append(bytes, header.bytes());
  }
  return bytes;
}

}  // namespace

std::vector<HostileRecording> hostile_amplified() {
  return {
      {"long_class_name", "300 methods of a class whose name has 1 MiB", Outcome::fine_or_error, 0,
       300, long_class_name},
      {"long_field_name", "300 fields that share a name of 1 MiB", error, 0, 0, long_field_name},
      {"metadata_records_100000", "records of type 0 that are no metadata", problem, 3, 3,
       metadata_records},
      {"overlapping_checkpoints", "5000 checkpoints that share one pool of 100000 entries", problem,
       3, 3, overlapping_checkpoints},
      {"headers_20000", "20000 headers that claim 2^40 bytes, each of another chunk", problem, 3, 3,
       headers_of_chunks},
  };
}

}  // namespace jfrtree::test
