#include <doctest/doctest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>

#include "io/temporary_folder.hpp"
#include "profile/reading.hpp"
#include "support/byte_writer.hpp"
#include "support/scenarios.hpp"

using namespace jfrtree;
using namespace jfrtree::test;

namespace {

constexpr std::size_t header_bytes = 68;

void add_big_endian(Bytes& bytes, std::size_t at, std::uint64_t more) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < 8; ++i) value = value << 8 | std::to_integer<unsigned>(bytes[at + i]);
  value += more;
  for (std::size_t i = 8; i-- > 0; value >>= 8)
    bytes[at + i] = static_cast<std::byte>(value & 0xFF);
}

/// Writes a chunk with one record of `hole` bytes of an unknown type behind its header: a hole of
/// the file. Everything else lies behind it.
void write_with_hole(std::ofstream& file, Bytes chunk, std::uint64_t hole) {
  add_big_endian(chunk, 8, hole);   // the size
  add_big_endian(chunk, 16, hole);  // the offset of the checkpoint
  add_big_endian(chunk, 24, hole);  // the offset of the metadata
  Bytes head(chunk.begin(), chunk.begin() + header_bytes);
  append(head, varint(hole));
  append(head, varint(9'999'999));
  const auto start = file.tellp();
  const auto* data = reinterpret_cast<const char*>(head.data());
  file.write(data, static_cast<std::streamsize>(head.size()));
  file.seekp(start + static_cast<std::streamoff>(header_bytes + hole));
  data = reinterpret_cast<const char*>(chunk.data());
  file.write(data + header_bytes, static_cast<std::streamsize>(chunk.size() - header_bytes));
}

}  // namespace

TEST_CASE("a chunk of 5 GiB and what follows it in the file are read") {
  const TemporaryFolder folder;
  const std::string path = folder.path("large.jfr");
  const Bytes chunk = scenario("three_samples");
  {
    std::ofstream file(path, std::ios::binary);
    write_with_hole(file, chunk, std::uint64_t{5} << 30);
    file.write(reinterpret_cast<const char*>(chunk.data()),
               static_cast<std::streamsize>(chunk.size()));
    REQUIRE(file.good());
  }
  REQUIRE(std::filesystem::file_size(path) > std::uint64_t{5} << 30);
  const ProfileSet small = read({chunk, chunk});
  const ProfileSet large = read_file(path);
  CHECK(documents_of(large) == documents_of(small));
  CHECK(findings(large.problems) == "[unknown_event_type chunk 1 at 68]");
  CHECK(large.statistics.chunks == 2);
}
