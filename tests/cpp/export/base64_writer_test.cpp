#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <jfrtree/output.hpp>

#include "export/base64_writer.hpp"

namespace {

std::string encode(std::string_view bytes, std::size_t piece) {
  std::string text;
  const auto output = jfrtree::string_output(text);
  jfrtree::internal::TextWriter writer(*output);
  jfrtree::internal::Base64Writer base64(writer);
  for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size()))) {
    base64.append(bytes.substr(0, piece));
  }
  base64.finish();
  writer.flush();
  return text;
}

}  // namespace

TEST_CASE("base64 is that of RFC 4648 section 10") {
  const std::pair<std::string_view, std::string_view> vectors[] = {
      {"", ""},
      {"f", "Zg=="},
      {"fo", "Zm8="},
      {"foo", "Zm9v"},
      {"foob", "Zm9vYg=="},
      {"fooba", "Zm9vYmE="},
      {"foobar", "Zm9vYmFy"},
  };
  for (const auto& [bytes, text] : vectors) {
    CAPTURE(bytes);
    CHECK(encode(bytes, 100) == text);
    CHECK(encode(bytes, 1) == text);
    CHECK(encode(bytes, 2) == text);
  }
}

TEST_CASE("base64 has a digit for every six bits") {
  // 0xFB 0xEF 0xBE is 62 four times; 0xFF 0xFF 0xFF is 63 four times.
  CHECK(encode("\xFB\xEF\xBE\xFF\xFF\xFF", 4) == "++++////");
  CHECK(encode(std::string_view("\0\0\0\0", 4), 3) == "AAAAAA==");
}
