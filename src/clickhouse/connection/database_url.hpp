#pragma once

#include <string>
#include <string_view>

namespace jfrtree::internal {

/// The parts of `http://user:password@host:8123/path?database=name`.
struct DatabaseUrl {
  std::string address;  ///< scheme, host, port and path: what may be shown
  std::string user;
  std::string password;
  std::string database;
  bool has_user = false;
};

/// Throws UsageError, whose message does not repeat a password.
[[nodiscard]] DatabaseUrl parse_database_url(std::string_view url);

/// A text as part of a URL's query.
[[nodiscard]] std::string percent_encoded(std::string_view text);

}  // namespace jfrtree::internal
