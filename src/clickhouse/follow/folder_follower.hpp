#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <jfrtree/error.hpp>
#include <jfrtree/input.hpp>
#include <jfrtree/limits.hpp>

#include "clickhouse/follow/finished_chunks.hpp"
#include "clickhouse/follow/followed_file.hpp"
#include "io/hash.hpp"
#include "io/seeded_map.hpp"
#include "io/stop_flag.hpp"

namespace jfrtree::internal {

/// A part of a file that is to be read now: finished chunks, or what nobody will finish.
struct ReadyPart {
  std::string path;
  /// What keeps the file open and reads the part, from its beginning each time. Throws as
  /// `open_input`.
  std::function<std::unique_ptr<Input>()> open;
  std::uint64_t offset = 0;  ///< of the part in the file
  std::uint64_t earlier_chunks = 0;
  std::int64_t start_ns = 0;  ///< of its first chunk, or when the file was changed
};

/// What is done with what is found.
struct FollowerActions {
  /// Takes a part; false: not now, it is offered again at the next look.
  std::function<bool(ReadyPart&& part)> take;
  std::function<void(const Problem& problem)> tell;
  std::function<void(const std::string& folder)> watch;
};

/// Finds what is new in folders, each finished chunk once, by looking again and again. For one
/// thread.
///
/// Memory: about 100 bytes for each file that is there, and what is known of at most 16,384 files
/// that are not done with. At most 256 files are kept open.
class FolderFollower {
 public:
  struct Options {
    std::vector<std::string> folders;
    std::chrono::milliseconds poll;
    std::chrono::milliseconds settle;
    Limits limits;
  };

  FolderFollower(Options options, FollowerActions actions, StopFlag stop);

  /// The next look reads this file again.
  void forget(const std::string& path) { done_.erase(hash_bytes(path)); }
  /// Looks at the folders once, and hands out what is ready. Throws Interrupted.
  void look();
  /// Hands out what the last look had no room for. Throws Interrupted.
  void go_on() { examine_all(); }
  /// Whether there was no room for all that is ready.
  [[nodiscard]] bool is_full() const noexcept { return is_full_; }
  /// Whether nothing is left behind that can be handed out without a change.
  [[nodiscard]] bool is_at_rest() const noexcept { return !is_full_ && !has_unseen_; }

 private:
  using Clock = std::chrono::steady_clock;

  /// A file that is not done with.
  struct Active {
    std::string path;
    FileStatus status;
    std::shared_ptr<FollowedFile> file;  // none: not open
    std::uint64_t origin = 0;            // which file, and its first bytes
    std::uint64_t position = 0;          // behind the chunks that were handed out
    std::uint64_t chunks = 0;            // that were handed out
    Clock::time_point changed;
    Clock::time_point examined;
    bool has_examined = false;  // since it was opened
    bool has_begun_next = false;
    bool has_told = false;  // of an error
    std::uint32_t look = 0;
  };
  /// A file that is done with until it changes.
  struct Done {
    std::uint64_t fingerprint = 0;
    std::uint64_t origin = 0;
    std::uint64_t position = 0;
    std::uint32_t chunks = 0;
    std::uint32_t look = 0;
  };
  enum class Outcome : std::uint8_t { done, waiting, full };

  void see_folders();
  void see(const std::string& path, const FileStatus& status);
  void begin(Active& active, const FileStatus& status, const Done* done) const;
  void forget_absent();
  void examine_all();
  [[nodiscard]] Outcome examine(Active& active);
  [[nodiscard]] Outcome examine_present(Active& active);
  [[nodiscard]] Outcome examine_compressed(Active& active);
  [[nodiscard]] Outcome examine_absent(Active& active);
  [[nodiscard]] bool open(Active& active);
  void close(Active& active);
  [[nodiscard]] bool hand_out_finished(Active& active);
  [[nodiscard]] Outcome hand_out_rest(Active& active);
  [[nodiscard]] bool is_settled(const Active& active) const;
  void remember(const Active& active);
  void tell(const std::string& path, const std::string& message);

  Options options_;
  FollowerActions actions_;
  StopFlag stop_;
  std::map<std::string, Active> active_;  // by path, or a key of its own once another has its path
  SeededMap<std::uint64_t, Done> done_;   // by a hash of the path
  std::set<std::string> unreadable_;      // folders
  std::size_t open_files_ = 0;
  std::uint32_t look_ = 0;
  bool is_full_ = false;
  bool has_unseen_ = true;  // files that there was no place for
};

}  // namespace jfrtree::internal
