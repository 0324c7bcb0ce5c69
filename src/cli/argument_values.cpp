#include <algorithm>
#include <charconv>
#include <cstddef>
#include <system_error>
#include <utility>

#include <jfrtree/error.hpp>

#include "cli/command_line.hpp"

namespace jfrtree::cli {
namespace {

// Levenshtein distance, by one row.
std::size_t edit_distance(std::string_view left, std::string_view right) {
  std::vector<std::size_t> row(right.size() + 1);
  for (std::size_t i = 0; i < row.size(); ++i) {
    row[i] = i;
  }
  for (std::size_t i = 1; i <= left.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= right.size(); ++j) {
      const std::size_t replaced = diagonal + (left[i - 1] == right[j - 1] ? 0U : 1U);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row.back();
}

template <typename Number>
bool parse_all(const std::string& text, Number& number) {
  const char* const end = text.data() + text.size();
  const auto [position, error] = std::from_chars(text.data(), end, number);
  return error == std::errc{} && position == end;
}

}  // namespace

std::uint64_t parse_number(std::string_view option, const std::string& text, std::uint64_t lowest,
                           std::uint64_t highest) {
  std::uint64_t number = 0;
  if (!parse_all(text, number) || number < lowest || number > highest) {
    throw UsageError(std::string(option) + ": '" + text + "' is no whole number from " +
                     std::to_string(lowest) + " to " + std::to_string(highest));
  }
  return number;
}

double parse_decimal(std::string_view option, const std::string& text, double lowest,
                     double highest) {
  double number = 0;
  if (!parse_all(text, number) || !(number >= lowest && number <= highest)) {
    throw UsageError(std::string(option) + ": '" + text + "' is no number from " +
                     std::to_string(static_cast<std::int64_t>(lowest)) + " to " +
                     std::to_string(static_cast<std::int64_t>(highest)));
  }
  return number;
}

std::string suggestion(std::string_view text, std::span<const std::string> candidates) {
  const std::string* nearest = nullptr;
  // A third of the letters may differ: enough for slips, too few to guess wildly.
  std::size_t smallest = text.size() / 3 + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(text, candidate);
    if (distance < smallest) {
      smallest = distance;
      nearest = &candidate;
    }
  }
  return nearest != nullptr ? "; did you mean " + *nearest + "?" : std::string();
}

}  // namespace jfrtree::cli
