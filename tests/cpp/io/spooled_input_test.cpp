#include "io/spooled_input.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <string>

#include <jfrtree/error.hpp>

#include "io/bytes.hpp"
#include "io/compressed.hpp"
#include "io/temporary_folder.hpp"

namespace jfrtree::test {

namespace {

using internal::SpooledInput;

/// A stream of a text, which may end with an error.
std::shared_ptr<Input> stream_of(std::string text, bool fails_at_end = false) {
  auto position = std::make_shared<std::size_t>(0);
  return stream_input([=](std::span<std::byte> buffer) -> std::size_t {
    if (*position == text.size() && fails_at_end) {
      throw IoError(
          Problem{.code = ErrorCode::io_error, .file = "stream", .message = "the line went dead"});
    }
    const std::size_t count = std::min(buffer.size(), text.size() - *position);
    std::memcpy(buffer.data(), text.data() + *position, count);
    *position += count;
    return count;
  });
}

/// Exactly so many bytes, fewer at the end only.
std::string next(Input& input, std::size_t bytes) {
  std::string text(bytes, '?');
  std::size_t done = 0;
  while (done < bytes) {
    const std::size_t count = input.read(std::as_writable_bytes(std::span(text)).subspan(done));
    if (count == 0) break;
    done += count;
  }
  text.resize(done);
  return text;
}

}  // namespace

TEST_CASE("a spooled input gives the same bytes twice") {
  const std::string text = noise(300'000);
  SpooledInput input(stream_of(text));
  CHECK(!input.size());
  CHECK(read_contents(input, 7001).text == text);
  input.rewind();
  CHECK(read_contents(input, 4096).text == text);
}

TEST_CASE("the second reading goes on where the first one ended") {
  SpooledInput input(stream_of("0123456789abcdef"));
  CHECK(next(input, 10) == "0123456789");
  input.rewind();
  CHECK(next(input, 4) == "0123");
  CHECK(next(input, 6) == "456789");
  CHECK(next(input, 100) == "abcdef");
  CHECK(next(input, 100).empty());
}

TEST_CASE("an error at the end of the first reading is the end of the second one") {
  const std::string text = noise(5000);
  SpooledInput input(stream_of(text, true));
  for (int reading = 1; reading <= 2; ++reading) {
    CAPTURE(reading);
    const Contents contents = read_contents(input, 999);
    CHECK(contents.text == text);
    CHECK(contents.message == "stream: the line went dead");
    input.rewind();
  }
}

TEST_CASE("the copy is a file without a name in the folder of TMPDIR") {
  const TemporaryFolder folder;
  const char* const before = std::getenv("TMPDIR");
  const std::string saved = before == nullptr ? "" : before;
  ::setenv("TMPDIR", folder.path("").c_str(), 1);
  {
    SpooledInput input(stream_of("0123456789abcdef"));
    CHECK(next(input, 16) == "0123456789abcdef");
    CHECK(folder.entries() == 0);
  }
  ::setenv("TMPDIR", folder.path("none").c_str(), 1);
  CHECK_THROWS_AS(SpooledInput(stream_of("0123456789abcdef")), IoError);
  if (before == nullptr) {
    ::unsetenv("TMPDIR");
  } else {
    ::setenv("TMPDIR", saved.c_str(), 1);
  }
}

}  // namespace jfrtree::test
