#include "export/collapsed_writer.hpp"

#include <vector>

#include <jfrtree/export.hpp>

#include "export/frame_texts.hpp"
#include "export/stack_line_writer.hpp"
#include "export/write_stack_lines.hpp"
#include "profile/collapsed_text.hpp"

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

/// What the lines of a profile have in common.
struct CollapsedForm {
  const Profile& profile;
  std::size_t sample_type;
  internal::EscapeText escape;
};

/// No text of a frame is changed.
bool keep_text(std::string&, std::string_view) { return false; }

/// Lines that one thread writes.
class CollapsedLines {
 public:
  CollapsedLines(Output& output, const CollapsedForm& form)
      : form_(form),
        texts_(*form.profile.frame_table, form.escape, separator),
        lines_(output, texts_) {}

  void add(const StackSum& stack, std::span<const FrameId> frames, std::size_t shared) {
    lines_.keep(shared);
    const std::uint64_t number = form_.profile.number(stack, form_.sample_type);
    if (number > 0) {
      write_line(lines_, frames, number);
    }
  }
  void flush() { lines_.flush(); }

 private:
  const CollapsedForm& form_;
  FrameTexts texts_;
  StackLineWriter lines_;
};

void write_lines(Output& output, const CollapsedForm& form, unsigned threads) {
  if (form.profile.stacks.empty()) {
    return;
  }
  internal::ThreadTeam team(threads);
  internal::write_stack_lines<CollapsedLines>(output, form.profile.stacks, *form.profile.frame_ids,
                                              form, team);
}

}  // namespace

void write_collapsed(Output& output, const Profile& profile, std::size_t sample_type,
                     unsigned threads) {
  write_lines(output, {profile, sample_type, internal::append_collapsed_frame}, threads);
}

void write_raw_collapsed(Output& output, const Profile& profile, std::size_t sample_type,
                         unsigned threads) {
  write_lines(output, {profile, sample_type, keep_text}, threads);
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
