#include "clickhouse/rows/sql_text.hpp"

#include <algorithm>
#include <cstddef>

namespace jfrtree::internal {

namespace {

constexpr std::string_view special = {"\t\n\r\0\b\f\\'", 8};
constexpr std::string_view letters = {"tnr0bf\\'", 8};

}  // namespace

void append_escaped(std::string& to, std::string_view text) {
  for (const char letter : text) {
    const std::size_t found = special.find(letter);
    if (found == std::string_view::npos) {
      to += letter;
    } else {
      to += '\\';
      to += letters[found];
    }
  }
}

void append_sql_text(std::string& to, std::string_view text) {
  to += '\'';
  append_escaped(to, text);
  to += '\'';
}

std::string sql_text(std::string_view text) {
  std::string literal;
  append_sql_text(literal, text);
  return literal;
}

std::string sql_name(std::string_view name) {
  std::string quoted = "`";
  for (const char letter : name) {
    if (letter == '`' || letter == '\\') quoted += '\\';
    quoted += letter;
  }
  return quoted + "`";
}

std::string unescaped(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      plain += text[i];
      continue;
    }
    const std::size_t found = letters.find(text[++i]);
    plain += found == std::string_view::npos ? text[i] : special[found];
  }
  return plain;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  return parts;
}

}  // namespace jfrtree::internal
