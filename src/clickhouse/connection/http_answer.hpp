#pragma once

#include <string>
#include <string_view>

namespace jfrtree::internal {

/// What came back by HTTP.
struct HttpAnswer {
  int curl_code = 0;
  std::string curl_message;  ///< what libcurl says of its code
  long status = 0;
  unsigned exception_code = 0;  ///< of ClickHouse; 0: none
  std::string exception_tag;    ///< stands around an exception that follows rows
  std::string location;         ///< where else to ask
  std::string body;

  /// Takes a line of the headers, as it came.
  void take_header(std::string_view line);
};

/// The exception that a body ends with: the server had begun to answer with success, and then
/// failed. Empty: it does not.
[[nodiscard]] std::string_view exception_after_rows(const HttpAnswer& answer) noexcept;

/// Throws the DatabaseError of an answer that is no success. `address` is the URL for messages.
void check_answer(const HttpAnswer& answer, const std::string& address);

/// An answer to an INSERT has no body: throws DatabaseError where somebody else has answered.
void check_insert_answer(const HttpAnswer& answer, const std::string& address);

}  // namespace jfrtree::internal
