#include "clickhouse/connection/http_answer.hpp"

#include <algorithm>
#include <charconv>

#include <jfrtree/error.hpp>

#include "clickhouse/connection/curl_library.hpp"
#include "clickhouse/connection/database_errors.hpp"

namespace jfrtree::internal {

using clickhouse::DatabaseError;
using clickhouse::DatabaseFault;

namespace {

constexpr long http_ok = 200;
constexpr std::size_t longest_excerpt = 200;

[[nodiscard]] char lower(char letter) noexcept {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

/// The value of a header of this name in lower case; empty: it is another one.
[[nodiscard]] std::string_view header_value(std::string_view line, std::string_view name) noexcept {
  if (line.size() <= name.size() || line[name.size()] != ':') return {};
  const auto is_same = [](char letter, char wanted) { return lower(letter) == wanted; };
  if (!std::equal(name.begin(), name.end(), line.begin(),
                  [&](char wanted, char letter) { return is_same(letter, wanted); })) {
    return {};
  }
  line.remove_prefix(std::min(line.size(), line.find_first_not_of(' ', name.size() + 1)));
  return line.substr(0, line.find_last_not_of(" \r\n") + 1);
}

/// The beginning of a text of another program, for a message: one line, without control characters.
[[nodiscard]] std::string excerpt(std::string_view text) {
  std::string line(text.substr(0, longest_excerpt));
  for (char& letter : line) {
    if (static_cast<unsigned char>(letter) < ' ' || letter == '\x7f') letter = ' ';
  }
  const std::size_t end = line.find_last_not_of(' ');
  return end == line.npos ? std::string() : line.substr(0, end + 1);
}

[[nodiscard]] std::string curl_text(const HttpAnswer& answer, const std::string& address) {
  const bool is_plain = address.starts_with("http://");
  switch (answer.curl_code) {
    case CurlLibrary::tls_failed:
      if (answer.curl_message.find("wrong version number") != std::string::npos) {
        return "does not speak TLS at this port (" + answer.curl_message +
               "); a plain one is http://";
      }
      return "cannot be reached: " + answer.curl_message;
    case CurlLibrary::timed_out:
      return "does not answer: " + answer.curl_message;
    case CurlLibrary::not_http:
    case CurlLibrary::empty_answer:
    case CurlLibrary::receive_failed:
      return "cannot be reached: " + answer.curl_message +
             (is_plain ? "; if this port speaks TLS, the URL begins with https://" : "");
    default:
      return "cannot be reached: " + answer.curl_message;
  }
}

[[noreturn]] void throw_curl_error(const HttpAnswer& answer, const std::string& address) {
  const std::string& text = answer.curl_message;
  if (answer.curl_code == CurlLibrary::peer_not_trusted) {
    const bool is_other_host = text.find("subject name") != std::string::npos;
    throw DatabaseError(DatabaseFault::denied, address,
                        text + (is_other_host ? "; the certificate is one of another host"
                                              : "; --ca-file names certificates to trust"));
  }
  if (answer.curl_code == CurlLibrary::bad_certificates) {
    throw DatabaseError(DatabaseFault::denied, address,
                        "the certificates of --ca-file cannot be read: " + excerpt(text));
  }
  throw DatabaseError(DatabaseFault::unreachable, address, curl_text(answer, address));
}

[[noreturn]] void throw_status(const HttpAnswer& answer, const std::string& address) {
  constexpr long multiple_choices = 300;
  constexpr long bad_request = 400;
  constexpr long unauthorized = 401;
  constexpr long forbidden = 403;
  constexpr long too_large = 413;
  constexpr long too_many = 429;
  constexpr long server_error = 500;
  const long status = answer.status;
  std::string text = "answers with HTTP status " + std::to_string(status);
  auto fault = DatabaseFault::query;
  if (status >= multiple_choices && status < bad_request) {
    text += answer.location.empty()
                ? ", to ask elsewhere"
                : ", to ask " + excerpt(answer.location) + " instead; name that address";
  } else {
    const std::string body = excerpt(answer.body);
    if (!body.empty()) text += ": " + body;
  }
  if (status == unauthorized || status == forbidden) fault = DatabaseFault::denied;
  if (status == too_large) text += "; it, or a proxy before it, takes no more at once";
  if (status == too_many || status >= server_error) fault = DatabaseFault::busy;
  throw DatabaseError(fault, address, text);
}

}  // namespace

void HttpAnswer::take_header(std::string_view line) {
  // A line of status begins the headers of another answer, after `100 Continue`.
  if (line.starts_with("HTTP/")) {
    exception_code = 0;
    exception_tag.clear();
    location.clear();
  }
  const std::string_view code = header_value(line, "x-clickhouse-exception-code");
  if (!code.empty()) std::from_chars(code.data(), code.data() + code.size(), exception_code);
  const std::string_view tag = header_value(line, "x-clickhouse-exception-tag");
  if (!tag.empty()) exception_tag = tag;
  const std::string_view place = header_value(line, "location");
  if (!place.empty()) location = place;
}

std::string_view exception_after_rows(const HttpAnswer& answer) noexcept {
  constexpr std::string_view exception = "DB::Exception: ";
  constexpr std::string_view mark = "__exception__";
  constexpr std::string_view code = "Code: ";
  constexpr std::size_t longest = 16'384;
  std::string_view end = answer.body;
  if (end.size() > longest) end.remove_prefix(end.size() - longest);
  while (!end.empty() && (end.back() == '\n' || end.back() == '\r')) end.remove_suffix(1);
  // Newer servers put a random tag around it.
  const std::size_t tag = answer.exception_tag.empty() || !end.ends_with(mark)
                              ? end.npos
                              : end.find(answer.exception_tag);
  if (tag != end.npos) {
    end.remove_suffix(mark.size());
    const std::size_t begin = end.find(code, tag);
    return begin == end.npos ? end.substr(tag) : end.substr(begin);
  }
  // `Code: 395. DB::Exception: … (version 24.8.4.1 (official build))`
  const std::size_t found = end.rfind(exception);
  if (found == end.npos || !end.ends_with(')')) return {};
  const std::size_t begin = end.rfind(code, found);
  const bool is_whole = begin != end.npos && end.substr(0, found).ends_with(". ") &&
                        end.find("(version ", found) != end.npos;
  return is_whole ? end.substr(begin) : std::string_view();
}

void check_answer(const HttpAnswer& answer, const std::string& address) {
  const bool is_refused = answer.status != 0 && answer.status != http_ok &&
                          answer.body.find("DB::Exception: ") != std::string::npos;
  if (answer.exception_code != 0 || is_refused) {
    throw_database_error(address, answer.body, answer.exception_code);
  }
  const std::string_view late = exception_after_rows(answer);
  if (!late.empty()) throw_database_error(address, std::string(late));
  if (answer.curl_code != 0) throw_curl_error(answer, address);
  if (answer.status != http_ok) throw_status(answer, address);
}

void check_insert_answer(const HttpAnswer& answer, const std::string& address) {
  if (answer.body.empty()) return;
  throw DatabaseError(
      DatabaseFault::query, address,
      "something that is no ClickHouse answered an insert with: " + excerpt(answer.body));
}

}  // namespace jfrtree::internal
