#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <jfrtree/compat.hpp>
#include <jfrtree/error.hpp>
#include <jfrtree/filter.hpp>
#include <jfrtree/frame_options.hpp>
#include <jfrtree/ids.hpp>
#include <jfrtree/input.hpp>
#include <jfrtree/limits.hpp>
#include <jfrtree/profile_kind.hpp>

namespace jfrtree {

/// An input to read: a path that is opened when its turn comes, or an input that is open already.
struct Source {
  std::string path;
  std::shared_ptr<Input> input;
  std::map<std::string, std::string> labels{};  ///< by key, e.g. service: cart
};

/// Sources for paths. A folder stands for the recordings in it, by the endings `.jfr`, `.jfr.gz`,
/// `.jfr.zst`, `.jfr.lz4` and `.jfr.zip`, in order of chunk start times, hidden files aside; a
/// folder that holds none, as a JVM's repository does, stands for those in its folders, one level
/// down. A file with several names there is read once. What is passed over is added to `found`
/// (notes, and problems for folders that cannot be read), and a note about files that are among the
/// paths more than once: these are as many sources. Throws IoError for a folder that cannot be read
/// or has no recording; files are opened later.
[[nodiscard]] std::vector<Source> open_sources(std::span<const std::string> paths,
                                               std::vector<Problem>* found = nullptr);

/// What is common to everything that reads recordings.
struct ReadOptions {
  Limits limits;
  bool strict = false;  ///< the first problem is thrown as a FormatError
  /// Threads at work, and most chunks in memory at the same time. Results do not depend on it.
  unsigned threads = 1;
  /// Called now and then, from any reading thread but one at a time, with the bytes done and the
  /// bytes in all (0: unknown).
  std::function<void(std::uint64_t done, std::uint64_t total)> progress;
  /// Reading stops soon after this becomes true, with an `Interrupted` exception.
  const std::atomic<bool>* stop = nullptr;
};

/// Which profiles to read.
struct ProfileRequest {
  /// Kinds by name. Empty and no `event`: all kinds that have samples.
  std::vector<std::string> kinds;
  /// Instead of kinds: one event type by name that has a `stackTrace` field.
  std::string event;
  /// Numeric field of `event` that is its value; empty: `duration` if there is one.
  std::string value_field;
  /// Of the kind `native-mem` only what was not freed later, in any chunk of its process.
  bool leak = false;
  FrameOptions frames;
  FilterOptions filters;
  /// As another program reads it: exactly one kind, of `frames` only `by_thread` counts.
  Compat compat = Compat::none;
  /// Kinds and an event asked for that have no samples are left out, not a ProfileNotFound.
  bool allow_absent = false;
};

/// Texts of frames, each stored once. Immutable after reading, then usable from several threads.
class FrameTable {
 public:
  explicit FrameTable(std::vector<std::string_view> texts, std::shared_ptr<const void> owner);

  /// Text of a frame: valid UTF-8; `total` and `(other)` for `root_frame` and `other_frame`.
  [[nodiscard]] std::string_view text(FrameId frame) const noexcept;
  [[nodiscard]] std::size_t size() const noexcept { return texts_.size(); }

 private:
  std::vector<std::string_view> texts_;
  std::shared_ptr<const void> owner_;
};

/// One unique stack of a profile with its sums.
struct StackSum {
  std::uint64_t first_frame = 0;   ///< into the profile's frames
  std::uint32_t frame_count = 0;   ///< at least 1
  bool has_value : 1 = false;      ///< the value of at least one sample is known
  std::uint32_t further : 31 = 0;  ///< its row of the profile's further numbers, if there are any
  std::uint64_t count = 0;
  std::uint64_t value = 0;
};

/// All samples of one kind, summed by stack. Immutable after reading; shared parts are kept alive
/// by each copy.
struct Profile {
  std::string kind;  ///< name of the kind, or of the event type
  /// [0] the count; [1] the value, unless there is none; [2] bytes, for kinds that have them.
  std::vector<SampleType> sample_types;
  std::size_t default_sample_type = 0;  ///< index into `sample_types`
  bool is_snapshot = false;
  bool has_thread_frame = false;       ///< the first frame of every stack is the thread
  std::vector<std::string> events;     ///< types that samples came from, by name
  std::uint64_t event_count = 0;       ///< events, which may stand for several samples each
  std::uint64_t count = 0;             ///< sum of the counts
  std::optional<std::uint64_t> value;  ///< sum of the values, absent when unknown for any sample

  /// Sorted frame by frame by bytes, a prefix first. Frames are root first.
  std::vector<StackSum> stacks;
  /// Numbers of the sample types from [2] on, those of a stack side by side: `StackSum::further`.
  std::vector<std::uint64_t> further_numbers;
  std::shared_ptr<const std::vector<FrameId>> frame_ids;
  std::shared_ptr<const FrameTable> frame_table;

  [[nodiscard]] std::span<const FrameId> frames(const StackSum& stack) const noexcept {
    return std::span(*frame_ids).subspan(stack.first_frame, stack.frame_count);
  }
  /// The number of a stack for a sample type; unknown values are 0.
  [[nodiscard]] std::uint64_t number(const StackSum& stack,
                                     std::size_t sample_type) const noexcept {
    if (sample_type < 2) return sample_type == 0 ? stack.count : stack.value;
    return further_numbers[std::size_t{stack.further} * (sample_types.size() - 2) + sample_type -
                           2];
  }
  /// Index of a sample type by `count`, `value`, name, full name or, from [2] on, unit. Throws
  /// UsageError that lists those there are.
  [[nodiscard]] std::size_t find_sample_type(std::string_view name) const;
};

/// Counters of a read, for tests and for people who wonder where time goes.
struct ReadStatistics {
  std::uint64_t bytes = 0;  ///< of chunks and of collapsed stacks, decompressed
  std::uint64_t chunks = 0;
  std::uint64_t collapsed_lines = 0;   ///< lines of collapsed stacks that were used
  std::uint64_t events = 0;            ///< all events walked
  std::uint64_t samples = 0;           ///< events that went into a profile; of lines their numbers
  std::uint64_t stacks_decoded = 0;    ///< stack traces decoded, each once a chunk, and lines
  std::uint64_t stack_insertions = 0;  ///< sums handed from a chunk to the profiles
  std::uint64_t unique_stacks = 0;     ///< stacks of all profiles of the result
  std::uint64_t stack_bytes = 0;       ///< memory of these and their frames
  std::uint64_t names = 0;             ///< different texts of frames in the result

  /// Adds another reading.
  ReadStatistics& operator+=(const ReadStatistics& other) noexcept;
};

/// Events of a chunk that a kind could have counted and did not, with the reason.
struct LeftOut {
  std::string kind;
  std::string event;
  std::uint64_t count = 0;
  std::string reason;
};

/// Result of reading: profiles with samples, in the order of `profile_kinds`.
struct ProfileSet {
  std::vector<Profile> profiles;
  std::vector<LeftOut> left_out;
  std::vector<Problem> problems;  ///< notes and problems by file, chunk, offset
  ReadStatistics statistics;
  std::optional<std::int64_t> start_ns;  ///< lowest chunk start, ns since the epoch; none: unknown
  std::optional<std::int64_t> end_ns;    ///< highest chunk end
  /// The time that samples may be from: all that chunks cover, each moment once, of which filters
  /// may choose a part. Gaps between chunks do not count.
  std::optional<std::uint64_t> span_ns;
  /// Event types with a stack trace that occur, for messages about absent kinds.
  std::vector<std::string> event_types_with_stacks;
  /// Kinds that occur, asked for or not, with `ProfileRequest::allow_absent`.
  std::vector<std::string> kinds_present;

  /// The profile of a kind, or null.
  [[nodiscard]] const Profile* find(std::string_view kind) const noexcept;
};

/// Level 3: reads recordings (and collapsed stacks, which make the kind `collapsed`) and sums their
/// samples by stack. Everything that belongs to one kind comes from all sources together.
///
/// Throws FormatError when nothing could be read, ProfileNotFound when a kind or event asked for by
/// name has no samples, UsageError for an unknown kind, event type or field, LimitError, IoError,
/// Interrupted. One unreadable source among several is a problem.
[[nodiscard]] ProfileSet read_profiles(std::vector<Source> sources, const ProfileRequest& request,
                                       const ReadOptions& options = {});

/// The same for paths, by `open_sources`.
[[nodiscard]] ProfileSet read_profiles(std::span<const std::string> paths,
                                       const ProfileRequest& request,
                                       const ReadOptions& options = {});

}  // namespace jfrtree
