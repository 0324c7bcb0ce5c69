#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <jfrtree/profile.hpp>

#include "export/arrow/columns.hpp"

namespace jfrtree::internal::arrow {

/// The stacks of a profile in the order of the tables: by their own frames, then by thread. Keeps a
/// reference to the profile.
class StackRows {
 public:
  explicit StackRows(const Profile& profile);

  [[nodiscard]] std::size_t size() const noexcept {
    return order_.empty() ? stacks_.size() : order_.size();
  }
  [[nodiscard]] const StackSum& stack(std::size_t row) const noexcept {
    return stacks_[order_.empty() ? row : order_[row]];
  }
  /// Frames without the thread.
  [[nodiscard]] std::span<const FrameId> frames(std::size_t row) const noexcept {
    return profile_.frames(stack(row)).subspan(profile_.has_thread_frame ? 1 : 0);
  }
  [[nodiscard]] const Profile& profile() const noexcept { return profile_; }
  /// Whether a row has the same frames as the row before.
  [[nodiscard]] bool repeats(std::size_t row) const noexcept;

 private:
  const Profile& profile_;
  std::span<const StackSum> stacks_;
  std::vector<std::uint32_t> order_;  // empty: as they are
};

/// Elements that fit behind 32-bit offsets. Tests take less.
inline constexpr std::size_t most_list_elements = std::numeric_limits<std::int32_t>::max();

/// As the public functions, with batches of at most so many frames.
[[nodiscard]] ArrowTable stacks_table(const Profile& profile, std::size_t most_frames);
[[nodiscard]] ArrowTable profiles_table(std::span<const Profile> profiles, std::size_t most_frames);

}  // namespace jfrtree::internal::arrow
