#include "export/collapsed_writer.hpp"

#include <jfrtree/export.hpp>

#include "export/frame_texts.hpp"
#include "export/stack_text.hpp"
#include "export/text_writer.hpp"
#include "profile/collapsed_text.hpp"

namespace jfrtree {
namespace {

void write_line(internal::TextWriter& writer, std::string_view stack, std::uint64_t number) {
  writer.append(stack);
  writer.append(' ');
  writer.append(number);
  writer.append('\n');
}

}  // namespace

void write_collapsed(Output& output, const Profile& profile, std::size_t sample_type) {
  internal::TextWriter writer(output);
  if (!profile.stacks.empty()) {
    internal::FrameTexts frame_texts(*profile.frame_table, internal::append_collapsed_frame);
    internal::StackText text(frame_texts, ';');
    for (const StackSum& stack : profile.stacks) {
      const std::uint64_t number = profile.number(stack, sample_type);
      if (number > 0) {
        text.set(profile.frames(stack));
        write_line(writer, text.view(), number);
      }
    }
  }
  writer.flush();
}

namespace internal {

void write_collapsed_tree(Output& output, const CallTree& tree, std::size_t sample_type) {
  const std::vector<std::uint64_t>& self = tree.self.at(sample_type);
  TextWriter writer(output);
  FrameTexts frame_texts(*tree.frame_table, append_collapsed_frame);
  StackText text(frame_texts, ';');
  for (std::size_t node = 1; node < tree.size(); ++node) {
    text.resize(tree.level[node] - 1);
    text.push(tree.frame[node]);
    if (self[node] > 0) {
      write_line(writer, text.view(), self[node]);
    }
  }
  writer.flush();
}

}  // namespace internal
}  // namespace jfrtree
