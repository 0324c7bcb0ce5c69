#include "profile/filters.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include <jfrtree/error.hpp>

namespace jfrtree::internal {

namespace {

constexpr std::size_t max_context_names = 16;

[[nodiscard]] std::string upper_case(std::string_view text) {
  std::string upper(text);
  for (char& letter : upper) {
    if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
  }
  return upper;
}

[[nodiscard]] std::string joined(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "none" : text;
}

template <typename Number>
[[nodiscard]] std::optional<Number> parse_all(std::string_view text, int base) noexcept {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

[[noreturn]] void throw_not_found(const std::string& file, std::string message) {
  Problem problem;
  problem.code = ErrorCode::profile_not_found;
  problem.file = file;
  problem.message = std::move(message);
  throw ProfileNotFound(std::move(problem));
}

/// A pattern that is wanted and unwanted leaves nothing.
void check_both(std::string_view option, const std::vector<std::string>& wanted,
                const std::vector<std::string>& unwanted) {
  for (const std::string& pattern : wanted) {
    if (std::find(unwanted.begin(), unwanted.end(), pattern) == unwanted.end()) continue;
    throw UsageError(std::string(option) + " and --exclude contradict each other: both have '" +
                     pattern + "'");
  }
}

/// The point of time that counts, as ns since the epoch; nothing where it is not known.
[[nodiscard]] std::optional<std::int64_t> resolve(const TimePoint& point,
                                                  const Filters::RecordingSpan& span) noexcept {
  if (point.base == TimePoint::Base::epoch) return point.ns;
  const auto& base = point.base == TimePoint::Base::recording_start ? span.start_ns : span.end_ns;
  if (!base) return std::nullopt;
  std::int64_t ns = 0;
  if (!__builtin_add_overflow(*base, point.ns, &ns)) return ns;
  using Range = std::numeric_limits<std::int64_t>;
  return point.ns < 0 ? Range::min() : Range::max();
}

}  // namespace

std::vector<std::string> context_names(const FilterOptions& options) {
  std::vector<std::string> names;
  for (const auto& [name, value] : options.context) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

std::string_view plain_state_name(std::string_view name) noexcept {
  constexpr std::string_view prefix = "STATE_";
  return name.starts_with(prefix) ? name.substr(prefix.size()) : name;
}

void FilterFindings::merge(const FilterFindings& other) {
  has_events = has_events || other.has_events;
  has_states = has_states || other.has_states;
  has_durations = has_durations || other.has_durations;
  state_names.insert(other.state_names.begin(), other.state_names.end());
  context_names.insert(other.context_names.begin(), other.context_names.end());
  unfit_context.insert(other.unfit_context.begin(), other.unfit_context.end());
  other_context.insert(other.other_context.begin(), other.other_context.end());
}

ContextValue::ContextValue(std::string value) : text(std::move(value)) {
  const std::string_view all = text;
  decimal = parse_all<std::uint64_t>(all, 10);
  if (const auto number = parse_all<std::int64_t>(all, 10)) {
    decimal = static_cast<std::uint64_t>(*number);
  }
  const bool has_prefix = all.starts_with("0x") || all.starts_with("0X");
  if (has_prefix || all.size() == 16) {
    hexadecimal = parse_all<std::uint64_t>(has_prefix ? all.substr(2) : all, 16);
    if (all.size() == 16 && hexadecimal) halves.emplace(0, *hexadecimal);
  }
  if (all.size() == 32) {
    const auto high = parse_all<std::uint64_t>(all.substr(0, 16), 16);
    const auto low = parse_all<std::uint64_t>(all.substr(16), 16);
    if (high && low) halves.emplace(*high, *low);
  }
}

bool ContextValue::fits(std::uint64_t number) const noexcept {
  return decimal == number || hexadecimal == number;
}

bool ContextValue::fits(std::uint64_t high, std::uint64_t low) const noexcept {
  return halves == std::pair(high, low);
}

Filters::Filters(const ProfileRequest& request)
    : threads("--thread", request.filters.threads),
      include("--include", request.filters.include),
      exclude("--exclude", request.filters.exclude),
      focus("--focus", request.filters.focus),
      spans("--span", request.filters.spans),
      options_(request.filters) {
  Patterns("--thread-group", request.frames.thread_groups).require_captures();
  for (const std::string& state : options_.states) {
    states_.insert(std::string(plain_state_name(upper_case(state))));
  }
  set_context();
  check_contradictions();
}

void Filters::set_context() {
  for (const std::string& name : context_names(options_)) {
    Context& entry = context_.emplace_back(name, std::vector<ContextValue>());
    for (const auto& [other, value] : options_.context) {
      if (other == name) entry.second.emplace_back(value);
    }
  }
  if (context_.size() > max_context_names) {
    throw UsageError("--context: at most " + std::to_string(max_context_names) +
                     " different names can be asked for at a time");
  }
}

void Filters::check_contradictions() const {
  check_both("--include", options_.include, options_.exclude);
  check_both("--focus", options_.focus, options_.exclude);
  if (options_.depth == std::uint64_t{0}) {
    throw UsageError("--depth: no stack has 0 frames");
  }
}

bool Filters::needs_recording_span() const noexcept {
  const auto is_relative = [](const TimePoint& point) {
    return point.base != TimePoint::Base::epoch;
  };
  return std::any_of(options_.from.begin(), options_.from.end(), is_relative) ||
         std::any_of(options_.to.begin(), options_.to.end(), is_relative);
}

void Filters::resolve_times(const RecordingSpan& span) {
  auto& [from, to] = times_;
  for (const TimePoint& point : options_.from) {
    const auto ns = resolve(point, span);
    if (ns && (!from || *ns < *from)) from = ns;
  }
  for (const TimePoint& point : options_.to) {
    const auto ns = resolve(point, span);
    if (ns && (!to || *ns > *to)) to = ns;
  }
  if (from && to && *from > *to) {
    throw UsageError("--from and --to contradict each other: --from is the later one");
  }
}

void Filters::set_span_windows(SpanWindows windows, std::uint64_t span_count) {
  span_windows_ = std::move(windows);
  span_windows_.finish();
  span_count_ = span_count;
}

bool Filters::is_wanted_state(std::string_view name) const {
  return states_.contains(upper_case(plain_state_name(name)));
}

void Filters::check_found(const FilterFindings& findings, const std::string& file) const {
  if (!findings.has_events) return;
  if (!states_.empty() && !findings.has_states) {
    throw_not_found(file, "--state: no event of the profiles asked for has a thread state");
  }
  for (const std::string& state : states_) {
    if (findings.state_names.contains(state)) continue;
    throw_not_found(file, "--state: no thread state is called " + state +
                              "; the recording has: " + joined(findings.state_names));
  }
  if (options_.min_duration_ns.value_or(0) > 0 && !findings.has_durations) {
    throw_not_found(file, "--min-duration: no event of the profiles asked for has a duration");
  }
  for (const Context& entry : context_) {
    if (findings.context_names.contains(entry.first)) continue;
    if (findings.unfit_context.contains(entry.first)) {
      throw_not_found(file, "--context: the field " + entry.first +
                                " is no whole number, text or boolean, with which alone values are "
                                "compared");
    }
    throw_not_found(file, "--context: no event of the profiles asked for has a field " +
                              entry.first +
                              "; fields with a context: " + joined(findings.other_context));
  }
  if (needs_span_windows() && span_count_ == 0) {
    throw_not_found(file,
                    "--span: the recording has no profiler.Span events, which programs write "
                    "by the API of async-profiler 4.5 or newer");
  }
}

}  // namespace jfrtree::internal
