#include <algorithm>
#include <array>

#include "profile/class_names.hpp"
#include "profile/name_runs.hpp"

namespace jfrtree::internal {

namespace {

/// `Work` of `Work/0x7f00`, `Work+0x7f00`, `Work.0x7f00`; empty if the name has no address.
[[nodiscard]] std::string_view before_address(std::string_view name) noexcept {
  const std::size_t digits = run_at_end(name, is_hex_digit);
  std::string_view head = name.substr(0, name.size() - digits);
  if (digits == 0 || !head.ends_with("0x")) return {};
  head.remove_suffix(2);
  const bool has_separator = head.ends_with('/') || head.ends_with('+') || head.ends_with('.');
  return has_separator ? head.substr(0, head.size() - 1) : std::string_view();
}

/// `Work` of `Work/0x7f00`, `Work+0x7f00/172032696` (JDK 15 to 21) and `Work/172032696`.
[[nodiscard]] std::string_view without_last_hidden_suffix(std::string_view name) noexcept {
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

/// Drops what tells hidden classes of one name apart: an address, an identity hash, or both.
[[nodiscard]] std::string_view without_hidden_suffix(std::string_view name) noexcept {
  for (;;) {
    const std::string_view shorter = without_last_hidden_suffix(name);
    if (shorter.size() == name.size()) return name;
    name = shorter;
  }
}

/// `Work$$Lambda$88` as `Work$$Lambda`; `Work$$Lambda$lambda$wrap$2$2630016632` keeps the name of
/// the method that it calls, `lambda$wrap$2`.
[[nodiscard]] std::string_view without_lambda_number(std::string_view name) noexcept {
  constexpr std::string_view lambda = "$$Lambda$";
  const std::size_t at = name.rfind(lambda);
  if (at == std::string_view::npos) return name;
  for (;;) {
    const std::string_view tail = name.substr(at + lambda.size());
    const std::size_t digits = run_at_end(tail, is_digit);
    const std::string_view head = name.substr(0, name.size() - digits);
    const bool is_number = digits > 0 && digits == tail.size();
    if (is_number) return head.substr(0, head.size() - 1);
    const bool is_hash =
        tail.starts_with("lambda$") && digits >= min_random_digits && head.ends_with('$');
    if (!is_hash) return name;
    name = head.substr(0, head.size() - 1);
  }
}

/// `Work_0x7f00$$Lambda` as `Work$$Lambda`: lambdas of a hidden class have its whole name in
/// theirs.
[[nodiscard]] std::string without_host_address(std::string_view name) {
  constexpr std::string_view lambda = "$$Lambda";
  std::string text;
  std::size_t begin = 0;
  for (std::size_t at = name.find(lambda); at != std::string_view::npos;
       at = name.find(lambda, begin)) {
    text += name.substr(begin, at - begin);
    for (;;) {
      const std::string_view host = text;
      const std::size_t digits = run_at_end(host, is_hex_digit);
      const std::string_view head = host.substr(0, host.size() - digits);
      if (digits == 0 || !head.ends_with("_0x")) break;
      text.resize(head.size() - 3);
    }
    text += lambda;
    begin = at + lambda.size();
  }
  return text += name.substr(begin);
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
/// are copied; a hash goes, together with the `$$` in front of it, where what is before it ends in
/// the mark of a library that generates classes.
[[nodiscard]] std::string without_generator_hashes(std::string_view name) {
  static constexpr std::array<std::string_view, 3> marks = {"CGLIB", "Guice", "FastClass"};
  constexpr std::string_view separator = "$$";
  std::size_t end = std::min(name.find(separator), name.size());
  std::string text(name.substr(0, end));
  bool has_mark = false;  // the first part is the class itself
  while (end < name.size()) {
    const std::size_t begin = end + separator.size();
    end = std::min(name.find(separator, begin), name.size());
    const std::string_view part = name.substr(begin, end - begin);
    const std::size_t hash =
        has_mark && ends_with_any(text, marks) ? generator_hash_length(part) : 0;
    if (hash == 0) text += separator;
    text += part.substr(hash);
    has_mark = true;
  }
  return text;
}

constexpr bool is_letter_or_digit(char c) noexcept {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Length of what ByteBuddy puts behind a name to make it unique: 8 letters and digits, or the
/// number of older versions of Mockito.
[[nodiscard]] std::size_t random_name_length(std::string_view text) noexcept {
  constexpr std::size_t usual_length = 8;
  const std::size_t length = run_at_start(text, is_letter_or_digit);
  if (length < text.size() && text[length] != '$') return 0;
  const bool is_number = length >= min_random_digits && run_at_start(text, is_digit) == length;
  return length == usual_length || is_number ? length : 0;
}

/// `Dao$ByteBuddy$p4UZZZ2n$auxiliary$wyq4itfh` as `Dao$ByteBuddy$auxiliary`.
[[nodiscard]] std::string without_random_names(std::string_view name) {
  static constexpr std::array<std::string_view, 7> marks = {"$ByteBuddy",
                                                            "$auxiliary",
                                                            "$MockitoMock",
                                                            "$HibernateProxy",
                                                            "$HibernateBasicProxy",
                                                            "$HibernateInstantiator",
                                                            "$HibernateAccessOptimizer"};
  // Classes of ByteBuddy itself have names that are their own.
  if (name.find("net/bytebuddy/") != std::string_view::npos &&
      name.find("net/bytebuddy/renamed/") == std::string_view::npos) {
    return std::string(name);
  }
  std::string text;
  for (std::size_t at = 0; at < name.size();) {
    const bool may_follow = name[at] == '$' && ends_with_any(text, marks);
    const std::size_t length = may_follow ? random_name_length(name.substr(at + 1)) : 0;
    if (length > 0) {
      at += 1 + length;
    } else {
      text += name[at++];
    }
  }
  return text;
}

/// `Dao_$$_jvst856_0` and `Dao_$$_javassist_12` without the numbers.
[[nodiscard]] std::string_view without_javassist_number(std::string_view name) noexcept {
  constexpr std::string_view mark = "_$$_jvst";
  constexpr std::string_view old_mark = "_$$_javassist";
  const std::size_t counter = run_at_end(name, is_hex_digit);
  std::string_view head = name.substr(0, name.size() - counter);
  if (counter == 0 || !head.ends_with('_')) return name;
  head.remove_suffix(1);
  if (head.ends_with(old_mark)) return head;
  head.remove_suffix(run_at_end(head, is_hex_digit));
  return head.ends_with(mark) ? head : name;
}

/// `script16988552123451274613871` of older versions of Groovy, which is the time and a hash.
[[nodiscard]] std::string without_script_number(std::string_view name) {
  constexpr std::string_view mark = "script";
  constexpr std::size_t digits_of_a_time = 13;
  const std::size_t begin = name.rfind('/') + 1;
  const std::string_view simple_name = name.substr(begin);
  if (!simple_name.starts_with(mark)) return std::string(name);
  const std::string_view tail = simple_name.substr(mark.size());
  const std::size_t digits = run_at_start(tail, is_digit);
  const bool is_whole = digits == tail.size() || tail[digits] == '$';
  if (digits < digits_of_a_time || !is_whole) return std::string(name);
  return std::string(name.substr(0, begin + mark.size())) + std::string(tail.substr(digits));
}

/// `jdk/MHProxy1/Runnable`, a method handle as an interface in JDK 22 and later, without the number
/// of the package. The class is hidden: its name may have dots.
[[nodiscard]] std::string without_package_number(std::string_view name) {
  for (const std::string_view package : {"jdk/MHProxy", "jdk.MHProxy"}) {
    if (!name.starts_with(package)) continue;
    const std::string_view tail = name.substr(package.size());
    const std::size_t digits = run_at_start(tail, is_digit);
    if (digits > 0 && digits < tail.size() && tail[digits] == package[3]) {
      return std::string(package) + std::string(tail.substr(digits));
    }
  }
  return std::string(name);
}

/// `jdk/internal/reflect/GeneratedMethodAccessor31` and `com/sun/proxy/$Proxy12` without the
/// number, `jdk/proxy2/$Proxy12` without both.
[[nodiscard]] std::string without_class_number(const std::string& name) {
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

[[nodiscard]] std::string normalized_element_name(std::string_view name) {
  std::string text = without_generator_hashes(
      without_host_address(without_lambda_number(without_hidden_suffix(name))));
  text = without_random_names(without_javassist_number(text));
  text = without_package_number(without_script_number(text));
  // Other libraries derive classes from proxies.
  const std::size_t end = std::min(text.find("$$"), text.size());
  return without_class_number(text.substr(0, end)) + text.substr(end);
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
  text += settled(name, normalized_element_name);
  text += internal_name.substr(internal_name.size() - tail);
  return text;
}

std::string normalized_module_name(std::string_view module) {
  // Of proxies that implement interfaces of no open package there is a module for each loader.
  for (const std::string_view name : {"jdk.proxy", "jdk.MHProxy"}) {
    if (module.starts_with(name) && run_at_end(module, is_digit) == module.size() - name.size()) {
      return std::string(name);
    }
  }
  return std::string(module);
}

}  // namespace jfrtree::internal
