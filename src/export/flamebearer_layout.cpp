#include "export/flamebearer_layout.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>

#include "profile/saturating_add.hpp"

namespace jfrtree::internal {
namespace {

/// Calls `visit(node)` for the nodes that become bars, in pre-order.
template <typename Visit>
void for_each_drawn(const CallTree& tree, std::span<const std::size_t> columns, Visit visit) {
  const std::vector<std::uint64_t>& first = tree.total.at(columns.front());
  const std::vector<std::uint64_t>& last = tree.total.at(columns.back());
  for (std::size_t node = 0; node < tree.size(); ++node) {
    if (node == 0 || first[node] > 0 || last[node] > 0) {
      visit(node);
    }
  }
}

/// How many bars every level has.
std::vector<std::size_t> level_sizes(const CallTree& tree, std::span<const std::size_t> columns) {
  std::vector<std::size_t> sizes;
  for_each_drawn(tree, columns, [&](std::size_t node) {
    const std::size_t level = tree.level[node];
    if (level >= sizes.size()) {
      sizes.resize(level + 1);
    }
    ++sizes[level];
  });
  return sizes;
}

/// Numbers frames in the order of a walk that visits parents first and goes to the rightmost child
/// first. That is the reverse of the order in which a walk from the left leaves nodes: a frame
/// comes the earlier, the later one of its nodes is the last to be left.
class FrameOrder {
 public:
  explicit FrameOrder(const CallTree& tree)
      : tree_(tree), last_left_(tree.frame_table->size() + 1) {}

  /// Where a frame is in `numbers`; the last place is that of `(other)`.
  [[nodiscard]] std::uint32_t place(FrameId frame) const noexcept {
    return std::min(raw(frame), static_cast<std::uint32_t>(last_left_.size() - 1));
  }

  /// The next node in pre-order, which is not the root.
  void enter(std::size_t level, std::uint32_t place) {
    leave(level);
    path_.push_back(place);
  }

  /// The number of the name at each place. Adds the names to `names`. Call once, at the end.
  std::vector<std::uint32_t> numbers(std::string_view name_of_root, std::vector<FrameId>& names) {
    leave(1);
    std::vector<std::uint32_t> order;
    for (std::uint32_t place = 0; place < last_left_.size(); ++place) {
      if (last_left_[place] != 0) {
        order.push_back(place);
      }
    }
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return last_left_[a] > last_left_[b]; });
    std::vector<std::uint32_t> numbers(last_left_.size());
    for (const std::uint32_t place : order) {
      const bool is_other = place == last_left_.size() - 1;
      const FrameId frame = is_other ? other_frame : FrameId{place};
      if (is_other || tree_.frame_table->text(frame) != name_of_root) {
        names.push_back(frame);
        numbers[place] = static_cast<std::uint32_t>(names.size());
      }
    }
    return numbers;
  }

 private:
  /// Leaves the nodes at `level`, from 1 on, and deeper, the deepest first.
  void leave(std::size_t level) {
    for (; path_.size() >= level; path_.pop_back()) {
      last_left_[path_.back()] = ++left_count_;
    }
  }

  const CallTree& tree_;
  std::vector<std::uint64_t> last_left_;  // by place; 0: no node has the frame
  std::vector<std::uint32_t> path_;       // places of the nodes from level 1 on
  std::uint64_t left_count_ = 0;
};

/// Places bars level by level while nodes come in pre-order.
class Places {
 public:
  /// Takes the number of bars of each level.
  explicit Places(std::span<const std::size_t> sizes) : next_(sizes.size()) {
    std::exclusive_scan(sizes.begin(), sizes.end(), next_.begin(), std::size_t{0});
  }

  std::size_t next(std::size_t level) noexcept { return next_[level]++; }

 private:
  std::vector<std::size_t> next_;  // by level
};

/// The bars of one column.
std::vector<FlamebearerBar> place_bars(const CallTree& tree, std::span<const std::size_t> columns,
                                       std::size_t column, std::span<const std::size_t> sizes) {
  std::vector<FlamebearerBar> bars(std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}));
  Places places(sizes);
  std::vector<std::uint64_t> next_x(sizes.size());  // where the next child of the open node begins
  std::vector<std::uint64_t> ends(sizes.size());    // of the last bar of the level
  for_each_drawn(tree, columns, [&](std::size_t node) {
    const std::size_t level = tree.level[node];
    const std::uint64_t total = tree.total[column][node];
    const std::uint64_t self = tree.self[column][node];
    const std::uint64_t x = level == 0 ? 0 : next_x[level - 1];
    const std::uint64_t end = saturating_add(x, total);
    bars[places.next(level)] = {x - ends[level], total, self};
    ends[level] = end;
    next_x[level] = saturating_add(x, self);
    if (level > 0) {
      next_x[level - 1] = end;
    }
  });
  return bars;
}

/// The name of each bar, by its number. Adds the names to `names`.
std::vector<std::uint32_t> name_bars(const CallTree& tree, std::span<const std::size_t> columns,
                                     std::span<const std::size_t> sizes,
                                     std::vector<FrameId>& names) {
  std::vector<std::uint32_t> name(std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}));
  Places places(sizes);
  FrameOrder frames(tree);
  for_each_drawn(tree, columns, [&](std::size_t node) {
    const std::size_t level = tree.level[node];
    const std::size_t bar = places.next(level);
    if (level > 0) {
      name[bar] = frames.place(tree.frame[node]);
      frames.enter(level, name[bar]);
    }
  });
  const auto numbers = frames.numbers(columns.size() == 1 ? "total" : "", names);
  std::for_each(name.begin() + 1, name.end(),
                [&](std::uint32_t& number) { number = numbers[number]; });
  return name;
}

}  // namespace

FlamebearerLayout flamebearer_layout(const CallTree& tree, std::span<const std::size_t> columns) {
  const std::vector<std::size_t> sizes = level_sizes(tree, columns);
  FlamebearerLayout layout;
  layout.level_ends.resize(sizes.size());
  std::partial_sum(sizes.begin(), sizes.end(), layout.level_ends.begin());
  for (const std::size_t column : columns) {
    layout.bars.push_back(place_bars(tree, columns, column, sizes));
  }
  layout.name = name_bars(tree, columns, sizes, layout.names);
  return layout;
}

}  // namespace jfrtree::internal
