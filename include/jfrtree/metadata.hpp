#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jfrtree/ids.hpp>

namespace jfrtree {

/// An annotation of a type or field, e.g. `jdk.jfr.Timespan` with `value` = `TICKS`.
/// Array members are written `name-0`, `name-1`, … by recorders and kept like that.
struct Annotation {
  std::string type;
  std::vector<std::pair<std::string, std::string>> values;

  /// The value called `name`, empty when absent.
  [[nodiscard]] std::string_view value(std::string_view name = "value") const noexcept;
};

/// What a number means, by the annotations of its field (jfr-format: Timestamp, Timespan,
/// DataAmount, Percentage, Frequency, MemoryAddress).
enum class ContentType : std::uint8_t {
  none,
  timestamp_ticks,
  timestamp_seconds,
  timestamp_milliseconds,
  timestamp_nanoseconds,
  timespan_ticks,
  timespan_seconds,
  timespan_milliseconds,
  timespan_microseconds,
  timespan_nanoseconds,
  bytes,
  bits,
  bytes_per_second,
  bits_per_second,
  hertz,
  percentage,
  memory_address,
};

/// How a value of a type is encoded where it stands inline.
enum class Primitive : std::uint8_t {
  none,  ///< a struct: all fields in order
  boolean,
  byte,
  short_integer,
  character,
  integer,
  long_integer,
  floating,
  double_floating,
  string,
};

/// One field of a type, in the order of the encoding.
struct Field {
  std::string name;
  TypeId type{};
  bool is_array = false;      ///< a count, then so many elements
  bool is_reference = false;  ///< a key into the constant pool of `type`
  bool is_unsigned = false;
  ContentType content = ContentType::none;
  std::vector<Annotation> annotations;

  /// The text of the field's `jdk.jfr.Label`, empty when absent.
  [[nodiscard]] std::string_view label() const noexcept;
};

/// A type as the chunk declares it.
struct Type {
  TypeId id{};
  std::string name;        ///< as recorded, e.g. `jdk.ExecutionSample`, `java.lang.Thread`
  std::string super_type;  ///< `jdk.jfr.Event` for event types
  bool is_simple = false;  ///< a struct of one field that stands for the field's value
  Primitive primitive = Primitive::none;
  /// False when the encoding cannot be known (a field of an undeclared or endless type). Events of
  /// such a type are skipped by size, its constant pool is unreadable.
  bool is_decodable = true;
  std::vector<Field> fields;
  std::vector<Annotation> annotations;

  [[nodiscard]] bool is_event() const noexcept { return super_type == "jdk.jfr.Event"; }
  /// Index of the first field of that name, or -1.
  [[nodiscard]] int field_index(std::string_view field_name) const noexcept;
  /// The text of the type's `jdk.jfr.Label`, empty when absent.
  [[nodiscard]] std::string_view label() const noexcept;
};

/// Name of version 1.0 (`com.oracle.jdk.X`, `com.oracle.jfr.types.X`) as later versions write it
/// (`jdk.X`, `jdk.types.X`); other names unchanged.
[[nodiscard]] std::string normalized_type_name(std::string_view name);

/// The types of one chunk. Immutable; chunks of one JVM usually share one object.
class Metadata {
 public:
  /// Takes the types in the order of declaration. Of several types with one id the first counts.
  explicit Metadata(std::vector<Type> types, std::int64_t gmt_offset_ms = 0);

  [[nodiscard]] std::span<const Type> types() const noexcept { return types_; }
  /// The type with this id, or null.
  [[nodiscard]] const Type* find(TypeId id) const noexcept;
  /// The first type of this name (either spelling of `normalized_type_name`), or null.
  [[nodiscard]] const Type* find(std::string_view name) const noexcept;
  /// Offset of local time from UTC as recorded, for display only.
  [[nodiscard]] std::int64_t gmt_offset_ms() const noexcept { return gmt_offset_ms_; }

 private:
  std::vector<Type> types_;
  std::vector<std::pair<TypeId, std::uint32_t>> by_id_;  // sorted
  std::map<std::string, std::uint32_t, std::less<>> by_name_;
  std::int64_t gmt_offset_ms_;
};

}  // namespace jfrtree
