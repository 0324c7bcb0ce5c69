#include "export/html_payload.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>

#include <jfrtree/version.hpp>

#include "export/comparison_name.hpp"
#include "export/json_text.hpp"
#include "format/text.hpp"

namespace jfrtree::internal {
namespace {

/// Encodes columns into a small buffer and hands it on when it is full.
class ColumnWriter {
 public:
  explicit ColumnWriter(GzipWriter& gzip) : gzip_(gzip) {}

  /// For the columns that follow. In long columns of numbers looking for what came before is most
  /// of the time of a page, and makes it hardly smaller.
  void set_repeats(GzipWriter::Repeats repeats) {
    flush();
    gzip_.set_repeats(repeats);
  }

  void append(std::uint64_t value) {
    constexpr std::size_t longest_varint = 10;
    if (used_ + longest_varint > buffer_.size()) {
      flush();
    }
    for (; value >= 0x80U; value >>= 7U) {
      buffer_[used_++] = static_cast<char>((value & 0x7FU) | 0x80U);
    }
    buffer_[used_++] = static_cast<char>(value);
  }

  void flush() {
    gzip_.append({buffer_.data(), used_});
    used_ = 0;
  }

 private:
  GzipWriter& gzip_;
  std::array<char, std::size_t{1} << 14> buffer_{};
  std::size_t used_ = 0;
};

/// A field name, which needs no escapes, and the colon behind it.
void append_key(std::string& json, std::string_view name) {
  json += '"';
  json += name;
  json += "\":";
}

/// Titles and notes name files, whose names may be any bytes.
void append_repaired(std::string& json, std::string_view bytes) {
  std::string text;
  append_utf8(text, bytes);
  append_json_string(json, text);
}

/// `[…]` with `append_item` for each of `items`.
template <typename Items, typename AppendItem>
void append_array(std::string& json, const Items& items, AppendItem append_item) {
  json += '[';
  bool first = true;
  for (const auto& item : items) {
    if (!first) {
      json += ',';
    }
    first = false;
    append_item(item);
  }
  json += ']';
}

void append_decimal(std::string& json, double number) {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  json.append(digits.data(), end);
}

void append_cut(std::string& json, FrameNumbers& frames, const HtmlProfile& profile) {
  append_key(json, "cut");
  const CallTree& tree = profile.tree;
  if (std::find(tree.frame.begin(), tree.frame.end(), other_frame) == tree.frame.end()) {
    json += "null";
    return;
  }
  json += '{';
  append_key(json, "frame");
  frames.choose(*tree.frame_table);
  json += std::to_string(frames.number(other_frame));
  json += ',';
  append_key(json, "maxNodes");
  json += std::to_string(profile.max_nodes);
  json += ',';
  append_key(json, "minWidth");
  append_decimal(json, profile.min_width);
  json += '}';
}

void append_profile(std::string& json, FrameNumbers& frames, const HtmlProfile& profile,
                    std::size_t sides) {
  json += '{';
  append_key(json, "kind");
  append_json_string(json, profile.kind);
  json += ',';
  append_key(json, "snapshot");
  json += profile.is_snapshot ? "true," : "false,";
  append_key(json, "sampleTypes");
  const std::span<const SampleType> types = profile.tree.sample_types;
  append_array(json, types.first(types.size() / sides), [&](const SampleType& type) {
    json += '{';
    append_key(json, "name");
    append_json_string(json, type.name);
    json += ',';
    append_key(json, "unit");
    append_json_string(json, type.unit);
    json += '}';
  });
  json += ',';
  append_key(json, "defaultSampleType");
  json += std::to_string(profile.tree.default_sample_type);
  json += ',';
  append_key(json, "nodes");
  json += std::to_string(profile.tree.size());
  json += ',';
  append_key(json, "topRows");
  json += std::to_string(profile.methods.size());
  json += ',';
  append_cut(json, frames, profile);
  json += '}';
}

void append_sides(std::string& json, const HtmlSides& sides) {
  json += '{';
  append_key(json, "names");
  append_array(json, sides.names, [&](const std::string& name) { append_repaired(json, name); });
  json += ',';
  append_key(json, "spans");
  append_array(json, sides.span_ns, [&](const std::optional<std::uint64_t>& span) {
    json += span ? std::to_string(*span) : "null";
  });
  json += ',';
  append_key(json, "comparison");
  append_json_string(json, comparison_name(sides.comparison));
  json += '}';
}

std::string make_header(const HtmlPage& page, FrameNumbers& frames) {
  std::string json = "{";
  append_key(json, "version");
  json += "1,";
  append_key(json, "title");
  append_repaired(json, page.title);
  json += ',';
  append_key(json, "generator");
  append_json_string(json, "jfrtree " + std::string(version()));
  json += ',';
  append_key(json, "strings");
  append_array(json, frames.texts(),
               [&](std::string_view text) { append_json_string(json, text); });
  json += ',';
  append_key(json, "profiles");
  append_array(json, page.profiles, [&](const HtmlProfile& profile) {
    append_profile(json, frames, profile, page.side_count());
  });
  json += ',';
  append_key(json, "notes");
  append_array(json, page.notes, [&](const std::string& note) { append_repaired(json, note); });
  json += ',';
  append_key(json, "labels");
  append_array(json, page.labels, [&](const std::string& label) { append_repaired(json, label); });
  if (page.sides != nullptr) {
    json += ',';
    append_key(json, "diff");
    append_sides(json, *page.sides);
  }
  json += '}';
  return json;
}

/// Gives every frame of the page its number, in the order in which the columns name them.
void number_frames(FrameNumbers& frames, std::span<const HtmlProfile> profiles) {
  for (const HtmlProfile& profile : profiles) {
    frames.choose(*profile.tree.frame_table);
    for (const FrameId frame : profile.tree.frame) {
      frames.number(frame);
    }
    for (const MethodSums& method : profile.methods) {
      frames.number(method.frame);
    }
  }
}

/// From so many numbers on their compression is a part of the run that is felt.
constexpr std::size_t long_column = std::size_t{1} << 16;

void append_columns(ColumnWriter& columns, FrameNumbers& frames, const HtmlProfile& profile) {
  const CallTree& tree = profile.tree;
  frames.choose(*tree.frame_table);
  for (const std::uint32_t level : tree.level) {
    columns.append(level);
  }
  for (const FrameId frame : tree.frame) {
    columns.append(frames.number(frame));
  }
  const bool is_long = tree.size() >= long_column;
  if (is_long) {
    columns.set_repeats(GzipWriter::Repeats::runs);
  }
  for (const auto& self : tree.self) {
    std::for_each(self.begin(), self.end(), [&](std::uint64_t value) { columns.append(value); });
  }
  if (is_long) {
    columns.set_repeats(GzipWriter::Repeats::any);
  }
  for (const MethodSums& method : profile.methods) {
    columns.append(frames.number(method.frame));
  }
  for (const auto sums : {&MethodSums::self, &MethodSums::total}) {
    for (std::size_t type = 0; type < tree.sample_types.size(); ++type) {
      for (const MethodSums& method : profile.methods) {
        columns.append((method.*sums)[type]);
      }
    }
  }
}

}  // namespace

void FrameNumbers::choose(const FrameTable& table) {
  // Profiles of one reading share their table, so there is hardly ever more than one.
  const auto known = std::find_if(tables_.begin(), tables_.end(),
                                  [&](const Numbers& each) { return each.table == &table; });
  const auto chosen = static_cast<std::size_t>(known - tables_.begin());
  if (known == tables_.end()) {
    tables_.push_back({&table, std::vector<std::uint32_t>(table.size() + 2, unnumbered)});
  }
  table_ = &table;
  frame_count_ = table.size();
  by_frame_ = tables_[chosen].by_frame.data();
}

std::uint32_t FrameNumbers::add(FrameId frame, std::size_t index) {
  by_frame_[index] = static_cast<std::uint32_t>(texts_.size());
  texts_.push_back(table_->text(frame));
  return by_frame_[index];
}

void write_html_payload(GzipWriter& gzip, const HtmlPage& page) {
  FrameNumbers frames;
  number_frames(frames, page.profiles);
  const std::string header = make_header(page, frames);
  std::string length;
  for (unsigned shift = 0; shift < 32; shift += 8) {
    length += static_cast<char>(header.size() >> shift & 0xFFU);
  }
  gzip.append(length);
  gzip.append(header);
  ColumnWriter columns(gzip);
  for (const HtmlProfile& profile : page.profiles) {
    append_columns(columns, frames, profile);
  }
  columns.flush();
}

}  // namespace jfrtree::internal
