#include "clickhouse/tree_stacks.hpp"

#include <algorithm>
#include <deque>
#include <functional>
#include <string>
#include <utility>

#include <jfrtree/error.hpp>

#include "format/text.hpp"
#include "profile/limit_error.hpp"
#include "profile/saturating_add.hpp"
#include "profile/stack_sort.hpp"

namespace jfrtree::internal {
namespace {

constexpr const char* input_name = "-";
/// Texts of a process that answers many queries are kept up to so many bytes.
constexpr std::uint64_t kept_text_bytes = std::uint64_t{8} << 20;

// Frames that no row has; their texts stand behind those of all others.
constexpr std::string_view root_text = "total";
constexpr std::string_view other_text = "(other)";

/// What the texts of a profile's frames live in.
struct TextOwner {
  std::shared_ptr<const void> arena;
  std::deque<std::string> repaired;
};

struct UsedText {
  std::string_view text;
  std::uint32_t frame = 0;
};

}  // namespace

TreeStacks::TreeStacks(const TreeFilterOptions& options)
    : options_(options),
      has_ids_(options.frames != FrameColumn::strings),
      texts_(std::make_unique<TextTable>()) {}

std::uint32_t TreeStacks::add_text(std::string_view text, RecentTexts::Entry* entry) {
  const std::uint32_t number = texts_->add(text);
  check_texts();
  if (entry != nullptr) {
    *entry = {(*texts_)[number].data(), static_cast<std::uint32_t>(text.size()), number};
  }
  return number;
}

std::uint32_t TreeStacks::add_id(std::uint64_t id) {
  const auto [position, is_new] = ids_.try_emplace(id, static_cast<std::uint32_t>(ids_.size()));
  if (is_new) {
    if (id_of_frame_.size() >= options_.limits.profile_frames) {
      throw_limit("the ids of frames", "profile_frames", input_name);
    }
    id_of_frame_.push_back(id);
    text_of_frame_.push_back(0);
  }
  return position->second;
}

bool TreeStacks::name_id(std::uint64_t id, std::string_view text) {
  std::uint32_t& number = text_of_frame_[add_id(id)];
  const std::uint32_t found = texts_->add(text) + 1;
  check_texts();
  if (number != 0 && number != found) {
    return false;
  }
  number = found;
  return true;
}

void TreeStacks::check_texts() const {
  if (texts_->bytes() > options_.limits.frame_bytes) {
    throw_limit("the texts of all frames", "frame_bytes", input_name);
  }
}

void TreeStacks::forget_texts() {
  texts_ = std::make_unique<TextTable>();
  recent_texts_.clear();
  rank_of_.clear();
}

std::uint32_t TreeStacks::stack_of(std::span<const FrameId> frames) {
  if (stacks_.frames().size() + frames.size() > options_.limits.profile_frames) {
    throw_limit("the frames of all different stacks", "profile_frames", input_name);
  }
  if (options_.leaf_first) {
    reversed_.assign(frames.rbegin(), frames.rend());
    frames = reversed_;
  }
  const std::uint32_t stack = stacks_.row_of(0, frames);
  if (stack == sums_.size()) {
    sums_.push_back({});
  }
  return stack;
}

bool TreeStacks::add(std::uint32_t stack, std::size_t column, std::uint64_t value) noexcept {
  return !add_saturated(sums_[stack][column], value);
}

std::size_t TreeStacks::frame_count() const noexcept {
  return has_ids_ ? id_of_frame_.size() : texts_->size();
}

std::string_view TreeStacks::text_of(std::uint32_t frame) const {
  if (frame == frame_count()) {
    return root_text;
  }
  if (frame == frame_count() + 1) {
    return other_text;
  }
  if (!has_ids_) {
    return (*texts_)[frame];
  }
  const std::uint32_t text = text_of_frame_[frame];
  if (text == 0) {
    Problem problem;
    problem.code = ErrorCode::missing_constant;
    problem.file = input_name;
    problem.message = "the frame id " + std::to_string(id_of_frame_[frame]) +
                      " is not in the dictionary: send the id and the text of every frame as the "
                      "second input";
    throw FormatError(std::move(problem));
  }
  return (*texts_)[text - 1];
}

void TreeStacks::make_profile_stacks(Profile& profile, std::vector<FrameId>& frames) const {
  const auto special = static_cast<std::uint32_t>(frame_count());
  profile.stacks.reserve(stacks_.rows().size());
  for (std::size_t index = 0; index < stacks_.rows().size(); ++index) {
    const StackTable::Row& row = stacks_.rows()[index];
    StackSum sum;
    sum.first_frame = row.first_frame;
    sum.frame_count = row.frame_count;
    sum.has_value = options_.values == 2;
    sum.count = sums_[index][0];
    sum.value = sums_[index][1];
    if (sum.frame_count == 0 && options_.shape == TreeShape::collapsed) {
      // A line has one frame at least; the tree has a root for it.
      sum.first_frame = frames.size();
      sum.frame_count = 1;
      frames.push_back(FrameId{special});
    }
    add_saturated(profile.count, sum.count);
    profile.stacks.push_back(sum);
  }
  if (options_.largest_stacks != 0 && profile.stacks.size() > options_.largest_stacks) {
    frames.push_back(FrameId{special + 1});
  }
}

std::shared_ptr<const FrameTable> TreeStacks::rank(std::vector<FrameId>& frames) {
  auto owner = std::make_shared<TextOwner>();
  owner->arena = texts_->arena();
  rank_of_.resize(frame_count() + 2);
  std::vector<UsedText> used;
  for (const FrameId frame : frames) {
    std::uint32_t& rank = rank_of_[raw(frame)];
    if (rank == 0) {
      rank = 1;
      used.push_back({text_of(raw(frame)), raw(frame)});
    }
  }
  for (UsedText& each : used) {
    if (!is_valid_utf8(each.text)) {
      std::string& repaired = owner->repaired.emplace_back();
      static_cast<void>(append_utf8(repaired, each.text));
      each.text = repaired;
      ++repaired_texts_;
    }
  }
  std::sort(used.begin(), used.end(),
            [](const UsedText& a, const UsedText& b) { return a.text < b.text; });
  std::vector<std::string_view> texts;
  for (const UsedText& each : used) {
    if (texts.empty() || texts.back() != each.text) {
      texts.push_back(each.text);
    }
    rank_of_[each.frame] = static_cast<std::uint32_t>(texts.size());
  }
  for (FrameId& frame : frames) {
    frame = FrameId{rank_of_[raw(frame)] - 1};
  }
  for (const UsedText& each : used) {
    rank_of_[each.frame] = 0;
  }
  return std::make_shared<FrameTable>(std::move(texts), std::move(owner));
}

/// Keeps the largest stacks, of equal ones the first in order; the frame of the others is the last.
void TreeStacks::fold_small_stacks(Profile& profile, const std::vector<FrameId>& frames) const {
  const auto kept = static_cast<std::size_t>(options_.largest_stacks);
  if (kept == 0 || profile.stacks.size() <= kept) {
    return;
  }
  const auto size_of = [](const StackSum& stack) {
    return saturating_add(stack.count, stack.value);
  };
  std::vector<std::uint64_t> sizes;
  sizes.reserve(profile.stacks.size());
  for (const StackSum& stack : profile.stacks) {
    sizes.push_back(size_of(stack));
  }
  const auto last = sizes.begin() + static_cast<std::ptrdiff_t>(kept - 1);
  std::nth_element(sizes.begin(), last, sizes.end(), std::greater<>());
  const std::uint64_t smallest = *last;
  auto ties = static_cast<std::size_t>(std::count(sizes.begin(), last + 1, smallest));
  StackSum other;
  other.first_frame = frames.size() - 1;
  other.frame_count = 1;
  other.has_value = options_.values == 2;
  std::vector<StackSum> stacks;
  for (const StackSum& stack : profile.stacks) {
    const std::uint64_t size = size_of(stack);
    if (size > smallest || (size == smallest && ties > 0)) {
      ties -= size == smallest ? 1 : 0;
      stacks.push_back(stack);
    } else {
      add_saturated(other.count, stack.count);
      add_saturated(other.value, stack.value);
    }
  }
  stacks.push_back(other);
  profile.stacks = std::move(stacks);
}

Profile TreeStacks::take_profile() {
  Profile profile;
  profile.kind = "rows";
  profile.sample_types = {{"samples", options_.unit}};
  if (options_.values == 2) {
    profile.sample_types.push_back({"samples", options_.unit});
  }
  auto frames = std::make_shared<std::vector<FrameId>>(std::move(stacks_.frames()));
  make_profile_stacks(profile, *frames);
  stacks_ = StackTable();
  sums_.clear();
  profile.frame_table = rank(*frames);
  sort_stacks(profile.stacks, *frames, profile.frame_table->size());
  const std::size_t all = profile.stacks.size();
  fold_small_stacks(profile, *frames);
  if (profile.stacks.size() != all) {
    sort_stacks(profile.stacks, *frames, profile.frame_table->size());
  }
  profile.frame_ids = std::move(frames);
  if (texts_->bytes() > kept_text_bytes) {
    forget_texts();
  }
  return profile;
}

}  // namespace jfrtree::internal
