#include "clickhouse/query/query_absent.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <map>
#include <set>
#include <utility>

namespace jfrtree::internal {

using clickhouse::Catalogue;
using clickhouse::ProfileQuery;

namespace {

constexpr std::int64_t nanoseconds_per_second = 1'000'000'000;
/// Names in a message.
constexpr std::size_t most_names = 12;

[[nodiscard]] std::string names_text(const std::set<std::string>& names) {
  std::string text;
  std::size_t count = 0;
  for (const std::string& name : names) {
    if (++count > most_names) return text + " and more";
    text += (text.empty() ? "" : ", ") + name;
  }
  return text;
}

[[nodiscard]] std::string time_text(std::int64_t ns) {
  const auto seconds = static_cast<std::time_t>(ns / nanoseconds_per_second);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  std::array<char, 32> text{};
  return std::string(text.data(),
                     std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts));
}

[[nodiscard]] std::string wanted_text(const ProfileQuery& query,
                                      const std::vector<std::string>& kinds) {
  std::string text = "no samples";
  for (const std::string& kind : kinds) {
    text += (&kind == kinds.data() ? " of the kind " : ", ") + kind;
  }
  for (const auto& [key, value] : query.where) text += " with " + key + "=" + value;
  if (query.time.from_ns) text += " from " + time_text(*query.time.from_ns);
  if (query.time.to_ns) text += " to " + time_text(*query.time.to_ns);
  return text;
}

/// The values of the labels that were asked for by names or values that are not there.
[[nodiscard]] std::string labels_text(const ProfileQuery& query, const Catalogue& catalogue) {
  std::set<std::string> keys;
  std::map<std::string, std::set<std::string>> values;
  for (const clickhouse::StoredLabel& label : catalogue.labels) {
    keys.insert(label.key);
    values[label.key].insert(label.value);
  }
  std::string text;
  for (const auto& [key, value] : query.where) {
    if (key == "service") continue;
    const auto found = values.find(key);
    if (found == values.end()) {
      return keys.empty() ? ", without any labels" : ", with the labels " + names_text(keys);
    }
    if (found->second.count(value) == 0) {
      text += ", with " + key + " being " + names_text(found->second);
    }
  }
  return text;
}

[[nodiscard]] std::string stored_text(const Catalogue& catalogue) {
  if (catalogue.kinds.empty()) return "nothing is stored yet, jfrtree clickhouse load does so";
  std::set<std::string> services;
  std::set<std::string> kinds;
  std::int64_t first = catalogue.kinds.front().first_ns;
  std::int64_t last = catalogue.kinds.front().last_ns;
  for (const clickhouse::StoredKind& kind : catalogue.kinds) {
    services.insert(kind.service);
    kinds.insert(kind.kind);
    first = std::min(first, kind.first_ns);
    last = std::max(last, kind.last_ns);
  }
  return "stored are the kinds " + names_text(kinds) + " of the services " + names_text(services) +
         " from " + time_text(first) + " to " + time_text(last + nanoseconds_per_second);
}

}  // namespace

void throw_absent(clickhouse::Database& database, const ProfileQuery& query,
                  const std::vector<std::string>& kinds) {
  Problem problem;
  problem.code = ErrorCode::profile_not_found;
  problem.file = database.name();
  clickhouse::CatalogueRequest request;
  request.with_recordings = false;
  const Catalogue catalogue = clickhouse::query_catalogue(database, request);
  problem.message =
      wanted_text(query, kinds) + "; " + stored_text(catalogue) + labels_text(query, catalogue);
  throw ProfileNotFound(std::move(problem));
}

}  // namespace jfrtree::internal
