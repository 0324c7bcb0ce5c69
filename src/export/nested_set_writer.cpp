#include "export/nested_set_writer.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <jfrtree/export.hpp>

#include "export/frame_texts.hpp"
#include "export/text_writer.hpp"

namespace jfrtree {
namespace {

using internal::FrameTexts;
using internal::TextWriter;

/// Quotes a CSV field by RFC 4180 where it needs that.
bool escape_csv(std::string& escaped, std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    return false;
  }
  escaped += '"';
  for (const char character : text) {
    if (character == '"') {
      escaped += '"';
    }
    escaped += character;
  }
  escaped += '"';
  return true;
}

/// A row for the root and for every node that has a total in one of the columns: the same tree as
/// collapsed stacks make. What is below a node without a total has none either.
template <typename WriteRow>
void for_each_row(const CallTree& tree, std::span<const std::size_t> columns, WriteRow write_row) {
  const std::vector<std::uint64_t>& first = tree.total.at(columns.front());
  const std::vector<std::uint64_t>& last = tree.total.at(columns.back());
  for (std::size_t node = 0; node < tree.size(); ++node) {
    if (node == 0 || first[node] > 0 || last[node] > 0) {
      write_row(node);
    }
  }
}

}  // namespace

void write_nested_set(Output& output, const CallTree& tree, std::size_t sample_type) {
  internal::write_nested_set(output, tree, std::array{sample_type});
}

void write_nested_set_json(Output& output, const CallTree& tree, std::size_t sample_type) {
  internal::write_nested_set_json(output, tree, std::array{sample_type});
}

namespace internal {

void write_nested_set(Output& output, const CallTree& tree, std::span<const std::size_t> columns) {
  const bool has_right = columns.size() == 2;
  TextWriter writer(output);
  FrameTexts labels(*tree.frame_table, escape_csv, {}, has_right ? "," : "\n");
  writer.append(has_right ? "level,value,self,label,valueRight,selfRight\n"
                          : "level,value,self,label\n");
  const std::size_t left = columns.front();
  const std::size_t right = columns.back();
  for_each_row(tree, columns, [&](std::size_t node) {
    writer.append(std::uint64_t{tree.level[node]}, ',');
    writer.append(tree.total[left][node], ',');
    writer.append(tree.self[left][node], ',');
    writer.append(labels[tree.frame[node]]);
    if (has_right) {
      writer.append(tree.total[right][node], ',');
      writer.append(tree.self[right][node], '\n');
    }
  });
  writer.flush();
}

void write_nested_set_json(Output& output, const CallTree& tree,
                           std::span<const std::size_t> columns) {
  const bool has_right = columns.size() == 2;
  TextWriter writer(output);
  FrameTexts labels(*tree.frame_table, escape_json,
                    ",\"label\":", has_right ? ",\"valueRight\":" : "}");
  const std::size_t left = columns.front();
  const std::size_t right = columns.back();
  std::string_view before = "[\n";
  for_each_row(tree, columns, [&](std::size_t node) {
    writer.append(before);
    writer.append("{\"level\":");
    writer.append(std::uint64_t{tree.level[node]});
    writer.append(",\"value\":");
    writer.append(tree.total[left][node]);
    writer.append(",\"self\":");
    writer.append(tree.self[left][node]);
    writer.append(labels[tree.frame[node]]);
    if (has_right) {
      writer.append(tree.total[right][node]);
      writer.append(",\"selfRight\":");
      writer.append(tree.self[right][node], '}');
    }
    before = ",\n";
  });
  writer.append("\n]\n");
  writer.flush();
}

}  // namespace internal
}  // namespace jfrtree
