#include "export/stacks_writer.hpp"

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

const std::string& kind_of(const Profile& profile) { return profile.kind; }
const std::string& kind_of(const DiffProfile& diff) { return diff.left.kind; }

template <typename Item>
std::vector<const Item*> sorted_by_kind(std::span<const Item> items) {
  std::vector<const Item*> sorted;
  for (const Item& item : items) {
    sorted.push_back(&item);
  }
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Item* a, const Item* b) { return kind_of(*a) < kind_of(*b); });
  return sorted;
}

/// Takes the thread frames off stacks and sorts them by their own frames, then by thread.
void sort_by_own_frames(std::vector<StackSum>& stacks, const Profile& profile) {
  for (StackSum& stack : stacks) {
    ++stack.first_frame;
    --stack.frame_count;
  }
  std::stable_sort(stacks.begin(), stacks.end(), [&](const StackSum& a, const StackSum& b) {
    const auto left = profile.frames(a);
    const auto right = profile.frames(b);
    return std::lexicographical_compare(left.begin(), left.end(), right.begin(), right.end());
  });
}

/// Stacks that know their places, for finding them on both sides.
std::vector<StackSum> numbered_stacks(const Profile& profile) {
  std::vector<StackSum> stacks = profile.stacks;
  for (std::size_t index = 0; index < stacks.size(); ++index) {
    stacks[index].count = index;
  }
  return stacks;
}

/// Writes the numbers of a stack, `before` and `behind` included. Numbers that only some kinds have
/// are called by their units.
void write_numbers(StackLineWriter& lines, const Profile& profile, const StackSum& stack,
                   std::string_view before, std::string_view behind) {
  lines.append(before);
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
  lines.append(behind);
}

/// What the lines of a profile have in common.
struct LineForm {
  const Profile& profile;
  const Profile* right = nullptr;  ///< of a diff, in which the count of a stack is its index
  std::string begin{};
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
    if (form_.right == nullptr) {
      write_numbers(lines_, form_.profile, stack, ",\"count\":", "}\n");
    } else {
      const std::size_t index = stack.count;
      const Profile& left = form_.profile;
      const Profile& right = *form_.right;
      write_numbers(lines_, left, left.stacks[index], ",\"left\":{\"count\":", "}");
      write_numbers(lines_, right, right.stacks[index], ",\"right\":{\"count\":", "}}\n");
    }
  }
  void flush() { lines_.flush(); }

 private:
  const LineForm& form_;
  FrameTexts frame_texts_;
  std::optional<FrameTexts> thread_texts_;
  StackLineWriter lines_;
};

void write_profile(Output& output, const Profile& profile, const Profile* right, ThreadTeam& team) {
  if (profile.stacks.empty()) {
    return;
  }
  LineForm form{profile, right};
  form.begin = "{\"kind\":";
  internal::append_json_string(form.begin, profile.kind);
  form.begin += ",\"stack\":[";
  std::span<const StackSum> stacks = profile.stacks;
  std::vector<StackSum> own;
  if (right != nullptr || profile.has_thread_frame) {
    own = right != nullptr ? numbered_stacks(profile) : profile.stacks;
    if (profile.has_thread_frame) {
      sort_by_own_frames(own, profile);
    }
    stacks = own;
  }
  internal::write_stack_lines<JsonLines>(output, stacks, *profile.frame_ids, form, team);
}

}  // namespace

void write_stacks(Output& output, std::span<const Profile> profiles, unsigned threads) {
  ThreadTeam team(threads);
  for (const Profile* profile : sorted_by_kind(profiles)) {
    write_profile(output, *profile, nullptr, team);
  }
}

void internal::write_stacks_sides(Output& output, std::span<const DiffProfile> diffs,
                                  unsigned threads) {
  ThreadTeam team(threads);
  for (const DiffProfile* diff : sorted_by_kind(diffs)) {
    write_profile(output, diff->left, &diff->right, team);
  }
}

}  // namespace jfrtree
