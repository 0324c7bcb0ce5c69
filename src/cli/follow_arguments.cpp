#include "cli/follow_arguments.hpp"

#include <algorithm>
#include <functional>

#include <jfrtree/error.hpp>
#include <jfrtree/filter.hpp>

namespace jfrtree::cli {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds longest_time = std::chrono::hours(24);

milliseconds parse_time(const std::string& option, const std::string& text, milliseconds least) {
  std::uint64_t ns = 0;
  try {
    ns = text == "0" ? 0 : parse_time_length(text);
  } catch (const UsageError& error) {
    throw UsageError(option + ": " + error.what());
  }
  // Rounded down to what is counted here.
  const milliseconds time(ns / 1'000'000);
  if (time > longest_time || time < least) {
    throw UsageError(option + ": '" + text + "' is not between " +
                     (least.count() > 0 ? std::to_string(least.count()) + "ms" : "0") + " and 1d");
  }
  return time;
}

}  // namespace

void FollowArguments::add_to(CommandLine& line) {
  line.add_values("--follow", "DIR",
                  "instead of FILE: load each chunk of a JVM's repository, or of files put into a "
                  "folder, as soon as it is finished, until stopped",
                  [this](const std::string& value) {
                    if (value.empty()) throw UsageError("--follow: '' is no name of a folder");
                    folders.push_back(value);
                  });
  line.add_value(
      "--poll", "TIME", "with --follow: how often the folder is looked at; default: 5s",
      [this](const std::string& value) { poll_ = parse_time("--poll", value, milliseconds(10)); });
  line.add_value("--settle", "TIME",
                 "with --follow: a file that ends in the middle of a chunk and did not change for "
                 "so long is loaded as it is; default: 60s",
                 [this](const std::string& value) {
                   settle_ = parse_time("--settle", value, milliseconds(0));
                 });
  line.add_value("--until-idle", "TIME",
                 "with --follow: end when nothing new was found for so long; 0: when what is there "
                 "is loaded",
                 [this](const std::string& value) {
                   until_idle_ = parse_time("--until-idle", value, milliseconds(0));
                 });
}

void FollowArguments::check(const std::vector<std::string>& files) const {
  if (!folders.empty()) {
    if (!files.empty()) {
      throw UsageError("--follow: takes one folder, so " + files.front() +
                       " is a FILE, which cannot be loaded beside it; --follow is given once for "
                       "each folder, and files are loaded by a call of their own");
    }
    return;
  }
  const char* const given = poll_ ? "--poll" : settle_ ? "--settle" : "--until-idle";
  if (poll_ || settle_ || until_idle_) {
    throw UsageError(std::string(given) + ": is for --follow, which is not given");
  }
}

void FollowArguments::apply_to(clickhouse::FollowOptions& options) const {
  options.folders = folders;
  options.poll = poll_.value_or(options.poll);
  options.settle = settle_.value_or(options.settle);
  options.until_idle = until_idle_;
}

}  // namespace jfrtree::cli
