#include <algorithm>
#include <array>
#include <mutex>
#include <set>

#include <jfrtree/profile.hpp>

#include "profile/chunk_pipeline.hpp"
#include "profile/chunk_profile.hpp"
#include "profile/collapsed_filter.hpp"
#include "profile/collapsed_names.hpp"
#include "profile/collapsed_reader.hpp"
#include "profile/filters.hpp"
#include "profile/jfrconv_profile.hpp"
#include "profile/prescan.hpp"
#include "profile/profile_builder.hpp"
#include "profile/profile_request.hpp"

namespace jfrtree {

using internal::ChunkContents;
using internal::ChunkPipeline;
using internal::ProblemLog;
using internal::ProfileBuilder;

namespace {

constexpr std::array<std::string_view, 5> wanted_pools = {"jdk.types.StackTrace",
                                                          "jdk.types.Method", "jdk.types.Symbol",
                                                          "java.lang.Class", "jdk.types.FrameType"};

/// Reads each chunk on the thread that brings it, into one builder.
class ProfileHandler final : public internal::ChunkHandler {
 public:
  ProfileHandler(const ProfileRequest& request, const ReadOptions& options,
                 const internal::Filters& filters, internal::ThreadTeam& team)
      : request_(request),
        options_(options),
        filters_(filters),
        builder_(request, options.limits),
        reading_{request,
                 request.compat == Compat::none ? internal::ScanDepth::stacks
                                                : internal::ScanDepth::counts,
                 plans_,
                 team,
                 internal::StopFlag(options.stop),
                 builder_,
                 &filters_} {}

  void chunk(std::size_t file, const ChunkInfo&, const ChunkContents* contents,
             ProblemLog& log) override {
    if (contents == nullptr) return;
    const auto profile = internal::read_chunk(*contents, file, reading_, log);
    const std::lock_guard lock(mutex_);
    findings_.merge(profile.filter_findings);
  }

  void collapsed(std::size_t, Input& input, ProblemLog& log) override {
    std::uint64_t lines = 0;
    internal::CollapsedFilter filter(filters_);
    internal::CollapsedNames names;
    const std::uint64_t bytes = internal::read_collapsed(
        input, options_.limits,
        [this, &lines, &filter, &names](const internal::CollapsedLine& line) {
          ++lines;
          const auto frames =
              filter.apply(request_.frames.normalize ? names.normalize(line.frames) : line.frames);
          if (!frames.empty()) builder_.add_collapsed(frames, line.count);
        },
        [&log](const Problem& problem) {
          log.add(problem.code, problem.severity, problem.offset, problem.message, problem.count);
        });
    builder_.count_collapsed(bytes, lines);
    if (lines > 0) builder_.note_collapsed();
    filter.report(lines, log);
    if (lines > 0 && !wants_collapsed()) {
      log.note(ErrorCode::left_out, no_position,
               "collapsed stacks are left out: they are the profile collapsed, which was not asked "
               "for",
               lines);
    }
  }

  [[nodiscard]] ProfileBuilder& builder() noexcept { return builder_; }
  [[nodiscard]] const internal::FilterFindings& findings() const noexcept { return findings_; }

 private:
  [[nodiscard]] bool wants_collapsed() const {
    const auto& kinds = request_.kinds;
    return request_.event.empty() &&
           (kinds.empty() || std::find(kinds.begin(), kinds.end(), "collapsed") != kinds.end());
  }

  const ProfileRequest& request_;
  const ReadOptions& options_;
  const internal::Filters& filters_;
  std::mutex mutex_;
  internal::FilterFindings findings_;
  internal::ScanPlanCache plans_;
  ProfileBuilder builder_;
  internal::ChunkReading reading_;
};

[[nodiscard]] std::string join(const std::vector<std::string>& texts) {
  std::string joined;
  for (const std::string& text : texts) joined += (joined.empty() ? "" : ", ") + text;
  return joined.empty() ? "none" : joined;
}

/// Kinds that the input has, asked for or not, in the order of the table. Events that were not
/// looked at are of the kind of their rule.
[[nodiscard]] std::vector<std::string> kinds_present(const ProfileBuilder& builder) {
  std::set<std::string, std::less<>> names;
  for (const internal::EventRule& rule : internal::event_rules()) {
    if (rule.event == "jdk.ExecutionSample") continue;
    for (const auto& [name, count] : builder.event_counts()) {
      if (normalized_type_name(name) == rule.event) names.insert(std::string(rule.kind));
    }
  }
  std::vector<std::string> kinds;
  for (const ProfileKindDescription& kind : profile_kinds()) {
    const bool is_present = names.contains(kind.name) || builder.has_samples(kind.name);
    if (is_present) kinds.emplace_back(kind.name);
  }
  if (builder.has_samples("collapsed")) kinds.emplace_back("collapsed");
  return kinds;
}

[[noreturn]] void throw_not_found(const std::string& file, const std::string& message) {
  Problem problem;
  problem.code = ErrorCode::profile_not_found;
  problem.file = file;
  problem.message = message;
  throw ProfileNotFound(std::move(problem));
}

void check_found(const ProfileSet& set, const ProfileRequest& request, const std::string& file,
                 const ProfileBuilder& builder) {
  if (!request.event.empty() && set.find(request.event) == nullptr) {
    const bool is_stackless = !builder.declares_event();
    const std::string hint = did_you_mean(request.event, set.event_types_with_stacks);
    throw_not_found(file, "no events " + request.event +
                              (is_stackless ? " with a stack trace" : "") + " in this recording" +
                              (hint.empty() ? "; event" : hint + " Event") +
                              " types with stacks: " + join(set.event_types_with_stacks));
  }
  for (const std::string& kind : request.kinds) {
    if (set.find(kind) != nullptr) continue;
    throw_not_found(file, "no samples of the kind " + kind + "; this recording has: " +
                              join(kinds_present(builder)) + internal::missing_in_jfrconv(request));
  }
}

/// Without a wish for kinds, those of which filters leave nothing are left out, unless nothing is
/// left of all of them: then the empty profiles are the answer.
void remove_empty(ProfileSet& set, const ProfileRequest& request) {
  if (!request.kinds.empty() || request.filters.empty()) return;
  const auto is_empty = [](const Profile& profile) { return profile.stacks.empty(); };
  if (std::all_of(set.profiles.begin(), set.profiles.end(), is_empty)) return;
  std::erase_if(set.profiles, is_empty);
}

/// Nothing where it is not known, or no time at all.
[[nodiscard]] std::optional<std::uint64_t> span_of(const internal::CoveredTime& covered,
                                                   const TimeRange& chosen) {
  const std::uint64_t span = covered.length_ns(chosen.from_ns, chosen.to_ns);
  return span == 0 ? std::nullopt : std::optional(span);
}

void count_result(ProfileSet& set) {
  ReadStatistics& statistics = set.statistics;
  for (const Profile& profile : set.profiles) {
    statistics.unique_stacks += profile.stacks.size();
  }
  if (set.profiles.empty()) return;
  // Frames and their texts are shared by all profiles.
  const Profile& first = set.profiles.front();
  statistics.stack_bytes =
      statistics.unique_stacks * sizeof(StackSum) + first.frame_ids->size() * sizeof(FrameId);
  statistics.names = first.frame_table->size();
}

}  // namespace

const Profile* ProfileSet::find(std::string_view kind) const noexcept {
  for (const Profile& profile : profiles) {
    if (profile.kind == kind) return &profile;
  }
  return nullptr;
}

ReadStatistics& ReadStatistics::operator+=(const ReadStatistics& other) noexcept {
  bytes += other.bytes;
  chunks += other.chunks;
  collapsed_lines += other.collapsed_lines;
  events += other.events;
  samples += other.samples;
  stacks_decoded += other.stacks_decoded;
  stack_insertions += other.stack_insertions;
  unique_stacks += other.unique_stacks;
  stack_bytes += other.stack_bytes;
  names += other.names;
  return *this;
}

std::size_t Profile::find_sample_type(std::string_view name) const {
  for (std::size_t i = 0; i < sample_types.size(); ++i) {
    const bool is_generic = name == (i == 0   ? "count"
                                     : i == 1 ? std::string_view("value")
                                              : sample_types[i].unit);
    if (is_generic || sample_types[i].name == name || sample_types[i].full_name() == name) return i;
  }
  std::string known;
  for (const SampleType& type : sample_types) {
    known += (known.empty() ? "" : ", ") + type.full_name();
  }
  throw UsageError("the profile " + kind + " has no sample type " + std::string(name) +
                   "; it has " + known);
}

ProfileSet read_profiles(std::vector<Source> sources, const ProfileRequest& given_request,
                         const ReadOptions& options) {
  internal::check_request(given_request);
  const ProfileRequest request = internal::completed(given_request);
  internal::Filters filters(request);
  internal::prescan(sources, filters, options);
  const std::string only_file = sources.size() == 1 ? sources.front().path : std::string();
  internal::ThreadTeam team(options.threads, internal::StopFlag(options.stop));
  ProfileHandler handler(request, options, filters, team);
  ChunkPipeline pipeline(sources, options, {true, wanted_pools}, handler, team);
  pipeline.run();
  ProfileSet set = handler.builder().finish(team);
  if (request.compat == Compat::jfrconv) internal::describe_as_jfrconv(set);
  std::vector<Problem> found = pipeline.problems();
  found.insert(found.end(), set.problems.begin(), set.problems.end());
  set.problems = std::move(found);
  set.start_ns = pipeline.start_ns();
  set.end_ns = pipeline.end_ns();
  set.span_ns = span_of(pipeline.covered_time(), filters.times());
  count_result(set);
  if (options.strict) internal::throw_first_problem(set.problems);
  if (request.allow_absent) {
    set.kinds_present = kinds_present(handler.builder());
  } else {
    check_found(set, request, only_file, handler.builder());
    filters.check_found(handler.findings(), only_file);
  }
  remove_empty(set, request);
  return set;
}

ProfileSet read_profiles(std::span<const std::string> paths, const ProfileRequest& request,
                         const ReadOptions& options) {
  std::vector<Problem> found;
  std::vector<Source> sources = open_sources(paths, &found);
  if (options.strict) internal::throw_first_problem(found);
  ProfileSet set = read_profiles(std::move(sources), request, options);
  set.problems.insert(set.problems.begin(), found.begin(), found.end());
  return set;
}

}  // namespace jfrtree
