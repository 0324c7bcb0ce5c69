#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <jfrtree/event_rows.hpp>

#include "format/layout.hpp"

namespace jfrtree::internal {

/// How the bytes of a field become cells.
enum class ReadStep : std::uint8_t {
  skip,
  boolean,
  integer,
  character,
  float32,
  float64,
  text,
  class_name,  ///< a key of `java.lang.Class`: its name
  stack,       ///< a stack trace, inline or by key: its frames and whether some are missing
  structure,   ///< an inline struct
  constant,    ///< a key of any other pool
  list,        ///< a count, then so many of the first field of `inner`
};

struct StructPlan;

/// One field of a struct.
struct FieldPlan {
  ReadStep step = ReadStep::skip;
  bool is_key = false;     ///< the bytes are a key into the pool of `type`
  bool is_signed = true;   ///< of integers
  std::uint8_t width = 8;  ///< bytes of an integer
  ContentType content = ContentType::none;
  const Field* field = nullptr;
  const Type* type = nullptr;
  std::uint32_t first_cell = 0;  ///< within the struct's
  std::uint32_t cell_count = 0;
  std::uint32_t cache = 0;            ///< number of the cache, for what is read by key
  std::unique_ptr<StructPlan> inner;  ///< of structs, constants and lists
};

/// How a struct (or a single value, as a struct of one field) becomes a row of cells.
struct StructPlan {
  std::vector<FieldPlan> fields;
  std::vector<EventColumn> columns;  ///< as many as cells
};

/// How the events of one type become rows.
struct EventTypePlan {
  StructPlan plan;
  int start_cell = -1;           ///< of `startTime`
  std::uint32_t caches = 0;      ///< how many caches its fields are numbered for
  bool has_cut_columns = false;  ///< there are more columns than `max_columns`
};

/// Bounds on what a type can be expanded to.
inline constexpr std::size_t max_column_depth = 4;
inline constexpr std::size_t max_columns = 1024;

/// Plans the rows of an event type. `wanted` (empty: all) names columns as `EventRequest::columns`
/// does: fields without any of them are skipped, `startTime` aside. The metadata must outlive the
/// plan. Caches are numbered from `first_cache` on.
[[nodiscard]] EventTypePlan plan_columns(const Metadata& metadata, const Type& type, bool stacks,
                                         std::span<const std::string> wanted,
                                         std::uint32_t first_cache);

/// Whether a name of `EventRequest::columns` stands for this column.
[[nodiscard]] bool names_column(std::string_view wanted, std::string_view column) noexcept;

}  // namespace jfrtree::internal
