#include "profile/pattern.hpp"

#include <re2/re2.h>

#include <jfrtree/error.hpp>

namespace jfrtree::internal {

namespace {

[[nodiscard]] re2::RE2::Options quiet_options() {
  re2::RE2::Options options;
  options.set_log_errors(false);  // a library does not print
  return options;
}

[[nodiscard]] re2::StringPiece piece(std::string_view text) { return {text.data(), text.size()}; }

}  // namespace

class Patterns::Compiled {
 public:
  explicit Compiled(const std::string& pattern) : expression(pattern, quiet_options()) {}

  re2::RE2 expression;
};

Patterns::Patterns(std::string_view option, std::span<const std::string> patterns)
    : option_(option) {
  for (const std::string& pattern : patterns) {
    auto compiled = std::make_shared<const Compiled>(pattern);
    if (!compiled->expression.ok()) {
      throw UsageError(option_ + ": '" + pattern +
                       "' is no regular expression: " + compiled->expression.error());
    }
    compiled_.push_back(std::move(compiled));
  }
}

bool Patterns::find_in(std::string_view text) const {
  for (const auto& compiled : compiled_) {
    if (re2::RE2::PartialMatch(piece(text), compiled->expression)) return true;
  }
  return false;
}

void Patterns::require_captures() const {
  for (const auto& compiled : compiled_) {
    if (compiled->expression.NumberOfCapturingGroups() > 0) continue;
    throw UsageError(option_ + ": '" + compiled->expression.pattern() +
                     "' has no part in parentheses, which would name the group");
  }
}

std::optional<std::string> Patterns::capture(std::string_view text) const {
  for (const auto& compiled : compiled_) {
    std::string captured;
    if (re2::RE2::PartialMatch(piece(text), compiled->expression, &captured)) {
      if (captured.empty()) return std::nullopt;
      return captured;
    }
  }
  return std::nullopt;
}

}  // namespace jfrtree::internal
