#include <charconv>
#include <limits>
#include <system_error>

#include <jfrtree/error.hpp>

#include "cli/command_line.hpp"

namespace jfrtree::cli {
namespace {

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
    const bool is_open = highest == std::numeric_limits<std::uint64_t>::max();
    const std::string end = is_open ? std::string(" on") : " to " + std::to_string(highest);
    throw UsageError(std::string(option) + ": '" + text + "' is no whole number from " +
                     std::to_string(lowest) + end);
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

}  // namespace jfrtree::cli
