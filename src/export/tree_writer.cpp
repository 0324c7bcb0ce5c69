#include <cstdint>
#include <string_view>

#include <jfrtree/export.hpp>

#include "export/frame_texts.hpp"
#include "export/text_writer.hpp"

namespace jfrtree {

void write_tree(Output& output, const CallTree& tree, std::size_t sample_type) {
  const std::vector<std::uint64_t>& total = tree.total.at(sample_type);
  internal::TextWriter writer(output);
  internal::FrameTexts names(*tree.frame_table, internal::escape_json, "{\"name\":", ",\"self\":");
  std::size_t open = 0;  // objects whose children are being written
  for (std::size_t node = 0; node < tree.size(); ++node) {
    if (node > 0 && total[node] == 0) {
      continue;  // nothing of this sample type, here or below
    }
    const bool has_sibling_before = open > tree.level[node];
    for (; open > tree.level[node]; --open) {
      writer.append("]}");
    }
    if (has_sibling_before) {
      writer.append(',');
    }
    writer.append(names[tree.frame[node]]);
    writer.append(tree.self[sample_type][node]);
    writer.append(",\"total\":");
    writer.append(total[node]);
    writer.append(",\"children\":[");
    ++open;
  }
  for (; open > 0; --open) {
    writer.append("]}");
  }
  writer.append('\n');
  writer.flush();
}

}  // namespace jfrtree
