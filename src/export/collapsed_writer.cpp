#include "export/collapsed_writer.hpp"

#include <vector>

#include <jfrtree/export.hpp>

#include "export/frame_texts.hpp"
#include "export/stack_line_writer.hpp"
#include "profile/collapsed_text.hpp"
#include "profile/walk_stacks.hpp"

namespace jfrtree {
namespace {

using internal::FrameTexts;
using internal::StackLineWriter;

constexpr std::string_view separator = ";";

void write_line(StackLineWriter& lines, std::span<const FrameId> frames, std::uint64_t number) {
  lines.begin_line(frames);
  lines.append(" ");
  lines.append(number);
  lines.append("\n");
}

/// No text of a frame is changed.
bool keep_text(std::string&, std::string_view) { return false; }

void write_lines(Output& output, const Profile& profile, std::size_t sample_type,
                 internal::EscapeText escape) {
  if (profile.stacks.empty()) {
    return;
  }
  FrameTexts texts(*profile.frame_table, escape, separator);
  StackLineWriter lines(output, texts);
  internal::walk_stacks(profile, [&](const StackSum& stack, auto frames, std::size_t shared) {
    lines.keep(shared);
    const std::uint64_t number = profile.number(stack, sample_type);
    if (number > 0) {
      write_line(lines, frames, number);
    }
  });
  lines.flush();
}

}  // namespace

void write_collapsed(Output& output, const Profile& profile, std::size_t sample_type) {
  write_lines(output, profile, sample_type, internal::append_collapsed_frame);
}

void write_raw_collapsed(Output& output, const Profile& profile, std::size_t sample_type) {
  write_lines(output, profile, sample_type, keep_text);
}

namespace internal {

void write_collapsed_tree(Output& output, const CallTree& tree, std::size_t sample_type) {
  const std::vector<std::uint64_t>& self = tree.self.at(sample_type);
  FrameTexts texts(*tree.frame_table, append_collapsed_frame, separator);
  StackLineWriter lines(output, texts);
  std::vector<FrameId> path;
  for (std::size_t node = 1; node < tree.size(); ++node) {
    path.resize(tree.level[node] - 1);
    lines.keep(path.size());
    path.push_back(tree.frame[node]);
    if (self[node] > 0) {
      write_line(lines, path, self[node]);
    }
  }
  lines.flush();
}

}  // namespace internal
}  // namespace jfrtree
