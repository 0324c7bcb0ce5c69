#include <cstdint>
#include <string>
#include <string_view>

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

/// A row for the root and for every node that the sample type reaches: the same tree as collapsed
/// stacks make. What is below a node without a total has none either.
template <typename WriteRow>
void for_each_row(const CallTree& tree, std::size_t sample_type, WriteRow write_row) {
  const std::vector<std::uint64_t>& total = tree.total.at(sample_type);
  for (std::size_t node = 0; node < tree.size(); ++node) {
    if (node == 0 || total[node] > 0) {
      write_row(tree.level[node], total[node], tree.self[sample_type][node], tree.frame[node]);
    }
  }
}

}  // namespace

void write_nested_set(Output& output, const CallTree& tree, std::size_t sample_type) {
  TextWriter writer(output);
  FrameTexts labels(*tree.frame_table, escape_csv, {}, "\n");
  writer.append("level,value,self,label\n");
  for_each_row(tree, sample_type,
               [&](std::uint64_t level, std::uint64_t value, std::uint64_t self, FrameId frame) {
                 writer.append(level, ',');
                 writer.append(value, ',');
                 writer.append(self, ',');
                 writer.append(labels[frame]);
               });
  writer.flush();
}

void write_nested_set_json(Output& output, const CallTree& tree, std::size_t sample_type) {
  TextWriter writer(output);
  FrameTexts labels(*tree.frame_table, internal::escape_json, ",\"label\":", "}");
  std::string_view before = "[\n";
  for_each_row(tree, sample_type,
               [&](std::uint64_t level, std::uint64_t value, std::uint64_t self, FrameId frame) {
                 writer.append(before);
                 writer.append("{\"level\":");
                 writer.append(level);
                 writer.append(",\"value\":");
                 writer.append(value);
                 writer.append(",\"self\":");
                 writer.append(self);
                 writer.append(labels[frame]);
                 before = ",\n";
               });
  writer.append("\n]\n");
  writer.flush();
}

}  // namespace jfrtree
