#include "clickhouse/connection/database_url.hpp"

#include <cctype>
#include <charconv>

#include <jfrtree/error.hpp>

namespace jfrtree::internal {

namespace {

[[nodiscard]] std::string percent_decoded(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned byte = 0;
    const char* const digits = text.data() + i + 1;
    const bool is_code = text[i] == '%' && i + 2 < text.size() &&
                         std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2;
    plain += is_code ? static_cast<char>(byte) : text[i];
    if (is_code) i += 2;
  }
  return plain;
}

void read_parameters(std::string_view query, DatabaseUrl& url) {
  while (!query.empty()) {
    const std::string_view parameter = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), parameter.size() + 1));
    constexpr std::string_view database = "database=";
    if (!parameter.starts_with(database)) {
      throw UsageError("the URL of a database may have the parameter database alone");
    }
    url.database = percent_decoded(parameter.substr(database.size()));
  }
}

/// What is no port may be a part of a password: it must not come to stand in a message.
void check_host(std::string_view host, std::string_view path) {
  const std::size_t bracket = host.rfind(']');
  const std::size_t colon = host.find(':', bracket == host.npos ? 0 : bracket);
  const bool has_odd_port =
      colon != host.npos && host.find_first_not_of("0123456789", colon + 1) != host.npos;
  if (has_odd_port || path.find('@') != path.npos) {
    throw UsageError(
        "the URL of a database is not of the form http://USER:PASSWORD@HOST:PORT; in a password "
        "write / as %2F, # as %23, ? as %3F and @ as %40");
  }
  if (host.empty()) throw UsageError("the URL of a database names no host");
}

}  // namespace

DatabaseUrl parse_database_url(std::string_view text) {
  DatabaseUrl url;
  const std::size_t scheme_end = text.find("://");
  const std::string_view scheme = text.substr(0, scheme_end);
  if (scheme != "http" && scheme != "https") {
    throw UsageError("the URL of a database begins with http:// or https://");
  }
  std::string_view rest = text.substr(scheme_end + 3);
  rest = rest.substr(0, rest.find('#'));
  const std::size_t query = rest.find('?');
  if (query != rest.npos) read_parameters(rest.substr(query + 1), url);
  rest = rest.substr(0, query);
  const std::size_t path = rest.find('/');
  std::string_view host = rest.substr(0, path);
  const std::size_t at = host.rfind('@');
  if (at != host.npos) {
    const std::string_view account = host.substr(0, at);
    const std::size_t colon = account.find(':');
    url.user = percent_decoded(account.substr(0, colon));
    url.has_user = true;
    if (colon != account.npos) url.password = percent_decoded(account.substr(colon + 1));
    host.remove_prefix(at + 1);
  }
  check_host(host, path == rest.npos ? std::string_view() : rest.substr(path));
  url.address = std::string(scheme) + "://" + std::string(host) +
                (path == rest.npos ? "/" : std::string(rest.substr(path)));
  return url;
}

std::string percent_encoded(std::string_view text) {
  constexpr char digits[] = "0123456789ABCDEF";
  std::string encoded;
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if (std::isalnum(byte) != 0 || letter == '-' || letter == '_' || letter == '.') {
      encoded += letter;
    } else {
      encoded += '%';
      encoded += digits[byte >> 4];
      encoded += digits[byte & 15U];
    }
  }
  return encoded;
}

}  // namespace jfrtree::internal
