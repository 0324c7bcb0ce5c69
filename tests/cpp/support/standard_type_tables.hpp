#pragma once

#include "support/type_table.hpp"

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

namespace jfrtree::test {

/// An id that says: this producer does not have the type.
constexpr std::uint64_t absent = std::numeric_limits<std::uint64_t>::max();

/// A type of two related producers: JDK 17 and JDK 25, or async-profiler 2 and 4. `startTime` and
/// `duration` get their annotations when the row is declared. `{…}` holds fields of the older
/// layout, `<…>` those of the newer one.
struct TypeRow {
  TypeKind kind;
  std::string_view name;
  std::uint64_t older_id;
  std::uint64_t newer_id;
  std::string_view fields;
};

std::span<const TypeRow> jdk_types();
std::span<const TypeRow> jdk_events();
std::span<const TypeRow> profiler_types();
std::span<const TypeRow> async_profiler_events();
std::span<const TypeRow> datadog_types();

}  // namespace jfrtree::test
