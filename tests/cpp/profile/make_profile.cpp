#include "profile/make_profile.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <utility>

namespace jfrtree::test {
namespace {

/// Texts in byte order with a table that views them.
std::shared_ptr<const FrameTable> make_frame_table(const std::vector<Stack>& stacks) {
  std::set<std::string> sorted;
  for (const Stack& stack : stacks) {
    sorted.insert(stack.frames.begin(), stack.frames.end());
  }
  const auto texts = std::make_shared<const std::vector<std::string>>(sorted.begin(), sorted.end());
  std::vector<std::string_view> views(texts->begin(), texts->end());
  return std::make_shared<const FrameTable>(std::move(views), texts);
}

std::map<std::string_view, FrameId> ids_by_text(const FrameTable& table) {
  std::map<std::string_view, FrameId> ids;
  for (std::uint32_t id = 0; id < table.size(); ++id) {
    ids.emplace(table.text(FrameId{id}), FrameId{id});
  }
  return ids;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  for (const char character : text) {
    if (character == separator) {
      parts.emplace_back();
    } else {
      parts.back() += character;
    }
  }
  return parts;
}

std::map<std::vector<std::string>, StackSum> sum_equal_stacks(const std::vector<Stack>& stacks) {
  std::map<std::vector<std::string>, StackSum> sums;
  for (const Stack& stack : stacks) {
    StackSum& sum = sums[stack.frames];
    sum.count += stack.count;
    sum.value += stack.value.value_or(0);
    sum.has_value = sum.has_value || stack.value.has_value();
  }
  return sums;
}

}  // namespace

Profile make_profile(std::vector<Stack> stacks, std::string kind) {
  Profile profile;
  profile.kind = std::move(kind);
  profile.sample_types.push_back({"samples", "count"});
  const auto has_value = [](const Stack& stack) { return stack.value.has_value(); };
  if (std::any_of(stacks.begin(), stacks.end(), has_value)) {
    profile.sample_types.push_back({"alloc_space", "bytes"});
    profile.default_sample_type = 1;
  }
  profile.frame_table = make_frame_table(stacks);
  const auto ids = ids_by_text(*profile.frame_table);
  std::vector<FrameId> frame_ids;
  std::uint64_t value = 0;
  for (auto [frames, sum] : sum_equal_stacks(stacks)) {
    sum.first_frame = frame_ids.size();
    sum.frame_count = static_cast<std::uint32_t>(frames.size());
    for (const std::string& frame : frames) {
      frame_ids.push_back(ids.at(frame));
    }
    profile.stacks.push_back(sum);
    profile.count += sum.count;
    value += sum.value;
  }
  profile.event_count = profile.count;
  if (std::all_of(stacks.begin(), stacks.end(), has_value)) {
    profile.value = value;
  }
  profile.frame_ids = std::make_shared<const std::vector<FrameId>>(std::move(frame_ids));
  return profile;
}

Profile make_profile(std::string_view lines, std::string kind) {
  std::vector<Stack> stacks;
  for (const std::string& line : split(lines, '\n')) {
    std::istringstream fields(line);
    std::string frames;
    Stack stack;
    std::uint64_t value = 0;
    if (!(fields >> frames >> stack.count)) {
      continue;
    }
    stack.frames = split(frames, ';');
    if (fields >> value) {
      stack.value = value;
    }
    stacks.push_back(std::move(stack));
  }
  return make_profile(std::move(stacks), std::move(kind));
}

std::vector<Stack> stacks_of(const Profile& profile) {
  std::vector<Stack> stacks;
  for (const StackSum& sum : profile.stacks) {
    Stack stack;
    for (const FrameId frame : profile.frames(sum)) {
      stack.frames.emplace_back(profile.frame_table->text(frame));
    }
    stack.count = sum.count;
    if (sum.has_value) {
      stack.value = sum.value;
    }
    stacks.push_back(std::move(stack));
  }
  return stacks;
}

bool operator==(const Stack& a, const Stack& b) {
  return a.frames == b.frames && a.count == b.count && a.value == b.value;
}

std::vector<Stack> random_stacks(std::size_t count) {
  std::uint64_t state = 1;
  const auto below = [&state](std::uint64_t bound) {
    state = state * 6364136223846793005U + 1442695040888963407U;  // Knuth's linear generator
    return (state >> 33U) % bound;
  };
  std::vector<Stack> stacks(count);
  for (Stack& stack : stacks) {
    for (std::uint64_t depth = 1 + below(6); depth > 0; --depth) {
      stack.frames.emplace_back(1, static_cast<char>('a' + below(4)));
    }
    stack.count = 1 + below(9);
    stack.value = below(1000);
  }
  return stacks;
}

std::string hostile_name() {
  using namespace std::string_literals;
  return "#<init>;a,b\"c'\\d\te\nf\rg\0h</script>\x7f\xE2\x80\xA8\xF0\x9F\x94\xA5\xCD\xBE 7"s;
}

}  // namespace jfrtree::test
