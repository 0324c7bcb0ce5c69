#pragma once

#include <span>
#include <string>
#include <string_view>

namespace jfrtree {

/// One number that every sample has: a name and a unit, e.g. `alloc_space` in `bytes`.
/// Units are `count`, `bytes`, `nanoseconds` or, for `--event`, the field's own.
struct SampleType {
  std::string name;
  std::string unit;

  /// `name/unit`.
  [[nodiscard]] std::string full_name() const { return name + "/" + unit; }
};

/// A profile kind that can be asked for by name.
struct ProfileKindDescription {
  std::string_view name;         ///< e.g. "alloc"
  std::string_view description;  ///< one line: events, count, value
  bool is_snapshot;              ///< a state at a moment: never summed over time
  bool has_class_leaf;
};

/// All kinds, in the order in which a default is looked for.
[[nodiscard]] std::span<const ProfileKindDescription> profile_kinds() noexcept;

}  // namespace jfrtree
