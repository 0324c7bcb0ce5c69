#include "clickhouse/load/load_notes.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>
#include <vector>

#include "clickhouse/rows/binary_bytes.hpp"
#include "clickhouse/rows/sql_text.hpp"
#include "io/xxh64.hpp"

namespace jfrtree::internal {

namespace {

constexpr std::string_view unfinished = "unfinished";
constexpr std::string_view no_process = "no_process";
constexpr std::string_view labels = "labels=";
constexpr std::string_view selection = "selection=";

/// A hash of values whose borders count.
class ChoiceHash {
 public:
  void add(std::string_view text) {
    add(std::uint64_t{text.size()});
    bytes_ += text;
  }
  void add(std::uint64_t number) { append_number(bytes_, number, sizeof number); }
  void add(bool is_set) { add(std::uint64_t{is_set ? 1U : 0U}); }
  void add(const TimePoint& time) {
    add(static_cast<std::uint64_t>(time.base));
    add(static_cast<std::uint64_t>(time.ns));
  }
  void add(const std::pair<std::string, std::string>& pair) {
    add(std::string_view(pair.first));
    add(std::string_view(pair.second));
  }
  template <typename Value>
  void add(const std::optional<Value>& value) {
    add(value.has_value());
    if (value) add(*value);
  }
  template <typename Value>
  void add(const std::vector<Value>& values) {
    add(std::uint64_t{values.size()});
    for (const Value& value : values) add(value);
  }

  [[nodiscard]] std::uint32_t finish() const {
    Xxh64 whole;
    whole.add(bytes_);
    const std::uint64_t hash = whole.finish();
    const auto folded = static_cast<std::uint32_t>(hash ^ hash >> 32);
    return folded == 0 ? 1 : folded;
  }

 private:
  std::string bytes_;
};

void add_frames(const FrameOptions& frames, ChoiceHash& hash) {
  hash.add(frames.class_leaf);
  hash.add(frames.thread_groups);
  for (const bool option :
       {frames.truncated_frame, frames.by_thread, frames.fold_thread_names, frames.lines,
        frames.bci, frames.signatures, frames.simple, frames.slashes, frames.modules,
        frames.frame_types, frames.libraries, frames.normalize, frames.hide_hidden}) {
    hash.add(option);
  }
}

void add_filters(const FilterOptions& filters, ChoiceHash& hash) {
  hash.add(filters.from);
  hash.add(filters.to);
  hash.add(filters.threads);
  hash.add(filters.thread_ids);
  hash.add(filters.states);
  hash.add(filters.min_duration_ns);
  hash.add(filters.context);
  hash.add(filters.spans);
  hash.add(filters.include);
  hash.add(filters.exclude);
  hash.add(filters.focus);
  hash.add(filters.skip);
  hash.add(filters.depth);
}

void append_word(std::string& text, std::string_view word) {
  if (!text.empty()) text += ' ';
  text += word;
}

void append_hash(std::string& text, std::string_view name, std::uint32_t hash) {
  if (hash == 0) return;
  append_word(text, name);
  for (int shift = 28; shift >= 0; shift -= 4) text += "0123456789abcdef"[hash >> shift & 0xFU];
}

/// Whether a word is a hash of this name.
bool read_hash(std::string_view word, std::string_view name, std::uint32_t& hash) {
  if (!word.starts_with(name)) return false;
  word.remove_prefix(name.size());
  std::from_chars(word.data(), word.data() + word.size(), hash, 16);
  return true;
}

}  // namespace

std::string to_text(const LoadNotes& notes) {
  std::string text;
  if (notes.is_unfinished) append_word(text, unfinished);
  if (!notes.has_process) append_word(text, no_process);
  append_hash(text, labels, notes.labels);
  append_hash(text, selection, notes.selection);
  return text;
}

LoadNotes load_notes_of(std::string_view text) {
  LoadNotes notes;
  for (const std::string_view word : split(text, ' ')) {
    if (word == unfinished) {
      notes.is_unfinished = true;
    } else if (word == no_process) {
      notes.has_process = false;
    } else if (!read_hash(word, labels, notes.labels)) {
      read_hash(word, selection, notes.selection);
    }
  }
  return notes;
}

std::uint32_t labels_hash(const std::map<std::string, std::string>& labels_of_source) {
  ChoiceHash hash;
  for (const auto& label : labels_of_source) hash.add(std::pair(label.first, label.second));
  return hash.finish();
}

std::uint32_t selection_hash(const clickhouse::RowRequest& request) {
  const ProfileRequest& profile = request.samples.profile;
  ChoiceHash hash;
  std::vector<std::string> kinds = profile.kinds;
  std::sort(kinds.begin(), kinds.end());
  hash.add(kinds);
  hash.add(std::string_view(profile.event));
  hash.add(std::string_view(profile.value_field));
  hash.add(request.samples.bucket_ns);
  add_frames(profile.frames, hash);
  add_filters(profile.filters, hash);
  return hash.finish();
}

}  // namespace jfrtree::internal
