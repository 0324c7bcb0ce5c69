#include "clickhouse/tree/tree_stacks.hpp"

#include <algorithm>
#include <deque>
#include <functional>
#include <string>
#include <utility>

#include <jfrtree/error.hpp>

#include "clickhouse/tree/tree_errors.hpp"
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

std::uint32_t TreeStacks::add_text(std::string_view text, TextIndex::Entry& entry) {
  const std::uint32_t number = texts_->add(text);
  check_texts();
  text_index_.insert(entry, (*texts_)[number], number);
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
  text_index_.clear();
  rank_of_.clear();
}

std::uint32_t TreeStacks::add_stack(std::span<const FrameId> frames) {
  if (stacks_.frames().size() + waiting_frames_.size() + frames.size() >
      options_.limits.profile_frames) {
    throw_limit("the frames of all different stacks", "profile_frames", input_name);
  }
  waiting_.push_back({waiting_frames_.size(), frames.size(), 0, 0});
  if (options_.leaf_first) {
    waiting_frames_.insert(waiting_frames_.end(), frames.rbegin(), frames.rend());
  } else {
    waiting_frames_.insert(waiting_frames_.end(), frames.begin(), frames.end());
  }
  return static_cast<std::uint32_t>(waiting_.size() - 1);
}

bool TreeStacks::sum_waiting() {
  new_rows_.clear();
  for (const Waiting& each : waiting_) {
    StackTable::NewRow& row = new_rows_.emplace_back();
    row.stack = std::span(waiting_frames_).subspan(each.first_frame, each.frame_count);
    row.sums.count = each.count;
    row.sums.value = each.value;
  }
  stacks_.set_hashes(new_rows_);
  const bool is_full = stacks_.add_all(new_rows_);
  waiting_.clear();
  waiting_frames_.clear();
  return !is_full;
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
  for (const StackTable::Row& row : stacks_.rows()) {
    StackSum sum;
    sum.first_frame = row.first_frame;
    sum.frame_count = row.frame_count;
    sum.has_value = options_.values == 2;
    sum.count = row.sums.count;
    sum.value = row.sums.value;
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
  if (frames.size() >= rank_of_.size()) {
    // Looking for those that are used would cost more than it brings.
    for (std::uint32_t frame = 0; frame < rank_of_.size(); ++frame) {
      used.push_back({text_of(frame), frame});
    }
  } else {
    for (const FrameId frame : frames) {
      if (std::uint32_t& rank = rank_of_[raw(frame)]; rank == 0) {
        rank = 1;
        used.push_back({text_of(raw(frame)), raw(frame)});
      }
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
  if (!sum_waiting()) {
    throw_sum_error();
  }
  Profile profile;
  profile.kind = "rows";
  profile.sample_types = {{"samples", options_.unit}};
  if (options_.values == 2) {
    profile.sample_types.push_back({"samples", options_.unit});
  }
  auto frames = std::make_shared<std::vector<FrameId>>(std::move(stacks_.frames()));
  make_profile_stacks(profile, *frames);
  stacks_ = StackTable();
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
