#include "clickhouse/connection/open_database.hpp"

#include <charconv>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

namespace jfrtree {

namespace internal {

namespace {

constexpr std::pair<unsigned, unsigned> oldest_version(24, 8);

}  // namespace

bool is_new_enough(std::string_view version) noexcept {
  std::pair<unsigned, unsigned> found(0, 0);
  const char* const end = version.data() + version.size();
  const auto major = std::from_chars(version.data(), end, found.first);
  if (major.ec != std::errc{} || major.ptr == end || *major.ptr != '.') return false;
  const auto minor = std::from_chars(major.ptr + 1, end, found.second);
  return minor.ec == std::errc{} && found >= oldest_version;
}

}  // namespace internal

namespace clickhouse {

bool is_url(std::string_view place) noexcept { return place.find("://") != place.npos; }

void check_place(const std::string& place) {
  const std::size_t colon = place.rfind(':');
  if (is_url(place) || colon == place.npos || colon == 0) return;
  const std::string_view port = std::string_view(place).substr(colon + 1);
  const std::string_view digits = port.substr(0, port.find('/'));
  const bool is_port = !digits.empty() && digits.find_first_not_of("0123456789") == digits.npos;
  const bool has_folder = place.find('/') < colon;
  std::error_code error;
  if (!is_port || has_folder || std::filesystem::exists(place, error)) return;
  throw UsageError("'" + place + "' would be a folder: a server is http://" + place +
                   " or https://" + place + ", and a folder of that name ./" + place);
}

std::unique_ptr<Database> open_database(const DatabaseOptions& options) {
  check_place(options.place);
  std::unique_ptr<Database> database =
      is_url(options.place) ? internal::open_http(options) : internal::open_embedded(options);
  std::string version;
  try {
    version = database->query("SELECT version()");
  } catch (const DatabaseError& error) {
    if (!options.create_database || error.fault() != DatabaseFault::missing_table) throw;
    internal::create_database(options);
    version = database->query("SELECT version()");
  }
  while (!version.empty() && version.back() == '\n') version.pop_back();
  if (!internal::is_new_enough(version)) {
    throw DatabaseError(DatabaseFault::too_old, database->name(),
                        "is ClickHouse " + version + "; 24.8 or newer is needed");
  }
  return database;
}

}  // namespace clickhouse

}  // namespace jfrtree
