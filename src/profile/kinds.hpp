#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <jfrtree/profile.hpp>

namespace jfrtree::internal {

/// Where the value of one event comes from.
enum class ValueRule : std::uint8_t {
  none,               ///< the event has a count only
  field,              ///< a numeric field, converted to the unit of the kind
  field_or_other,     ///< a field, or another one where it is 0 (`tlabSize`, `allocationSize`)
  field_times_other,  ///< the product of two fields, rounded (`size` × `weight`)
  period,             ///< count × sampling period
  field_or_period,    ///< a field where it is not 0, else count × sampling period
  field_and_other,    ///< a field; another one is the kind's third number (`bytesRead`)
  count,              ///< the count again
};

/// Which setting holds the sampling period of an event.
enum class PeriodRule : std::uint8_t {
  none,
  execution_sample,  ///< by the writer: the event's `period`, or async-profiler's `interval`
  jdk_sampler,       ///< the event's `period`
  wall,              ///< async-profiler's `wall`, or `interval` where its `event` is `wall`
};

/// What the field that gives the synthetic leaf refers to.
enum class LeafRule : std::uint8_t {
  class_name,  ///< a class
  old_object,  ///< an object of the JDK's leak profiler, whose class is the leaf
  method,      ///< a method, the leaf where the stack does not end in it already
};

/// How events of one type become samples of a kind: one row of a table.
struct EventRule {
  std::string_view event;  ///< normalized name
  std::string_view kind;
  /// Alternatives describe the same thing: of a kind's alternatives the lowest that a chunk has
  /// counts, the others are left out.
  std::uint8_t alternative = 0;
  ValueRule value = ValueRule::none;
  std::string_view value_field = {};
  std::string_view other_field = {};
  std::string_view count_field = {};  ///< samples that an event stands for; absent: 1
  std::string_view leaf_field = {};   ///< what the synthetic leaf is
  LeafRule leaf = LeafRule::class_name;
  PeriodRule period = PeriodRule::none;
  /// The classes of its samples are needed in any case: errors are reported as exceptions as well.
  bool is_thrown = false;
  /// The value is a field chosen by the user, of which nothing is known but its declaration.
  bool has_chosen_value = false;
};

/// A kind: what its numbers are called.
struct KindRow {
  ProfileKindDescription description;
  SampleType count;
  SampleType value;
  /// Name of the value where it is only an estimate (samples of the JDK's sampler).
  std::string_view estimate = {};
  SampleType third = {};  ///< without a name: there is none
};

/// All kinds, in the order in which a default is looked for.
[[nodiscard]] std::span<const KindRow> kind_rows() noexcept;
[[nodiscard]] const KindRow* find_kind(std::string_view name) noexcept;

/// All rules. `jdk.ExecutionSample` stands under `cpu` and is moved to `wall` by its state.
[[nodiscard]] std::span<const EventRule> event_rules() noexcept;
/// The rule of an event type by normalized name, or null.
[[nodiscard]] const EventRule* find_rule(std::string_view event) noexcept;

/// Whether a request for these kinds asks for one of them; no kinds: all.
[[nodiscard]] bool is_wanted(std::span<const std::string> kinds, std::string_view kind) noexcept;

}  // namespace jfrtree::internal
