#include "follow.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <jfrtree/clickhouse_follow.hpp>
#include <jfrtree/error.hpp>
#include <jfrtree/filter.hpp>

#include "clickhouse_options.hpp"
#include "load_result.hpp"
#include "option_values.hpp"
#include "options.hpp"

namespace jfrtree::python {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds longest_time = std::chrono::hours(24);

std::optional<milliseconds> take_length(const py::dict& options, const char* key,
                                        milliseconds least) {
  std::string text;
  take(options, key, text);
  if (text.empty()) {
    return std::nullopt;
  }
  const std::uint64_t ns = text == "0" ? 0 : parsed(key, text, parse_time_length);
  // Rounded down to what is counted here.
  const milliseconds time(ns / 1'000'000);
  if (time > longest_time || time < least) {
    throw UsageError(std::string(key) + ": '" + text + "' is not between " +
                     (least.count() > 0 ? std::to_string(least.count()) + "ms" : "0") + " and 1d");
  }
  return time;
}

void refuse_relative(const std::vector<TimePoint>& times, const char* option) {
  if (std::any_of(times.begin(), times.end(),
                  [](const TimePoint& time) { return time.base != TimePoint::Base::epoch; })) {
    throw UsageError(std::string(option) +
                     ": of a folder that is followed nobody knows where the recording begins and "
                     "ends");
  }
}

clickhouse::FollowOptions follow_options(const py::dict& options) {
  clickhouse::FollowOptions result;
  take(options, "folders", result.folders);
  result.load = load_options(options);
  if (!find(options, "retries")) {
    result.load.retries = clickhouse::LoadOptions::endless;
  }
  result.poll = take_length(options, "poll", milliseconds(10)).value_or(result.poll);
  result.settle = take_length(options, "settle", milliseconds(0)).value_or(result.settle);
  result.until_idle = take_length(options, "until_idle", milliseconds(0));
  const FilterOptions& filters = result.load.request.samples.profile.filters;
  refuse_relative(filters.from, "start");
  refuse_relative(filters.to, "end");
  return result;
}

/// What happened and was not told yet. One thread adds to it, another one takes it.
class News {
 public:
  void add(const clickhouse::LoadResult& batch) {
    const std::lock_guard lock(mutex_);
    batches_.push_back(batch);
  }
  void add(const std::vector<Problem>& problems) {
    const std::lock_guard lock(mutex_);
    found_.insert(found_.end(), problems.begin(), problems.end());
  }
  void add(const std::string& message) {
    const std::lock_guard lock(mutex_);
    messages_.push_back(message);
  }

  /// Calls `news` for each batch, or once where there is something else. With the GIL.
  void tell(const py::object& news) {
    std::vector<clickhouse::LoadResult> batches;
    std::vector<Problem> found;
    std::vector<std::string> messages;
    {
      const std::lock_guard lock(mutex_);
      batches.swap(batches_);
      found.swap(found_);
      messages.swap(messages_);
    }
    if (batches.empty() && (!found.empty() || !messages.empty())) {
      batches.emplace_back();
    }
    for (const clickhouse::LoadResult& batch : batches) {
      has_failed_ = true;
      news(to_dict(batch, std::exchange(found, {}), std::exchange(messages, {})));
      has_failed_ = false;
    }
  }
  [[nodiscard]] bool has_failed() const noexcept { return has_failed_; }

 private:
  std::mutex mutex_;
  std::vector<clickhouse::LoadResult> batches_;
  std::vector<Problem> found_;
  std::vector<std::string> messages_;
  bool has_failed_ = false;  // of the thread that tells
};

}  // namespace

void check_follow(const py::dict& options) {
  clickhouse::check_follow_options(follow_options(options));
  static_cast<void>(GivenLabels(options));
  static_cast<void>(read_options(options));
}

void follow(DatabaseHandle& handle, const py::dict& options, const py::object& news) {
  clickhouse::FollowOptions given = follow_options(options);
  const GivenLabels labels(options);
  const ReadOptions reading = read_options(options);
  News untold;
  const auto tell = [&](std::uint64_t, std::uint64_t) { untold.tell(news); };
  const auto follow_folders = [&](clickhouse::Database& database, Work& work) {
    const ReadOptions watched = work.options(reading);
    std::uint64_t count = 0;
    // What counts as progress makes the thread that waits call `tell`.
    const auto add = [&](const auto& what) {
      untold.add(what);
      watched.progress(++count, 0);
    };
    given.load.message = [&](const std::string& text) { add(text); };
    given.found = [&](const std::vector<Problem>& problems) { add(problems); };
    given.loaded = [&](const clickhouse::LoadResult& batch, std::chrono::nanoseconds) {
      add(batch);
    };
    given.labels = [&](const std::string& path) {
      // From here on a stop lets the batch end; the follower gives up when that takes too long.
      work.ignore_stop();
      std::vector<Source> source = {{path, nullptr}};
      std::vector<Problem> found;
      labels.apply_to(source, found);
      if (!found.empty()) {
        add(found);
      }
      return std::move(source.front().labels);
    };
    given.give_up = &handle.stop();
    return clickhouse::follow(database, given, watched).is_stopped;
  };
  try {
    if (handle.use(py::cpp_function(tell), follow_folders)) {
      throw Interrupted();
    }
  } catch (...) {
    if (!untold.has_failed()) {
      untold.tell(news);
    }
    throw;
  }
}

}  // namespace jfrtree::python
