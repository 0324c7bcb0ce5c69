#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "export/arrow/table.hpp"
#include "io/seeded_map.hpp"

namespace jfrtree::internal::arrow {

/// A column with its name and type, while a table is put together.
struct NamedColumn {
  Field field;
  ColumnPointer column;
};

/// Texts one behind the other: utf8, or large_utf8 where they have more than 2^31-1 bytes.
struct TextValues {
  std::string format;
  ColumnPointer column;
};
[[nodiscard]] TextValues text_values(std::span<const std::string_view> texts);

/// dictionary<int32, utf8>. An index that is negative is null.
[[nodiscard]] NamedColumn dictionary_column(std::string name, BufferBuilder<std::int32_t> indices,
                                            const TextValues& dictionary);

/// list<dictionary<int32, utf8>>; `offsets` has one more element than there are rows.
[[nodiscard]] NamedColumn list_column(std::string name, BufferBuilder<std::int32_t> offsets,
                                      NamedColumn elements);

/// uint32 without nulls.
[[nodiscard]] NamedColumn number_column(std::string name, BufferBuilder<std::uint32_t> numbers);
[[nodiscard]] NamedColumn share_column(std::string name, BufferBuilder<double> numbers);

/// Sums, some of which may be null: int64, or uint64 where one is above 2^63-1.
class SumColumn {
 public:
  void reserve(std::size_t size) { sums_.reserve(size); }
  void append(std::uint64_t sum) {
    sums_.push_back(sum);
    validity_.append_valid();
    highest_ |= sum;
  }
  void append_null() {
    sums_.push_back(0);
    validity_.append_null();
  }
  [[nodiscard]] bool is_large() const noexcept { return highest_ >> 63U != 0; }
  /// `is_large`: of any batch of the column.
  [[nodiscard]] NamedColumn finish(std::string name, FieldMetadata metadata, bool is_large);

 private:
  BufferBuilder<std::uint64_t> sums_;
  ValidityBuilder validity_;
  std::uint64_t highest_ = 0;
};

/// A struct column of columns that are equally long.
[[nodiscard]] NamedColumn make_batch(std::vector<NamedColumn> columns);

/// A table of one or several batches of one schema, that of the first.
[[nodiscard]] ArrowTable make_table(std::vector<NamedColumn> batches, FieldMetadata metadata);

/// Texts of a dictionary, of frames of one table or of several.
struct DictionaryTexts {
  std::vector<std::string_view> texts;
  SeededMap<std::string_view, std::int32_t> numbers;  ///< with several tables
  bool has_several_tables = false;

  /// Adds a text; `may_be_there`: unless it is there.
  [[nodiscard]] std::int32_t add(std::string_view text, bool may_be_there);
};

/// The frames that a column holds, numbered in the order of their ids.
class FrameDictionary {
 public:
  explicit FrameDictionary(const FrameTable& table)
      : table_(table), indices_(table.size() + 2, unused) {}

  void mark(FrameId frame) noexcept { indices_[place_of(frame)] = 0; }
  /// Adds the texts of what was marked to those of a dictionary; called once, before `index`.
  /// `is_thread`: without brackets.
  void add_to(DictionaryTexts& texts, bool is_thread = false);
  [[nodiscard]] std::int32_t index(FrameId frame) const noexcept {
    return indices_[place_of(frame)];
  }

 private:
  static constexpr std::int32_t unused = -1;

  /// `root_frame` and `other_frame` are in no table; they come last.
  [[nodiscard]] std::size_t place_of(FrameId frame) const noexcept {
    if (raw(frame) < table_.size()) return raw(frame);
    return table_.size() + (frame == root_frame ? 1 : 0);
  }

  const FrameTable& table_;
  std::vector<std::int32_t> indices_;
};

/// The name and unit of a sample type.
[[nodiscard]] FieldMetadata metadata_of(const SampleType& type);
/// Kind and whether it is a snapshot.
[[nodiscard]] FieldMetadata metadata_of(const Profile& profile);

}  // namespace jfrtree::internal::arrow
