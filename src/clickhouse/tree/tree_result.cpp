#include "clickhouse/tree/tree_result.hpp"

#include <array>
#include <bit>
#include <cstring>
#include <functional>
#include <utility>

#include <jfrtree/export.hpp>

#include "export/collapsed_writer.hpp"
#include "export/flamebearer_writer.hpp"
#include "profile/diff_tree.hpp"

namespace jfrtree::internal {
namespace {

/// Calls back for every line that is written to it.
class LineOutput final : public Output {
 public:
  explicit LineOutput(std::function<void(std::string_view)> take) : take_(std::move(take)) {}

  void write(std::string_view bytes) override {
    for (;;) {
      const std::size_t end = bytes.find('\n');
      if (end == std::string_view::npos) {
        rest_ += bytes;
        return;
      }
      if (rest_.empty()) {
        take_(bytes.substr(0, end));
      } else {
        rest_ += bytes.substr(0, end);
        take_(rest_);
        rest_.clear();
      }
      bytes.remove_prefix(end + 1);
    }
  }
  void commit() override {}

 private:
  std::function<void(std::string_view)> take_;
  std::string rest_;
};

/// The character behind the backslash, or 0 where none is needed.
char escape_of(char character) noexcept {
  switch (character) {
    case '\n':
      return 'n';
    case '\t':
      return 't';
    case '\r':
      return 'r';
    case '\b':
      return 'b';
    case '\f':
      return 'f';
    case '\0':
      return '0';
    case '\\':
    case '\'':
      return character;
    default:
      return 0;
  }
}

template <typename Number>
std::array<char, sizeof(Number)> little_endian(Number number) noexcept {
  std::array<char, sizeof(Number)> bytes{};
  for (char& byte : bytes) {
    byte = static_cast<char>(number & 0xFFU);
    number = static_cast<Number>(number >> 8);
  }
  return bytes;
}

}  // namespace

void TreeResultWriter::write_rows(const CallTree& tree, bool with_count) {
  if (options_.shape != TreeShape::nested_set) {
    write_text_rows(tree, with_count);
    return;
  }
  if (with_count) {
    writer_.append(count_shown(tree), '\n');
  }
  position_ = 0;
  for (std::size_t node = 0; node < tree.size(); ++node) {
    if (is_shown(tree, node)) {
      is_binary() ? write_binary_node(tree, node, true) : write_tsv_node(tree, node, false);
      ++position_;
      ++nodes_;
    }
  }
}

void TreeResultWriter::write_row(const CallTree& tree) {
  if (options_.shape != TreeShape::nested_set) {
    std::string text;
    const auto output = string_output(text);
    write_text_shape(*output, tree);
    if (!text.empty()) {
      text.pop_back();  // the last line feed
    }
    append_text_row(text);
    nodes_ += count_shown(tree);
    return;
  }
  const std::uint64_t count = count_shown(tree);
  if (is_binary()) {
    append_length(count);
  }
  bool is_first = true;
  for (std::size_t node = 0; node < tree.size(); ++node) {
    if (!is_shown(tree, node)) {
      continue;
    }
    if (is_binary()) {
      write_binary_node(tree, node, false);
    } else {
      writer_.append(std::string_view(is_first ? "[(" : ",("));
      write_tsv_node(tree, node, true);
    }
    is_first = false;
  }
  if (!is_binary()) {
    writer_.append(std::string_view("]\n"));
  }
  nodes_ += count;
}

// As in the other formats: nodes without a total are left out.
bool TreeResultWriter::is_shown(const CallTree& tree, std::size_t node) const noexcept {
  return node == 0 || tree.total.front()[node] > 0 || tree.total.back()[node] > 0;
}

std::uint64_t TreeResultWriter::count_shown(const CallTree& tree) const noexcept {
  std::uint64_t count = 0;
  for (std::size_t node = 0; node < tree.size(); ++node) {
    count += is_shown(tree, node) ? 1U : 0U;
  }
  return count;
}

void TreeResultWriter::write_text_shape(Output& output, const CallTree& tree) const {
  const bool has_right = options_.values == 2;
  if (options_.shape == TreeShape::flamebearer) {
    has_right ? write_flamebearer_sides(output, tree, side_columns(tree, 0))
              : write_flamebearer(output, tree, 0);
  } else {
    // Two numbers a line are as they are: who reads rows can scale them.
    has_right ? write_collapsed_sides(output, tree, side_columns(tree, 0), SideUnits())
              : write_collapsed_tree(output, tree, 0);
  }
}

void TreeResultWriter::write_text_rows(const CallTree& tree, bool with_count) {
  if (with_count) {
    std::uint64_t lines = 0;
    LineOutput counter([&](std::string_view) { ++lines; });
    write_text_shape(counter, tree);
    writer_.append(lines, '\n');
  }
  LineOutput output([this](std::string_view line) { append_text_row(line); });
  write_text_shape(output, tree);
  nodes_ += count_shown(tree);
}

void TreeResultWriter::write_binary_node(const CallTree& tree, std::size_t node,
                                         bool with_position) {
  if (with_position) {
    append_number(position_);
  }
  append_narrow(tree.level[node]);
  append_number(tree.total.front()[node]);
  append_number(tree.self.front()[node]);
  append_text(tree.text(node), false);
  if (options_.values == 2) {
    append_number(tree.total.back()[node]);
    append_number(tree.self.back()[node]);
  }
}

void TreeResultWriter::write_tsv_node(const CallTree& tree, std::size_t node, bool in_array) {
  const char between = in_array ? ',' : '\t';
  const char behind = in_array ? ')' : '\n';
  if (!in_array) {
    writer_.append(position_, between);
  }
  writer_.append(std::uint64_t{tree.level[node]}, between);
  writer_.append(tree.total.front()[node], between);
  writer_.append(tree.self.front()[node], between);
  append_text(tree.text(node), in_array);
  if (options_.values == 2) {
    writer_.append(between);
    writer_.append(tree.total.back()[node], between);
    writer_.append(tree.self.back()[node]);
  }
  writer_.append(behind);
}

void TreeResultWriter::append_number(std::uint64_t number) {
  const auto bytes = little_endian(number);
  writer_.append(std::string_view(bytes.data(), bytes.size()));
}

void TreeResultWriter::append_narrow(std::uint32_t number) {
  const auto bytes = little_endian(number);
  writer_.append(std::string_view(bytes.data(), bytes.size()));
}

void TreeResultWriter::append_length(std::uint64_t length) {
  for (; length >= 0x80; length >>= 7) {
    writer_.append(static_cast<char>((length & 0x7FU) | 0x80U));
  }
  writer_.append(static_cast<char>(length));
}

void TreeResultWriter::append_text(std::string_view text, bool is_quoted) {
  if (is_binary()) {
    append_length(text.size());
    writer_.append(text);
    return;
  }
  if (is_quoted) {
    writer_.append('\'');
  }
  std::size_t begin = 0;
  for (std::size_t index = 0; index < text.size(); ++index) {
    if (const char escaped = escape_of(text[index]); escaped != 0) {
      writer_.append(text.substr(begin, index - begin));
      writer_.append('\\');
      writer_.append(escaped);
      begin = index + 1;
    }
  }
  writer_.append(text.substr(begin));
  if (is_quoted) {
    writer_.append('\'');
  }
}

void TreeResultWriter::append_text_row(std::string_view text) {
  append_text(text, false);
  if (!is_binary()) {
    writer_.append('\n');
  }
}

}  // namespace jfrtree::internal
