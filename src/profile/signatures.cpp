#include "profile/signatures.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "profile/class_names.hpp"

namespace jfrtree::internal {

namespace {

/// Length of the type that a text begins with, 0 if it begins with none.
[[nodiscard]] std::size_t type_length(std::string_view text) noexcept {
  constexpr std::string_view primitives = "BCDFIJSZ";
  const std::size_t begin = std::min(text.find_first_not_of('['), text.size());
  if (begin == text.size()) return 0;
  if (primitives.find(text[begin]) != std::string_view::npos) return begin + 1;
  if (text[begin] != 'L') return 0;
  const std::size_t end = text.find(';', begin);
  return end == std::string_view::npos ? 0 : end + 1;
}

/// The parameters of a descriptor, and where they end; nothing if it is none.
struct Parameters {
  std::vector<std::string_view> types;
  std::size_t end = 0;
};

[[nodiscard]] std::optional<Parameters> parameters_of(std::string_view descriptor) {
  if (!descriptor.starts_with('(')) return std::nullopt;
  Parameters parameters;
  std::size_t at = 1;
  while (at < descriptor.size() && descriptor[at] != ')') {
    const std::size_t length = type_length(descriptor.substr(at));
    if (length == 0) return std::nullopt;
    parameters.types.push_back(descriptor.substr(at, length));
    at += length;
  }
  if (at == descriptor.size()) return std::nullopt;
  parameters.end = at + 1;
  return parameters;
}

/// A type of a descriptor in the form that names of array classes have: `Ljava/lang/String;` as
/// `java/lang/String`.
[[nodiscard]] std::string_view class_name_of(std::string_view type) noexcept {
  return type.starts_with('L') ? type.substr(1, type.size() - 2) : type;
}

[[nodiscard]] std::string java_type(std::string_view type) {
  if (type.size() == 1) {
    std::string name = java_class_name("[" + std::string(type));
    name.resize(name.size() - 2);
    return name;
  }
  return std::string(without_package(java_class_name(class_name_of(type))));
}

[[nodiscard]] std::string normalized_type(std::string_view type) {
  if (!type.starts_with('L')) return normalized_class_name(type);
  return "L" + normalized_class_name(class_name_of(type)) + ";";
}

}  // namespace

std::string java_signature(std::string_view descriptor) {
  const auto parameters = parameters_of(descriptor);
  if (!parameters) {
    const bool is_enclosed = descriptor.starts_with('(') && descriptor.ends_with(')');
    return is_enclosed ? std::string(descriptor) : "(" + std::string(descriptor) + ")";
  }
  std::string text = "(";
  for (const std::string_view type : parameters->types) {
    if (text.size() > 1) text += ", ";
    text += java_type(type);
  }
  return text + ")";
}

std::string normalized_descriptor(std::string_view descriptor) {
  const auto parameters = parameters_of(descriptor);
  if (!parameters) return std::string(descriptor);
  std::string text = "(";
  for (const std::string_view type : parameters->types) text += normalized_type(type);
  text += ")";
  const std::string_view result = descriptor.substr(parameters->end);
  text += type_length(result) == result.size() && !result.empty() ? normalized_type(result)
                                                                  : std::string(result);
  return text;
}

}  // namespace jfrtree::internal
