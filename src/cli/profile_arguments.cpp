#include "cli/profile_arguments.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include <jfrtree/error.hpp>

#include "cli/frame_arguments.hpp"
#include "cli/help.hpp"
#include "cli/human.hpp"
#include "cli/text.hpp"

namespace jfrtree::cli {
namespace {

// The kind of collapsed stacks that are read as input.
constexpr std::string_view collapsed_kind = "collapsed";

std::vector<std::string> kind_names() {
  std::vector<std::string> names;
  for (const ProfileKindDescription& kind : profile_kinds()) {
    names.emplace_back(kind.name);
  }
  names.emplace_back(collapsed_kind);
  return names;
}

// What is empty would mean that the option was not given.
std::string not_empty(const char* option, const std::string& value) {
  if (value.empty()) {
    throw UsageError(std::string(option) + ": needs a name");
  }
  return value;
}

[[noreturn]] void throw_no_samples(const std::string& file, const ProfileSet& set) {
  Problem problem;
  problem.code = ErrorCode::profile_not_found;
  problem.file = file;
  if (set.event_types_with_stacks.empty()) {
    problem.message =
        "no samples of any profile kind and no event with a stack trace: jfrtree info lists the "
        "events";
  } else {
    problem.message =
        "no samples of any profile kind: choose one of the event types with stack "
        "traces by --event: " +
        join(set.event_types_with_stacks, ", ");
  }
  throw ProfileNotFound(std::move(problem));
}

std::string statistics_text(const ReadStatistics& statistics, unsigned threads,
                            std::chrono::nanoseconds time) {
  std::vector<std::string> places;
  std::vector<std::string> results;
  if (statistics.chunks > 0 || statistics.collapsed_lines == 0) {
    places.push_back(counted(statistics.chunks, "chunk", "chunks"));
    results.push_back(counted(statistics.events, "event", "events"));
  }
  if (statistics.collapsed_lines > 0) {
    places.push_back(counted(statistics.collapsed_lines, "line", "lines") + " of collapsed stacks");
  }
  results.push_back(counted(statistics.samples, "sample", "samples"));
  results.push_back(counted(statistics.stacks_decoded, "stack", "stacks"));
  return "read " + bytes_text(statistics.bytes) + " in " + join(places, " and ") + " by " +
         counted(threads, "thread", "threads") + " in " +
         duration_text(static_cast<std::uint64_t>(time.count())) + ": " + join(results, ", ");
}

}  // namespace

void ProfileArguments::add_to(CommandLine& line, Kinds kinds_taken,
                              const std::string& kind_description) {
  line.begin_group("Profile");
  line.add_values("-p,--profile", "KIND", kind_description,
                  [this, kinds_taken](const std::string& value) { add_kind(value, kinds_taken); });
  line.add_value("--event", "NAME", "instead of a kind: an event type that has a stack trace",
                 [this](const std::string& value) { event = not_empty("--event", value); });
  line.add_value(
      "--value-field", "FIELD",
      "with --event: the numeric field that is its value; default: duration",
      [this](const std::string& value) { value_field = not_empty("--value-field", value); });
  line.add_value(
      "--sample-type", "TYPE",
      "the number that is shown: count, value, or a name as in alloc_space/bytes",
      [this](const std::string& value) { sample_type = not_empty("--sample-type", value); });
  line.add_flag("--leak", "with native-mem: only what was not freed", leak);
  add_frame_options(line, frames);
  filters.add_to(line);
}

void ProfileArguments::add_kind(const std::string& kind, Kinds kinds_taken) {
  if (kind == "all") {
    all_kinds = true;
    return;
  }
  const std::vector<std::string> known = kind_names();
  if (std::find(known.begin(), known.end(), kind) == known.end()) {
    const std::string all = kinds_taken == Kinds::several ? ", or all" : "";
    throw UsageError("--profile: no kind is called '" + kind + "', the kinds are " +
                     join(known, ", ") + all);
  }
  if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) {
    kinds.push_back(kind);
  }
}

void ProfileArguments::check() const {
  check_frame_arguments(frames);
  if (!event.empty() && (all_kinds || !kinds.empty())) {
    throw UsageError("--profile and --event contradict each other");
  }
  const bool has_memory =
      all_kinds || std::find(kinds.begin(), kinds.end(), "native-mem") != kinds.end();
  if (leak && !has_memory) {
    throw UsageError("--leak: needs --profile native-mem, other kinds have nothing that is freed");
  }
  if (!value_field.empty() && event.empty()) {
    throw UsageError("--value-field: needs --event, kinds have values of their own");
  }
}

ProfileRequest ProfileArguments::request() const {
  ProfileRequest request;
  if (!all_kinds) {
    request.kinds = kinds;
  }
  request.event = event;
  request.value_field = value_field;
  request.leak = leak;
  request.frames = frames;
  request.filters = filters.options;
  request.compat = compat;
  return request;
}

namespace {

ProfileSet read_set(InputFiles inputs, const ReadingArguments& reading,
                    const ProfileRequest& request, const Console& console) {
  const auto start = std::chrono::steady_clock::now();
  Progress progress(reading.progress, reading.quiet);
  ProfileSet set =
      jfrtree::read_profiles(std::move(inputs.sources), request, reading.read_options(progress));
  progress.finish();
  set.problems.insert(set.problems.begin(), inputs.found.begin(), inputs.found.end());
  console.report(set.problems);
  for (const LeftOut& left_out : set.left_out) {
    console.detail("note: " + left_out_text(left_out));
  }
  console.detail(statistics_text(set.statistics, reading.thread_count(),
                                 std::chrono::steady_clock::now() - start));
  return set;
}

// Recordings may be made without the stack traces of a type.
void report_no_stacks(const ProfileSet& set, const std::string& event, const Console& console) {
  const auto has_none = [](const Profile& profile) {
    const std::size_t markers = profile.has_thread_frame ? 1 : 0;
    return !profile.stacks.empty() &&
           std::all_of(profile.stacks.begin(), profile.stacks.end(), [&](const StackSum& stack) {
             const auto frames = profile.frames(stack);
             return frames.size() > markers &&
                    profile.frame_table->text(frames[markers]) == "[no stack]";
           });
  };
  if (event.empty() || set.profiles.empty() || !has_none(set.profiles.front())) {
    return;
  }
  std::vector<std::string> others = set.event_types_with_stacks;
  std::erase(others, set.profiles.front().kind);
  console.message(
      "note: no " + event + " event of this recording has a stack trace" +
      (others.empty() ? std::string() : "; types that may have one: " + join(others, ", ")));
}

}  // namespace

ProfileSet read_profiles(InputFiles inputs, const ReadingArguments& reading,
                         const ProfileArguments& profile, const Console& console) {
  const std::string only_file = inputs.sources.size() == 1 ? inputs.sources.front().path : "";
  ProfileSet set = read_set(std::move(inputs), reading, profile.request(), console);
  if (set.profiles.empty()) {
    throw_no_samples(only_file, set);
  }
  report_nothing_left(profile.filters, set, console);
  report_no_stacks(set, profile.event, console);
  return set;
}

ProfileSet read_side(InputFiles inputs, const ReadingArguments& reading,
                     const ProfileArguments& profile, const Console& console) {
  ProfileRequest request = profile.request();
  request.allow_absent = true;
  ProfileSet set = read_set(std::move(inputs), reading, request, console);
  if (!set.profiles.empty()) {
    report_nothing_left(profile.filters, set, console);
  }
  return set;
}

void report_other_collapsed(const ProfileSet& set, const Console& console) {
  const std::string& written = set.profiles.front().kind;
  const Profile* const collapsed = set.find(collapsed_kind);
  if (collapsed != nullptr && written != collapsed_kind) {
    console.message("note: collapsed stacks are a profile of their own and not part of " + written +
                    ": " + counted(collapsed->count, "sample", "samples") +
                    " left out; -p collapsed chooses them");
  }
}

void report_idle_options(const FrameOptions& options, std::span<const Profile> profiles,
                         const Console& console) {
  FrameOptions idle = options;
  idle.normalize = false;  // the one that works on any text
  const std::vector<std::string> names = given_frame_options(idle);
  const bool has_collapsed =
      std::any_of(profiles.begin(), profiles.end(),
                  [](const Profile& profile) { return profile.kind == collapsed_kind; });
  if (has_collapsed && !names.empty()) {
    console.message("note: collapsed stacks are taken as they are: " + join(names, ", ") +
                    (names.size() == 1 ? " does" : " do") + " nothing to them");
  }
}

void check_sample_type(const std::string& sample_type, std::span<const Profile> profiles) {
  if (sample_type.empty()) {
    return;
  }
  std::vector<std::string> reasons;
  for (const Profile& profile : profiles) {
    try {
      static_cast<void>(profile.find_sample_type(sample_type));
      return;
    } catch (const UsageError& error) {
      reasons.emplace_back(error.what());
    }
  }
  if (reasons.size() == 1) {
    throw UsageError("--sample-type: " + reasons.front());
  }
  std::vector<std::string> known;
  for (const Profile& profile : profiles) {
    std::vector<std::string> names;
    for (const SampleType& type : profile.sample_types) {
      names.push_back(type.full_name());
    }
    known.push_back(profile.kind + " has " + join(names, ", "));
  }
  throw UsageError("--sample-type: no profile has a sample type " + sample_type + "; " +
                   join(known, "; "));
}

bool has_known_value(const Profile& profile) {
  return profile.stacks.empty() ||
         std::any_of(profile.stacks.begin(), profile.stacks.end(),
                     [](const StackSum& stack) { return stack.has_value; });
}

void report_unknown_values(const std::string& sample_type, std::span<const Profile> profiles,
                           const Console& console) {
  if (sample_type.empty()) {
    return;
  }
  for (const Profile& profile : profiles) {
    const std::vector<SampleType>& types = profile.sample_types;
    const bool is_value =
        types.size() > 1 && (sample_type == "value" || sample_type == types[1].name ||
                             sample_type == types[1].full_name());
    if (is_value && !profile.value) {
      console.message("note: the recording does not say the " + types[1].full_name() + " of " +
                      (has_known_value(profile) ? "some" : "any") + " samples of " + profile.kind +
                      "; the number of samples is known (--sample-type count)");
    }
  }
}

std::string left_out_text(const LeftOut& left_out) {
  return left_out.kind + " leaves out " + count_text(left_out.count) + " " + left_out.event + ": " +
         left_out.reason;
}

std::string kinds_help() {
  std::vector<std::pair<std::string, std::string>> kinds;
  for (const ProfileKindDescription& kind : profile_kinds()) {
    kinds.emplace_back(kind.name, kind.description);
  }
  kinds.emplace_back(collapsed_kind, "stacks that were read from collapsed text: their numbers");
  return definitions_text("Profile kinds", kinds);
}

}  // namespace jfrtree::cli
