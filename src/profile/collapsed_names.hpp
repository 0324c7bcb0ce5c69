#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/seeded_map.hpp"

namespace jfrtree::internal {

/// A frame of collapsed stacks with the names of generated classes as `FrameOptions::normalize`
/// gives them for recordings. What is a class is told from the text: what stands before the last
/// dot, or all of a class leaf. Thread frames and marks stay.
[[nodiscard]] std::string normalized_frame_text(std::string_view frame);

/// Normalizes the frames of many stacks, each text once.
class CollapsedNames {
 public:
  /// Valid until the next call.
  [[nodiscard]] std::span<const std::string_view> normalize(
      std::span<const std::string_view> frames);

 private:
  SeededMap<std::string, std::string> known_;
  std::vector<std::string> texts_;
  std::vector<std::string_view> views_;
};

}  // namespace jfrtree::internal
