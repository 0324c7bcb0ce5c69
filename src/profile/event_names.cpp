#include <algorithm>
#include <array>

#include <jfrtree/event_rows.hpp>

#include "profile/event_columns.hpp"
#include "profile/text_table.hpp"

namespace jfrtree {

namespace {

/// What they hold: every property, every variable, and what programs were started with.
constexpr std::array<std::string_view, 5> sensitive_types = {
    "jdk.InitialEnvironmentVariable", "jdk.InitialSystemProperty", "jdk.JVMInformation",
    "jdk.ProcessStart", "jdk.SystemProcess"};

/// Whether a text fits a pattern in which `*` stands for any characters. Linear but for the last
/// star that is tried again: at most pattern × text steps.
[[nodiscard]] bool fits(std::string_view pattern, std::string_view text) noexcept {
  std::size_t at = 0;
  std::size_t in_pattern = 0;
  std::size_t star = std::string_view::npos;
  std::size_t retry = 0;
  while (at < text.size()) {
    if (in_pattern < pattern.size() && pattern[in_pattern] == '*') {
      star = in_pattern++;
      retry = at;
    } else if (in_pattern < pattern.size() && pattern[in_pattern] == text[at]) {
      ++in_pattern;
      ++at;
    } else if (star != std::string_view::npos) {
      in_pattern = star + 1;
      at = ++retry;
    } else {
      return false;
    }
  }
  return pattern.substr(in_pattern).find_first_not_of('*') == std::string_view::npos;
}

[[nodiscard]] bool is_integer(ColumnType type) noexcept {
  return type >= ColumnType::int8 && type <= ColumnType::uint64;
}

[[nodiscard]] bool is_number(ColumnType type) noexcept {
  return is_integer(type) || type == ColumnType::float32 || type == ColumnType::float64;
}

[[nodiscard]] ColumnType common_type(ColumnType one, ColumnType other) noexcept {
  if (one == other) return one;
  if (is_integer(one) && is_integer(other)) return ColumnType::int64;
  return is_number(one) && is_number(other) ? ColumnType::float64 : ColumnType::text;
}

}  // namespace

bool is_sensitive_event_type(std::string_view type) {
  const std::string name = normalized_type_name(type);
  return std::find(sensitive_types.begin(), sensitive_types.end(), name) != sensitive_types.end();
}

bool matches_event_type(std::string_view pattern, std::string_view type) {
  const std::string name = normalized_type_name(type);
  if (pattern.find('*') == std::string_view::npos) return normalized_type_name(pattern) == name;
  return !is_sensitive_event_type(type) && (fits(pattern, type) || fits(pattern, name));
}

std::string_view column_type_name(ColumnType type) noexcept {
  constexpr std::array<std::string_view, 17> names = {
      "boolean", "int8",      "int16",    "int32",   "int64",   "uint8",
      "uint16",  "uint32",    "uint64",   "float32", "float64", "character",
      "text",    "timestamp", "duration", "stack",   "list"};
  return names[static_cast<std::size_t>(type)];
}

std::string_view EventColumn::unit() const noexcept {
  if (type == ColumnType::duration) return "ns";
  switch (content) {
    case ContentType::bytes:
      return "bytes";
    case ContentType::bits:
      return "bits";
    case ContentType::bytes_per_second:
      return "bytes/s";
    case ContentType::bits_per_second:
      return "bits/s";
    case ContentType::hertz:
      return "hertz";
    case ContentType::percentage:
      return "percentage";
    case ContentType::memory_address:
      return "memory address";
    default:
      return {};
  }
}

std::string_view EventValues::frame_text(std::uint32_t number) const noexcept {
  return (*frame_texts)[number];
}

std::vector<EventColumn> unite_columns(std::span<const EventSchema> schemas) {
  std::vector<EventColumn> united;
  internal::SeededMap<std::string, std::size_t> positions;
  for (const EventSchema& schema : schemas) {
    for (const EventColumn& column : schema.columns) {
      const auto [found, is_new] = positions.emplace(column.name, united.size());
      if (is_new) {
        united.push_back(column);
      } else {
        EventColumn& known = united[found->second];
        known.is_constant = known.is_constant && column.is_constant && known.type == column.type;
        known.type = common_type(known.type, column.type);
      }
    }
  }
  return united;
}

namespace {

/// With the nearest name, else those there are.
[[noreturn]] void throw_no_column(const std::string& name,
                                  const std::vector<EventColumn>& columns) {
  constexpr std::size_t most_names = 30;
  std::vector<std::string> names;
  for (const EventColumn& column : columns) names.push_back(column.name);
  const std::string hint = did_you_mean(name, names);
  if (!hint.empty()) throw UsageError("no column " + name + hint);
  std::string list;
  for (std::size_t i = 0; i < std::min(names.size(), most_names); ++i) {
    list += (i == 0 ? "; there are " : ", ") + names[i];
  }
  if (names.size() > most_names) {
    list += " and " + std::to_string(names.size() - most_names) + " more";
  }
  throw UsageError("no column " + name + list);
}

}  // namespace

std::vector<EventColumn> choose_columns(const std::vector<EventColumn>& columns,
                                        std::span<const std::string> wanted) {
  if (wanted.empty()) return columns;
  std::vector<EventColumn> chosen;
  std::vector<bool> is_taken(columns.size(), false);
  for (const std::string& name : wanted) {
    bool is_known = false;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (!internal::names_column(name, columns[i].name)) continue;
      is_known = true;
      if (!is_taken[i]) chosen.push_back(columns[i]);
      is_taken[i] = true;
    }
    if (is_known) continue;
    throw_no_column(name, columns);
  }
  return chosen;
}

}  // namespace jfrtree
