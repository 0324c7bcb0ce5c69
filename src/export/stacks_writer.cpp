#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <jfrtree/export.hpp>

#include "export/frame_texts.hpp"
#include "export/json_text.hpp"
#include "export/stack_line_writer.hpp"
#include "profile/walk_stacks.hpp"

namespace jfrtree {
namespace {

using internal::FrameTexts;
using internal::StackLineWriter;
using internal::walk_stacks;

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

void write_profile(Output& output, const Profile& profile) {
  if (profile.stacks.empty()) {
    return;
  }
  std::string begin = "{\"kind\":";
  internal::append_json_string(begin, profile.kind);
  begin += ",\"stack\":[";
  FrameTexts frame_texts(*profile.frame_table, internal::escape_json, ",");
  StackLineWriter lines(output, frame_texts, begin);
  if (profile.has_thread_frame) {
    FrameTexts thread_texts(*profile.frame_table, escape_thread, "],\"thread\":");
    const std::vector<StackSum> stacks = own_stacks(profile);
    walk_stacks(stacks, *profile.frame_ids, [&](const auto& stack, auto frames, auto shared) {
      lines.keep(shared);
      lines.begin_line(frames);
      lines.append(thread_texts[(*profile.frame_ids)[stack.first_frame - 1]].view());
      write_numbers(lines, profile, stack);
    });
  } else {
    walk_stacks(profile, [&](const StackSum& stack, auto frames, std::size_t shared) {
      lines.keep(shared);
      lines.begin_line(frames);
      lines.append("]");
      write_numbers(lines, profile, stack);
    });
  }
  lines.flush();
}

}  // namespace

void write_stacks(Output& output, std::span<const Profile> profiles) {
  for (const Profile* profile : sorted_by_kind(profiles)) {
    write_profile(output, *profile);
  }
}

}  // namespace jfrtree
