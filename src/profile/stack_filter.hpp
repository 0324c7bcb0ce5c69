#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <jfrtree/profile.hpp>

#include "profile/filters.hpp"
#include "profile/text_table.hpp"

namespace jfrtree::internal {

/// Drops stacks and cuts them (`--include`, `--exclude`, `--focus`, `--skip`, `--depth`). Each text
/// is matched once. For the texts of one table, to which other threads may add some.
class StackFilter {
 public:
  /// References must outlive the filter.
  StackFilter(const Filters& filters, const FrameOptions& options, const TextTable& texts)
      : filters_(filters), options_(options), texts_(texts) {}

  /// A stack at the end of `frames`, text numbers root first: from `markers` on what is not to be
  /// looked at (`[truncated]`, `[no stack]`), from `begin` on frames and the class leaf. False when
  /// the stack is to be dropped; else it is cut in place.
  [[nodiscard]] bool apply(std::vector<FrameId>& frames, std::size_t markers, std::size_t begin);

 private:
  enum Answer : std::uint8_t { asked = 1, is_included = 2, is_excluded = 4, is_focus = 8 };

  [[nodiscard]] std::uint8_t look_at(FrameId frame);

  const Filters& filters_;
  const FrameOptions& options_;
  const TextTable& texts_;
  std::vector<std::uint8_t> answers_;  // by text number; 0: not asked yet
};

/// What patterns see of a frame's text: all but the line, the bytecode index and the frame type.
[[nodiscard]] std::string_view without_place(std::string_view text,
                                             const FrameOptions& options) noexcept;

/// Whether a text of collapsed stacks is one that stands for no frame: `[truncated]`, `[no stack]`.
[[nodiscard]] bool is_marker(std::string_view text) noexcept;
/// Whether it is a thread, `[name tid=N]`.
[[nodiscard]] bool is_thread_frame(std::string_view text) noexcept;

}  // namespace jfrtree::internal
