#include "cli/json_writer.hpp"

#include <utility>

#include "cli/text.hpp"

namespace jfrtree::cli {

JsonWriter& JsonWriter::key(std::string_view name) {
  separate();
  append_quoted(name);
  document_ += ": ";
  is_behind_key_ = true;
  return *this;
}

JsonWriter& JsonWriter::text(std::string_view value) {
  separate();
  append_quoted(value);
  return *this;
}

JsonWriter& JsonWriter::texts(const std::vector<std::string>& values) {
  begin_array();
  for (const std::string& value : values) {
    text(value);
  }
  return end_array();
}

std::string JsonWriter::take() {
  document_ += '\n';
  return std::exchange(document_, {});
}

JsonWriter& JsonWriter::open(char bracket) {
  separate();
  document_ += bracket;
  has_elements_.push_back(false);
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  const bool had_elements = has_elements_.back();
  has_elements_.pop_back();
  if (had_elements) {
    new_line();
  }
  document_ += bracket;
  return *this;
}

JsonWriter& JsonWriter::raw(std::string_view value) {
  separate();
  document_ += value;
  return *this;
}

void JsonWriter::separate() {
  if (std::exchange(is_behind_key_, false) || has_elements_.empty()) {
    return;
  }
  if (has_elements_.back()) {
    document_ += ',';
  }
  has_elements_.back() = true;
  new_line();
}

void JsonWriter::new_line() {
  document_ += '\n';
  document_.append(2 * has_elements_.size(), ' ');
}

void JsonWriter::append_quoted(std::string_view value) {
  constexpr std::string_view digits = "0123456789abcdef";
  document_ += '"';
  for (const char character : valid_utf8(value)) {
    const auto byte = static_cast<unsigned char>(character);
    if (character == '"' || character == '\\') {
      document_ += '\\';
      document_ += character;
    } else if (character == '\n') {
      document_ += "\\n";
    } else if (character == '\t') {
      document_ += "\\t";
    } else if (byte < 0x20 || byte == 0x7F) {
      document_ += "\\u00";
      document_ += digits[byte >> 4U];
      document_ += digits[byte & 0xFU];
    } else {
      document_ += character;
    }
  }
  document_ += '"';
}

}  // namespace jfrtree::cli
