#include "clickhouse/connection/open_database.hpp"

#include <charconv>
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

std::unique_ptr<Database> open_database(const DatabaseOptions& options) {
  std::unique_ptr<Database> database =
      is_url(options.place) ? internal::open_http(options) : internal::open_embedded(options);
  std::string version = database->query("SELECT version()");
  while (!version.empty() && version.back() == '\n') version.pop_back();
  if (!internal::is_new_enough(version)) {
    throw DatabaseError(DatabaseFault::too_old, database->name(),
                        "is ClickHouse " + version + "; 24.8 or newer is needed");
  }
  return database;
}

}  // namespace clickhouse

}  // namespace jfrtree
