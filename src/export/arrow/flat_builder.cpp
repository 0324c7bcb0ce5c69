#include "export/arrow/flat_builder.hpp"

#include <algorithm>

namespace jfrtree::internal::arrow {

namespace {

constexpr std::size_t largest_alignment = 8;

}  // namespace

void FlatBuilder::put(const void* bytes, std::size_t count) {
  if (count > begin_) {
    const std::size_t used = bytes_.size() - begin_;
    std::vector<char> larger(2 * bytes_.size() + count);
    std::copy(bytes_.end() - static_cast<std::ptrdiff_t>(used), bytes_.end(),
              larger.end() - static_cast<std::ptrdiff_t>(used));
    bytes_ = std::move(larger);
    begin_ = bytes_.size() - used;
  }
  begin_ -= count;
  if (count > 0) std::memcpy(bytes_.data() + begin_, bytes, count);
}

void FlatBuilder::align(std::size_t alignment, std::size_t extra) {
  constexpr char zeros[largest_alignment] = {};
  const std::size_t over = (size() + extra) % alignment;
  if (over != 0) put(zeros, alignment - over);
}

void FlatBuilder::push_ref(Ref ref) {
  align(sizeof(std::uint32_t));
  // How far ahead of this very number it stands.
  const std::uint32_t distance =
      size() + static_cast<std::uint32_t>(sizeof(std::uint32_t)) - static_cast<std::uint32_t>(ref);
  put(&distance, sizeof distance);
}

FlatBuilder::Ref FlatBuilder::string(std::string_view text) {
  align(sizeof(std::uint32_t), text.size() + 1);
  put("", 1);
  put(text.data(), text.size());
  push(static_cast<std::uint32_t>(text.size()));
  return Ref{size()};
}

FlatBuilder::Ref FlatBuilder::vector(std::span<const Ref> elements) {
  for (std::size_t i = elements.size(); i-- > 0;) push_ref(elements[i]);
  push(static_cast<std::uint32_t>(elements.size()));
  return Ref{size()};
}

FlatBuilder::Ref FlatBuilder::structs(const void* bytes, std::size_t size_of_one,
                                      std::size_t count) {
  align(largest_alignment, size_of_one * count);
  put(bytes, size_of_one * count);
  push(static_cast<std::uint32_t>(count));
  return Ref{size()};
}

void FlatBuilder::begin_table() {
  fields_.clear();
  table_end_ = size();
}

FlatBuilder::Ref FlatBuilder::end_table() {
  push(std::int32_t{0});  // where the table of its fields will be
  const std::uint32_t table = size();
  unsigned count = 0;
  for (const auto& [field, position] : fields_) count = std::max(count, field + 1);
  std::vector<std::uint16_t> offsets(count + 2);
  offsets[0] = static_cast<std::uint16_t>(offsets.size() * sizeof(std::uint16_t));
  offsets[1] = static_cast<std::uint16_t>(table - table_end_);
  for (const auto& [field, position] : fields_) {
    offsets[field + 2] = static_cast<std::uint16_t>(table - position);
  }
  put(offsets.data(), offsets.size() * sizeof(std::uint16_t));
  const auto distance = static_cast<std::int32_t>(size() - table);
  std::memcpy(bytes_.data() + (bytes_.size() - table), &distance, sizeof distance);
  return Ref{table};
}

std::string_view FlatBuilder::finish(Ref root) {
  align(largest_alignment, sizeof(std::uint32_t));
  push_ref(root);
  return {bytes_.data() + begin_, size()};
}

}  // namespace jfrtree::internal::arrow
