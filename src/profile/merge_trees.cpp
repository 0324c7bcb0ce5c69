#include "profile/merge_trees.hpp"

#include <array>
#include <utility>
#include <vector>

#include "profile/joint_frames.hpp"
#include "profile/preorder_nodes.hpp"

namespace jfrtree::internal {
namespace {

/// The next node of one of the two trees.
struct Cursor {
  const CallTree* tree = nullptr;
  std::size_t column = 0;
  std::size_t node = 0;

  [[nodiscard]] bool is_done() const noexcept { return node == tree->size(); }
};

class Merger {
 public:
  Merger(std::array<Cursor, 2> cursors, const JointFrames& frames)
      : cursors_(cursors), frames_(frames) {
    result_.frame_table = frames.table;
    result_.self.resize(2);
    result_.total.resize(2);
    for (const Cursor& cursor : cursors) {
      result_.sample_types.push_back(cursor.tree->sample_types.at(cursor.column));
    }
  }

  CallTree merge() {
    while (!cursors_[0].is_done() || !cursors_[1].is_done()) {
      add_next();
    }
    return std::move(result_);
  }

 private:
  [[nodiscard]] std::uint32_t level(std::size_t side) const noexcept {
    return cursors_[side].tree->level[cursors_[side].node];
  }
  [[nodiscard]] FrameId frame(std::size_t side) const noexcept {
    return frames_.joint(side, cursors_[side].tree->frame[cursors_[side].node]);
  }

  /// Which sides have the node that comes next. The parents of both next nodes are open, so the
  /// deeper one lies below a node that is written already; on one level they have one parent.
  [[nodiscard]] std::array<bool, 2> sides_of_next() const noexcept {
    if (cursors_[0].is_done() || cursors_[1].is_done()) {
      return {!cursors_[0].is_done(), !cursors_[1].is_done()};
    }
    if (level(0) != level(1)) {
      return {level(0) > level(1), level(1) > level(0)};
    }
    return {frame(0) <= frame(1), frame(1) <= frame(0)};
  }

  void add_next() {
    const std::array<bool, 2> sides = sides_of_next();
    const std::size_t some_side = sides[0] ? 0 : 1;
    nodes_.close_to(level(some_side));
    nodes_.open(frame(some_side));
    for (std::size_t side = 0; side < 2; ++side) {
      Cursor& cursor = cursors_[side];
      const CallTree& tree = *cursor.tree;
      const bool has_node = sides[side];
      result_.self[side].push_back(has_node ? tree.self[cursor.column][cursor.node] : 0);
      result_.total[side].push_back(has_node ? tree.total[cursor.column][cursor.node] : 0);
      if (has_node) {
        ++cursor.node;
      }
    }
  }

  std::array<Cursor, 2> cursors_;
  const JointFrames& frames_;
  CallTree result_;
  PreorderNodes nodes_{result_};  // open: the node before and its ancestors
};

}  // namespace

CallTree merge_trees(const CallTree& left, std::size_t left_column, const CallTree& right,
                     std::size_t right_column) {
  const JointFrames frames = join_frames(left.frame_table, right.frame_table);
  return Merger({Cursor{&left, left_column}, Cursor{&right, right_column}}, frames).merge();
}

}  // namespace jfrtree::internal
