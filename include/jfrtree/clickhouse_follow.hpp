#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <jfrtree/clickhouse_database.hpp>
#include <jfrtree/clickhouse_load.hpp>
#include <jfrtree/error.hpp>
#include <jfrtree/profile.hpp>

namespace jfrtree::clickhouse {

struct FollowOptions {
  /// Folders to follow, with the folders in them: repositories of running JVMs, or folders that
  /// recordings are copied to. They must be there at the beginning.
  std::vector<std::string> folders;
  /// `force` is refused. `LoadOptions::endless` retries keep a follower going while a server is
  /// away.
  LoadOptions load;
  /// Folders are looked at so often; where the system tells of changes, at once as well.
  std::chrono::milliseconds poll{5'000};
  /// A file that does not end with a finished chunk is taken as it is when it has not changed for
  /// so long, and no process of this machine has it open for writing.
  std::chrono::milliseconds settle{60'000};
  /// Following ends when nothing new was found for so long; 0: when all that is there is loaded.
  /// None: it goes on until it is stopped.
  std::optional<std::chrono::milliseconds> until_idle{};

  /// The labels of a file; none: files have no labels. This and what follows is called by the
  /// thread that called `follow`.
  std::function<std::map<std::string, std::string>(const std::string& path)> labels{};
  /// After each batch: what was loaded, and how long reading and sending took.
  std::function<void(const LoadResult& batch, std::chrono::nanoseconds time)> loaded{};
  /// Notes and problems: of what was read, of files that cannot be read and of those that were
  /// removed before they were loaded. Each once as long as a file does not change.
  std::function<void(const std::vector<Problem>& problems)> found{};
  /// Becomes true some seconds after a stop was asked for: the `stop` of the database, so that a
  /// batch can be finished and a server that hangs is not waited for.
  std::atomic<bool>* give_up = nullptr;
};

/// What following gave in all.
struct FollowResult {
  LoadResult loaded;           ///< sums; of `read` only rows, samples and statistics
  std::uint64_t problems = 0;  ///< that were found
  bool is_stopped = false;     ///< by `ReadOptions::stop`
};

/// Loads each finished chunk of some folders as soon as it is finished, once, as `load` does: by
/// the ledger, so that chunks that were loaded before, by whomever, are skipped.
///
/// A chunk is finished when its header says so and its metadata and constant pools are there; a
/// compressed file when its stream ends with a finished chunk. What was handed on of a file is not
/// read again. Chunks that are there together are sent in one batch; nothing waits for a full one.
/// A chunk that was never finished is loaded as `read_profiles` reads it once the file has settled,
/// and replaced should it go on after all. A file that is deleted is read to its end if it was
/// open: of an ending JVM the last chunk, too.
///
/// When `reading.stop` becomes true, the chunks read so far are sent, and the result is returned.
/// A loader that is killed loses nothing: the next one finds by the ledger what is to be done.
///
/// Memory: as `load`, and about 100 bytes for each file that is there. Throws UsageError, IoError
/// for a folder that is not there, DatabaseError, Interrupted when a stop comes while the database
/// is waited for.
[[nodiscard]] FollowResult follow(Database& database, const FollowOptions& options,
                                  const ReadOptions& reading = {});

/// What `follow` checks before it begins. Throws UsageError, and IoError for a folder that is not
/// there.
void check_follow_options(const FollowOptions& options);

/// `open_database`, which waits without end for a server that is away; the message comes once.
/// Throws as `open_database`, and Interrupted once `options.stop` or `stop` is true.
[[nodiscard]] std::unique_ptr<Database> wait_for_database(
    const DatabaseOptions& options, const std::function<void(const std::string& text)>& message,
    const std::atomic<bool>* stop);

}  // namespace jfrtree::clickhouse
