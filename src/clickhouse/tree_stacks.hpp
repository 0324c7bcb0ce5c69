#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include <jfrtree/clickhouse_tree.hpp>
#include <jfrtree/profile.hpp>

#include "clickhouse/tree_frame_cache.hpp"
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
    if (text.size() >= 8) {
      RecentTexts::Entry& entry = recent_texts_.slot(text);
      return FrameId{RecentTexts::holds(entry, text) ? entry.number : add_text(text, &entry)};
    }
    return FrameId{add_text(text, nullptr)};
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

  /// The number of a stack, to which values can be added.
  [[nodiscard]] std::uint32_t stack_of(std::span<const FrameId> frames);
  /// Adds to a value of a stack. False when the sum would be larger than 64 bits.
  [[nodiscard]] bool add(std::uint32_t stack, std::size_t column, std::uint64_t value) noexcept;

  /// All stacks as a profile with a sample type for each value, and then none: what comes next is
  /// for another one. Throws FormatError for a frame without a text.
  [[nodiscard]] Profile take_profile();
  [[nodiscard]] std::uint64_t repaired_texts() const noexcept { return repaired_texts_; }

 private:
  using Sums = std::array<std::uint64_t, 2>;

  static constexpr std::uint32_t highest_number = 0xFFFF'FFF0U;

  [[nodiscard]] std::uint32_t add_text(std::string_view text, RecentTexts::Entry* entry);
  [[nodiscard]] std::uint32_t add_id(std::uint64_t id);
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
  RecentTexts recent_texts_;
  RecentIds recent_ids_;
  std::unique_ptr<TextTable> texts_;
  SeededMap<std::uint64_t, std::uint32_t> ids_;
  std::vector<std::uint64_t> id_of_frame_;
  std::vector<std::uint32_t> text_of_frame_;  // of an id: number of its text + 1, 0: none yet
  StackTable stacks_;
  std::vector<Sums> sums_;              // by stack
  std::vector<FrameId> reversed_;       // of one stack
  std::vector<std::uint32_t> rank_of_;  // by frame + 1, 0: not used; while ranks are made
  std::uint64_t repaired_texts_ = 0;
};

}  // namespace jfrtree::internal
