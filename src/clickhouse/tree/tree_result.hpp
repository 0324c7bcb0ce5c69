#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <jfrtree/call_tree.hpp>
#include <jfrtree/clickhouse_tree.hpp>

#include "export/text_writer.hpp"

namespace jfrtree::internal {

/// Writes trees as rows in the output format of the options, which must outlive it.
class TreeResultWriter {
 public:
  TreeResultWriter(TextWriter& writer, const TreeFilterOptions& options)
      : writer_(writer), options_(options) {}

  /// The rows of a tree; `with_count` puts a line with their number before them.
  void write_rows(const CallTree& tree, bool with_count);
  /// The tree as one row with one column: an array of nodes, or a text.
  void write_row(const CallTree& tree);

  /// Nodes that were written so far.
  [[nodiscard]] std::uint64_t nodes() const noexcept { return nodes_; }

 private:
  [[nodiscard]] bool is_binary() const noexcept {
    return options_.output_format == RowFormat::row_binary;
  }
  [[nodiscard]] bool is_shown(const CallTree& tree, std::size_t node) const noexcept;
  [[nodiscard]] std::uint64_t count_shown(const CallTree& tree) const noexcept;
  void write_text_shape(Output& output, const CallTree& tree) const;
  void write_text_rows(const CallTree& tree, bool with_count);
  void write_binary_node(const CallTree& tree, std::size_t node, bool with_position);
  void write_tsv_node(const CallTree& tree, std::size_t node, bool in_array);
  void append_number(std::uint64_t number);
  void append_narrow(std::uint32_t number);
  void append_length(std::uint64_t length);
  void append_text(std::string_view text, bool is_quoted);
  void append_text_row(std::string_view text);

  TextWriter& writer_;
  const TreeFilterOptions& options_;
  std::uint64_t nodes_ = 0;
  std::uint64_t position_ = 0;  // of the next row of a result
};

}  // namespace jfrtree::internal
