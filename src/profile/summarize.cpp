#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <string_view>
#include <system_error>

#include <jfrtree/summary.hpp>

#include "profile/chunk_pipeline.hpp"
#include "profile/chunk_profile.hpp"
#include "profile/collapsed_reader.hpp"
#include "profile/profile_builder.hpp"
#include "profile/recording_settings.hpp"
#include "profile/saturating_add.hpp"

namespace jfrtree {

using internal::ChunkContents;
using internal::ChunkPipeline;
using internal::ProblemLog;

namespace {

/// Collects per file and chunk what a scan without stacks gives.
class SummaryHandler final : public internal::ChunkHandler {
 public:
  SummaryHandler(const std::vector<Source>& sources, const SummaryRequest& wanted,
                 const ReadOptions& options, internal::ThreadTeam& team)
      : options_(options),
        wants_settings_(wanted.settings),
        builder_(request_, options.limits),
        reading_{request_,
                 wanted.quick ? internal::ScanDepth::counts : internal::ScanDepth::totals,
                 plans_,
                 team,
                 internal::StopFlag(options.stop),
                 builder_},
        files_(sources.size()),
        opened_(sources.size(), false) {
    for (std::size_t i = 0; i < sources.size(); ++i) {
      files_[i].path = sources[i].path;
      files_[i].labels = sources[i].labels;
    }
  }

  void opened(std::size_t file, const Input& input) override {
    FileSummary& summary = files_[file];
    opened_[file] = true;
    summary.container = input.container();
    if (summary.path.empty()) summary.path = input.name();
    std::error_code error;
    const bool is_file = std::filesystem::is_regular_file(summary.path, error);
    if (input.size()) {
      summary.bytes = *input.size();
    } else if (is_file) {
      summary.bytes = std::filesystem::file_size(summary.path, error);
    }
    counts_chunks_ = !input.size() && !is_file;
  }

  void chunk(std::size_t file, const ChunkInfo& info, const ChunkContents* contents,
             ProblemLog& log) override {
    internal::ChunkProfile profile;
    internal::SettingSet settings;
    if (contents != nullptr) {
      if (wants_settings_) {
        internal::add_settings(*contents, internal::StopFlag(options_.stop), settings);
      }
      profile = internal::read_chunk(*contents, file, reading_, log);
    }
    ChunkSummary summary;
    summary.info = info;
    summary.producer = profile.facts.producer;
    summary.events = profile.statistics.events;
    const std::lock_guard lock(mutex_);
    files_[file].chunks.push_back(std::move(summary));
    if (counts_chunks_) files_[file].bytes += info.bytes;
    settings_.merge(settings);
  }

  void collapsed(std::size_t file, Input& input, ProblemLog& log) override {
    std::uint64_t lines = 0;
    const std::uint64_t bytes = internal::read_collapsed(
        input, options_.limits,
        [this, &lines](const internal::CollapsedLine& line) {
          builder_.add_collapsed({}, line.count);
          ++lines;
        },
        [&log](const Problem& problem) {
          log.add(problem.code, problem.severity, problem.offset, problem.message, problem.count);
        });
    builder_.count_collapsed(bytes, lines);
    if (counts_chunks_) files_[file].bytes += bytes;
  }

  [[nodiscard]] internal::ProfileBuilder& builder() noexcept { return builder_; }
  [[nodiscard]] const internal::SettingSet& settings() const noexcept { return settings_; }

  /// The files that could be opened, chunks in order.
  [[nodiscard]] std::vector<FileSummary> take_files() {
    std::vector<FileSummary> found;
    for (std::size_t i = 0; i < files_.size(); ++i) {
      if (!opened_[i]) continue;
      std::sort(files_[i].chunks.begin(), files_[i].chunks.end(),
                [](const ChunkSummary& a, const ChunkSummary& b) {
                  return a.info.number < b.info.number;
                });
      found.push_back(std::move(files_[i]));
    }
    return found;
  }

 private:
  const ReadOptions& options_;
  bool wants_settings_;
  ProfileRequest request_;
  internal::ScanPlanCache plans_;
  std::mutex mutex_;
  internal::ProfileBuilder builder_;
  internal::ChunkReading reading_;
  std::vector<FileSummary> files_;
  std::vector<bool> opened_;
  internal::SettingSet settings_;
  bool counts_chunks_ = false;
};

[[nodiscard]] ProfileSummary to_summary(const Profile& profile,
                                        const std::vector<LeftOut>& left_out) {
  ProfileSummary summary;
  summary.kind = profile.kind;
  summary.events = profile.events;
  summary.event_count = profile.event_count;
  summary.samples = profile.count;
  summary.total = profile.value;
  summary.sample_types = profile.sample_types;
  summary.default_sample_type = profile.default_sample_type;
  for (std::size_t type = 2; type < profile.sample_types.size(); ++type) {
    std::uint64_t& total = summary.further_totals.emplace_back(0);
    for (const StackSum& stack : profile.stacks) {
      internal::add_saturated(total, profile.number(stack, type));
    }
  }
  for (const LeftOut& entry : left_out) {
    if (entry.kind == profile.kind) summary.left_out.push_back(entry);
  }
  return summary;
}

/// The producers of all chunks, each once, in order.
[[nodiscard]] std::string producers(const std::vector<FileSummary>& files) {
  std::set<std::string_view> seen;  // a damaged recording may name one for each chunk
  std::string joined;
  for (const FileSummary& file : files) {
    for (const ChunkSummary& chunk : file.chunks) {
      if (chunk.producer.empty() || !seen.insert(chunk.producer).second) continue;
      joined += (joined.empty() ? "" : ", ") + chunk.producer;
    }
  }
  return joined;
}

void count_problems(RecordingSummary& summary) {
  std::map<std::pair<std::string, std::uint64_t>, std::uint64_t> counts;
  for (const Problem& problem : summary.problems) ++counts[{problem.file, problem.chunk}];
  for (FileSummary& file : summary.files) {
    for (ChunkSummary& chunk : file.chunks) {
      const auto found = counts.find({file.path, chunk.info.number});
      if (found != counts.end()) chunk.problems = found->second;
    }
  }
}

}  // namespace

RecordingSummary summarize(std::vector<Source> sources, const SummaryRequest& request,
                           const ReadOptions& options) {
  internal::ThreadTeam team(options.threads, internal::StopFlag(options.stop));
  SummaryHandler handler(sources, request, options, team);
  const bool is_quick = request.quick && !request.settings;
  ChunkPipeline pipeline(sources, options, {!is_quick, {}, is_quick}, handler, team);
  pipeline.run();
  ProfileSet set = handler.builder().finish(team);
  RecordingSummary summary;
  std::vector<Problem> found = pipeline.problems();
  found.insert(found.end(), set.problems.begin(), set.problems.end());
  if (options.strict) internal::throw_first_problem(found);
  for (Problem& problem : found) {
    auto& list = problem.severity == Severity::note ? summary.notes : summary.problems;
    list.push_back(std::move(problem));
  }
  for (const Profile& profile : set.profiles) {
    summary.profiles.push_back(to_summary(profile, set.left_out));
  }
  summary.settings.assign(handler.settings().begin(), handler.settings().end());
  summary.files = handler.take_files();
  summary.events = handler.builder().event_counts();
  summary.statistics = set.statistics;
  summary.producer = producers(summary.files);
  summary.start_ns = pipeline.start_ns();
  summary.end_ns = pipeline.end_ns();
  count_problems(summary);
  return summary;
}

}  // namespace jfrtree
