#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <system_error>
#include <thread>
#include <tuple>
#include <utility>

#include <jfrtree/clickhouse_follow.hpp>

#include "clickhouse/follow/folder_notices.hpp"
#include "clickhouse/follow/part_queue.hpp"
#include "clickhouse/load/loader.hpp"
#include "profile/earlier_chunks.hpp"
#include "profile/saturating_add.hpp"

namespace jfrtree {

using clickhouse::DatabaseError;
using clickhouse::FollowOptions;
using clickhouse::FollowResult;
using clickhouse::LoadResult;

namespace internal {

namespace {

using Clock = std::chrono::steady_clock;

/// How often a wait looks for the wish to stop.
constexpr std::chrono::milliseconds look_interval(50);
/// Time for a batch to end once a stop was asked for.
constexpr std::chrono::seconds grace(10);
/// Batches that are not full are not kept back for longer, while there is more to read.
constexpr std::chrono::seconds longest_wait_for_more(5);

/// Looks at the folders on a thread of its own, also while the database is waited for.
class Looker {
 public:
  Looker(const FollowOptions& options, const ReadOptions& reading)
      : options_(options),
        stop_(reading.stop),
        follower_({options.folders, options.poll, options.settle, reading.limits},
                  {[this](ReadyPart&& part) { return queue.add(std::move(part)); },
                   [this](const Problem& problem) { queue.add(problem); },
                   [this](const std::string& folder) { notices_.watch(folder); }},
                  StopFlag(&is_ending_)),
        thread_([this] { run(); }) {}
  ~Looker() {
    is_ending_ = true;
    thread_.join();
  }
  Looker(const Looker&) = delete;
  Looker& operator=(const Looker&) = delete;

  PartQueue queue;

 private:
  void run() {
    try {
      while (!is_stopped()) look();
      const auto stopped = Clock::now();
      while (!is_ending_) {
        if (options_.give_up != nullptr && Clock::now() - stopped >= grace) {
          *options_.give_up = true;
        }
        std::this_thread::sleep_for(look_interval);
      }
    } catch (const Interrupted&) {
      // It is the end.
    } catch (...) {
      queue.fail(std::current_exception());
    }
  }

  [[nodiscard]] bool is_stopped() const { return is_ending_ || stop_.is_set(); }

  void look() {
    const auto start = Clock::now();
    for (const std::string& path : queue.take_asked_again()) follower_.forget(path);
    queue.begin_look();
    follower_.look();
    const auto looked = Clock::now();
    while (follower_.is_full() && !is_stopped() && Clock::now() - start < options_.poll) {
      queue.wait_for_room(look_interval);
      follower_.go_on();
    }
    queue.end_look(follower_.is_at_rest());
    // Large folders are not looked at all the time.
    const auto earliest = looked + std::max<Clock::duration>(look_interval, 4 * (looked - start));
    const bool is_soon = !follower_.is_at_rest();
    const auto latest = is_soon ? earliest : std::max(earliest, start + options_.poll);
    bool has_notice = false;
    while (!is_stopped() && Clock::now() < latest) {
      if (has_notice && Clock::now() >= earliest) break;
      if (has_notice) {
        std::this_thread::sleep_for(look_interval);
      } else {
        has_notice = notices_.wait(look_interval);
      }
    }
  }

  const FollowOptions& options_;
  StopFlag stop_;
  std::atomic<bool> is_ending_{false};
  FolderNotices notices_;
  FolderFollower follower_;
  std::thread thread_;
};

void add(LoadResult& sum, const LoadResult& more) {
  sum.loaded_chunks += more.loaded_chunks;
  sum.skipped_chunks += more.skipped_chunks;
  sum.replaced_chunks += more.replaced_chunks;
  sum.left_chunks += more.left_chunks;
  sum.undone_loads += more.undone_loads;
  sum.sample_rows += more.sample_rows;
  sum.stack_rows += more.stack_rows;
  sum.bytes += more.bytes;
  sum.read.rows += more.read.rows;
  sum.read.skipped_chunks += more.read.skipped_chunks;
  sum.read.statistics += more.read.statistics;
  for (const auto& [kind, count] : more.read.samples) {
    add_saturated(sum.read.samples[kind], count);
  }
}

/// Reads parts and loads their chunks.
class Follower {
 public:
  Follower(clickhouse::Database& database, const FollowOptions& options, const ReadOptions& reading)
      : options_(options),
        reading_(reading),
        stop_(reading.stop),
        loader_(database, options.load, reading.stop) {
    reading_.strict = false;
    reading_.progress = nullptr;
  }

  FollowResult run() {
    Looker looker(options_, reading_);
    auto last_news = Clock::now();
    while (!stop_.is_set()) {
      PartQueue::Contents contents = looker.queue.take(look_interval);
      report(std::move(contents.problems));
      if (!contents.parts.empty()) {
        load(std::move(contents.parts), looker.queue);
        last_news = Clock::now();
      } else if (options_.until_idle && looker.queue.is_at_rest() &&
                 Clock::now() - last_news >= *options_.until_idle) {
        break;
      }
    }
    send();
    report(looker.queue.take(std::chrono::milliseconds(0)).problems);
    result_.is_stopped = stop_.is_set();
    return std::move(result_);
  }

 private:
  void load(std::vector<ReadyPart> parts, PartQueue& queue) {
    if (!has_batch_) batch_start_ = Clock::now();
    has_batch_ = true;
    std::sort(parts.begin(), parts.end(), [](const ReadyPart& a, const ReadyPart& b) {
      return std::tie(a.start_ns, a.path, a.offset) < std::tie(b.start_ns, b.path, b.offset);
    });
    try {
      // One part that cannot be read must not cost the others.
      if (!read(parts) && parts.size() > 1) {
        for (ReadyPart& part : parts) (void)read(std::span(&part, 1));
      }
    } catch (const Interrupted&) {
      // What was read is sent; the rest is found again by the next loader.
      return;
    }
    if (queue.has_parts() && Clock::now() - batch_start_ < longest_wait_for_more) return;
    send();
    // Whoever has begun these chunks may be gone.
    for (const std::string& path : loader_.take_left_sources()) {
      queue.ask_again(path, Clock::now() + 5 * options_.settle);
    }
  }

  /// False when reading failed; of a single part that is reported.
  [[nodiscard]] bool read(std::span<const ReadyPart> parts) {
    try {
      std::vector<Source> sources;
      for (const ReadyPart& part : parts) {
        Source& source = sources.emplace_back(Source{part.path, part.open()});
        if (options_.labels) source.labels = options_.labels(part.path);
      }
      SampleRowResult read = read_sample_rows_after(
          earlier_, std::move(sources), options_.load.request.samples, loader_, reading_);
      report(moved(std::move(read.problems), parts));
      LoadResult one;
      one.read = std::move(read);
      add(batch_, one);
      return true;
    } catch (const DatabaseError&) {
      throw;
    } catch (const UsageError&) {
      throw;
    } catch (const Error& error) {
      loader_.forget_unread();
      if (parts.size() == 1) report(moved({error.problem()}, parts));
      return false;
    }
  }

  /// The positions in parts as positions in their files.
  [[nodiscard]] static std::vector<Problem> moved(std::vector<Problem> problems,
                                                  std::span<const ReadyPart> parts) {
    std::map<std::string, const ReadyPart*> by_path;
    for (const ReadyPart& part : parts) {
      const auto [known, is_new] = by_path.emplace(part.path, &part);
      if (!is_new) known->second = nullptr;  // which one is not known
    }
    for (Problem& problem : problems) {
      const auto found = by_path.find(problem.file);
      if (found == by_path.end() || found->second == nullptr) continue;
      if (problem.chunk > 0) problem.chunk += found->second->earlier_chunks;
      if (problem.offset != no_position) problem.offset += found->second->offset;
    }
    return problems;
  }

  void send() {
    if (!has_batch_) return;
    loader_.finish();
    add(batch_, loader_.take_result());
    has_batch_ = false;
    if (options_.loaded) options_.loaded(batch_, Clock::now() - batch_start_);
    add(result_.loaded, batch_);
    batch_ = {};
  }

  void report(std::vector<Problem> problems) {
    if (problems.empty()) return;
    for (const Problem& problem : problems) {
      result_.problems += problem.severity == Severity::problem ? 1 : 0;
    }
    if (options_.found) options_.found(problems);
  }

  const FollowOptions& options_;
  ReadOptions reading_;
  StopFlag stop_;
  Loader loader_;
  EarlierChunks earlier_{true};
  FollowResult result_;
  LoadResult batch_;
  bool has_batch_ = false;
  Clock::time_point batch_start_;
};

}  // namespace

}  // namespace internal

void clickhouse::check_follow_options(const FollowOptions& options) {
  if (options.folders.empty()) throw UsageError("no folder to follow was given");
  if (options.load.force) {
    throw UsageError("a folder is followed without force: each start would load all of it anew");
  }
  if (options.poll <= options.poll.zero()) throw UsageError("folders must be looked at sometimes");
  for (const std::string& folder : options.folders) {
    std::error_code error;
    if (std::filesystem::is_directory(folder, error)) continue;
    const bool is_there = std::filesystem::exists(folder, error);
    internal::throw_io_error(folder, is_there ? "cannot follow what is no folder"
                                              : "cannot follow a folder that is not there");
  }
}

FollowResult clickhouse::follow(Database& database, const FollowOptions& options,
                                const ReadOptions& reading) {
  internal::check_row_request(options.load.request);
  check_follow_options(options);
  internal::check_tables(database, options.load, reading.stop);
  return internal::Follower(database, options, reading).run();
}

std::unique_ptr<clickhouse::Database> clickhouse::wait_for_database(
    const DatabaseOptions& options, const std::function<void(const std::string& text)>& message,
    const std::atomic<bool>* stop) {
  std::unique_ptr<Database> database;
  internal::RetryRule rule;
  rule.retries = LoadOptions::endless;
  rule.message = message;
  rule.stop = stop;
  internal::try_often([&] { database = open_database(options); }, rule);
  return database;
}

}  // namespace jfrtree
