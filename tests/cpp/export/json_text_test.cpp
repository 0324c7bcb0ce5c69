#include "export/json_text.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "profile/make_profile.hpp"

namespace {

std::string json_string(std::string_view text) {
  std::string json;
  jfrtree::internal::append_json_string(json, text);
  return json;
}

}  // namespace

TEST_CASE("append_json_string puts quotes around clean text") {
  CHECK(json_string("") == "\"\"");
  CHECK(json_string("java.lang.String.<init>") == "\"java.lang.String.<init>\"");
  CHECK(json_string("\xC3\xA4\xF0\x9F\x94\xA5/") == "\"\xC3\xA4\xF0\x9F\x94\xA5/\"");
}

TEST_CASE("append_json_string escapes quotes, backslashes and control characters") {
  using namespace std::string_literals;
  CHECK(json_string("a\"b\\c") == R"("a\"b\\c")");
  CHECK(json_string("\b\f\n\r\t") == R"("\b\f\n\r\t")");
  CHECK(json_string("\0\x01\x1f\x7f"s) == "\"\\u0000\\u0001\\u001f\x7f\"");
}

TEST_CASE("append_json_string escapes U+2028 and U+2029 and leaves their neighbours") {
  CHECK(json_string("a\xE2\x80\xA8"
                    "b\xE2\x80\xA9") == R"("a\u2028b\u2029")");
  CHECK(json_string("\xE2\x80\xA7\xE2\x80\xB0\xE2\x82\xAC") ==
        "\"\xE2\x80\xA7\xE2\x80\xB0\xE2\x82\xAC\"");
}

TEST_CASE("append_json_string of every ASCII character and hostile names parses back") {
  std::string all;
  for (char character = 0; character < 127; ++character) {
    all += character;
  }
  for (const std::string& text : {all, jfrtree::test::hostile_name()}) {
    CHECK(nlohmann::json::parse(json_string(text)).get<std::string>() == text);
  }
}
