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

namespace {

/// A line for each node that has one, with what `write_numbers` writes behind the frames.
template <typename HasLine, typename WriteNumbers>
void write_nodes(Output& output, const CallTree& tree, HasLine has_line,
                 WriteNumbers write_numbers) {
  FrameTexts texts(*tree.frame_table, append_collapsed_frame, separator);
  StackLineWriter lines(output, texts);
  std::vector<FrameId> path;
  for (std::size_t node = 1; node < tree.size(); ++node) {
    path.resize(tree.level[node] - 1);
    lines.keep(path.size());
    path.push_back(tree.frame[node]);
    if (has_line(node)) {
      lines.begin_line(path);
      write_numbers(lines, node);
      lines.append("\n");
    }
  }
  lines.flush();
}

void write_number(StackLineWriter& lines, std::uint64_t number) {
  lines.append(" ");
  lines.append(number);
}

}  // namespace

void write_collapsed_tree(Output& output, const CallTree& tree, std::size_t sample_type) {
  const std::vector<std::uint64_t>& self = tree.self.at(sample_type);
  write_nodes(
      output, tree, [&](std::size_t node) { return self[node] > 0; },
      [&](StackLineWriter& lines, std::size_t node) { write_number(lines, self[node]); });
}

void write_collapsed_sides(Output& output, const CallTree& tree, std::array<std::size_t, 2> columns,
                           const SideUnits& units) {
  const std::vector<std::uint64_t>& left = tree.self.at(columns[0]);
  const std::vector<std::uint64_t>& right = tree.self.at(columns[1]);
  write_nodes(
      output, tree, [&](std::size_t node) { return left[node] > 0 || right[node] > 0; },
      [&](StackLineWriter& lines, std::size_t node) {
        write_number(lines, left[node]);
        write_number(lines, units.right_as_left(right[node]));
      });
}

}  // namespace internal
}  // namespace jfrtree
