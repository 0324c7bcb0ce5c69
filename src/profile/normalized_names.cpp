#include <algorithm>
#include <array>

#include "profile/class_names.hpp"

namespace jfrtree::internal {

namespace {

// A shorter run of decimal digits counts as part of the name: a version, a size, a serial number.
// Identity hashes have up to 10 digits, numbers of temporary files up to 20; a random one below
// this length is one in ten thousand.
constexpr std::size_t min_random_digits = 6;

// Random 64-bit numbers in hexadecimal have up to 16 digits, digests more.
constexpr std::size_t min_random_hex_digits = 12;

constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

constexpr bool is_hex_digit(char c) noexcept { return is_digit(c) || (c >= 'a' && c <= 'f'); }

template <typename Predicate>
[[nodiscard]] std::size_t run_at_start(std::string_view text, Predicate predicate) noexcept {
  const auto end = std::find_if_not(text.begin(), text.end(), predicate);
  return static_cast<std::size_t>(end - text.begin());
}

template <typename Predicate>
[[nodiscard]] std::size_t run_at_end(std::string_view text, Predicate predicate) noexcept {
  const auto end = std::find_if_not(text.rbegin(), text.rend(), predicate);
  return static_cast<std::size_t>(end - text.rbegin());
}

template <std::size_t Size>
[[nodiscard]] bool ends_with_any(std::string_view text,
                                 const std::array<std::string_view, Size>& endings) noexcept {
  return std::any_of(endings.begin(), endings.end(),
                     [text](std::string_view ending) { return text.ends_with(ending); });
}

/// `Work` of `Work/0x7f00`, `Work+0x7f00`, `Work.0x7f00`; empty if the name has no address.
[[nodiscard]] std::string_view before_address(std::string_view name) noexcept {
  const std::size_t digits = run_at_end(name, is_hex_digit);
  std::string_view head = name.substr(0, name.size() - digits);
  if (digits == 0 || !head.ends_with("0x")) return {};
  head.remove_suffix(2);
  const bool has_separator = head.ends_with('/') || head.ends_with('+') || head.ends_with('.');
  return has_separator ? head.substr(0, head.size() - 1) : std::string_view();
}

/// Drops what tells hidden classes of one name apart: an address (`Work/0x7f00`), an address and
/// an identity hash (`Work+0x7f00/172032696`, JDK 15 to 21) or only the hash (`Work/172032696`).
[[nodiscard]] std::string_view without_hidden_suffix(std::string_view name) noexcept {
  const std::size_t digits = run_at_end(name, is_digit);
  const std::string_view head = name.substr(0, name.size() - digits);
  std::string_view before_hash;
  if (digits > 0 && (head.ends_with('/') || head.ends_with('.'))) {
    before_hash = head.substr(0, head.size() - 1);
  }
  for (const std::string_view candidate : {before_hash, name}) {
    if (const auto base = before_address(candidate); !base.empty()) return base;
  }
  return !before_hash.empty() && digits >= min_random_digits ? before_hash : name;
}

/// `Work$$Lambda$88` as `Work$$Lambda`; `Work$$Lambda$lambda$wrap$2$2630016632` keeps the name of
/// the method that it calls, `lambda$wrap$2`.
[[nodiscard]] std::string_view without_lambda_number(std::string_view name) noexcept {
  constexpr std::string_view lambda = "$$Lambda$";
  const std::size_t at = name.rfind(lambda);
  if (at == std::string_view::npos) return name;
  const std::string_view tail = name.substr(at + lambda.size());
  const std::size_t digits = run_at_end(tail, is_digit);
  const std::string_view head = name.substr(0, name.size() - digits);
  const bool is_number = digits > 0 && digits == tail.size();
  const bool is_hash =
      tail.starts_with("lambda$") && digits >= min_random_digits && head.ends_with('$');
  return is_number || is_hash ? head.substr(0, head.size() - 1) : name;
}

/// Length of a hash, or of a serial number, that makes the name of a generated class unique
/// (`ab12cd34`, `0`, `ab12cd34_2`); 0 if something else stands there.
[[nodiscard]] std::size_t generator_hash_length(std::string_view part) noexcept {
  std::size_t length = run_at_start(part, is_hex_digit);
  if (length == 0) return 0;
  if (part.substr(length).starts_with('_')) {
    length += 1 + run_at_start(part.substr(length + 1), is_digit);
  }
  return length == part.size() || part[length] == '$' ? length : 0;
}

/// `Dao$$EnhancerBySpringCGLIB$$ab12cd34` as `Dao$$EnhancerBySpringCGLIB`. The parts between `$$`
/// are copied; a hash goes, together with the `$$` in front of it, where the part before it is the
/// mark of a library that generates classes.
[[nodiscard]] std::string without_generator_hashes(std::string_view name) {
  static constexpr std::array<std::string_view, 3> marks = {"CGLIB", "Guice", "FastClass"};
  constexpr std::string_view separator = "$$";
  std::size_t end = std::min(name.find(separator), name.size());
  std::string text(name.substr(0, end));
  bool follows_mark = false;
  while (end < name.size()) {
    const std::size_t begin = end + separator.size();
    end = std::min(name.find(separator, begin), name.size());
    const std::string_view part = name.substr(begin, end - begin);
    const std::size_t hash = follows_mark ? generator_hash_length(part) : 0;
    if (hash == 0) text += separator;
    text += part.substr(hash);
    follows_mark = hash == 0 && ends_with_any(part, marks);
  }
  return text;
}

/// `jdk/internal/reflect/GeneratedMethodAccessor31` and `com/sun/proxy/$Proxy12` without the
/// number, `jdk/proxy2/$Proxy12` without both.
[[nodiscard]] std::string without_class_number(std::string name) {
  static constexpr std::array<std::string_view, 3> accessors = {
      "GeneratedMethodAccessor", "GeneratedConstructorAccessor",
      "GeneratedSerializationConstructorAccessor"};
  const std::size_t digits = run_at_end(name, is_digit);
  const std::size_t slash = name.rfind('/');
  const std::size_t begin = slash == std::string::npos ? 0 : slash + 1;
  if (digits == 0 || digits > name.size() - begin) return name;
  const std::string_view head(name.data(), name.size() - digits);
  const std::string_view simple_name = head.substr(begin);
  const std::string_view package = head.substr(0, begin);
  if (simple_name == "$Proxy") {
    std::string_view base = package.substr(0, begin == 0 ? 0 : begin - 1);
    base.remove_suffix(run_at_end(base, is_digit));
    const bool is_numbered = base == "jdk/proxy" || base.ends_with("/jdk/proxy");
    return is_numbered ? std::string(base) + "/$Proxy" : std::string(head);
  }
  const bool is_accessor =
      (package == "jdk/internal/reflect/" || package == "sun/reflect/") &&
      std::find(accessors.begin(), accessors.end(), simple_name) != accessors.end();
  return is_accessor ? std::string(head) : name;
}

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

}  // namespace

std::string normalized_class_name(std::string_view internal_name) {
  std::size_t head = run_at_start(internal_name, [](char c) { return c == '['; });
  std::size_t tail = 0;
  if (head > 0 && internal_name.substr(head).starts_with('L') && internal_name.ends_with(';')) {
    ++head;
    tail = 1;
  }
  const std::string_view name = internal_name.substr(head, internal_name.size() - head - tail);
  std::string text(internal_name.substr(0, head));
  text += without_class_number(
      without_generator_hashes(without_lambda_number(without_hidden_suffix(name))));
  text += internal_name.substr(internal_name.size() - tail);
  return text;
}

std::string normalized_library_name(std::string_view library) {
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

}  // namespace jfrtree::internal
