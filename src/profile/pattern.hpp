#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jfrtree::internal {

/// Regular expressions of one option, of which one must be found in a text. Immutable; may be used
/// from several threads. Cheap to copy.
class Patterns {
 public:
  Patterns() = default;
  /// `option` is the name that messages give. Throws UsageError with what is wrong with a pattern.
  Patterns(std::string_view option, std::span<const std::string> patterns);

  [[nodiscard]] bool empty() const noexcept { return compiled_.empty(); }
  /// Whether one of them is found anywhere in the text, which is valid UTF-8.
  [[nodiscard]] bool find_in(std::string_view text) const;

  /// Throws UsageError for a pattern without a part in parentheses.
  void require_captures() const;
  /// What the first part in parentheses of the first pattern found took, unless it is empty.
  [[nodiscard]] std::optional<std::string> capture(std::string_view text) const;

 private:
  class Compiled;

  std::string option_;
  std::vector<std::shared_ptr<const Compiled>> compiled_;
};

}  // namespace jfrtree::internal
