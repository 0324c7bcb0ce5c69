#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jfrtree::cli {

/// Builds one JSON document in memory, indented by two spaces. The caller calls `key` before each
/// value of an object and closes what it opened; the writer does commas, escapes and line ends.
///
/// Numbers are written as exact integers. Bytes that are no UTF-8 (in paths) become U+FFFD.
class JsonWriter {
 public:
  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }

  JsonWriter& key(std::string_view name);
  JsonWriter& text(std::string_view value);
  JsonWriter& number(std::uint64_t value) { return raw(std::to_string(value)); }
  JsonWriter& signed_number(std::int64_t value) { return raw(std::to_string(value)); }
  JsonWriter& boolean(bool value) { return raw(value ? "true" : "false"); }
  JsonWriter& null() { return raw("null"); }
  JsonWriter& number_or_null(std::optional<std::uint64_t> value) {
    return value ? number(*value) : null();
  }
  JsonWriter& texts(const std::vector<std::string>& values);

  /// The document with a line feed at its end.
  [[nodiscard]] std::string take();

 private:
  JsonWriter& open(char bracket);
  JsonWriter& close(char bracket);
  JsonWriter& raw(std::string_view value);
  void separate();
  void new_line();
  void append_quoted(std::string_view value);

  std::string document_;
  std::vector<bool> has_elements_;  // one for each open object or array
  bool is_behind_key_ = false;
};

}  // namespace jfrtree::cli
