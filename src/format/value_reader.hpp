#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include <jfrtree/event.hpp>

#include "format/chunk_contents.hpp"
#include "format/text.hpp"

namespace jfrtree {

/// Makes values from bytes: one step at a time, nothing ahead.
class ValueReader {
 public:
  explicit ValueReader(const internal::ChunkContents& contents) : contents_(contents) {}

  /// The value of a field that begins at `bytes` (which may go on behind it).
  [[nodiscard]] Value field(const Field& field, std::span<const std::byte> bytes) const;
  /// One element of an array field.
  [[nodiscard]] Value element(const Field& field, std::span<const std::byte> bytes) const;
  /// An inline value of a type.
  [[nodiscard]] Value inline_value(const Type& type, const Field* field,
                                   std::span<const std::byte> bytes) const;
  /// The constant of a type by key; null when there is none.
  [[nodiscard]] Value constant(const Type& type, ConstantKey key) const;
  /// Field number `index` of a struct whose bytes begin at `bytes`; null when they end before.
  [[nodiscard]] Value member(const Type& type, std::size_t index,
                             std::span<const std::byte> bytes) const;
  /// Text of a string value, references into the string pool followed.
  [[nodiscard]] std::string text(std::span<const std::byte> bytes) const;

 private:
  /// The string at `bytes`, references into the string pool followed; nothing for null, for a key
  /// without an entry and for a loop of references.
  [[nodiscard]] std::optional<internal::StringValue> find_string(
      std::span<const std::byte> bytes) const;
  void read_number(Value& value, Primitive primitive, internal::ByteReader& reader) const;

  const internal::ChunkContents& contents_;
};

}  // namespace jfrtree
