#include <jfrtree/error.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace jfrtree {
namespace {

// Longer texts are no slips of a finger, and the distance costs time by their product.
constexpr std::size_t longest = 256;

// Names of event types, options and commands are ASCII.
std::string small_letters(std::string_view text) {
  std::string small(text);
  for (char& letter : small) {
    if (letter >= 'A' && letter <= 'Z') {
      letter = static_cast<char>(letter - 'A' + 'a');
    }
  }
  return small;
}

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

// To the whole name, or to what stands behind its last dot.
std::size_t distance_to_name(std::string_view text, std::string_view name) {
  const std::size_t whole = edit_distance(text, name);
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || text.find('.') != std::string_view::npos) {
    return whole;
  }
  return std::min(whole, edit_distance(text, name.substr(dot + 1)));
}

}  // namespace

std::string did_you_mean(std::string_view text, std::span<const std::string> names) {
  if (text.size() > longest) {
    return {};
  }
  const std::string wanted = small_letters(text);
  const std::string* nearest = nullptr;
  // A third of the letters may differ: enough for slips, too few to guess wildly.
  std::size_t smallest = text.size() / 3 + 1;
  for (const std::string& name : names) {
    if (name.size() > longest) {
      continue;
    }
    const std::size_t distance = distance_to_name(wanted, small_letters(name));
    if (distance < smallest) {
      smallest = distance;
      nearest = &name;
    }
  }
  return nearest != nullptr ? "; did you mean " + *nearest + "?" : std::string();
}

}  // namespace jfrtree
