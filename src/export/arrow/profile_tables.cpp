#include <algorithm>
#include <deque>
#include <string>
#include <utility>

#include "export/arrow/stack_rows.hpp"

namespace jfrtree {

using internal::arrow::BufferBuilder;
using internal::arrow::DictionaryTexts;
using internal::arrow::FieldMetadata;
using internal::arrow::FrameDictionary;
using internal::arrow::NamedColumn;
using internal::arrow::StackRows;
using internal::arrow::SumColumn;
using internal::arrow::TextValues;

namespace {

/// The columns count, value and those of the further sample types, for rows of one or more
/// profiles.
class Sums {
 public:
  /// `further`: units of all further sample types that there are.
  explicit Sums(std::vector<std::string> further) : units_(std::move(further)) {
    further_.resize(units_.size());
  }

  void append(const Profile& profile, const StackSum& stack) {
    count_.append(stack.count);
    if (stack.has_value && profile.sample_types.size() > 1) {
      value_.append(stack.value);
    } else {
      value_.append_null();
    }
    for (std::size_t i = 0; i < units_.size(); ++i) {
      const std::size_t type = find_further(profile, i);
      if (type == 0) {
        further_[i].append_null();
      } else {
        further_[i].append(profile.number(stack, type));
      }
    }
  }

  [[nodiscard]] bool is_large() const noexcept {
    return count_.is_large() || value_.is_large() ||
           std::any_of(further_.begin(), further_.end(),
                       [](const SumColumn& column) { return column.is_large(); });
  }

  /// `one`: the profile that all rows are of, if there is but one.
  void finish(std::vector<NamedColumn>& columns, const Profile* one, bool is_large) {
    const auto metadata = [one](std::size_t type) {
      return one == nullptr || type >= one->sample_types.size()
                 ? FieldMetadata()
                 : internal::arrow::metadata_of(one->sample_types[type]);
    };
    columns.push_back(count_.finish("count", metadata(0), is_large));
    columns.push_back(value_.finish("value", metadata(1), is_large));
    for (std::size_t i = 0; i < units_.size(); ++i) {
      FieldMetadata of_unit =
          one == nullptr ? FieldMetadata{{"unit", units_[i]}} : metadata(find_further(*one, i));
      columns.push_back(further_[i].finish(units_[i], std::move(of_unit), is_large));
    }
  }

 private:
  /// The sample type of a profile with a unit; 0: it has none.
  [[nodiscard]] std::size_t find_further(const Profile& profile, std::size_t unit) const noexcept {
    for (std::size_t type = 2; type < profile.sample_types.size(); ++type) {
      if (profile.sample_types[type].unit == units_[unit]) return type;
    }
    return 0;
  }

  std::vector<std::string> units_;
  SumColumn count_;
  SumColumn value_;
  std::vector<SumColumn> further_;
};

[[nodiscard]] std::vector<std::string> further_units(std::span<const Profile> profiles) {
  std::vector<std::string> units;
  for (const Profile& profile : profiles) {
    for (std::size_t type = 2; type < profile.sample_types.size(); ++type) {
      const std::string& unit = profile.sample_types[type].unit;
      if (std::find(units.begin(), units.end(), unit) == units.end()) units.push_back(unit);
    }
  }
  return units;
}

/// Frames and threads of several profiles, as dictionaries.
class Dictionaries {
 public:
  explicit Dictionaries(std::span<const Profile> profiles) {
    for (const Profile& profile : profiles) add_table(*profile.frame_table);
    frame_texts_.has_several_tables = thread_texts_.has_several_tables = tables_.size() > 1;
    for (std::size_t i = 0; i < profiles.size(); ++i) mark(profiles[i], tables_[table_of_[i]]);
    for (Table& table : tables_) {
      table.frames.add_to(frame_texts_);
      table.threads.add_to(thread_texts_, true);
    }
    frames_ = internal::arrow::text_values(frame_texts_.texts);
    threads_ = internal::arrow::text_values(thread_texts_.texts);
  }

  [[nodiscard]] const TextValues& frames() const noexcept { return frames_; }
  [[nodiscard]] const TextValues& threads() const noexcept { return threads_; }
  [[nodiscard]] const FrameDictionary& frames_of(std::size_t profile) const {
    return tables_[table_of_[profile]].frames;
  }
  [[nodiscard]] std::int32_t thread_of(std::size_t number, const Profile& profile,
                                       const StackSum& stack) const {
    return profile.has_thread_frame
               ? tables_[table_of_[number]].threads.index(profile.frames(stack).front())
               : -1;
  }

 private:
  struct Table {
    explicit Table(const FrameTable& table) : key(&table), frames(table), threads(table) {}
    const FrameTable* key;
    FrameDictionary frames;
    FrameDictionary threads;
  };

  void add_table(const FrameTable& table) {
    const auto known = std::find_if(tables_.begin(), tables_.end(),
                                    [&table](const Table& one) { return one.key == &table; });
    table_of_.push_back(static_cast<std::size_t>(known - tables_.begin()));
    if (known == tables_.end()) tables_.emplace_back(table);
  }

  static void mark(const Profile& profile, Table& table) {
    for (const StackSum& stack : profile.stacks) {
      auto frames = profile.frames(stack);
      if (profile.has_thread_frame) {
        table.threads.mark(frames.front());
        frames = frames.subspan(1);
      }
      for (const FrameId frame : frames) table.frames.mark(frame);
    }
  }

  std::deque<Table> tables_;
  std::vector<std::size_t> table_of_;
  DictionaryTexts frame_texts_;
  DictionaryTexts thread_texts_;
  TextValues frames_;
  TextValues threads_;
};

/// The column of stacks of one batch.
class StackColumn {
 public:
  StackColumn() { offsets_.push_back(0); }

  [[nodiscard]] std::size_t frames() const noexcept { return indices_.size(); }
  [[nodiscard]] bool is_empty() const noexcept { return offsets_.size() == 1; }
  void append(std::span<const FrameId> frames, const FrameDictionary& dictionary) {
    std::int32_t* next = indices_.extend(frames.size());
    for (const FrameId frame : frames) *next++ = dictionary.index(frame);
    offsets_.push_back(static_cast<std::int32_t>(indices_.size()));
  }
  [[nodiscard]] NamedColumn finish(std::string name, const TextValues& texts) {
    NamedColumn elements = internal::arrow::dictionary_column("item", std::move(indices_), texts);
    NamedColumn column =
        internal::arrow::list_column(std::move(name), std::move(offsets_), std::move(elements));
    *this = StackColumn();
    return column;
  }

 private:
  BufferBuilder<std::int32_t> offsets_;
  BufferBuilder<std::int32_t> indices_;
};

/// Texts of a small dictionary, in the order of their first occurrence.
class Labels {
 public:
  [[nodiscard]] std::int32_t add(std::string_view text) { return texts_.add(text, true); }
  [[nodiscard]] TextValues finish() const { return internal::arrow::text_values(texts_.texts); }

 private:
  DictionaryTexts texts_;
};

/// What a batch of `profiles_table` is made of.
struct ProfileBatch {
  explicit ProfileBatch(std::vector<std::string> further) : sums(std::move(further)) {}
  BufferBuilder<std::int32_t> kinds;
  StackColumn stacks;
  BufferBuilder<std::int32_t> threads;
  Sums sums;
  BufferBuilder<std::int32_t> units;
};

/// The unit of values; a kind that only counts has none.
[[nodiscard]] std::int32_t unit_of_values(const Profile& profile, Labels& units) {
  return profile.sample_types.size() > 1 ? units.add(profile.sample_types[1].unit) : -1;
}

}  // namespace

ArrowTable samples_table(const Profile& profile) {
  const std::span profiles(&profile, 1);
  const Dictionaries dictionaries(profiles);
  const StackRows rows(profile);
  BufferBuilder<std::uint32_t> stack_ids;
  BufferBuilder<std::int32_t> threads;
  Sums sums(further_units(profiles));
  stack_ids.reserve(rows.size());
  threads.reserve(rows.size());
  std::uint32_t stack_id = 0;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const StackSum& stack = rows.stack(row);
    if (row > 0 && !rows.repeats(row)) ++stack_id;
    stack_ids.push_back(stack_id);
    threads.push_back(dictionaries.thread_of(0, profile, stack));
    sums.append(profile, stack);
  }
  std::vector<NamedColumn> columns;
  columns.push_back(internal::arrow::number_column("stack_id", std::move(stack_ids)));
  columns.push_back(
      internal::arrow::dictionary_column("thread", std::move(threads), dictionaries.threads()));
  const bool is_large = sums.is_large();
  sums.finish(columns, &profile, is_large);
  std::vector<NamedColumn> batches;
  batches.push_back(internal::arrow::make_batch(std::move(columns)));
  return internal::arrow::make_table(std::move(batches), internal::arrow::metadata_of(profile));
}

ArrowTable internal::arrow::stacks_table(const Profile& profile, std::size_t most_frames) {
  const Dictionaries dictionaries(std::span(&profile, 1));
  const StackRows rows(profile);
  std::vector<NamedColumn> batches;
  BufferBuilder<std::uint32_t> stack_ids;
  StackColumn stacks;
  const auto finish_batch = [&] {
    std::vector<NamedColumn> columns;
    columns.push_back(number_column("stack_id", std::exchange(stack_ids, {})));
    columns.push_back(stacks.finish("frames", dictionaries.frames()));
    batches.push_back(make_batch(std::move(columns)));
  };
  std::uint32_t stack_id = 0;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (rows.repeats(row)) continue;
    const std::span frames = rows.frames(row);
    if (!stacks.is_empty() && stacks.frames() + frames.size() > most_frames) finish_batch();
    stack_ids.push_back(stack_id++);
    stacks.append(frames, dictionaries.frames_of(0));
  }
  if (batches.empty() || !stacks.is_empty()) finish_batch();
  return make_table(std::move(batches), metadata_of(profile));
}

ArrowTable stacks_table(const Profile& profile) {
  return internal::arrow::stacks_table(profile, internal::arrow::most_list_elements);
}

ArrowTable internal::arrow::profiles_table(std::span<const Profile> profiles,
                                           std::size_t most_frames) {
  const Dictionaries dictionaries(profiles);
  Labels kinds;
  Labels units;
  std::deque<ProfileBatch> batches;
  batches.emplace_back(further_units(profiles));
  bool is_large = false;
  for (std::size_t number = 0; number < profiles.size(); ++number) {
    const Profile& profile = profiles[number];
    const std::int32_t kind = kinds.add(profile.kind);
    const std::int32_t unit = unit_of_values(profile, units);
    const StackRows rows(profile);
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const std::span frames = rows.frames(row);
      const StackColumn& last = batches.back().stacks;
      if (!last.is_empty() && last.frames() + frames.size() > most_frames) {
        batches.emplace_back(further_units(profiles));
      }
      ProfileBatch& batch = batches.back();
      const StackSum& stack = rows.stack(row);
      batch.kinds.push_back(kind);
      batch.stacks.append(frames, dictionaries.frames_of(number));
      batch.threads.push_back(dictionaries.thread_of(number, profile, stack));
      batch.sums.append(profile, stack);
      batch.units.push_back(unit);
    }
  }
  for (const ProfileBatch& batch : batches) is_large = is_large || batch.sums.is_large();
  const TextValues kind_texts = kinds.finish();
  const TextValues unit_texts = units.finish();
  std::vector<NamedColumn> finished;
  for (ProfileBatch& batch : batches) {
    std::vector<NamedColumn> columns;
    columns.push_back(dictionary_column("kind", std::move(batch.kinds), kind_texts));
    columns.push_back(batch.stacks.finish("stack", dictionaries.frames()));
    columns.push_back(
        dictionary_column("thread", std::move(batch.threads), dictionaries.threads()));
    batch.sums.finish(columns, nullptr, is_large);
    columns.push_back(dictionary_column("unit", std::move(batch.units), unit_texts));
    finished.push_back(make_batch(std::move(columns)));
  }
  return make_table(std::move(finished), {});
}

ArrowTable profiles_table(std::span<const Profile> profiles) {
  return internal::arrow::profiles_table(profiles, internal::arrow::most_list_elements);
}

}  // namespace jfrtree
