#include "profile/class_names.hpp"

#include <algorithm>

namespace jfrtree::internal {

namespace {

[[nodiscard]] std::string_view primitive_name(char descriptor) noexcept {
  switch (descriptor) {
    case 'B':
      return "byte";
    case 'C':
      return "char";
    case 'D':
      return "double";
    case 'F':
      return "float";
    case 'I':
      return "int";
    case 'J':
      return "long";
    case 'S':
      return "short";
    case 'Z':
      return "boolean";
    default:
      return {};
  }
}

/// Arrays as Java writes them; the separators as they are.
[[nodiscard]] std::string java_array_name(std::string_view internal_name) {
  const std::size_t dimensions =
      std::min(internal_name.find_first_not_of('['), internal_name.size());
  if (dimensions == 0) return std::string(internal_name);
  std::string_view element = internal_name.substr(dimensions);
  std::string text;
  if (element.size() == 1 && !primitive_name(element.front()).empty()) {
    text = primitive_name(element.front());
  } else {
    if (element.starts_with('L') && element.ends_with(';')) {
      element = element.substr(1, element.size() - 2);
    }
    text = element;
  }
  for (std::size_t i = 0; i < dimensions; ++i) text += "[]";
  return text;
}

}  // namespace

std::string slashed_class_name(std::string_view internal_name) {
  std::string text = java_array_name(internal_name);
  // Recorders write packages of hidden classes with dots.
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    const bool begins_suffix = text[i + 1] >= '0' && text[i + 1] <= '9';
    if (text[i] == '.' && !begins_suffix) text[i] = '/';
  }
  return text;
}

std::string java_class_name(std::string_view internal_name) {
  std::string text = java_array_name(internal_name);
  std::replace(text.begin(), text.end(), '/', '.');
  return text;
}

std::string_view without_package(std::string_view name) noexcept {
  // A slash or dot in front of a digit begins the suffix of a hidden class.
  for (std::size_t at = name.size(); at-- > 0;) {
    const bool is_separator = (name[at] == '/' || name[at] == '.') && at + 1 < name.size() &&
                              (name[at + 1] < '0' || name[at + 1] > '9');
    if (is_separator) return name.substr(at + 1);
  }
  return name;
}

}  // namespace jfrtree::internal
