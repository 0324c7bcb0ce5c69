#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <jfrtree/error.hpp>
#include <jfrtree/metadata.hpp>
#include <jfrtree/profile.hpp>
#include <jfrtree/time_range.hpp>

namespace jfrtree {

namespace internal {
class TextTable;
}  // namespace internal

/// What the cells of a column hold. The widths are those of the recording's fields.
enum class ColumnType : std::uint8_t {
  boolean,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float32,
  float64,
  character,  ///< text of one character
  text,
  timestamp,  ///< ns since the epoch
  duration,   ///< ns
  stack,      ///< frames, root first
  list,
};

/// The stable name of a type, e.g. "int64".
[[nodiscard]] std::string_view column_type_name(ColumnType type) noexcept;

/// One column of an event type: a field, or a field of a struct inside it, by its path.
struct EventColumn {
  std::string name;               ///< the path joined by dots; `#2` behind a name that is taken
  std::vector<std::string> path;  ///< names of fields, which may hold dots themselves
  ColumnType type = ColumnType::text;
  ContentType content = ContentType::none;
  bool is_constant = false;  ///< comes from a constant pool: few different values
  std::string label;
  std::vector<EventColumn> elements;  ///< of a list: one for plain values, else the struct's

  /// What a number counts, e.g. "bytes", "ns" for durations; empty: nothing in particular.
  [[nodiscard]] std::string_view unit() const noexcept;
};

/// The columns of an event type as one chunk declares it.
struct EventSchema {
  std::string type;  ///< as recorded, e.g. `jdk.GarbageCollection`
  std::string label;
  std::vector<EventColumn> columns;
};

/// One value. Views are valid during the call that hands the row out.
struct EventCell {
  enum class Kind : std::uint8_t {
    null,
    boolean,           ///< `integer` is 0 or 1
    integer,           ///< `integer`; also timestamps and durations
    unsigned_integer,  ///< the bits of `integer`
    floating,          ///< `floating`; NaN and infinities as recorded
    text,              ///< `text`, valid UTF-8
    stack,             ///< `frames`: numbers for `EventValues::frame_text`, root first
    list,              ///< `size` elements, each of `width` cells, from `cells` on
  };
  Kind kind = Kind::null;
  std::uint32_t width = 0;
  union {
    std::int64_t integer = 0;
    double floating;
    const char* characters;
    const std::uint32_t* frame_numbers;
    const EventCell* cells;
  };
  std::size_t size = 0;

  [[nodiscard]] std::string_view text() const noexcept { return {characters, size}; }
  [[nodiscard]] std::span<const std::uint32_t> frames() const noexcept {
    return {frame_numbers, size};
  }
};

/// One event.
struct EventValues {
  std::size_t schema = 0;  ///< number of its schema in the chunk
  std::span<const EventCell> cells;
  const internal::TextTable* frame_texts = nullptr;

  /// Text of a frame, `pkg.Class.method`. Numbers mean the same throughout a chunk.
  [[nodiscard]] std::string_view frame_text(std::uint32_t number) const noexcept;
};

/// What is done with rows. Called by one thread at a time, in the order of the inputs.
class EventSink {
 public:
  EventSink() = default;
  EventSink(const EventSink&) = delete;
  EventSink& operator=(const EventSink&) = delete;
  virtual ~EventSink() = default;

  /// A chunk begins that declares at least one of the types: their schemas, valid until the next.
  virtual void begin_chunk(std::span<const EventSchema> schemas) = 0;
  virtual void row(const EventValues& values) = 0;
};

/// Which rows to read.
struct EventRequest {
  /// Names of event types in either spelling of `normalized_type_name`; in a name `*` stands for
  /// any characters, but not for types that may hold secrets (`is_sensitive_event_type`).
  std::vector<std::string> types;
  /// Columns by name, in this order; a name stands for everything below it too. Empty: all.
  std::vector<std::string> columns;
  bool stacks = true;  ///< false: no columns of stack traces
  /// How frames read: `lines`, `libraries`, `simple`, `normalize` and `hide_hidden` count.
  FrameOptions frames;
  TimeRange time;  ///< of their starts; an event without a start has its chunk's
  std::uint64_t max_rows = std::numeric_limits<std::uint64_t>::max();
};

/// What reading rows gave beside the rows.
struct EventReadResult {
  std::uint64_t rows = 0;
  /// Event types that the chunks read declare, of the request or not, sorted.
  std::vector<std::string> declared_types;
  std::vector<Problem> problems;
  ReadStatistics statistics;
};

/// Hands the events of some types to a sink, in the order of the inputs and of each file, holding
/// one chunk at a time. Nested structs and constants become columns, at most four levels deep; a
/// type inside itself, and deeper levels, have none. A class is its name as Java writes it, a stack
/// trace the list of its frames. Absent fields, null, a constant that is missing, and the sentinels
/// for unknown times are null cells.
///
/// Throws as `read_profiles` does; nothing when no type of the request occurs.
[[nodiscard]] EventReadResult read_events(std::vector<Source> sources, const EventRequest& request,
                                          EventSink& sink, const ReadOptions& options = {});

/// An event type of a recording.
struct EventTypeSummary {
  EventSchema schema;       ///< the columns of all chunks, in the order of their first occurrence
  std::uint64_t count = 0;  ///< events
};

/// The event types that the chunks of recordings declare.
struct EventCatalog {
  std::vector<EventTypeSummary> types;   ///< by name
  std::optional<std::int64_t> start_ns;  ///< lowest chunk start, ns since the epoch
  std::optional<std::int64_t> end_ns;    ///< highest chunk end; unfinished: its last event
  std::vector<Problem> problems;
  ReadStatistics statistics;
};

/// Reads metadata, walks the events by their sizes. Throws as `summarize` does.
[[nodiscard]] EventCatalog read_event_types(std::vector<Source> sources, bool stacks = true,
                                            const ReadOptions& options = {});

/// The different schemas of event types in all chunks, by type, then in the order of the inputs:
/// what `unite_columns` needs. Reads no events, and of inputs with a size the metadata alone. What
/// cannot be read is passed over, unless nothing can. Throws as `read_event_types` does.
[[nodiscard]] std::vector<EventSchema> read_event_schemas(std::vector<Source> sources,
                                                          std::span<const std::string> types,
                                                          bool stacks = true,
                                                          const ReadOptions& options = {});

/// Whether a name of `EventRequest::types` means this type.
[[nodiscard]] bool matches_event_type(std::string_view pattern, std::string_view type);

/// Whether events of a type may hold secrets: system properties, environment variables, command
/// lines. They are read only when the type is asked for by its whole name.
[[nodiscard]] bool is_sensitive_event_type(std::string_view type);

/// Columns of some schemas by name, each once, in the order of their first occurrence. The type of
/// a column that differs is the one that holds all: int64, float64, else text.
[[nodiscard]] std::vector<EventColumn> unite_columns(std::span<const EventSchema> schemas);

/// Those of `columns` that `wanted` names, in its order; all when `wanted` is empty. Throws
/// UsageError for a name that is none of them.
[[nodiscard]] std::vector<EventColumn> choose_columns(const std::vector<EventColumn>& columns,
                                                      std::span<const std::string> wanted);

}  // namespace jfrtree
