#include <algorithm>
#include <utility>

#include "export/arrow/columns.hpp"
#include "profile/build_tree.hpp"
#include "profile/pruned_tree.hpp"
#include "profile/saturating_add.hpp"
#include "profile/stack_order.hpp"

namespace jfrtree {

using internal::arrow::BufferBuilder;
using internal::arrow::ColumnPointer;
using internal::arrow::DictionaryTexts;
using internal::arrow::FieldMetadata;
using internal::arrow::FrameDictionary;
using internal::arrow::NamedColumn;
using internal::arrow::SumColumn;

namespace {

/// A column of one frame a row. `frame_of(row)` is called twice for each.
template <typename FrameOf>
[[nodiscard]] NamedColumn frame_column(const FrameTable& table, std::size_t rows,
                                       FrameOf frame_of) {
  FrameDictionary dictionary(table);
  for (std::size_t row = 0; row < rows; ++row) dictionary.mark(frame_of(row));
  DictionaryTexts texts;
  dictionary.add_to(texts);
  BufferBuilder<std::int32_t> indices;
  indices.reserve(rows);
  for (std::size_t row = 0; row < rows; ++row) indices.push_back(dictionary.index(frame_of(row)));
  return internal::arrow::dictionary_column("frame", std::move(indices),
                                            internal::arrow::text_values(texts.texts));
}

/// `number_of(row)` as a column of sums.
template <typename NumberOf>
[[nodiscard]] NamedColumn sum_column(std::string name, const SampleType& type, std::size_t rows,
                                     NumberOf number_of) {
  SumColumn sums;
  sums.reserve(rows);
  for (std::size_t row = 0; row < rows; ++row) sums.append(number_of(row));
  const bool is_large = sums.is_large();
  return sums.finish(std::move(name), internal::arrow::metadata_of(type), is_large);
}

template <typename NumberOf>
[[nodiscard]] NamedColumn share_column(std::string name, std::size_t rows, std::uint64_t total,
                                       NumberOf number_of) {
  BufferBuilder<double> shares;
  shares.reserve(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    shares.push_back(total == 0 ? 0.0
                                : static_cast<double>(number_of(row)) / static_cast<double>(total));
  }
  return internal::arrow::share_column(std::move(name), std::move(shares));
}

[[nodiscard]] ArrowTable table_of(std::vector<NamedColumn> columns, FieldMetadata metadata) {
  std::vector<NamedColumn> batches;
  batches.push_back(internal::arrow::make_batch(std::move(columns)));
  return internal::arrow::make_table(std::move(batches), std::move(metadata));
}

/// The parents of all nodes; the first one has none.
[[nodiscard]] NamedColumn parent_column(const CallTree& tree) {
  BufferBuilder<std::uint32_t> parents;
  internal::arrow::ValidityBuilder validity;
  parents.reserve(tree.size());
  for (std::size_t node = 0; node < tree.size(); ++node) {
    parents.push_back(raw(tree.parent[node]));
    if (node == 0) {
      validity.append_null();
    } else {
      validity.append_valid();
    }
  }
  auto column = std::make_shared<internal::arrow::Column>();
  column->length = static_cast<std::int64_t>(tree.size());
  column->null_count = static_cast<std::int64_t>(validity.null_count());
  column->buffers = {validity.finish(), parents.finish()};
  return {internal::arrow::Field{"parent", "I"}, std::move(column)};
}

[[nodiscard]] ArrowTable tree_table_of(const CallTree& tree, std::size_t sample_type,
                                       FieldMetadata metadata) {
  const SampleType& type = tree.sample_types.at(sample_type);
  const std::size_t rows = tree.size();
  BufferBuilder<std::uint32_t> nodes;
  nodes.reserve(rows);
  for (std::size_t node = 0; node < rows; ++node) {
    nodes.push_back(static_cast<std::uint32_t>(node));
  }
  BufferBuilder<std::uint32_t> levels;
  levels.append(tree.level.data(), rows);
  std::vector<NamedColumn> columns;
  columns.push_back(internal::arrow::number_column("node", std::move(nodes)));
  columns.push_back(parent_column(tree));
  columns.push_back(internal::arrow::number_column("level", std::move(levels)));
  columns.push_back(
      frame_column(*tree.frame_table, rows, [&](std::size_t node) { return tree.frame[node]; }));
  columns.push_back(sum_column("self", type, rows,
                               [&](std::size_t node) { return tree.self[sample_type][node]; }));
  columns.push_back(sum_column("total", type, rows,
                               [&](std::size_t node) { return tree.total[sample_type][node]; }));
  return table_of(std::move(columns), std::move(metadata));
}

}  // namespace

ArrowTable tree_table(const CallTree& tree, std::size_t sample_type) {
  return tree_table_of(tree, sample_type, {});
}

ArrowTable tree_table(const Profile& profile, const TreeTableOptions& options) {
  internal::StackOrder order(profile, options.reverse, options.tree_nodes);
  const bool is_above_max = options.max_nodes != 0 && order.node_count() - 1 > options.max_nodes;
  const PruneOptions limits{.sample_type = options.sample_type,
                            .max_nodes = options.max_nodes,
                            .min_width = options.min_width};
  const CallTree tree = is_above_max || options.min_width > 0
                            ? internal::build_pruned_tree(profile, order, limits)
                            : internal::build_call_tree(profile, std::move(order));
  return tree_table_of(tree, options.sample_type, internal::arrow::metadata_of(profile));
}

ArrowTable top_table(const Profile& profile, std::size_t sample_type, bool by_total,
                     std::size_t rows) {
  const SampleType& type = profile.sample_types.at(sample_type);
  const std::vector<MethodSums> methods = method_sums(profile, sample_type, by_total);
  rows = std::min(rows, methods.size());
  std::uint64_t total = 0;
  for (const StackSum& stack : profile.stacks) {
    internal::add_saturated(total, profile.number(stack, sample_type));
  }
  const auto self_of = [&](std::size_t row) { return methods[row].self[sample_type]; };
  const auto total_of = [&](std::size_t row) { return methods[row].total[sample_type]; };
  std::vector<NamedColumn> columns;
  columns.push_back(frame_column(*profile.frame_table, rows,
                                 [&](std::size_t row) { return methods[row].frame; }));
  columns.push_back(sum_column("self", type, rows, self_of));
  columns.push_back(sum_column("total", type, rows, total_of));
  columns.push_back(share_column("self_share", rows, total, self_of));
  columns.push_back(share_column("total_share", rows, total, total_of));
  return table_of(std::move(columns), internal::arrow::metadata_of(profile));
}

ArrowTable diff_table(const DiffProfile& diff, std::size_t sample_type, Comparison comparison) {
  const SampleType& type = diff.left.sample_types.at(sample_type);
  const std::vector<MethodDiff> methods = method_diffs(diff, sample_type, comparison);
  const auto column = [&](const char* name, MethodSums MethodDiff::*side,
                          std::vector<std::uint64_t> MethodSums::*sums) {
    return sum_column(name, type, methods.size(), [&, side, sums](std::size_t row) {
      return (methods[row].*side.*sums)[sample_type];
    });
  };
  std::vector<NamedColumn> columns;
  columns.push_back(frame_column(*diff.left.frame_table, methods.size(),
                                 [&](std::size_t row) { return methods[row].frame; }));
  columns.push_back(column("self_left", &MethodDiff::left, &MethodSums::self));
  columns.push_back(column("self_right", &MethodDiff::right, &MethodSums::self));
  columns.push_back(column("total_left", &MethodDiff::left, &MethodSums::total));
  columns.push_back(column("total_right", &MethodDiff::right, &MethodSums::total));
  return table_of(std::move(columns), internal::arrow::metadata_of(diff.left));
}

}  // namespace jfrtree
