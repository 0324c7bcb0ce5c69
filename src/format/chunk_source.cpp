#include "format/chunk_source.hpp"

#include <algorithm>
#include <atomic>
#include <string>
#include <utility>

#include "format/chunk_header.hpp"
#include "format/record_walk.hpp"
#include "format/streamed_chunk.hpp"
#include "io/decoder.hpp"
#include "io/large_memory.hpp"

namespace jfrtree::internal {

namespace {

/// Chunks above this size are mapped instead of copied.
constexpr std::uint64_t max_copied_bytes = std::uint64_t{256} << 20;
/// Bytes of a chunk that a thread reads at a time: few enough that fresh memory is still in the
/// cache when it is written to, and that nobody who needs memory waits for long.
constexpr std::size_t read_step = std::size_t{512} << 10;
constexpr std::size_t stream_step = std::size_t{1} << 20;
/// How far behind its claimed end a chunk is followed.
constexpr std::uint64_t max_overrun = std::uint64_t{16} << 20;
/// How far the first chunk of a file is looked for. A damaged first chunk is survived; a disk image
/// is not read to its end.
constexpr std::uint64_t max_file_search = std::uint64_t{1} << 30;

[[nodiscard]] std::string refusal(const ChunkHeader& header) {
  const std::string version = std::to_string(header.major) + "." + std::to_string(header.minor);
  if (header.major == 0 && header.minor == 9) {
    return "format " + version +
           " of Oracle JDK 7 and 8 is a different format and not supported; record with "
           "OpenJDK 8u262 or newer, or open it with JDK Mission Control";
  }
  if (header.major == 0) {
    return "format " + version +
           " is no version of the format: its first bytes are those of a recording, the rest is "
           "not";
  }
  if (header.major > 2) {
    return "format " + version + " is newer than this program; 1.0 to 2.x are supported";
  }
  return "the chunk claims a size of " + std::to_string(header.size) +
         " bytes, which is less than its header; the rest cannot be delimited";
}

constexpr const char* cut_header_text =
    "fewer bytes than a chunk header (68); the file was cut or only begun, copy or dump it again";

/// Whether bytes are text, for all that can be seen of them.
[[nodiscard]] bool is_text(std::span<const std::byte> bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](std::byte value) {
    const auto letter = std::to_integer<unsigned char>(value);
    return letter >= ' ' || letter == '\t' || letter == '\n' || letter == '\r';
  });
}

[[nodiscard]] std::string no_recording_text(std::span<const std::byte> start) {
  const ForeignCompression foreign = foreign_compression(start);
  if (foreign.name.empty()) {
    return std::string("not a Flight Recorder file: it does not begin with the bytes FLR\\0; ") +
           (is_text(start)
                ? "text is read where it is collapsed stacks, lines that end with a number"
                : "name a recording, as jcmd and jfr write them");
  }
  return "compressed by " + std::string(foreign.name) + ", which is not read here; decompress it " +
         "first with " + std::string(foreign.command);
}

/// What is said of a chunk that is cut short or was never finished. Without metadata nothing of it
/// can be read.
[[nodiscard]] std::string_view end_text(const LoadedChunk& chunk) {
  const bool is_readable = has_metadata(chunk.bytes, chunk.info.header);
  if (chunk.info.state == ChunkState::unfinished) {
    return is_readable ? "the chunk was never finished; what was flushed counts, the rest is lost"
                       : "the chunk was never finished and its metadata is missing, without which "
                         "nothing of it can be read";
  }
  return is_readable ? "the chunk ends before its claimed size; what comes before counts"
                     : "the chunk ends before its metadata, without which nothing of it can be "
                       "read; copy the file again if it is complete elsewhere";
}

}  // namespace

ChunkSource::ChunkSource(Input& input, const Limits& limits, ProblemLog& log, StopFlag stop)
    : input_(input), limits_(limits), log_(log), stop_(stop), window_(input, log, stop) {
  if (input.size()) scan_headers();
}

void ChunkSource::scan_headers() {
  std::byte bytes[chunk_header_bytes];
  const std::uint64_t size = input_.size().value_or(0);
  for (std::uint64_t offset = 0; offset < size;) {
    stop_.check();
    if (input_.read_at(offset, bytes) < sizeof bytes || !has_chunk_magic(bytes)) break;
    const ChunkHeader header = parse_chunk_header(bytes);
    const bool is_sound = is_plausible(header) && header.size <= size - offset &&
                          header.metadata_offset != 0 && header.state == 0;
    if (!is_sound) break;
    const std::uint64_t next = offset + header.size;
    if (next < size) {
      std::byte magic[4];
      if (input_.read_at(next, magic) < sizeof magic || !has_chunk_magic(magic)) break;
    }
    if (header.size <= max_copied_bytes) {
      largest_copied_ = std::max(largest_copied_, header.size);
    }
    scanned_.push_back(
        ChunkInfo{scanned_.size() + 1, offset, header.size, header, ChunkState::complete});
    offset = next;
  }
}

void ChunkSource::skip_scanned() {
  if (next_scanned_ == scanned_.size()) return;
  const ChunkInfo& last = scanned_.back();
  next_scanned_ = scanned_.size();
  number_ = last.number;
  has_chunk_ = true;
  window_.start_at(last.offset + last.bytes);
}

std::optional<LoadedChunk> ChunkSource::next() {
  std::optional<LoadedChunk> chunk = next_unread();
  ThreadTeam alone(1, stop_);
  if (chunk) read(*chunk, alone, log_);
  return chunk;
}

std::optional<LoadedChunk> ChunkSource::next_unread() {
  while (next_scanned_ < scanned_.size()) {
    const ChunkInfo& info = scanned_[next_scanned_++];
    number_ = info.number;
    log_.set_chunk(number_);
    has_chunk_ = true;
    window_.start_at(info.offset + info.bytes);
    if (info.bytes <= limits_.chunk_bytes) return load(info);
    report_large_chunk(info.offset);
  }
  if (!scanned_.empty()) window_.drop_free_buffers();
  while (!at_end_) {
    if (auto chunk = delimit_next()) return chunk;
  }
  return std::nullopt;
}

LoadedChunk ChunkSource::load(const ChunkInfo& info) {
  if (!input_.bytes().empty()) {
    return {info, input_.bytes().subspan(info.offset, info.bytes), nullptr};
  }
  if (info.bytes > max_copied_bytes) {
    if (auto mapped = input_.map(info.offset, info.bytes)) {
      return {info, {mapped.get(), info.bytes}, mapped};
    }
  }
  return {info, {}, nullptr, window_.free_buffer()};
}

void ChunkSource::read(LoadedChunk& chunk, ThreadTeam& team, ProblemLog& log) const {
  if (!chunk.unread) return;
  PaddedBuffer& buffer = *chunk.unread;
  ChunkInfo& info = chunk.info;
  if (buffer.capacity() < info.bytes) {
    // Room for the largest chunk: what is not used costs nothing, growing would.
    buffer.reserve(std::max(info.bytes, largest_copied_));
    advise_large_pages(buffer.prepare(0).data(), buffer.capacity());
  }
  const std::size_t touched = buffer.touched();
  const auto room = buffer.prepare(info.bytes).first(info.bytes);
  std::atomic<std::uint64_t> end = info.bytes;
  team.for_ranges(room.size(), read_step, [&](std::size_t from, std::size_t to) {
    const auto piece = room.subspan(from, to - from);
    if (to > touched) fetch_pages(piece.data(), piece.size());
    const std::uint64_t got = from + input_.read_at(info.offset + from, piece);
    std::uint64_t known = end;
    while (got < to && got < known && !end.compare_exchange_weak(known, got)) {
    }
  });
  buffer.commit(end);
  chunk.bytes = buffer.bytes();
  chunk.owner = std::exchange(chunk.unread, nullptr);
  if (end < info.bytes) {
    info.bytes = end;
    info.state = ChunkState::truncated;
    log.problem(ErrorCode::truncated_chunk, info.offset + end,
                "the file became shorter while it was read; read it again when it is complete");
  }
}

std::optional<LoadedChunk> ChunkSource::delimit_next() {
  const std::uint64_t available = window_.ensure(chunk_header_bytes);
  // Why there are fewer bytes was reported when reading failed.
  if (available == 0 || (available < chunk_header_bytes && window_.has_failed() && !has_chunk_)) {
    if (position() == 0 && !window_.has_failed()) {
      log_.problem(ErrorCode::empty_input, 0, "the input is empty");
    }
    at_end_ = true;
    return std::nullopt;
  }
  log_.set_chunk(number_ + 1);
  if (!has_chunk_magic(window_.bytes())) {
    report_no_chunk();
    skip_unreadable(0);
    return std::nullopt;
  }
  if (!is_whole_header()) {
    at_end_ = true;
    return std::nullopt;
  }
  ++number_;
  const ChunkHeader header = last_header_ = parse_chunk_header(window_.bytes());
  if (header.major == 0 || header.major > 2 || header.size < chunk_header_bytes) {
    refuse(header);
    return std::nullopt;
  }
  has_chunk_ = true;
  return window_.is_streamed() ? delimit_streamed(header) : delimit(header);
}

void ChunkSource::report_no_chunk() {
  const bool is_recording = number_ > 0 || position() > 0;
  log_.set_chunk(0);
  if (is_recording) {
    log_.problem(ErrorCode::unreadable_bytes, position(),
                 "bytes that belong to no chunk; they were skipped");
  } else {
    log_.problem(ErrorCode::not_a_recording, 0, no_recording_text(window_.bytes()));
  }
}

/// Whether the window, which begins with the magic, holds a header; reports it when not.
bool ChunkSource::is_whole_header() {
  const auto bytes = window_.bytes();
  if (bytes.size() >= chunk_header_bytes) return true;
  constexpr std::byte old_version[] = {std::byte{0}, std::byte{0}, std::byte{0}, std::byte{9}};
  const bool is_old =
      bytes.size() >= 16 && std::ranges::equal(bytes.subspan(4, sizeof old_version), old_version);
  log_.problem(is_old ? ErrorCode::unsupported_version : ErrorCode::too_short, position(),
               is_old ? refusal(ChunkHeader{.major = 0, .minor = 9}) : cut_header_text);
  return false;
}

void ChunkSource::refuse(const ChunkHeader& header) {
  const bool is_version = header.major == 0 || header.major > 2;
  log_.problem(is_version ? ErrorCode::unsupported_version : ErrorCode::bad_chunk_header,
               position(), refusal(header));
  skip_unreadable(chunk_header_bytes);
}

/// Skips to the next plausible header at or after `from`, or to the end.
void ChunkSource::skip_unreadable(std::uint64_t from) {
  const std::uint64_t start = position();
  window_.stop_mapping();
  for (;;) {
    stop_.check();
    const std::uint64_t wanted = from + stream_step;
    // An input in memory has all its bytes at once; what is searched stays in steps.
    const std::uint64_t available = std::min(window_.ensure(wanted), wanted);
    if (const auto header = search_header(window_.bytes().first(available), from, last_header_)) {
      window_.advance(*header);
      return;
    }
    if (available < wanted) {
      window_.advance(available);
      at_end_ = true;
      return;
    }
    if (gives_up_search(position() - start)) return;
    // A header may begin in the last bytes of what was searched.
    window_.advance(available - (chunk_header_bytes - 1));
    from = 0;
  }
}

bool ChunkSource::gives_up_search(std::uint64_t searched) {
  const bool is_stream = !input_.size();
  if (is_stream ? searched <= max_stream_search : has_chunk_ || searched <= max_file_search) {
    return false;
  }
  log_.problem(ErrorCode::unreadable_bytes, position(),
               is_stream
                   ? "no chunk begins in the next 64 MiB of the stream; its rest was not read"
                   : "no chunk begins in the first 1 GiB of the input; its rest was not read");
  at_end_ = true;
  return true;
}

std::optional<LoadedChunk> ChunkSource::delimit_streamed(const ChunkHeader& header) {
  const StreamedChunk chunk = read_streamed_chunk(window_, header, limits_.chunk_bytes);
  switch (chunk.state) {
    case StreamedChunk::State::readable:
      break;
    case StreamedChunk::State::too_large:
      report_large_chunk(position());
      pass_over_streamed_chunk(window_, header, chunk.end);
      if (!has_chunk_magic(window_.bytes())) skip_unreadable(0);
      return std::nullopt;
    case StreamedChunk::State::at_header:
    case StreamedChunk::State::broken: {
      const bool is_closed = header.state == 0 && header.metadata_offset != 0;
      return take(header, chunk.end, is_closed ? ChunkState::truncated : ChunkState::unfinished);
    }
  }
  return delimit(header);
}

std::optional<LoadedChunk> ChunkSource::delimit(const ChunkHeader& header) {
  // No input has so many bytes; a smaller claim does not overflow.
  const std::uint64_t claimed = std::min(header.size, std::uint64_t{1} << 60);
  const std::uint64_t available = window_.ensure(claimed + 4);
  const auto bytes = window_.bytes();
  const bool is_started = header.metadata_offset != 0;
  const bool is_closed = header.state == 0 && is_started;
  if (available < claimed) {
    const RecordWalk walk = find_next_header(bytes, chunk_header_bytes, header, stop_);
    const std::uint64_t end = walk.found_header ? walk.header : available;
    return take(header, end, is_closed ? ChunkState::truncated : ChunkState::unfinished);
  }
  const bool is_last = available == claimed;
  const bool is_delimited = is_last || has_chunk_magic(bytes.subspan(claimed));
  if (claimed == chunk_header_bytes && !is_started) {
    return take(header, claimed, is_delimited ? ChunkState::empty : ChunkState::unfinished);
  }
  if (!is_closed) return take(header, claimed, ChunkState::unfinished);
  if (is_delimited) return take(header, claimed, ChunkState::complete);
  return take(header, sound_end(header), ChunkState::complete);
}

/// Where a chunk ends whose claimed end has no header behind it: at a header met on the way, behind
/// the claimed end when records go on without a gap to the next header or the end of the input,
/// else where it claims.
std::uint64_t ChunkSource::sound_end(const ChunkHeader& header) {
  const std::uint64_t followed = header.size + max_overrun;
  const std::uint64_t available = window_.ensure(followed);
  const auto bytes = window_.bytes().first(std::min(available, followed));
  const RecordWalk walk = find_next_header(bytes, chunk_header_bytes, header, stop_);
  std::uint64_t end = header.size;
  if (walk.found_header && walk.header < header.size) {
    end = walk.header;
  } else if (walk.header_follows_record || walk.end == available) {
    end = walk.end;
  }
  if (end != header.size) {
    log_.problem(ErrorCode::bad_chunk_header, position(),
                 "the header claims a size at which no chunk ends; the records were followed");
  }
  return end;
}

std::optional<LoadedChunk> ChunkSource::take(const ChunkHeader& header, std::uint64_t bytes,
                                             ChunkState state) {
  if (bytes > limits_.chunk_bytes) {
    report_large_chunk(position());
    window_.advance(bytes);
    return std::nullopt;
  }
  LoadedChunk chunk{ChunkInfo{number_, position(), bytes, header, state},
                    window_.bytes().first(bytes), window_.owner()};
  report_end(chunk);
  window_.advance(bytes);
  // What follows an unfinished chunk was not flushed and is part of the problem reported above.
  if (state == ChunkState::unfinished && window_.ensure(4) > 0 &&
      !has_chunk_magic(window_.bytes())) {
    skip_unreadable(0);
  }
  return chunk;
}

void ChunkSource::report_end(const LoadedChunk& chunk) {
  const ChunkInfo& info = chunk.info;
  const std::uint64_t end = info.offset + info.bytes;
  const bool is_unfinished = info.state == ChunkState::unfinished;
  if (info.state == ChunkState::empty) {
    log_.note(ErrorCode::empty_chunk, info.offset, "a chunk without events yet");
  } else if (is_unfinished && info.header.metadata_offset == 0) {
    log_.problem(ErrorCode::unfinished_chunk, info.offset,
                 "the chunk was never finished and nothing of it was flushed; take the file after "
                 "the recording has stopped, or dump it with jcmd JFR.dump");
  } else if (is_unfinished) {
    log_.problem(ErrorCode::unfinished_chunk, end, end_text(chunk));
  } else if (info.state == ChunkState::truncated) {
    log_.problem(ErrorCode::truncated_chunk, end, end_text(chunk));
  }
}

void ChunkSource::report_large_chunk(std::uint64_t offset) {
  log_.problem(ErrorCode::limit_exceeded, offset,
               "the chunk is larger than the limit chunk_bytes; raise it with --limit "
               "chunk_bytes=N");
}

}  // namespace jfrtree::internal
