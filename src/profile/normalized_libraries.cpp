#include <algorithm>
#include <array>
#include <string>

#include "profile/class_names.hpp"
#include "profile/name_runs.hpp"

namespace jfrtree::internal {

namespace {

// Random 64-bit numbers in hexadecimal have up to 16 digits, digests more.
constexpr std::size_t min_random_hex_digits = 12;

[[nodiscard]] bool ends_with_architecture(std::string_view text) noexcept {
  static constexpr std::array<std::string_view, 6> architectures = {
      "x86_64", "x86-64", "amd64", "arm64", "aarch64", "aarch_64"};
  return ends_with_any(text, architectures);
}

/// Whether a number starts at `at`. It may follow an architecture without a separator, as in
/// `libepoll_x86_646366623425569576156.so`; the digits of the architecture are none.
[[nodiscard]] bool number_starts(std::string_view name, std::size_t at) noexcept {
  const std::string_view head = name.substr(0, at);
  if (ends_with_architecture(head)) return true;
  if (!head.empty() && is_digit(head.back())) return false;
  return !ends_with_architecture(name.substr(0, at + 2));
}

/// Versions are often dates: `libgcc_s-4.8.5-20150702.so.1`.
[[nodiscard]] bool is_date(std::string_view digits) noexcept {
  const std::string_view month = digits.substr(std::min<std::size_t>(4, digits.size()), 2);
  return digits.size() == 8 && (digits.starts_with("19") || digits.starts_with("20")) &&
         month >= "01" && month <= "12" && digits.substr(6) >= "01" && digits.substr(6) <= "31";
}

[[nodiscard]] bool starts_with_uuid(std::string_view text) noexcept {
  constexpr std::string_view shape = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
  return text.size() >= shape.size() &&
         std::equal(shape.begin(), shape.end(), text.begin(),
                    [](char form, char c) { return form == 'x' ? is_hex_digit(c) : c == form; });
}

/// Letters with digits behind them are a word and a number, not a hash.
[[nodiscard]] std::size_t hex_hash_length(std::string_view text) noexcept {
  const std::size_t length = run_at_start(text, is_hex_digit);
  if (length < min_random_hex_digits) return 0;
  const std::string_view run = text.substr(0, length);
  const std::size_t word = run.size() - run_at_end(run, is_digit);
  return std::any_of(run.begin(), run.begin() + static_cast<std::ptrdiff_t>(word), is_digit)
             ? length
             : 0;
}

/// Length of the random part that starts at `at`, 0 if none does. UUIDs and hashes count in
/// temporary folders only: elsewhere they name a build, which is equal in all runs.
[[nodiscard]] std::size_t random_length(std::string_view name, std::size_t at,
                                        bool is_temporary) noexcept {
  const char before = at == 0 ? '/' : name[at - 1];
  const std::string_view rest = name.substr(at);
  if (is_temporary && !is_hex_digit(before)) {
    if (starts_with_uuid(rest)) return 36;
    if (const std::size_t length = hex_hash_length(rest); length > 0) return length;
  }
  // What follows a dot is a version: `libabsl_base.so.20210324`.
  if (before == '.' || !number_starts(name, at)) return 0;
  const std::size_t digits = run_at_start(rest, is_digit);
  return digits < min_random_digits || is_date(rest.substr(0, digits)) ? 0 : digits;
}

[[nodiscard]] std::string without_random_parts(std::string_view library) {
  constexpr std::string_view temporary_folder = "/tmp/";
  const std::size_t folder = library.find(temporary_folder);
  const bool is_temporary = folder != std::string_view::npos;
  // Folders keep their names, but for those in a temporary one.
  const std::size_t begin =
      is_temporary ? folder + temporary_folder.size() : library.rfind('/') + 1;
  const std::string_view name = library.substr(begin);
  std::string text;
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t length = random_length(name, at, is_temporary);
    if (length == 0) {
      text += name[at++];
      continue;
    }
    while (text.ends_with('-') || text.ends_with('_')) text.pop_back();
    at += length;
  }
  return std::string(library.substr(0, begin)) + text;
}

}  // namespace

std::string normalized_library_name(std::string_view library) {
  return settled(library, without_random_parts);
}

}  // namespace jfrtree::internal
