#include <algorithm>
#include <array>
#include <filesystem>
#include <mutex>
#include <set>
#include <system_error>
#include <utility>

#include <jfrtree/sample_rows.hpp>

#include "profile/chunk_pipeline.hpp"
#include "profile/chunk_samples.hpp"
#include "profile/earlier_chunks.hpp"
#include "profile/prescan.hpp"
#include "profile/profile_request.hpp"
#include "profile/repository_folder.hpp"
#include "profile/saturating_add.hpp"
#include "profile/stack_hash.hpp"
#include "profile/turns.hpp"

namespace jfrtree {

using internal::ChunkContents;
using internal::ChunkSamples;
using internal::EarlierChunks;
using internal::ProblemLog;

namespace {

constexpr std::array<std::string_view, 5> wanted_pools = {"jdk.types.StackTrace",
                                                          "jdk.types.Method", "jdk.types.Symbol",
                                                          "java.lang.Class", "jdk.types.FrameType"};
constexpr std::uint64_t longest_bucket = std::uint64_t{1} << 60;

/// Makes the rows of chunks on the threads that bring them, and hands them out in order.
class SampleHandler final : public internal::ChunkHandler {
 public:
  SampleHandler(const std::vector<Source>& sources, const ProfileRequest& request,
                std::uint64_t bucket_ns, const internal::Filters& filters, SampleRowSink& sink,
                const ReadOptions& options, internal::ThreadTeam& team, EarlierChunks& earlier)
      : sources_(sources),
        request_(request),
        is_strict_(options.strict),
        sink_(sink),
        reading_{request, filters, bucket_ns, team, internal::StopFlag(options.stop)},
        earlier_(earlier) {}

  void taken(std::size_t file, const ChunkInfo& info) override {
    turns_.begin({file, info.number});
  }
  void failed() noexcept override { turns_.fail(); }

  void chunk(std::size_t file, const ChunkInfo& info, const ChunkContents* contents,
             ProblemLog& log) override {
    const internal::Turns::Key turn{file, info.number};
    if (contents == nullptr) {
      if (turns_.wait(turn)) turns_.end();
      return;
    }
    SampleChunk chunk;
    chunk.place = {&sources_[file], info, internal::chunk_hash(contents->bytes)};
    const bool is_wanted = wants(chunk.place);
    ChunkSamples samples = is_wanted ? read_chunk_samples(*contents, file, reading_, log)
                                     : read_chunk_facts(*contents, file, reading_, log);
    // The rows are made here and now, unless they depend on earlier chunks.
    const bool is_complete = is_wanted && internal::is_complete(samples);
    if (is_complete) make(samples, samples.facts.settings, chunk, log);
    if (!turns_.wait(turn)) return;
    const internal::Settings& settings = earlier_.add(samples.facts);
    if (is_wanted && !is_complete) make(samples, settings, chunk, log);
    count(samples, chunk, is_wanted, contents->bytes.size());
    if (is_wanted) hand_out(samples, chunk, log);
    turns_.end();
  }

  void collapsed(std::size_t, Input&, ProblemLog& log) override {
    log.problem(ErrorCode::not_a_recording, no_position,
                "collapsed stacks have no times: they cannot be rows");
  }

  [[nodiscard]] SampleRowResult finish() {
    result_.event_types_with_stacks.assign(event_types_.begin(), event_types_.end());
    return std::move(result_);
  }
  [[nodiscard]] const internal::FilterFindings& findings() const noexcept { return findings_; }

 private:
  [[nodiscard]] bool wants(const SampleChunkPlace& place) {
    const std::lock_guard lock(wants_mutex_);
    return sink_.wants(place);
  }

  void make(ChunkSamples& samples, const internal::Settings& settings, SampleChunk& chunk,
            ProblemLog& log) const {
    if (make_sample_chunk(samples, settings, request_, chunk)) {
      log.problem(ErrorCode::value_out_of_range, chunk.place.info.offset,
                  "a sum of the chunk is larger than 64 bits; it stays at the largest number");
    }
  }

  // All below: by the thread whose turn it is.
  void count(const ChunkSamples& samples, const SampleChunk& chunk, bool is_wanted,
             std::size_t bytes) {
    ReadStatistics& statistics = result_.statistics;
    statistics.bytes += bytes;
    statistics.chunks += 1;
    statistics.events += samples.events;
    statistics.stacks_decoded += samples.decoded_stacks;
    statistics.stack_insertions += samples.rows.size();
    statistics.unique_stacks += chunk.stacks.size();
    internal::add_saturated(statistics.samples, chunk.samples);
    result_.rows += chunk.rows.size();
    result_.skipped_chunks += is_wanted ? 0 : 1;
    for (const SampleKind& kind : chunk.kinds) {
      internal::add_saturated(result_.samples[kind.name], kind.count);
    }
    event_types_.insert(samples.event_types_with_stacks.begin(),
                        samples.event_types_with_stacks.end());
    findings_.merge(samples.filter_findings);
  }

  void hand_out(ChunkSamples& samples, SampleChunk& chunk, const ProblemLog& log) {
    const ChunkInfo& info = chunk.place.info;
    chunk.start_ns = info.header.start_ns;
    chunk.end_ns = chunk.start_ns;
    if (info.header.duration_ns > 0 && info.state != ChunkState::unfinished &&
        __builtin_add_overflow(chunk.start_ns, info.header.duration_ns, &chunk.end_ns)) {
      chunk.end_ns = chunk.start_ns;
    }
    chunk.producer = samples.facts.producer;
    if (samples.facts.process) {
      chunk.process = ProcessIdentity{samples.facts.process->first, samples.facts.process->second};
    }
    chunk.events = samples.events;
    chunk.left_out = std::move(samples.left_out);
    chunk.problems = log.entries();
    if (is_strict_) internal::throw_first_problem(chunk.problems);
    sink_.chunk(chunk);
  }

  const std::vector<Source>& sources_;
  const ProfileRequest& request_;
  bool is_strict_;
  SampleRowSink& sink_;
  internal::SampleReading reading_;
  internal::Turns turns_;
  std::mutex wants_mutex_;
  EarlierChunks& earlier_;
  SampleRowResult result_;
  std::set<std::string> event_types_;
  internal::FilterFindings findings_;
};

void check_row_request(const SampleRowRequest& request) {
  const ProfileRequest& profile = request.profile;
  internal::check_request(profile);
  if (profile.leak) {
    throw UsageError("leak needs all events of a process at once: it has no rows");
  }
  if (profile.compat != Compat::none) throw UsageError("compat is for profiles, not for rows");
  if (request.bucket_ns > longest_bucket) throw UsageError("the bucket of time is too long");
}

/// Files of one process are to be read in order of time, however they were named.
void sort_by_start(std::vector<Source>& sources) {
  std::error_code error;
  for (const Source& source : sources) {
    if (source.input || !std::filesystem::is_regular_file(source.path, error)) return;
  }
  std::vector<std::pair<std::int64_t, std::size_t>> order;
  for (const Source& source : sources) {
    const std::int64_t start = sources.size() == 1 ? 0 : internal::first_chunk_start(source.path);
    order.emplace_back(start, order.size());
  }
  std::sort(order.begin(), order.end());
  std::vector<Source> sorted;
  for (const auto& [start, number] : order) sorted.push_back(std::move(sources[number]));
  sources = std::move(sorted);
}

}  // namespace

SampleRowResult internal::read_sample_rows_after(EarlierChunks& earlier,
                                                 std::vector<Source> sources,
                                                 const SampleRowRequest& given_request,
                                                 SampleRowSink& sink, const ReadOptions& options) {
  check_row_request(given_request);
  const ProfileRequest request = internal::completed(given_request.profile);
  internal::Filters filters(request);
  sort_by_start(sources);
  earlier.begin(sources);
  internal::prescan(sources, filters, options);
  const std::string only_file = sources.size() == 1 ? sources.front().path : std::string();
  internal::ThreadTeam team(options.threads, internal::StopFlag(options.stop));
  SampleHandler handler(sources, request, given_request.bucket_ns, filters, sink, options, team,
                        earlier);
  internal::ChunkPipeline pipeline(sources, options, {true, wanted_pools}, handler, team);
  pipeline.run();
  SampleRowResult result = handler.finish();
  result.problems = pipeline.problems();
  result.start_ns = pipeline.start_ns();
  result.end_ns = pipeline.end_ns();
  if (options.strict) internal::throw_first_problem(result.problems);
  // What one part of a longer reading lacks the next one may have.
  if (earlier.is_one_reading()) filters.check_found(handler.findings(), only_file);
  return result;
}

SampleRowResult read_sample_rows(std::vector<Source> sources, const SampleRowRequest& request,
                                 SampleRowSink& sink, const ReadOptions& options) {
  EarlierChunks earlier;
  return internal::read_sample_rows_after(earlier, std::move(sources), request, sink, options);
}

}  // namespace jfrtree
