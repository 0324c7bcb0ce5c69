#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <jfrtree/filter.hpp>
#include <jfrtree/profile.hpp>
#include <jfrtree/time_range.hpp>

#include "profile/pattern.hpp"
#include "profile/span_windows.hpp"

namespace jfrtree::internal {

/// What the inputs say about what filters ask for: a name that is nowhere is an error, not an empty
/// profile.
struct FilterFindings {
  bool has_events = false;  ///< of kinds that are looked at
  bool has_states = false;  ///< some of them have a thread state
  bool has_durations = false;
  std::set<std::string> state_names;    ///< of all chunks, without `STATE_`
  std::set<std::string> context_names;  ///< of those asked for
  std::set<std::string> unfit_context;  ///< of those asked for: no whole numbers, texts, booleans
  std::set<std::string> other_context;  ///< fields that could have been asked for

  void merge(const FilterFindings& other);
};

/// The value of one `--context`: a text, and the numbers it may stand for.
struct ContextValue {
  explicit ContextValue(std::string value);

  [[nodiscard]] bool fits(std::string_view other) const noexcept { return other == text; }
  [[nodiscard]] bool fits(std::uint64_t number) const noexcept;
  /// The halves of an id of 128 bits.
  [[nodiscard]] bool fits(std::uint64_t high, std::uint64_t low) const noexcept;

  std::string text;
  std::optional<std::uint64_t> decimal;
  std::optional<std::uint64_t> hexadecimal;
  std::optional<std::pair<std::uint64_t, std::uint64_t>> halves;
};

/// The filters of a request, compiled once for all chunks. Immutable while chunks are read.
class Filters {
 public:
  /// Throws UsageError for patterns that are none and filters that exclude each other.
  explicit Filters(const ProfileRequest& request);

  /// Start and end of all that is read, for times that are relative to them.
  struct RecordingSpan {
    std::optional<std::int64_t> start_ns;
    std::optional<std::int64_t> end_ns;
  };
  [[nodiscard]] bool needs_recording_span() const noexcept;
  [[nodiscard]] bool needs_span_windows() const noexcept { return !options_.spans.empty(); }
  /// Must be called before chunks are read. Throws UsageError for a range that ends before it
  /// begins.
  void resolve_times(const RecordingSpan& span);
  /// Spans whose tags fit, and how many there were with any tag.
  void set_span_windows(SpanWindows windows, std::uint64_t span_count);

  [[nodiscard]] const FilterOptions& options() const noexcept { return options_; }
  [[nodiscard]] const TimeRange& times() const noexcept { return times_; }
  /// By name, with `STATE_` or without.
  [[nodiscard]] bool is_wanted_state(std::string_view name) const;
  /// Names in order, each with its alternatives.
  using Context = std::pair<std::string, std::vector<ContextValue>>;
  [[nodiscard]] const std::vector<Context>& context() const noexcept { return context_; }
  [[nodiscard]] const SpanWindows& span_windows() const noexcept { return span_windows_; }

  /// Throws ProfileNotFound that names what was asked for and is nowhere.
  void check_found(const FilterFindings& findings, const std::string& file) const;

  // Patterns; empty ones fit nothing.
  Patterns threads;
  Patterns include;
  Patterns exclude;
  Patterns focus;
  Patterns spans;

 private:
  void check_contradictions() const;
  void set_context();

  FilterOptions options_;
  std::set<std::string> states_;
  std::vector<Context> context_;
  TimeRange times_;
  SpanWindows span_windows_;
  std::uint64_t span_count_ = 0;
};

/// The filters as they apply to the chunks of one source.
struct SourceFilters {
  const Filters& filters;
  std::size_t file = 0;
};

/// The names of all `--context`, each once, in order.
[[nodiscard]] std::vector<std::string> context_names(const FilterOptions& options);

/// The name of a thread state without `STATE_`.
[[nodiscard]] std::string_view plain_state_name(std::string_view name) noexcept;

}  // namespace jfrtree::internal
