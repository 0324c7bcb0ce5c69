#include <jfrtree/labels.hpp>

#include <re2/re2.h>
#include <cstddef>
#include <set>
#include <utility>

#include <jfrtree/error.hpp>

#include "format/text.hpp"

namespace jfrtree {
namespace {

[[nodiscard]] re2::RE2::Options quiet_options() {
  re2::RE2::Options options;
  options.set_log_errors(false);  // a library does not print
  return options;
}

}  // namespace

class LabelPattern::Compiled {
 public:
  explicit Compiled(const std::string& pattern) : expression(pattern, quiet_options()) {}

  re2::RE2 expression;
};

LabelPattern::LabelPattern(const std::string& pattern)
    : compiled_(std::make_shared<const Compiled>(pattern)) {
  const re2::RE2& expression = compiled_->expression;
  if (!expression.ok()) {
    throw UsageError("'" + pattern + "' is no regular expression: " + expression.error() +
                     (expression.error_code() == re2::RE2::ErrorBadPerlOp
                          ? "; a named group is written (?P<name>...)"
                          : ""));
  }
  if (expression.NamedCapturingGroups().empty()) {
    throw UsageError("'" + pattern +
                     "' has no named group, which would be a label: (?P<service>[a-z]+)");
  }
}

std::optional<Labels> LabelPattern::find_in(std::string_view path) const {
  std::string text;
  internal::append_utf8(text, path);
  const re2::RE2& expression = compiled_->expression;
  std::vector<re2::StringPiece> groups(
      static_cast<std::size_t>(expression.NumberOfCapturingGroups()) + 1);
  if (!expression.Match(text, 0, text.size(), re2::RE2::UNANCHORED, groups.data(),
                        static_cast<int>(groups.size()))) {
    return std::nullopt;
  }
  Labels labels;
  for (const auto& [name, index] : expression.NamedCapturingGroups()) {
    const re2::StringPiece& taken = groups[static_cast<std::size_t>(index)];
    if (!taken.empty()) labels.emplace(name, std::string(taken.data(), taken.size()));
  }
  return labels;
}

std::vector<std::string> label_texts(std::span<const Source> sources, std::size_t most_values) {
  std::map<std::string_view, std::set<std::string_view>> values_of;
  for (const Source& source : sources) {
    for (const auto& [key, value] : source.labels) values_of[key].insert(value);
  }
  std::vector<std::string> texts;
  for (const auto& [key, values] : values_of) {
    std::string text = std::string(key) + "=";
    std::size_t named = 0;
    for (const std::string_view value : values) {
      if (named == most_values) {
        text += " and " + std::to_string(values.size() - named) + " more";
        break;
      }
      text += (named++ == 0 ? "" : ", ") + std::string(value);
    }
    texts.push_back(std::move(text));
  }
  return texts;
}

}  // namespace jfrtree
