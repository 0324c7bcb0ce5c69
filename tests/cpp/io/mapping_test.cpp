#include "io/mapping.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include <fcntl.h>
#include <unistd.h>

#include "io/bytes.hpp"
#include "io/compressed.hpp"
#include "io/temporary_folder.hpp"

namespace jfrtree::internal {

TEST_CASE("map_file: any range, with zero bytes behind it, also after closing") {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::string text = test::noise(4 * page);
  const test::TemporaryFolder folder;
  const std::string path = folder.file("file", text);
  for (const std::size_t begin : {std::size_t{0}, std::size_t{1}, page - 1, page, page + 7}) {
    for (const std::size_t end : {begin + 1, 2 * page - 1, 2 * page, 2 * page + 1, 4 * page}) {
      CAPTURE(begin);
      CAPTURE(end);
      Descriptor descriptor = open_descriptor(path, O_RDONLY);
      const auto mapped = map_file(descriptor, begin, end - begin, path);
      descriptor.close();
      REQUIRE(mapped != nullptr);
      CHECK(as_text({mapped.get(), end - begin}) == text.substr(begin, end - begin));
      const std::byte* behind = mapped.get() + (end - begin);
      CHECK(std::all_of(behind, behind + PaddedBuffer::padding,
                        [](std::byte byte) { return byte == std::byte{0}; }));
    }
  }
}

TEST_CASE("map_file: nothing beyond the end, of no bytes, or of what is no file") {
  const test::TemporaryFolder folder;
  const Descriptor file = open_descriptor(folder.file("file", "0123456789"), O_RDONLY);
  CHECK(map_file(file, 0, 10, "f") != nullptr);
  CHECK(map_file(file, 0, 11, "f") == nullptr);
  CHECK(map_file(file, 10, 1, "f") == nullptr);
  CHECK(map_file(file, 11, 1, "f") == nullptr);
  CHECK(map_file(file, ~std::uint64_t{0}, 2, "f") == nullptr);
  CHECK(map_file(file, 1, ~std::size_t{0}, "f") == nullptr);
  CHECK(map_file(file, 0, 0, "f") == nullptr);
  CHECK(map_file(open_descriptor("/dev/null", O_RDONLY), 0, 1, "f") == nullptr);
}

}  // namespace jfrtree::internal
