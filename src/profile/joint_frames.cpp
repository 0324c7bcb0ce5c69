#include "profile/joint_frames.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace jfrtree::internal {

JointFrames join_frames(const std::shared_ptr<const FrameTable>& left,
                        const std::shared_ptr<const FrameTable>& right) {
  if (!left || !right || left == right) {
    const std::shared_ptr<const FrameTable>& table = left ? left : right;
    return {table ? table : std::make_shared<FrameTable>(std::vector<std::string_view>{}, nullptr),
            {}};
  }
  JointFrames joint;
  std::vector<std::string_view> texts;
  const std::array tables{left.get(), right.get()};
  std::array<std::uint32_t, 2> next{0, 0};
  const auto has_more = [&](std::size_t side) { return next[side] < tables[side]->size(); };
  const auto text = [&](std::size_t side) { return tables[side]->text(FrameId{next[side]}); };
  while (has_more(0) || has_more(1)) {
    const std::string_view smallest = !has_more(0)   ? text(1)
                                      : !has_more(1) ? text(0)
                                                     : std::min(text(0), text(1));
    for (std::size_t side = 0; side < 2; ++side) {
      if (has_more(side) && text(side) == smallest) {
        joint.joint_ids[side].push_back(static_cast<std::uint32_t>(texts.size()));
        ++next[side];
      }
    }
    texts.push_back(smallest);
  }
  using Owners = std::pair<std::shared_ptr<const FrameTable>, std::shared_ptr<const FrameTable>>;
  joint.table =
      std::make_shared<FrameTable>(std::move(texts), std::make_shared<const Owners>(left, right));
  return joint;
}

}  // namespace jfrtree::internal
