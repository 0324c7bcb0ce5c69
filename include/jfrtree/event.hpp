#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <jfrtree/chunk.hpp>
#include <jfrtree/ids.hpp>
#include <jfrtree/metadata.hpp>

namespace jfrtree {

class ValueElements;

/// Level 2: a value of an event or of a constant, read by metadata when it is asked for.
///
/// A value is a view: it stays valid as long as the `Chunk` it came from. References into constant
/// pools are followed by `resolve`, and by member access; chains of references may be cyclic, each
/// step is taken only when asked for.
class Value {
 public:
  enum class Kind : std::uint8_t {
    null,  ///< absent field, null string, key without an entry
    boolean,
    integer,
    floating,
    string,
    structure,
    array,
    reference,  ///< a key not followed yet
  };

  /// The null value.
  Value() = default;

  [[nodiscard]] Kind kind() const noexcept { return kind_; }
  [[nodiscard]] bool is_null() const noexcept { return kind_ == Kind::null; }
  /// The declared type. Null for the null value, and for a reference (or an array of references) to
  /// a type that the metadata does not declare.
  [[nodiscard]] const Type* type() const noexcept { return type_; }
  /// The declaring field (annotations, unit), or null.
  [[nodiscard]] const Field* field() const noexcept { return field_; }

  /// Numbers; booleans are 0 and 1, floating point is cut (NaN to 0, numbers beyond 64 bits to the
  /// nearest there is); 0 for anything else.
  [[nodiscard]] std::int64_t integer() const noexcept;
  [[nodiscard]] double number() const noexcept;
  /// The text of a string, of a simple type (`jdk.types.Symbol`, `jdk.types.ThreadState`) or of a
  /// reference to one: valid UTF-8, broken bytes repaired. Empty for anything else.
  [[nodiscard]] std::string text() const;

  /// Key of a reference, also after `resolve`.
  [[nodiscard]] std::optional<ConstantKey> key() const noexcept { return key_; }
  /// Follows a reference one step: the constant, or null when the pool has no such key.
  /// Anything else is returned unchanged.
  [[nodiscard]] Value resolve() const;

  /// Number of elements of an array, of fields of a struct; 0 for anything else.
  [[nodiscard]] std::size_t size() const noexcept;
  /// Element of an array or field of a struct by position; null when out of range. What stands
  /// before it is passed over each time: to go through all of them, use `elements`.
  [[nodiscard]] Value operator[](std::size_t index) const;
  /// All elements of an array or fields of a struct in order, in one pass; of a reference those of
  /// its constant. Nothing for anything else.
  [[nodiscard]] ValueElements elements() const;
  /// Field of a struct by name, references followed first; null when absent.
  [[nodiscard]] Value operator[](std::string_view name) const;
  /// A path of fields and elements, e.g. "method.type.name" or "frames.0.lineNumber".
  [[nodiscard]] Value at(std::string_view path) const;

 private:
  friend class Event;
  friend class ValueElements;
  friend class ValueReader;

  const internal::ChunkContents* contents_ = nullptr;
  const Type* type_ = nullptr;
  const Field* field_ = nullptr;
  std::span<const std::byte> bytes_;  // from the value's first byte (an array: element) on
  std::optional<ConstantKey> key_;
  Kind kind_ = Kind::null;
  std::int64_t integer_ = 0;
  double floating_ = 0;
  std::size_t size_ = 0;
};

/// The elements of a value, as `operator[]` gives them by position:
///
///     for (const Value frame : stack_trace["frames"].elements()) …
///
/// The range and its iterators are views: they stay valid as long as the `Chunk`, not the value.
class ValueElements {
 public:
  /// A forward iterator that makes each value when it is asked for.
  class Iterator {
   public:
    using iterator_concept = std::forward_iterator_tag;
    using iterator_category = std::input_iterator_tag;
    using value_type = Value;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = Value;

    Iterator() = default;
    [[nodiscard]] Value operator*() const;
    Iterator& operator++();
    Iterator operator++(int) {
      const Iterator before = *this;
      ++*this;
      return before;
    }
    /// Of iterators of one range.
    [[nodiscard]] bool operator==(const Iterator& other) const noexcept {
      return left_ == other.left_;
    }

   private:
    friend class ValueElements;

    const internal::ChunkContents* contents_ = nullptr;  // null: the bytes end before
    const Type* type_ = nullptr;
    const Field* field_ = nullptr;      // of an array; null: fields of `type_`
    std::span<const std::byte> bytes_;  // from the element on
    std::size_t left_ = 0;
  };

  [[nodiscard]] Iterator begin() const noexcept { return begin_; }
  [[nodiscard]] Iterator end() const noexcept { return {}; }
  [[nodiscard]] std::size_t size() const noexcept { return begin_.left_; }
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }

 private:
  friend class Value;

  explicit ValueElements(const Value& value) noexcept;

  Iterator begin_;
};

/// An event with named access to its fields.
class Event {
 public:
  /// Null fields throughout when the chunk does not declare the type.
  Event(const Chunk& chunk, const RawEvent& raw) noexcept;

  /// The declared type, or null.
  [[nodiscard]] const Type* type() const noexcept { return type_; }
  /// Name of the type as recorded, empty when undeclared.
  [[nodiscard]] std::string_view type_name() const noexcept;

  [[nodiscard]] std::size_t size() const noexcept;
  /// Field by position or name; null when absent or when the event is too short for it.
  [[nodiscard]] Value operator[](std::size_t index) const;
  [[nodiscard]] Value operator[](std::string_view name) const;
  /// A path, e.g. "stackTrace.frames.0.method.name".
  [[nodiscard]] Value at(std::string_view path) const;

  /// `startTime` in ns since the epoch; the chunk's start when the type has no such field.
  [[nodiscard]] std::int64_t start_ns() const;
  /// `duration` in ns, 0 when absent or negative.
  [[nodiscard]] std::uint64_t duration_ns() const;

 private:
  const internal::ChunkContents* contents_ = nullptr;
  const Type* type_ = nullptr;
  std::span<const std::byte> payload_;
};

/// A constant by type and key, e.g. to list a pool; null when there is none.
[[nodiscard]] Value find_constant(const Chunk& chunk, TypeId type, ConstantKey key);

}  // namespace jfrtree
