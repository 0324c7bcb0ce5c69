#include "clickhouse/query/query_stacks.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "format/text.hpp"
#include "profile/limit_error.hpp"
#include "profile/saturating_add.hpp"
#include "profile/stack_sort.hpp"

namespace jfrtree::internal {

namespace {

constexpr std::string_view no_stack_text = "[no stack]";
constexpr std::string_view no_thread_text = "[unknown thread]";
constexpr std::string_view other_threads_text = "[all other threads]";
constexpr std::string_view other_text = "(other)";
constexpr std::string_view missing_text = "[stack is not stored]";

/// What fits into `StackSum::further`. A query gives fewer stacks.
constexpr std::uint32_t most_rows = 0x7FFF'FFFF;

/// Adds up what has equal frames, which are neighbours.
void merge_equal(Profile& profile, std::span<const FrameId> frames) {
  const auto frames_of = [frames](const StackSum& stack) {
    return frames.subspan(stack.first_frame, stack.frame_count);
  };
  std::vector<StackSum> merged;
  for (const StackSum& stack : profile.stacks) {
    const bool is_equal =
        !merged.empty() && std::ranges::equal(frames_of(merged.back()), frames_of(stack));
    if (is_equal) {
      add_saturated(merged.back().count, stack.count);
      add_saturated(merged.back().value, stack.value);
      if (!profile.further_numbers.empty()) {
        add_saturated(profile.further_numbers[merged.back().further],
                      profile.further_numbers[stack.further]);
      }
    } else {
      merged.push_back(stack);
    }
  }
  profile.stacks = std::move(merged);
}

}  // namespace

std::uint32_t QueryStacks::text(std::string_view text) {
  std::uint32_t number = 0;
  if (is_valid_utf8(text)) {
    number = texts_.add(text);
  } else {
    std::string repaired;
    static_cast<void>(append_utf8(repaired, text));
    number = texts_.add(repaired);
  }
  if (texts_.bytes() > limits_.frame_bytes)
    throw_limit("the texts of all frames", "frame_bytes", "");
  return number;
}

void QueryStacks::check_frames() const {
  if (frames_.size() > limits_.profile_frames) {
    throw_limit("the frames of all stacks", "profile_frames", "");
  }
}

void QueryStacks::add_sum(const Sum& sum, std::string_view thread) {
  Row& row = kinds_.back().rows.emplace_back();
  row.sum = sum;
  if (!by_thread_) return;
  row.thread = sum.is_other     ? text(other_threads_text)
               : thread.empty() ? text(no_thread_text)
                                : text("[" + std::string(thread) + "]");
}

std::vector<std::uint64_t> QueryStacks::hashes() const {
  std::vector<std::uint64_t> all;
  for (const Kind& kind : kinds_) {
    for (const Row& row : kind.rows) {
      if (!row.sum.is_other) all.push_back(row.sum.hash);
    }
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

void QueryStacks::add_stack(std::uint64_t hash, std::span<const std::uint32_t> frames) {
  const auto [found, is_new] = spans_.try_emplace(hash);
  if (!is_new) return;
  const std::uint64_t first = frames_.size();
  for (const std::uint32_t frame : frames) frames_.push_back(FrameId{frame});
  if (frames.empty()) frames_.push_back(FrameId{text(no_stack_text)});
  found.value() = {first, static_cast<std::uint32_t>(frames_.size() - first)};
  check_frames();
}

QueryStacks::Span QueryStacks::frames_of(const Row& row) {
  const auto stored = spans_.find(row.sum.hash);
  const bool is_stored = !row.sum.is_other && stored != spans_.end();
  Span span;
  if (is_stored) {
    span = stored->second;
    if (!by_thread_) return span;
  }
  const std::uint64_t first = frames_.size();
  if (by_thread_) frames_.push_back(FrameId{row.thread});
  for (std::uint32_t i = 0; i < span.count; ++i) frames_.push_back(frames_[span.first + i]);
  if (!is_stored) frames_.push_back(FrameId{text(row.sum.is_other ? other_text : missing_text)});
  if (!is_stored && !row.sum.is_other) add_saturated(missing_samples_, row.sum.samples);
  check_frames();
  return {first, static_cast<std::uint32_t>(frames_.size() - first)};
}

/// Turns the numbers of texts into ranks.
std::shared_ptr<const FrameTable> QueryStacks::rank() {
  std::vector<std::uint32_t> order(texts_.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(),
            [this](std::uint32_t a, std::uint32_t b) { return texts_[a] < texts_[b]; });
  std::vector<std::uint32_t> ranks(order.size());
  std::vector<std::string_view> texts;
  for (const std::uint32_t number : order) {
    ranks[number] = static_cast<std::uint32_t>(texts.size());
    texts.push_back(texts_[number]);
  }
  for (FrameId& frame : frames_) frame = FrameId{ranks[raw(frame)]};
  return std::make_shared<FrameTable>(std::move(texts), texts_.arena());
}

std::vector<Profile> QueryStacks::take_profiles() {
  std::vector<Profile> profiles;
  for (const Kind& kind : kinds_) {
    Profile& profile = profiles.emplace_back();
    profile.has_thread_frame = by_thread_;
    for (const Row& row : kind.rows) {
      const Span span = frames_of(row);
      StackSum& stack = profile.stacks.emplace_back();
      stack.first_frame = span.first;
      stack.frame_count = span.count;
      stack.count = row.sum.samples;
      stack.value = row.sum.amount;
      if (kind.has_bytes) {
        stack.further = static_cast<std::uint32_t>(profile.further_numbers.size()) & most_rows;
        profile.further_numbers.push_back(row.sum.bytes);
      }
      add_saturated(profile.count, stack.count);
    }
    profile.event_count = profile.count;
  }
  const std::shared_ptr<const FrameTable> table = rank();
  const auto frames = std::make_shared<const std::vector<FrameId>>(std::move(frames_));
  for (Profile& profile : profiles) {
    sort_stacks(profile.stacks, *frames, table->size());
    merge_equal(profile, *frames);
    profile.frame_table = table;
    profile.frame_ids = frames;
  }
  return profiles;
}

}  // namespace jfrtree::internal
