#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>

#include "profile/chunk_samples.hpp"
#include "profile/kinds.hpp"
#include "profile/saturating_add.hpp"

// What the samples of a chunk mean, and in which order they are handed out.

namespace jfrtree::internal {

namespace {

constexpr std::uint32_t no_kind = ~std::uint32_t{0};

/// The position of a kind in the table; what is none of them comes behind.
[[nodiscard]] std::size_t rank_of(std::string_view kind) {
  const auto kinds = kind_rows();
  const auto found = std::find_if(kinds.begin(), kinds.end(), [kind](const KindRow& row) {
    return row.description.name == kind;
  });
  return static_cast<std::size_t>(found - kinds.begin());
}

class ChunkMaker {
 public:
  ChunkMaker(ChunkSamples& samples, const Settings& settings, const ProfileRequest& request,
             SampleChunk& chunk)
      : samples_(samples), request_(request), chunk_(chunk) {
    for (const Lane& lane : samples.lanes) meanings_.push_back(meaning_of(lane, settings));
  }

  [[nodiscard]] bool run() {
    add_kinds();
    add_stacks();
    add_threads();
    for (const ChunkSamples::Row& row : samples_.rows) add_row(row);
    sort_rows();
    sum_up();
    return has_overflow_;
  }

 private:
  [[nodiscard]] SampleKind& kind_of(std::string_view name) {
    for (SampleKind& kind : chunk_.kinds) {
      if (kind.name == name) return kind;
    }
    SampleKind& kind = chunk_.kinds.emplace_back();
    kind.name = name;
    return kind;
  }

  void add_kinds() {
    for (std::size_t i = 0; i < samples_.lanes.size(); ++i) {
      const std::string_view name = meanings_[i].kind;
      // Whether a sample is cpu or wall may be known only now.
      if (!request_.event.empty() || is_wanted(request_.kinds, name)) {
        SampleKind& kind = kind_of(name);
        kind.unknown_values += samples_.lanes[i].unknown_values;
        describe(kind, samples_.lanes[i], meanings_[i]);
      }
    }
    std::sort(chunk_.kinds.begin(), chunk_.kinds.end(),
              [](const SampleKind& a, const SampleKind& b) {
                return std::pair(rank_of(a.name), std::string_view(a.name)) <
                       std::pair(rank_of(b.name), std::string_view(b.name));
              });
    for (const LaneMeaning& meaning : meanings_) {
      const auto found =
          std::find_if(chunk_.kinds.begin(), chunk_.kinds.end(),
                       [&](const SampleKind& kind) { return kind.name == meaning.kind; });
      lane_kinds_.push_back(found == chunk_.kinds.end()
                                ? no_kind
                                : static_cast<std::uint32_t>(found - chunk_.kinds.begin()));
    }
  }

  void describe(SampleKind& kind, const Lane& lane, const LaneMeaning& meaning) const {
    const KindRow* row = find_kind(kind.name);
    if (row == nullptr) {
      if (kind.sample_types.empty()) kind.sample_types.push_back({"samples", "count"});
      if (lane.has_value && kind.sample_types.size() == 1) {
        const std::string& field = request_.value_field;
        kind.sample_types.push_back({field.empty() ? "duration" : field, samples_.event_unit});
      }
      return;
    }
    kind.is_snapshot = row->description.is_snapshot;
    if (kind.sample_types.empty()) {
      kind.sample_types = {row->count, row->value};
      if (!row->third.name.empty()) kind.sample_types.push_back(row->third);
    }
    if (meaning.is_estimate && !row->estimate.empty()) kind.sample_types[1].name = row->estimate;
  }

  /// Stacks sorted by hash. Should two have the same, their frames decide.
  void add_stacks() {
    const auto& rows = samples_.stacks.rows();
    std::vector<std::uint32_t> order(rows.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto texts_of = [this](std::uint32_t row) {
      std::vector<std::string_view> texts;
      for (const FrameId frame : frames_of(row)) texts.push_back((*samples_.texts)[raw(frame)]);
      return texts;
    };
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      const std::uint64_t left = samples_.hashes[a];
      const std::uint64_t right = samples_.hashes[b];
      return left != right ? left < right : texts_of(a) < texts_of(b);
    });
    stack_numbers_.resize(rows.size());
    for (const std::uint32_t row : order) {
      stack_numbers_[row] = static_cast<std::uint32_t>(chunk_.stacks.size());
      const auto frames = frames_of(row);
      chunk_.stacks.push_back(
          {samples_.hashes[row], chunk_.frames.size(), static_cast<std::uint32_t>(frames.size())});
      for (const FrameId frame : frames) chunk_.frames.push_back(raw(frame));
    }
    chunk_.frame_texts = samples_.texts->texts();
  }

  [[nodiscard]] std::span<const FrameId> frames_of(std::uint32_t row) const {
    return std::as_const(samples_.stacks).frames(samples_.stacks.rows()[row]);
  }

  void add_threads() {
    if (!request_.frames.by_thread) {
      chunk_.threads.emplace_back();
      return;
    }
    std::map<std::string_view, std::uint32_t> by_text;
    for (const ChunkSamples::Row& row : samples_.rows) {
      by_text.emplace((*samples_.texts)[row.thread], row.thread);
    }
    for (const auto& [text, number] : by_text) {
      thread_numbers_[number] = static_cast<std::uint32_t>(chunk_.threads.size());
      chunk_.threads.emplace_back(text.substr(1, text.size() - 2));  // without the brackets
    }
  }

  void add_row(const ChunkSamples::Row& row) {
    const std::uint32_t kind = lane_kinds_[row.lane];
    if (kind == no_kind) return;
    const LaneMeaning& meaning = meanings_[row.lane];
    SampleRow& to = chunk_.rows.emplace_back();
    to.bucket_start_ns = row.bucket_start_ns;
    to.kind = kind;
    to.stack = stack_numbers_[row.stack];
    to.thread = request_.frames.by_thread ? thread_numbers_[row.thread] : 0;
    to.has_value = row.sums.has_value;
    to.count = row.sums.count;
    to.value = row.sums.value;
    if (!meaning.has_period) {
      to.further = row.sums.extra;
    } else if (row.sums.extra > 0 && meaning.period_ns) {
      std::uint64_t value = 0;
      if (__builtin_mul_overflow(row.sums.extra, *meaning.period_ns, &value)) {
        value = ~std::uint64_t{0};
        has_overflow_ = true;
      }
      has_overflow_ = add_saturated(to.value, value) || has_overflow_;
      to.has_value = true;
    } else {
      chunk_.kinds[kind].unknown_values += row.sums.extra;
    }
  }

  void sort_rows() {
    const auto key = [](const SampleRow& row) {
      return std::tuple(row.kind, row.bucket_start_ns, row.stack, row.thread);
    };
    std::vector<SampleRow>& rows = chunk_.rows;
    std::sort(rows.begin(), rows.end(),
              [&](const SampleRow& a, const SampleRow& b) { return key(a) < key(b); });
    std::size_t end = 0;
    for (const SampleRow& row : rows) {
      if (end == 0 || key(rows[end - 1]) != key(row)) {
        rows[end++] = row;
        continue;
      }
      SampleRow& sum = rows[end - 1];
      sum.has_value = sum.has_value || row.has_value;
      for (auto number : {&SampleRow::count, &SampleRow::value, &SampleRow::further}) {
        has_overflow_ = add_saturated(sum.*number, row.*number) || has_overflow_;
      }
    }
    rows.resize(end);
  }

  void sum_up() {
    for (const SampleRow& row : chunk_.rows) {
      add_saturated(chunk_.kinds[row.kind].count, row.count);
      add_saturated(chunk_.samples, row.count);
    }
  }

  ChunkSamples& samples_;
  const ProfileRequest& request_;
  SampleChunk& chunk_;
  std::vector<LaneMeaning> meanings_;
  std::vector<std::uint32_t> lane_kinds_;
  std::vector<std::uint32_t> stack_numbers_;
  std::map<std::uint32_t, std::uint32_t> thread_numbers_;
  bool has_overflow_ = false;
};

}  // namespace

bool is_complete(const ChunkSamples& samples) {
  return std::all_of(samples.lanes.begin(), samples.lanes.end(), [&](const Lane& lane) {
    return meaning_of(lane, samples.facts.settings).is_complete;
  });
}

bool make_sample_chunk(ChunkSamples& samples, const Settings& settings,
                       const ProfileRequest& request, SampleChunk& chunk) {
  return ChunkMaker(samples, settings, request, chunk).run();
}

}  // namespace jfrtree::internal
