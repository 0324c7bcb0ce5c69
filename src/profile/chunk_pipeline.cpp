#include "profile/chunk_pipeline.hpp"

#include <algorithm>
#include <optional>
#include <tuple>

#include "format/chunk_header.hpp"
#include "io/peeked_input.hpp"
#include "profile/collapsed_reader.hpp"

namespace jfrtree::internal {

namespace {

/// Different findings that are kept of one source.
constexpr std::size_t max_problems = 10'000;
constexpr const char* more_problems = "more problems and notes of this and other kinds";

}  // namespace

void throw_first_problem(std::span<const Problem> problems) {
  const Problem* first = nullptr;
  for (const Problem& problem : problems) {
    if (problem.severity != Severity::problem) continue;
    // What else is wrong then usually follows from the limit.
    if (problem.code == ErrorCode::limit_exceeded) throw LimitError(problem);
    if (first == nullptr) first = &problem;
  }
  if (first != nullptr) throw FormatError(*first);
}

ChunkPipeline::ChunkPipeline(std::vector<Source>& sources, const ReadOptions& options, Setup setup,
                             ChunkHandler& handler, ThreadTeam& team)
    : sources_(sources),
      options_(options),
      stop_(options.stop),
      setup_(setup),
      handler_(handler),
      team_(team),
      problems_(sources.size()) {}

void ChunkPipeline::run() {
  for (std::size_t file = 0; file < sources_.size(); ++file) read_source(file);
  if (has_read_any_) return;
  if (first_open_error_) std::rethrow_exception(first_open_error_);
  throw_first_problem(problems());
}

std::shared_ptr<Input> ChunkPipeline::open(std::size_t file) {
  Source& source = sources_[file];
  if (source.input) return source.input;
  try {
    return open_input(source.path, options_.limits, options_.stop);
  } catch (const Error& error) {
    if (sources_.size() == 1) throw;
    if (!first_open_error_) first_open_error_ = std::current_exception();
    problems_[file].push_back(error.problem());
    return nullptr;
  }
}

void ChunkPipeline::read_source(std::size_t file) {
  stop_.check();
  const std::shared_ptr<Input> input = open(file);
  if (!input) return;
  if (sources_[file].path.empty()) sources_[file].path = input->name();
  bytes_total_ += input->size().value_or(0);
  handler_.opened(file, *input);
  ProblemLog log{std::string(input->name())};
  PeekedInput peeked(*input, stop_);
  if (!has_chunk_magic(peeked.first_bytes()) && looks_like_collapsed(peeked.first_bytes())) {
    handler_.collapsed(file, peeked, log);
    has_read_any_ = true;
  } else {
    ChunkSource source(peeked, options_.limits, log, stop_);
    read_chunks(file, source);
  }
  add_problems(file, log);
  sources_[file].input.reset();
}

void ChunkPipeline::read_chunks(std::size_t file, ChunkSource& source) {
  // How many chunks a stream has is not known. More threads join where one chunk is shared.
  const std::size_t chunks = source.scanned().size();
  team_.run(chunks == 0 ? team_.size() : chunks, [&] { work(file, source); });
}

void ChunkPipeline::work(std::size_t file, ChunkSource& source) {
  try {
    while (auto chunk = next_chunk(file, source)) process(file, source, std::move(*chunk));
  } catch (...) {
    {
      const std::lock_guard lock(source_mutex_);
      has_failed_ = true;
    }
    handler_.failed();
    throw;
  }
}

std::optional<LoadedChunk> ChunkPipeline::next_chunk(std::size_t file, ChunkSource& source) {
  const std::lock_guard lock(source_mutex_);
  if (has_failed_) return std::nullopt;
  stop_.check();
  auto chunk = source.next_unread();
  if (chunk) handler_.taken(file, chunk->info);
  return chunk;
}

void ChunkPipeline::process(std::size_t file, const ChunkSource& source, LoadedChunk chunk) {
  ProblemLog log(sources_[file].path, chunk.info.number);
  const std::shared_ptr<const ChunkContents> contents = contents_of(source, chunk, log);
  const ChunkInfo& info = chunk.info;
  handler_.chunk(file, info, contents.get(), log);
  const std::lock_guard lock(state_mutex_);
  add_problems(file, log);
  if (contents || info.state == ChunkState::empty) {
    has_read_any_ = true;
    add_time(info);
  }
  report_progress(info.bytes);
}

/// Null where the metadata cannot be read or the chunk has no events yet.
std::shared_ptr<const ChunkContents> ChunkPipeline::contents_of(const ChunkSource& source,
                                                                LoadedChunk& chunk,
                                                                ProblemLog& log) {
  if (setup_.piece_by_piece && chunk.unread) {
    auto contents = open_unread_chunk(chunk.info, source.input(), options_.limits, types_, log);
    if (contents) return contents;
  }
  source.read(chunk, team_, log);
  if (chunk.info.state == ChunkState::empty) return nullptr;
  return open_chunk(chunk, setup_.wanted_pools, setup_.with_pools, options_.limits, types_, log);
}

void ChunkPipeline::add_problems(std::size_t file, const ProblemLog& log) {
  std::vector<Problem>& problems = problems_[file];
  for (const Problem& problem : log.entries()) {
    if (problems.size() < max_problems) {
      problems.push_back(problem);
      continue;
    }
    // A file of many damaged chunks: the rest is only counted.
    Problem& rest = problems.back();
    if (rest.message != more_problems) {
      rest =
          Problem{rest.code, rest.severity, rest.file, 0, no_position, rest.count, more_problems};
    }
    if (problem.severity == Severity::problem) rest.severity = Severity::problem;
    rest.count += problem.count;
  }
}

void ChunkPipeline::add_time(const ChunkInfo& info) {
  const std::int64_t start = info.header.start_ns;
  std::int64_t end = start;
  if (info.header.duration_ns > 0 && __builtin_add_overflow(start, info.header.duration_ns, &end)) {
    end = start;
  }
  start_ns_ = has_time_ ? std::min(start_ns_, start) : start;
  end_ns_ = has_time_ ? std::max(end_ns_, end) : end;
  has_time_ = true;
  covered_.add(start, end);
}

void ChunkPipeline::report_progress(std::uint64_t bytes) {
  bytes_done_ += bytes;
  if (options_.progress) options_.progress(bytes_done_, bytes_total_);
}

std::vector<Problem> ChunkPipeline::problems() const {
  std::vector<Problem> all;
  for (const std::vector<Problem>& of_file : problems_) {
    const auto begin = static_cast<std::ptrdiff_t>(all.size());
    all.insert(all.end(), of_file.begin(), of_file.end());
    std::sort(all.begin() + begin, all.end(), [](const Problem& a, const Problem& b) {
      return std::tie(a.chunk, a.offset, a.code, a.message) <
             std::tie(b.chunk, b.offset, b.code, b.message);
    });
  }
  return all;
}

}  // namespace jfrtree::internal
