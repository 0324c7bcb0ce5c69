#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jfrtree {

/// A point in time: ns since the epoch, or ns from the start or the end of all that is read. The
/// start is the lowest start of a chunk, the end the highest end: start and duration of a chunk, or
/// the end of the last event of a chunk that was never finished.
struct TimePoint {
  enum class Base : std::uint8_t { epoch, recording_start, recording_end };
  Base base = Base::epoch;
  std::int64_t ns = 0;  ///< since the epoch, behind the start, or (0 or less) before the end
};

/// A point in time from text. `2024-01-16T18:08:55.25Z` or `…+01:00`: ISO 8601 with a zone.
/// `1705428535`: since the epoch, in seconds below 10^11, milliseconds below 10^14, microseconds
/// below 10^17, else nanoseconds; a unit behind the number says which instead. `+30s`: behind the
/// start of the recording, `-2m` before its end. Throws UsageError that says what is wrong.
[[nodiscard]] TimePoint parse_time_point(std::string_view text);

/// A length of time from text, in ns: a decimal number and one of the units ns, us, ms, s, m (or
/// min), h, d. Digits beyond a nanosecond are cut. Throws UsageError.
[[nodiscard]] std::uint64_t parse_time_length(std::string_view text);

/// Which samples are read, and which part of their stacks.
///
/// A sample must pass all members that are set; of several values of one member one must fit, but
/// none of `exclude`. An event that lacks what a member asks for (a thread state, a duration) does
/// not pass. Patterns are regular expressions of RE2, found anywhere in a text unless they are
/// anchored; matching takes time linear in the text. Reading throws UsageError for a pattern that
/// is none (naming it and the option of the command line), and for members that exclude each other.
///
/// Patterns on stacks look at the texts of frames as they are shown, without lines, indexes of
/// bytecodes and frame types, and at the class leaf; not at `[truncated]`, `[no stack]` and thread
/// frames. Of collapsed stacks only the members on stacks can be met; they do not pass any other.
struct FilterOptions {
  /// Samples with from ≤ start < to. Of several the earliest `from` and the latest `to` count.
  /// Equal ones are an empty range, which is valid; a `from` behind `to` is a UsageError.
  std::vector<TimePoint> from;
  std::vector<TimePoint> to;

  std::vector<std::string> threads;       ///< patterns of thread names
  std::vector<std::uint64_t> thread_ids;  ///< as thread frames show them
  std::vector<std::string> states;        ///< names of thread states, `STATE_` in front or not
  std::optional<std::uint64_t> min_duration_ns;

  /// Name and value of a field that ties samples to what they worked for: `contextId`, `spanId`,
  /// `spanName`, `localRootSpanId`, or any other number or text of an event. Numbers may be given
  /// in decimal, as `0x…` or as 16 hexadecimal digits; `traceId` as 32 of these stands for the two
  /// halves of an id. Values of one name are alternatives, different names must all fit.
  std::vector<std::pair<std::string, std::string>> context;
  /// Patterns of tags of `profiler.Span` events: samples of the span's thread within its time.
  std::vector<std::string> spans;

  std::vector<std::string> include;  ///< patterns; stacks with a frame that one of them fits
  std::vector<std::string> exclude;  ///< patterns; stacks without such a frame
  /// Patterns; stacks begin at the first frame from the root that one fits, others are dropped.
  std::vector<std::string> focus;
  /// Root frames that are left out, after `focus`; the last frame of a stack always stays.
  std::uint64_t skip = 0;
  /// Most frames of a stack, the class leaf among them; what is cut counts for the last one kept.
  std::optional<std::uint64_t> depth;

  /// Whether anything is left out by events, before stacks are looked at.
  [[nodiscard]] bool has_event_filters() const noexcept {
    return has_time() || !threads.empty() || !thread_ids.empty() || !states.empty() ||
           min_duration_ns || !context.empty() || !spans.empty();
  }
  /// Whether stacks are dropped or cut.
  [[nodiscard]] bool has_stack_filters() const noexcept {
    return !include.empty() || !exclude.empty() || !focus.empty() || skip > 0 || depth;
  }
  [[nodiscard]] bool has_time() const noexcept { return !from.empty() || !to.empty(); }
  [[nodiscard]] bool empty() const noexcept { return !has_event_filters() && !has_stack_filters(); }
};

}  // namespace jfrtree
