#include "profile/collapsed_text.hpp"

#include <doctest/doctest.h>

#include <array>
#include <vector>

using namespace jfrtree::internal;

namespace {

std::string written(std::string_view frame) {
  std::string line;
  return append_collapsed_frame(line, frame) ? line : std::string(frame);
}

std::string restored(std::string_view text) {
  std::string frame;
  append_frame_of_collapsed(frame, text);
  return frame;
}

/// All texts of up to four of these parts: what is replaced, the replacements, the selector,
/// others.
std::vector<std::string> all_texts() {
  const std::array<std::string, 10> parts{";",
                                          "\n",
                                          "\r",
                                          "#",
                                          "\xCD\xBE",
                                          "\xE2\x90\xA4",
                                          "\xE2\x90\x8D",
                                          "\xEF\xBC\x83",
                                          "\xEF\xB8\x8E",
                                          "x"};
  std::vector<std::string> texts{""};
  for (std::size_t begin = 0, length = 0; length < 4; ++length) {
    const std::size_t end = texts.size();
    for (; begin < end; ++begin) {
      for (const std::string& part : parts) {
        texts.push_back(texts[begin] + part);
      }
    }
  }
  return texts;
}

}  // namespace

TEST_CASE("separators and line breaks are written as characters that look alike") {
  CHECK(written("libpthread-2.17.so;649be141 (deleted)") ==
        "libpthread-2.17.so\xCD\xBE"
        "649be141 (deleted)");
  CHECK(written("a\nb\r") ==
        "a\xE2\x90\xA4"
        "b\xE2\x90\x8D");
  CHECK(written("#a#b") ==
        "\xEF\xBC\x83"
        "a#b");
}

TEST_CASE("a frame without them stands in the line as it is") {
  std::string line = "before";
  CHECK_FALSE(append_collapsed_frame(line, "java.lang.String.<init> \xC3\xA4 7"));
  CHECK(line == "before");
}

TEST_CASE("every text of such characters comes back, and never breaks a line") {
  const std::vector<std::string> texts = all_texts();
  REQUIRE(texts.size() == 11'111);
  for (const std::string& text : texts) {
    const std::string line = written(text);
    const bool is_safe = line.find_first_of(";\n\r") == std::string::npos && !line.starts_with('#');
    if (!is_safe || restored(line) != text || (line != text && !may_hold_replacements(line))) {
      FAIL_CHECK("not exact: ", text);
    }
  }
}

TEST_CASE("texts that no writer makes are restored without growing") {
  for (const std::string& text : all_texts()) {
    if (restored(text).size() > text.size()) {
      FAIL_CHECK("grew: ", text);
    }
  }
}
