#pragma once

#include "support/byte_writer.hpp"
#include "support/metadata_writer.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace jfrtree::test {

enum class TypeKind { plain, simple, event, annotation };

/// One field of a declared type.
struct FieldDeclaration {
  std::string name;
  std::string type;  // full name
  bool constant_pool = false;
  bool array = false;
  std::vector<std::pair<std::string, std::string>> annotations = {};  // type, value ("" for none)
};

struct TypeDeclaration {
  std::string name;
  std::uint64_t id = 0;
  TypeKind kind = TypeKind::plain;
  std::vector<FieldDeclaration> fields = {};
};

/// The value of one field, given by a test.
///   nullptr   null string, key 0, number 0, empty array
///   integer   number, boolean, or the key of a constant
///   string    inline string (or `pooled(key)`: a string by reference)
///   Bytes     the encoded field, as it is: for structs and arrays
class FieldValue {
 public:
  struct Pooled {
    std::uint64_t key;
  };

  FieldValue(std::nullptr_t) : value_(std::monostate{}) {}
  template <std::integral Integer>
  FieldValue(Integer value) : value_(static_cast<std::int64_t>(value)) {}
  FieldValue(double value) : value_(value) {}
  FieldValue(const char* text) : value_(std::string(text)) {}
  FieldValue(std::string text) : value_(std::move(text)) {}
  FieldValue(Pooled pooled) : value_(pooled) {}
  FieldValue(Bytes encoded) : value_(std::move(encoded)) {}
  FieldValue(const ByteWriter& encoded) : value_(encoded.bytes()) {}

  static FieldValue pooled(std::uint64_t key) { return FieldValue(Pooled{key}); }

  /// Throws std::invalid_argument when the value is not of the field's type.
  void encode(const FieldDeclaration& field, StringEncoding strings, ByteWriter& writer) const;

 private:
  [[nodiscard]] std::int64_t integer(const FieldDeclaration& field) const;
  [[nodiscard]] double number(const FieldDeclaration& field) const;

  std::variant<std::monostate, std::int64_t, double, std::string, Pooled, Bytes> value_;
};

using NamedValue = std::pair<std::string_view, FieldValue>;

/// Types of a chunk, declared in a short notation:
///
///   types.declare(TypeKind::event, "my.Event", 900,
///                 "long startTime @Timestamp(TICKS); String* tag; StackFrame[] frames; int n");
///
/// `*` is a reference into a constant pool, `[]` an array, `@A` or `@A(value)` the annotation
/// `jdk.jfr.A`. A type is named in full or by its last part; it may be declared later.
class TypeTable {
 public:
  TypeTable& declare(TypeKind kind, const std::string& name, std::uint64_t id,
                     std::string_view fields = {});

  /// By full name.
  [[nodiscard]] bool contains(std::string_view name) const;

  /// By full name or last part; throws std::out_of_range.
  [[nodiscard]] const TypeDeclaration& type(std::string_view name) const;
  [[nodiscard]] std::uint64_t id_of(std::string_view name) const { return type(name).id; }

  /// The payload of an event, or a constant: all fields in order, those not named as null or 0.
  /// A name that the type does not have is std::invalid_argument.
  [[nodiscard]] ByteWriter encode(std::string_view type_name, const std::vector<NamedValue>& values,
                                  StringEncoding strings, IntegerEncoding integers) const;

  /// The tree of the metadata event. Throws std::out_of_range when a field names a type that is
  /// not declared.
  [[nodiscard]] Element metadata() const;

 private:
  std::vector<TypeDeclaration> types_;
  std::map<std::string, std::size_t, std::less<>> by_name_;       // full names
  std::map<std::string, std::size_t, std::less<>> by_last_part_;  // annotations left out
};

}  // namespace jfrtree::test
