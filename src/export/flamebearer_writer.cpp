#include "export/flamebearer_writer.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <jfrtree/export.hpp>

#include "export/flamebearer_layout.hpp"
#include "export/flamebearer_units.hpp"
#include "export/json_text.hpp"
#include "export/text_writer.hpp"
#include "profile/cut_nodes.hpp"
#include "profile/merge_trees.hpp"
#include "profile/saturating_add.hpp"

namespace jfrtree {
namespace {

using internal::FlamebearerLayout;
using internal::saturating_add;
using internal::TextWriter;

/// The frame of a text, if a table has it.
std::optional<FrameId> find_frame(const FrameTable& table, std::string_view text) {
  for (std::uint32_t index = 0; index < table.size(); ++index) {
    if (table.text(FrameId{index}) == text) {
      return FrameId{index};
    }
  }
  return std::nullopt;
}

/// Pyroscope has one bar `other` per parent: a frame of that name becomes part of it, as a leaf.
/// Nothing when the tree has no such frame.
std::optional<CallTree> fold_frames_called_other(const CallTree& tree) {
  const std::optional<FrameId> folded = find_frame(*tree.frame_table, "other");
  if (!folded || std::find(tree.frame.begin(), tree.frame.end(), *folded) == tree.frame.end()) {
    return std::nullopt;
  }
  std::vector<bool> kept(tree.size());
  for (std::size_t node = 0; node < tree.size(); ++node) {
    kept[node] = tree.frame[node] != *folded;
  }
  return internal::cut_nodes(tree, kept);
}

/// Keeps the nodes that are large enough in one of the columns. The limit is the smallest of the
/// `max_nodes` largest, the root counted; all that tie with it stay.
CallTree prune_columns(const CallTree& merged, std::span<const std::size_t> columns,
                       std::uint64_t max_nodes) {
  std::vector<std::uint64_t> sizes(merged.size());
  for (const std::size_t column : columns) {
    for (std::size_t node = 0; node < sizes.size(); ++node) {
      sizes[node] = std::max(sizes[node], merged.total.at(column)[node]);
    }
  }
  std::vector<std::uint64_t> ranked = sizes;
  const std::uint64_t limit = internal::nth_largest(ranked, static_cast<std::size_t>(max_nodes));
  std::vector<bool> kept(merged.size());
  for (std::size_t node = 0; node < kept.size(); ++node) {
    kept[node] = sizes[node] >= limit;
  }
  return internal::cut_nodes(merged, kept);
}

/// Writes one document. `columns` is the tree's column, or the left and the right one.
class FlamebearerWriter {
 public:
  FlamebearerWriter(TextWriter& writer, const CallTree& tree, std::span<const std::size_t> columns)
      : writer_(writer),
        tree_(tree),
        columns_(columns),
        layout_(internal::flamebearer_layout(tree, columns)) {}

  void write() {
    writer_.append(R"({"version":1,"flamebearer":{"names":["total")");
    for (const FrameId frame : layout_.names) {
      writer_.append(',');
      write_string(frame == other_frame ? std::string_view("other")
                                        : tree_.frame_table->text(frame));
    }
    writer_.append(R"(],"levels":)");
    write_levels();
    std::uint64_t ticks = 0;
    for (const std::size_t column : columns_) {
      ticks = saturating_add(ticks, tree_.total[column][0]);
    }
    writer_.append(R"(,"numTicks":)");
    writer_.append(ticks);
    writer_.append(R"(,"maxSelf":)");
    writer_.append(max_self_);
    writer_.append('}');
    write_metadata();
    writer_.append(R"(,"timeline":null,"groups":null,"heatmap":null)");
    if (columns_.size() == 2) {
      write_ticks("leftTicks", tree_.total[columns_[0]][0]);
      write_ticks("rightTicks", tree_.total[columns_[1]][0]);
    }
    writer_.append("}\n");
  }

 private:
  void write_levels() {
    std::size_t begin = 0;
    for (const std::size_t end : layout_.level_ends) {
      writer_.append(begin == 0 ? "[[" : ",[");
      for (std::size_t bar = begin; bar < end; ++bar) {
        write_bar(bar, bar + 1 < end ? ',' : ']');
      }
      begin = end;
    }
    writer_.append(']');
  }

  void write_bar(std::size_t index, char behind) {
    for (const auto& bars : layout_.bars) {
      const internal::FlamebearerBar& bar = bars[index];
      writer_.append(bar.offset, ',');
      writer_.append(bar.total, ',');
      writer_.append(bar.self, ',');
      max_self_ = std::max(max_self_, bar.self);
    }
    writer_.append(std::uint64_t{layout_.name[index]}, behind);
  }

  void write_metadata() {
    const SampleType& sample_type = tree_.sample_types[columns_[0]];
    const internal::FlamebearerUnits units = internal::flamebearer_units(sample_type);
    writer_.append(R"(,"metadata":{"format":)");
    write_string(columns_.size() == 1 ? "single" : "double");
    writer_.append(R"(,"spyName":"javaspy","sampleRate":)");
    writer_.append(std::uint64_t{units.sample_rate});
    writer_.append(R"(,"units":)");
    write_string(units.units);
    writer_.append(R"(,"name":)");
    write_string(sample_type.name);
    writer_.append('}');
  }

  void write_ticks(std::string_view key, std::uint64_t ticks) {
    if (ticks != 0) {
      writer_.append(",\"");
      writer_.append(key);
      writer_.append("\":");
      writer_.append(ticks);
    }
  }

  void write_string(std::string_view text) {
    json_.clear();
    internal::append_json_string(json_, text);
    writer_.append(json_);
  }

  TextWriter& writer_;
  const CallTree& tree_;
  std::span<const std::size_t> columns_;
  FlamebearerLayout layout_;
  std::uint64_t max_self_ = 0;
  std::string json_;
};

void write_flamebearer(Output& output, const CallTree& tree, std::span<const std::size_t> columns) {
  const std::optional<CallTree> folded = fold_frames_called_other(tree);
  TextWriter writer(output);
  FlamebearerWriter(writer, folded ? *folded : tree, columns).write();
  writer.flush();
}

}  // namespace

void write_flamebearer(Output& output, const CallTree& tree, std::size_t sample_type) {
  write_flamebearer(output, tree, std::array{sample_type});
}

void internal::write_flamebearer_sides(Output& output, const CallTree& tree,
                                       std::array<std::size_t, 2> columns) {
  write_flamebearer(output, tree, columns);
}

CallTree internal::prune_flamebearer_sides(const CallTree& tree, std::array<std::size_t, 2> columns,
                                           std::uint64_t max_nodes) {
  return max_nodes != 0 && tree.size() > max_nodes ? prune_columns(tree, columns, max_nodes) : tree;
}

void write_flamebearer_diff(Output& output, const CallTree& left, const CallTree& right,
                            std::size_t sample_type, std::uint64_t max_nodes) {
  constexpr std::array<std::size_t, 2> columns{0, 1};
  const CallTree merged = internal::merge_trees(left, sample_type, right, sample_type);
  write_flamebearer(output, internal::prune_flamebearer_sides(merged, columns, max_nodes), columns);
}

}  // namespace jfrtree
