#include "cli/query_arguments.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <system_error>

#include <jfrtree/error.hpp>

#include "cli/help.hpp"
#include "cli/human.hpp"
#include "cli/reading_arguments.hpp"
#include "cli/text.hpp"

namespace jfrtree::cli {
namespace {

TimePoint parse_query_time(const std::string& option, const std::string& text, bool is_end) {
  if (text == "now") {
    return {TimePoint::Base::recording_end, 0};
  }
  TimePoint point;
  try {
    point = parse_time_point(text);
  } catch (const UsageError& error) {
    // A database has no recording to count from.
    const std::string words = error.what();
    const std::size_t relative = words.find(", or +30s behind");
    throw UsageError(option + ": " +
                     (relative == std::string::npos
                          ? words
                          : words.substr(0, relative) + ", now, -1h before now" +
                                (is_end ? ", or +10m behind the start" : "")));
  }
  if (point.base == TimePoint::Base::recording_start && !is_end) {
    throw UsageError(option + ": '" + text +
                     "' has no start to be behind: give -1h before now, or a date and time");
  }
  return point;
}

std::optional<std::int64_t> resolve_time(const std::optional<TimePoint>& point, std::int64_t start,
                                         std::int64_t now) {
  if (!point) {
    return std::nullopt;
  }
  const std::int64_t base = point->base == TimePoint::Base::epoch           ? 0
                            : point->base == TimePoint::Base::recording_end ? now
                                                                            : start;
  std::int64_t time = 0;
  if (__builtin_add_overflow(base, point->ns, &time)) {
    throw UsageError("--from and --to: there is no such time");
  }
  return time;
}

/// Whether a folder holds nothing, or only what the engine left of an attempt to open it.
bool is_empty_folder(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) {
    return false;
  }
  std::filesystem::directory_iterator entry(path, error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    if (entry->path().filename() != "tmp") {
      return false;
    }
  }
  return !error;
}

/// Why a path is no folder to read from, where that is seen without the engine; else null.
const char* no_folder(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    return "there is no such folder; jfrtree clickhouse load makes it";
  }
  return is_empty_folder(path) ? "the folder is empty; jfrtree clickhouse load fills it" : nullptr;
}

}  // namespace

std::unique_ptr<clickhouse::Database> open_stored_database(const DatabaseArguments& arguments) {
  const clickhouse::DatabaseOptions options = arguments.options();
  clickhouse::check_place(options.place);
  const char* const reason = clickhouse::is_url(options.place) ? nullptr : no_folder(options.place);
  if (reason != nullptr) {
    throw clickhouse::DatabaseError(clickhouse::DatabaseFault::missing_table, options.place,
                                    std::string(reason) + ", --db names another database");
  }
  return clickhouse::open_database(options);
}

std::int64_t now_ns() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

void QueryTimes::add_to(CommandLine& line, const std::string& prefix, const std::string& what) {
  const std::string from_name = "--" + prefix + "from";
  const std::string to_name = "--" + prefix + "to";
  line.add_value(from_name, "TIME", what + " from this time on (times below)",
                 [this, from_name](const std::string& value) {
                   from = parse_query_time(from_name, value, false);
                 });
  line.add_value(
      to_name, "TIME", what + " before this time",
      [this, to_name](const std::string& value) { to = parse_query_time(to_name, value, true); });
}

TimeRange QueryTimes::resolve(std::int64_t now) const {
  const bool is_behind_start = to && to->base == TimePoint::Base::recording_start;
  if (is_behind_start && !from) {
    throw UsageError("--to: behind a + stands how long after --from, which is not given");
  }
  TimeRange range;
  range.from_ns = resolve_time(from, 0, now);
  range.to_ns = resolve_time(to, range.from_ns.value_or(0), now);
  if (range.from_ns && range.to_ns && *range.from_ns > *range.to_ns) {
    throw UsageError("--to: the end of the range, " + time_text(*range.to_ns) +
                     ", is before its start, " + time_text(*range.from_ns));
  }
  return range;
}

void QueryTimes::tell_of_cut_bucket(const std::string& prefix, const Console& console) const {
  constexpr std::int64_t bucket_ns = 10'000'000'000;  // unless rows were loaded with another one
  if (!from || from->base != TimePoint::Base::epoch || from->ns % bucket_ns == 0 || from->ns < 0) {
    return;
  }
  const auto option = [&prefix](std::int64_t ns) {
    std::string time = time_text(ns);
    time[time.find(' ')] = 'T';
    return "--" + prefix + "from " + time + "Z";
  };
  console.message("note: " + option(from->ns) +
                  " takes the buckets that begin then or later, and these have 10 s unless they "
                  "were loaded with another --bucket: " +
                  option(from->ns / bucket_ns * bucket_ns) + " takes in the one before");
}

void add_where_option(CommandLine& line, const std::string& option, const std::string& description,
                      Conditions& target) {
  line.add_values(option, "KEY=VALUE", description, [option, &target](const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw UsageError(option + ": '" + text + "' is not of the form KEY=VALUE");
    }
    std::pair condition(text.substr(0, equals), text.substr(equals + 1));
    if (std::find(target.begin(), target.end(), condition) == target.end()) {
      target.push_back(std::move(condition));
    }
  });
}

std::vector<std::string> condition_texts(const Conditions& conditions) {
  std::vector<std::string> texts;
  for (const auto& [key, value] : conditions) {
    texts.push_back(valid_utf8(key) + "=" + valid_utf8(value));
  }
  return texts;
}

std::vector<std::string> query_texts(const clickhouse::ProfileQuery& query) {
  std::vector<std::string> texts = condition_texts(query.where);
  if (query.time.from_ns) {
    texts.push_back("from " + time_text(*query.time.from_ns));
  }
  if (query.time.to_ns) {
    texts.push_back("to " + time_text(*query.time.to_ns));
  }
  return texts;
}

void QueryArguments::add_kind(const std::string& kind, Kinds kinds_taken) {
  if (kind.empty()) {
    throw UsageError("--profile: needs a kind");
  }
  if (kind == "all" && kinds_taken == Kinds::several) {
    all_kinds = true;
  } else if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) {
    kinds.push_back(kind);
  }
}

void QueryArguments::add_to(CommandLine& line, Kinds kinds_taken,
                            const std::string& kind_description) {
  database.add_to(line);
  line.begin_group("Profile");
  line.add_values("-p,--profile", "KIND", kind_description,
                  [this, kinds_taken](const std::string& value) { add_kind(value, kinds_taken); });
  times.add_to(line, "", "samples of buckets of time that begin");
  add_where_option(line, "--where",
                   "samples of a service, of a thread or group that was loaded by name, or with a "
                   "label of any other key; one key several times: any of the values",
                   where);
  line.add_value("--sample-type", "TYPE", "the number that counts: count, value or its name",
                 [this](const std::string& value) { sample_type = value; });
  line.add_flag("--by-thread", "the thread, as far as it was loaded, as the first frame",
                by_thread);
  line.add_value("--max-stacks", "N",
                 "keep the N largest stacks of a kind, and all others as (other); default: 1000000",
                 [this](const std::string& value) {
                   max_stacks = parse_number("--max-stacks", value, 1, 10'000'000);
                   has_max_stacks = true;
                 });
}

void QueryArguments::add_output_to(CommandLine& line) {
  line.begin_group("Output and messages");
  line.add_value("-o,--output", "PATH", "where to write; default and -: standard output",
                 [this](const std::string& value) {
                   if (value.empty()) {
                     throw UsageError("--output: '' is no name of a file");
                   }
                   output = value;
                 });
  line.add_values("--limit", "NAME=N",
                  "change a limit on what a result may cost; jfrtree help limits lists them",
                  [this](const std::string& value) { add_limit(limits, value); });
  line.add_flag("-q,--quiet", "no messages but errors", quiet);
  line.add_flag("-v,--verbose", "notes as well", verbose);
  line.add_help();
}

void QueryArguments::check(const std::vector<std::string>& files, Console& console) const {
  if (!files.empty()) {
    throw UsageError(files.front() + ": profiles come from the database, name it by --db");
  }
  if (quiet && verbose) {
    throw UsageError("--quiet and --verbose contradict each other");
  }
  if (quiet) {
    console.set_level(Console::Level::quiet);
  } else if (verbose) {
    console.set_level(Console::Level::verbose);
  }
  times.tell_of_cut_bucket("", console);
}

clickhouse::ProfileQuery QueryArguments::query() const {
  clickhouse::ProfileQuery query;
  if (!all_kinds) {
    query.kinds = kinds;
  }
  query.time = times.resolve(now_ns());
  query.where = where;
  query.by_thread = by_thread;
  query.max_stacks = max_stacks;
  if (!sample_type.empty()) {
    query.by_count = sample_type == "count";
  }
  query.limits = limits;
  return query;
}

std::string query_times_help() {
  const std::vector<std::pair<std::string, std::string>> forms = {
      {"-1h", "before now; ns, us, ms, s, m, h, d"},
      {"now", "now"},
      {"2024-01-31T18:00:00Z", "a date and time with a zone (Z or an offset as +01:00)"},
      {"1706724000", "since 1970: seconds, or by its length ms, us or ns"},
      {"+10m", "an end so long behind the start"},
  };
  return definitions_text("Times", forms);
}

}  // namespace jfrtree::cli
