#include <utility>

#include <jfrtree/chunk.hpp>

#include "format/chunk_contents.hpp"
#include "format/chunk_source.hpp"
#include "format/record_walk.hpp"

namespace jfrtree {

Chunk::Chunk(std::shared_ptr<const internal::ChunkContents> contents)
    : contents_(std::move(contents)) {}

const ChunkInfo& Chunk::info() const noexcept { return contents_->info; }
const Metadata& Chunk::metadata() const noexcept { return contents_->metadata(); }
std::span<const std::byte> Chunk::bytes() const noexcept { return contents_->bytes; }

Chunk::EventIterator::EventIterator(const internal::ChunkContents* contents)
    : contents_(contents), position_(internal::chunk_header_bytes) {
  ++*this;
}

Chunk::EventIterator& Chunk::EventIterator::operator++() {
  internal::Record record;
  while (internal::read_record(contents_->bytes, position_, contents_->has_compressed_integers(),
                               record)) {
    position_ += record.size;
    if (record.type == internal::metadata_record || record.type == internal::checkpoint_record) {
      continue;
    }
    event_ = RawEvent{TypeId{record.type}, record.offset, record.payload};
    return *this;
  }
  contents_ = nullptr;
  return *this;
}

struct ChunkReader::State {
  State(Input& input, const Limits& given)
      : log(std::string(input.name())), limits(given), source(input, given, log) {}

  internal::ProblemLog log;
  Limits limits;
  internal::ChunkSource source;
  internal::TypeSystemCache cache;
  bool has_read_any = false;
};

ChunkReader::ChunkReader(Input& input, const Limits& limits)
    : state_(std::make_unique<State>(input, limits)) {}
ChunkReader::~ChunkReader() = default;
ChunkReader::ChunkReader(ChunkReader&&) noexcept = default;
ChunkReader& ChunkReader::operator=(ChunkReader&&) noexcept = default;

std::optional<Chunk> ChunkReader::next() {
  State& state = *state_;
  while (auto loaded = state.source.next()) {
    const bool is_empty = loaded->info.state == ChunkState::empty;
    auto contents =
        internal::open_chunk(std::move(*loaded), {}, true, state.limits, state.cache, state.log);
    state.has_read_any = state.has_read_any || is_empty || contents;
    if (!contents) continue;
    const std::uint64_t end = internal::walk_records(
        contents->bytes, contents->has_compressed_integers(), [](const internal::Record&) {});
    if (end < contents->bytes.size() && contents->info.state == ChunkState::complete) {
      state.log.problem(ErrorCode::bad_event, contents->info.offset + end,
                        "a record whose size cannot be right; the rest of the chunk is lost");
    }
    return Chunk(std::move(contents));
  }
  if (!state.has_read_any) {
    for (const Problem& problem : state.log.entries()) {
      if (problem.severity == Severity::problem) throw FormatError(problem);
    }
  }
  return std::nullopt;
}

std::vector<Problem> ChunkReader::problems() const { return state_->log.entries(); }

}  // namespace jfrtree
