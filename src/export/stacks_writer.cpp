#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <jfrtree/export.hpp>

#include "export/frame_texts.hpp"
#include "export/json_text.hpp"
#include "export/stack_text.hpp"
#include "export/text_writer.hpp"

namespace jfrtree {
namespace {

using internal::FrameTexts;
using internal::StackText;
using internal::TextWriter;

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

/// The frames of a stack behind its thread frame, if it has one.
std::span<const FrameId> own_frames(const Profile& profile, const StackSum& stack) {
  const auto frames = profile.frames(stack);
  return profile.has_thread_frame && !frames.empty() ? frames.subspan(1) : frames;
}

/// The stacks by their own frames, then by thread.
std::vector<const StackSum*> sorted_stacks(const Profile& profile) {
  std::vector<const StackSum*> sorted;
  sorted.reserve(profile.stacks.size());
  for (const StackSum& stack : profile.stacks) {
    sorted.push_back(&stack);
  }
  if (!profile.has_thread_frame) {
    return sorted;
  }
  std::stable_sort(sorted.begin(), sorted.end(), [&](const StackSum* a, const StackSum* b) {
    const auto left = own_frames(profile, *a);
    const auto right = own_frames(profile, *b);
    return std::lexicographical_compare(left.begin(), left.end(), right.begin(), right.end());
  });
  return sorted;
}

void write_profile(TextWriter& writer, const Profile& profile) {
  if (profile.stacks.empty()) {
    return;
  }
  std::string begin = "{\"kind\":";
  internal::append_json_string(begin, profile.kind);
  begin += ",\"stack\":[";
  FrameTexts frame_texts(*profile.frame_table, internal::escape_json);
  FrameTexts thread_texts(*profile.frame_table, escape_thread);
  StackText text(frame_texts, ',');
  for (const StackSum* stack : sorted_stacks(profile)) {
    text.set(own_frames(profile, *stack));
    writer.append(begin);
    writer.append(text.view());
    if (profile.has_thread_frame) {
      writer.append("],\"thread\":");
      writer.append(thread_texts[profile.frames(*stack).front()]);
      writer.append(",\"count\":");
    } else {
      writer.append("],\"count\":");
    }
    writer.append(stack->count);
    if (stack->has_value) {
      writer.append(",\"value\":");
      writer.append(stack->value);
    }
    writer.append("}\n");
  }
}

}  // namespace

void write_stacks(Output& output, std::span<const Profile> profiles) {
  TextWriter writer(output);
  for (const Profile* profile : sorted_by_kind(profiles)) {
    write_profile(writer, *profile);
  }
  writer.flush();
}

}  // namespace jfrtree
