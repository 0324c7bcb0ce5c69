#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace jfrtree::internal::arrow {

/// Writes a FlatBuffer, the encoding of Arrow's metadata, from its end to its start: what is
/// referred to is written before what refers to it. Numbers are those of a little-endian machine.
class FlatBuilder {
 public:
  /// Something that was written, by its distance from the end of the buffer.
  enum class Ref : std::uint32_t {};

  [[nodiscard]] Ref string(std::string_view text);
  [[nodiscard]] Ref vector(std::span<const Ref> elements);
  /// A vector of structs, each `size` bytes, that hold 64-bit numbers.
  [[nodiscard]] Ref structs(const void* bytes, std::size_t size, std::size_t count);

  /// A table: begin, fields by their number in the schema, end. One at a time.
  void begin_table();
  template <typename Number>
  void add(unsigned field, Number number) {
    static_assert(std::is_arithmetic_v<Number>);
    push(number);
    fields_.emplace_back(field, size());
  }
  void add(unsigned field, Ref ref) {
    push_ref(ref);
    fields_.emplace_back(field, size());
  }
  [[nodiscard]] Ref end_table();

  /// The buffer, with `root` as its root; a multiple of 8 bytes. The builder is of no more use.
  [[nodiscard]] std::string_view finish(Ref root);

 private:
  [[nodiscard]] std::uint32_t size() const noexcept {
    return static_cast<std::uint32_t>(bytes_.size() - begin_);
  }
  /// Pads, so that what ends `extra` bytes further to the start is aligned.
  void align(std::size_t alignment, std::size_t extra = 0);
  void put(const void* bytes, std::size_t count);
  template <typename Number>
  void push(Number number) {
    align(sizeof(Number));
    put(&number, sizeof(Number));
  }
  void push_ref(Ref ref);

  std::vector<char> bytes_ = std::vector<char>(1024);
  std::size_t begin_ = 1024;
  std::vector<std::pair<unsigned, std::uint32_t>> fields_;  // of the open table
  std::uint32_t table_end_ = 0;
};

}  // namespace jfrtree::internal::arrow
