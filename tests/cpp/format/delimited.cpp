#include "format/delimited.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <span>

#include "format/chunk_source.hpp"
#include "format/small_chunk.hpp"
#include "io/temporary_folder.hpp"

namespace jfrtree::test {

namespace {

std::string name_of(ChunkState state) {
  switch (state) {
    case ChunkState::complete:
      return "complete";
    case ChunkState::empty:
      return "empty";
    case ChunkState::unfinished:
      return "unfinished";
    default:
      return "truncated";
  }
}

}  // namespace

std::string delimited(const Bytes& bytes, Source source, const Limits& limits) {
  std::optional<TemporaryFolder> folder;
  if (source == Source::file) folder.emplace();
  const auto input = input_of(bytes, source, folder ? folder->path("") : "");
  internal::ProblemLog log;
  internal::ChunkSource chunks(*input, limits, log);
  std::string text;
  while (const auto chunk = chunks.next()) {
    const ChunkInfo& info = chunk->info;
    text += std::to_string(info.number) + "@" + std::to_string(info.offset) + "+" +
            std::to_string(info.bytes) + " " + name_of(info.state) + "; ";
    CHECK(chunk->bytes.size() == info.bytes);
    REQUIRE(info.offset + info.bytes <= bytes.size());
    const auto expected = std::span(bytes).subspan(info.offset, info.bytes);
    CHECK(std::equal(chunk->bytes.begin(), chunk->bytes.end(), expected.begin(), expected.end()));
  }
  return text + to_text(log.entries());
}

std::string delimited(const Bytes& bytes) {
  std::string from_memory = delimited(bytes, Source::memory);
  CHECK(delimited(bytes, Source::file) == from_memory);
  CHECK(delimited(bytes, Source::stream) == from_memory);
  return from_memory;
}

Bytes chunk_of_2000(const HeaderFields& header) {
  SmallChunk chunk(header);
  chunk.event_type("t.E", 100, "int n");
  const std::size_t without_event = chunk.bytes().size();
  chunk.raw_event(100, ByteWriter().zeros(2000 - without_event - 3), {.width = 2});
  Bytes bytes = chunk.bytes();
  REQUIRE(bytes.size() == 2000);
  return bytes;
}

Bytes claiming(std::int64_t size) {
  HeaderFields header;
  header.chunk_size = size;
  return chunk_of_2000(header);
}

Bytes noise(std::size_t size) { return Bytes(size, std::byte{0xee}); }

Bytes joined(std::initializer_list<Bytes> parts) {
  Bytes bytes;
  for (const Bytes& part : parts) append(bytes, part);
  return bytes;
}

Bytes checkpoint_with_copy(const HeaderFields& header) {
  ChunkWriter writer(header);
  Pool pool{50};
  pool.entry(1, ByteWriter().count(68).raw(header.bytes()));
  writer.checkpoint({.pools = {pool}, .flags = 2});
  const Bytes bytes = writer.bytes();
  return {bytes.begin() + 68, bytes.end()};
}

}  // namespace jfrtree::test
