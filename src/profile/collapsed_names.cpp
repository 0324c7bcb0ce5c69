#include "profile/collapsed_names.hpp"

#include <algorithm>

#include "profile/class_names.hpp"

namespace jfrtree::internal {

namespace {

/// A class name with dots, or as the JVM writes it.
[[nodiscard]] std::string normalized_class_text(std::string_view text) {
  std::string name(text);
  const bool has_dots = name.find('/') == std::string::npos;
  if (has_dots) std::replace(name.begin(), name.end(), '.', '/');
  name = normalized_class_name(name);
  if (has_dots) std::replace(name.begin(), name.end(), '/', '.');
  return name;
}

/// Where the class ends in the text of a frame without parameters.
[[nodiscard]] std::size_t class_end(std::string_view text) noexcept {
  const std::size_t dot = text.rfind('.');
  // The address of a hidden class that is a leaf of its own, `Main$$Lambda.0x00007f0c01001234`.
  const bool is_address = dot != std::string_view::npos && text.substr(dot + 1).starts_with("0x");
  return dot == std::string_view::npos || is_address ? text.size() : dot;
}

}  // namespace

std::string normalized_frame_text(std::string_view frame) {
  if (frame.starts_with('[')) return std::string(frame);
  const std::size_t mark = frame.find('!');
  if (mark != std::string_view::npos) {
    return normalized_library_name(frame.substr(0, mark)) + std::string(frame.substr(mark));
  }
  const std::string_view name = frame.substr(0, frame.find_first_of("(:@"));
  const std::size_t end = class_end(name);
  return normalized_class_text(name.substr(0, end)) + std::string(frame.substr(end));
}

std::span<const std::string_view> CollapsedNames::normalize(
    std::span<const std::string_view> frames) {
  texts_.clear();
  for (const std::string_view frame : frames) {
    std::string key(frame);
    auto found = known_.find(key);
    if (found == known_.end()) {
      found = known_.emplace(std::move(key), normalized_frame_text(frame)).first;
    }
    texts_.push_back(found->second);
  }
  views_.assign(texts_.begin(), texts_.end());
  return views_;
}

}  // namespace jfrtree::internal
