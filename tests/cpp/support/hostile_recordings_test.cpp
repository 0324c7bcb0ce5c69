#include "support/hostile_recordings.hpp"

#include "support/gzip_writer.hpp"
#include "support/scenarios.hpp"

#include <doctest/doctest.h>

#include <zlib.h>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>

namespace jfrtree::test {

namespace {

/// Bytes that a gzip member decompresses to; -1 when zlib does not accept it.
std::int64_t decompressed_size(Bytes member) {
  z_stream stream{};
  REQUIRE(inflateInit2(&stream, MAX_WBITS + 16) == Z_OK);
  Bytes output(1 << 20);
  stream.next_in = reinterpret_cast<Bytef*>(member.data());
  stream.avail_in = static_cast<uInt>(member.size());
  int result = Z_OK;
  std::int64_t total = 0;
  while (result == Z_OK) {
    stream.next_out = reinterpret_cast<Bytef*>(output.data());
    stream.avail_out = static_cast<uInt>(output.size());
    result = inflate(&stream, Z_NO_FLUSH);
    total += static_cast<std::int64_t>(output.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  return result == Z_STREAM_END ? total : -1;
}

}  // namespace

TEST_CASE("hostile recordings have names of their own and say what is wrong") {
  std::set<std::string_view> names;
  for (const Scenario& entry : scenarios()) names.insert(entry.name);
  for (const HostileRecording& entry : hostile_recordings()) {
    CHECK_MESSAGE(names.insert(entry.name).second, std::string(entry.name));
    CHECK_MESSAGE(!entry.what_is_wrong.empty(), std::string(entry.name));
    CHECK_MESSAGE(entry.samples_at_least <= entry.samples_at_most, std::string(entry.name));
  }
  CHECK(hostile_recording("gzip_bomb").expected == Outcome::error);
  CHECK_THROWS_AS(hostile_recording("no such name"), std::out_of_range);
}

TEST_CASE("hostile recordings can be built, and differ from the good one") {
  const Bytes good = three_samples().bytes();
  for (const HostileRecording& entry : hostile_recordings()) {
    const Bytes bytes = entry.build();
    CHECK_MESSAGE(bytes != good, std::string(entry.name));
    CHECK_MESSAGE(bytes.size() < (std::size_t{32} << 20), std::string(entry.name));
  }
}

TEST_CASE("outcomes can be combined") {
  CHECK(allows(Outcome::problem_or_error, Outcome::error));
  CHECK_FALSE(allows(Outcome::problem_or_error, Outcome::fine));
  CHECK(to_string(Outcome::any) == "fine|problem|error");
  CHECK(to_string(Outcome::problem) == "problem");
}

TEST_CASE("gzip members are what zlib accepts") {
  CHECK(decompressed_size(gzip(to_bytes("hello"))) == 5);
  CHECK(decompressed_size(gzip({})) == 0);
  CHECK(decompressed_size(gzip_with_zeros(to_bytes("hello"), 70)) == 5 + (70 << 20));
  Bytes wrong = gzip(to_bytes("hello"));
  wrong[wrong.size() - 8] ^= std::byte{1};
  CHECK(decompressed_size(wrong) == -1);
}

}  // namespace jfrtree::test
