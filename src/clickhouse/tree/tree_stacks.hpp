#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include <jfrtree/clickhouse_tree.hpp>
#include <jfrtree/profile.hpp>

#include "clickhouse/tree/tree_frame_index.hpp"
#include "io/seeded_map.hpp"
#include "profile/stack_table.hpp"
#include "profile/text_table.hpp"

namespace jfrtree::internal {

/// Sums the stacks of rows and makes a profile of them. Frames have numbers in the order in which
/// they were met; in a profile they are ranks of their texts.
class TreeStacks {
 public:
  explicit TreeStacks(const TreeFilterOptions& options);

  /// The frame of a text.
  [[nodiscard]] FrameId frame_of_text(std::string_view text) {
    return frame_of_entry(text_index_.find(text), text);
  }

  /// The frames of texts, which is faster than one after the other.
  void frames_of_texts(std::span<const std::string_view> texts, FrameId* frames) {
    hashes_.resize(texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
      hashes_[i] = text_index_.prefetch(texts[i]);
    }
    constexpr std::size_t ahead = 8;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (i + ahead < texts.size()) {
        text_index_.prefetch_text(hashes_[i + ahead]);
      }
      frames[i] = frame_of_entry(text_index_.find(texts[i], hashes_[i]), texts[i]);
    }
  }

  /// The frame of an id, which may get its text before or after.
  [[nodiscard]] FrameId frame_of_id(std::uint64_t id) {
    RecentIds::Entry& entry = recent_ids_.slot(id);
    if (entry.id != id || entry.number > highest_number) {
      entry = {id, add_id(id)};
    }
    return FrameId{static_cast<std::uint32_t>(entry.number)};
  }

  /// Says what the text of an id is. False when it has another one.
  [[nodiscard]] bool name_id(std::uint64_t id, std::string_view text);

  /// Adds a stack; its number is for `set_value` until `sum_up` is called.
  [[nodiscard]] std::uint32_t add_stack(std::span<const FrameId> frames);
  /// Sets a value of a stack.
  void set_value(std::uint32_t stack, std::size_t column, std::uint64_t value) noexcept {
    (column == 0 ? waiting_[stack].count : waiting_[stack].value) = value;
  }
  /// To be called between rows. Sums what was added, when that is enough to be worth it. False when
  /// a sum would be larger than 64 bits.
  [[nodiscard]] bool sum_up() { return waiting_.size() < summed_at_once || sum_waiting(); }

  /// All stacks as a profile with a sample type for each value, and then none: what comes next is
  /// for another one. Throws FormatError for a frame without a text.
  [[nodiscard]] Profile take_profile();
  [[nodiscard]] std::uint64_t repaired_texts() const noexcept { return repaired_texts_; }

 private:
  struct Waiting {
    std::size_t first_frame = 0;
    std::size_t frame_count = 0;
    std::uint64_t count = 0;
    std::uint64_t value = 0;
  };

  static constexpr std::size_t summed_at_once = 256;
  static constexpr std::uint32_t highest_number = 0xFFFF'FFF0U;

  [[nodiscard]] FrameId frame_of_entry(TextIndex::Entry& entry, std::string_view text) {
    return FrameId{entry.text != nullptr ? entry.number : add_text(text, entry)};
  }
  [[nodiscard]] std::uint32_t add_text(std::string_view text, TextIndex::Entry& entry);
  [[nodiscard]] std::uint32_t add_id(std::uint64_t id);
  [[nodiscard]] bool sum_waiting();
  void check_texts() const;
  void forget_texts();
  [[nodiscard]] std::size_t frame_count() const noexcept;
  [[nodiscard]] std::string_view text_of(std::uint32_t frame) const;
  void make_profile_stacks(Profile& profile, std::vector<FrameId>& frames) const;
  /// Turns frames into ranks among the texts of those that are used.
  [[nodiscard]] std::shared_ptr<const FrameTable> rank(std::vector<FrameId>& frames);
  void fold_small_stacks(Profile& profile, const std::vector<FrameId>& frames) const;

  const TreeFilterOptions& options_;
  bool has_ids_;
  TextIndex text_index_;
  std::vector<std::uint64_t> hashes_;
  RecentIds recent_ids_;
  std::unique_ptr<TextTable> texts_;
  SeededMap<std::uint64_t, std::uint32_t> ids_;
  std::vector<std::uint64_t> id_of_frame_;
  std::vector<std::uint32_t> text_of_frame_;  // of an id: number of its text + 1, 0: none yet
  StackTable stacks_;
  std::vector<Waiting> waiting_;  // to be summed, many at once: that waits less for memory
  std::vector<FrameId> waiting_frames_;
  std::vector<StackTable::NewRow> new_rows_;
  std::vector<std::uint32_t> rank_of_;  // by frame + 1, 0: not used; while ranks are made
  std::uint64_t repaired_texts_ = 0;
};

}  // namespace jfrtree::internal
