#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <jfrtree/export.hpp>

#include "export/frame_texts.hpp"
#include "export/json_text.hpp"
#include "export/stack_line_writer.hpp"
#include "export/write_stack_lines.hpp"

namespace jfrtree {
namespace {

using internal::FrameTexts;
using internal::StackLineWriter;
using internal::ThreadTeam;

/// A thread frame, `[name tid=N]`, as a JSON string without the brackets.
bool escape_thread(std::string& escaped, std::string_view text) {
  if (text.size() >= 2 && text.front() == '[' && text.back() == ']') {
    text = text.substr(1, text.size() - 2);
  }
  internal::append_json_string(escaped, text);
  return true;
}

std::vector<const Profile*> sorted_by_kind(std::span<const Profile> profiles) {
  std::vector<const Profile*> sorted;
  for (const Profile& profile : profiles) {
    sorted.push_back(&profile);
  }
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Profile* a, const Profile* b) { return a->kind < b->kind; });
  return sorted;
}

/// The stacks without their thread frames, sorted by their own frames, then by thread.
std::vector<StackSum> own_stacks(const Profile& profile) {
  std::vector<StackSum> stacks = profile.stacks;
  for (StackSum& stack : stacks) {
    ++stack.first_frame;
    --stack.frame_count;
  }
  std::stable_sort(stacks.begin(), stacks.end(), [&](const StackSum& a, const StackSum& b) {
    const auto left = profile.frames(a);
    const auto right = profile.frames(b);
    return std::lexicographical_compare(left.begin(), left.end(), right.begin(), right.end());
  });
  return stacks;
}

/// Writes the end of a line, behind the frames. Numbers that only some kinds have are called by
/// their units.
void write_numbers(StackLineWriter& lines, const Profile& profile, const StackSum& stack) {
  lines.append(",\"count\":");
  lines.append(stack.count);
  if (stack.has_value) {
    lines.append(",\"value\":");
    lines.append(stack.value);
  }
  for (std::size_t type = 2; type < profile.sample_types.size(); ++type) {
    lines.append(",\"");
    lines.append(profile.sample_types[type].unit);
    lines.append("\":");
    lines.append(profile.number(stack, type));
  }
  lines.append("}\n");
}

/// What the lines of a profile have in common.
struct LineForm {
  const Profile& profile;
  std::string begin;
};

/// Lines that one thread writes.
class JsonLines {
 public:
  JsonLines(Output& output, const LineForm& form)
      : form_(form),
        frame_texts_(*form.profile.frame_table, internal::escape_json, ","),
        lines_(output, frame_texts_, form.begin) {
    if (form.profile.has_thread_frame) {
      thread_texts_.emplace(*form.profile.frame_table, escape_thread, "],\"thread\":");
    }
  }

  void add(const StackSum& stack, std::span<const FrameId> frames, std::size_t shared) {
    lines_.keep(shared);
    lines_.begin_line(frames);
    if (thread_texts_) {
      const FrameId thread = (*form_.profile.frame_ids)[stack.first_frame - 1];
      lines_.append((*thread_texts_)[thread].view());
    } else {
      lines_.append("]");
    }
    write_numbers(lines_, form_.profile, stack);
  }
  void flush() { lines_.flush(); }

 private:
  const LineForm& form_;
  FrameTexts frame_texts_;
  std::optional<FrameTexts> thread_texts_;
  StackLineWriter lines_;
};

void write_profile(Output& output, const Profile& profile, ThreadTeam& team) {
  if (profile.stacks.empty()) {
    return;
  }
  LineForm form{profile, "{\"kind\":"};
  internal::append_json_string(form.begin, profile.kind);
  form.begin += ",\"stack\":[";
  const std::vector<StackSum> own =
      profile.has_thread_frame ? own_stacks(profile) : std::vector<StackSum>();
  internal::write_stack_lines<JsonLines>(output, profile.has_thread_frame ? own : profile.stacks,
                                         *profile.frame_ids, form, team);
}

}  // namespace

void write_stacks(Output& output, std::span<const Profile> profiles, unsigned threads) {
  ThreadTeam team(threads);
  for (const Profile* profile : sorted_by_kind(profiles)) {
    write_profile(output, *profile, team);
  }
}

}  // namespace jfrtree
