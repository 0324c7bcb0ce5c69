#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <jfrtree/profile.hpp>

namespace jfrtree {

/// What somebody says of an input, by key, e.g. service: cart. Keys are never empty.
using Labels = std::map<std::string, std::string>;

/// Takes labels from paths: the named groups of a regular expression in the syntax of RE2, such as
/// `(?P<service>[a-z]+)/(?P<host>[^/]+)[.]jfr`, found anywhere in a path. Matching takes time in
/// proportion to the path. Immutable; may be used from several threads.
class LabelPattern {
 public:
  /// Throws UsageError for what is no regular expression, and for one without a named group.
  explicit LabelPattern(const std::string& pattern);

  /// What the named groups took, as valid UTF-8. Groups that took nothing give no label. Nothing
  /// when the pattern is not found in the path.
  [[nodiscard]] std::optional<Labels> find_in(std::string_view path) const;

 private:
  class Compiled;

  std::shared_ptr<const Compiled> compiled_;
};

/// The labels of some inputs for a person, a text for each key in byte order: `host=a, b and 7
/// more`. Of the values, each once in byte order, at most `most_values` are named.
[[nodiscard]] std::vector<std::string> label_texts(std::span<const Source> sources,
                                                   std::size_t most_values = 3);

}  // namespace jfrtree
