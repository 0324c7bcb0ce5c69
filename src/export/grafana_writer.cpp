#include "export/grafana_writer.hpp"

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <jfrtree/export.hpp>

#include "export/frame_texts.hpp"
#include "export/json_text.hpp"
#include "export/text_writer.hpp"

namespace jfrtree {
namespace {

using internal::FrameTexts;
using internal::TextWriter;

/// The panel shows time, bytes or plain numbers by the unit of its values.
std::string_view grafana_unit(std::string_view unit) noexcept {
  if (unit == "nanoseconds") {
    return "ns";
  }
  return unit == "bytes" ? "bytes" : "short";
}

class FrameWriter {
 public:
  FrameWriter(TextWriter& writer, const CallTree& tree, std::span<const std::size_t> columns)
      : writer_(writer), tree_(tree), columns_(columns) {
    const std::vector<std::uint64_t>& left = tree.total.at(columns.front());
    const std::vector<std::uint64_t>& right = tree.total.at(columns.back());
    for (std::size_t node = 0; node < tree.size(); ++node) {
      // As in the other formats nodes without a total are left out.
      if (node == 0 || left[node] > 0 || right[node] > 0) {
        nodes_.push_back(node);
      }
    }
  }

  void write() {
    write_schema();
    writer_.append(R"(,"data":{"values":[)");
    write_levels();
    write_numbers(tree_.total[columns_.front()]);
    write_numbers(tree_.self[columns_.front()]);
    write_labels();
    if (has_right()) {
      write_numbers(tree_.total[columns_.back()]);
      write_numbers(tree_.self[columns_.back()]);
    }
    writer_.append("]}}\n");
  }

 private:
  [[nodiscard]] bool has_right() const noexcept { return columns_.size() == 2; }

  void write_schema() {
    const SampleType& sample_type = tree_.sample_types[columns_.front()];
    const std::string_view unit = grafana_unit(sample_type.unit);
    std::string name;
    internal::append_json_string(name, sample_type.full_name());
    writer_.append(R"({"schema":{"name":)");
    writer_.append(name);
    writer_.append(R"(,"meta":{"preferredVisualisationType":"flamegraph"},"fields":[)");
    writer_.append(R"({"name":"level","type":"number"})");
    write_field("value", unit);
    write_field("self", unit);
    writer_.append(R"(,{"name":"label","type":"string"})");
    if (has_right()) {
      write_field("valueRight", unit);
      write_field("selfRight", unit);
    }
    writer_.append("]}");
  }

  void write_field(std::string_view name, std::string_view unit) {
    writer_.append(R"(,{"name":")");
    writer_.append(name);
    writer_.append(R"(","type":"number","config":{"unit":")");
    writer_.append(unit);
    writer_.append(R"("}})");
  }

  void write_levels() {
    char before = '[';
    for (const std::size_t node : nodes_) {
      writer_.append(before);
      writer_.append(std::uint64_t{tree_.level[node]});
      before = ',';
    }
    writer_.append(']');
  }

  void write_numbers(const std::vector<std::uint64_t>& column) {
    std::string_view before = ",\n[";
    for (const std::size_t node : nodes_) {
      writer_.append(before);
      writer_.append(column[node]);
      before = ",";
    }
    writer_.append(']');
  }

  void write_labels() {
    FrameTexts labels(*tree_.frame_table, internal::escape_json);
    std::string_view before = ",\n[";
    for (const std::size_t node : nodes_) {
      writer_.append(before);
      writer_.append(labels[tree_.frame[node]]);
      before = ",";
    }
    writer_.append(']');
  }

  TextWriter& writer_;
  const CallTree& tree_;
  std::span<const std::size_t> columns_;
  std::vector<std::size_t> nodes_;  // that are shown
};

}  // namespace

void write_grafana(Output& output, const CallTree& tree, std::size_t sample_type) {
  internal::write_grafana(output, tree, std::array{sample_type});
}

void internal::write_grafana(Output& output, const CallTree& tree,
                             std::span<const std::size_t> columns) {
  TextWriter writer(output);
  FrameWriter(writer, tree, columns).write();
  writer.flush();
}

}  // namespace jfrtree
