#include <atomic>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "format/chunk_pieces.hpp"
#include "profile/chunk_scan.hpp"
#include "profile/record_ranges.hpp"

// How several threads scan one chunk.

namespace jfrtree::internal {

namespace {

/// A thread that helps with fewer bytes would not save time.
constexpr std::size_t bytes_worth_a_thread = std::size_t{1} << 20;

}  // namespace

void ChunkScan::run() {
  ThreadTeam alone(1);
  run(alone);
}

/// The first thread sums here, each of the others in a scan of its own, which is added in the end.
void ChunkScan::run(ThreadTeam& team) {
  if (contents_.unread != nullptr) {
    finish(scan_pieces());
    return;
  }
  RecordRanges ranges(contents_.bytes, contents_.has_compressed_integers());
  const auto scan_ranges = [&ranges](ChunkScan& part) {
    ranges.take_part([&part](auto bytes, std::uint64_t position, std::uint64_t end) {
      return part.scan(bytes, position, end);
    });
  };
  std::mutex mutex;
  std::atomic<bool> is_taken = false;  // this scan
  std::vector<std::unique_ptr<ChunkScan>> parts;
  // What frees memory has to be met behind what allocates it.
  const std::size_t most_threads = memory_ ? 1 : contents_.bytes.size() / bytes_worth_a_thread + 1;
  team.run(most_threads, [&] {
    if (!is_taken.exchange(true)) {
      scan_ranges(*this);
      return;
    }
    auto part = std::make_unique<ChunkScan>(contents_, request_, depth_, plans_, log_, stop_,
                                            filters_, bucket_ns_);
    scan_ranges(*part);
    const std::lock_guard lock(mutex);
    parts.push_back(std::move(part));
  });
  for (const auto& part : parts) add_all(*part);
  finish(ranges.end());
}

/// Scans a chunk that is not in memory. Returns where its records end.
std::uint64_t ChunkScan::scan_pieces() {
  const bool is_compressed = contents_.has_compressed_integers();
  ChunkPieces pieces(*contents_.unread, contents_.info);
  std::uint64_t wanted = 0;
  piece_begin_ = chunk_header_bytes;
  while (piece_begin_ < pieces.size()) {
    const auto bytes = pieces.read(piece_begin_, wanted);
    const std::uint64_t end = scan(bytes, 0, bytes.size());
    piece_begin_ += end;
    if (end > 0) {
      wanted = 0;
      continue;
    }
    // A record that does not fit into a piece.
    ByteReader reader(bytes, is_compressed);
    const std::uint64_t size = reader.count();
    const std::uint64_t type = reader.key();
    const std::uint64_t head = bytes.size() - reader.remaining();
    const bool is_sound = !reader.failed() && size >= head && size <= pieces.size() - piece_begin_;
    if (!is_sound || size <= bytes.size()) break;
    if (type == metadata_record || type == checkpoint_record) {
      piece_begin_ += size;
    } else if (wanted == 0) {
      wanted = size;
    } else {
      break;  // the file became shorter
    }
  }
  return piece_begin_;
}

/// Counts the samples that took a short way.
void ChunkScan::count_samples() {
  for (DirectWay& way : ways_) {
    if (way.result != nullptr) way.result->lane.events += std::exchange(way.samples, 0);
  }
}

/// Adds what another scan of the same chunk has found in its ranges.
void ChunkScan::add_all(ChunkScan& part) {
  part.count_samples();
  for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += part.counts_[i];
  const bool has_groups = depth_ == ScanDepth::stacks && has_groups_;
  for (const LaneResult& from : part.lanes_) {
    LaneResult& to = lane_like(from);
    to.lane.events += from.lane.events;
    to.lane.unknown_values += from.lane.unknown_values;
    if (from.shares_sums) continue;
    const auto group_of = [&](std::uint64_t group) {
      return has_groups ? group_number(part.groups_[group]) : group;
    };
    const bool is_full = to.sums->add_all(*from.sums, group_of);
    findings_.has_overflow = findings_.has_overflow || is_full;
    to.deviations.add_all(from.deviations, group_of);
  }
  if (filter_) filter_->findings().merge(part.filter_findings());
  dropped_errors_.insert(part.dropped_errors_.begin(), part.dropped_errors_.end());
  findings_.add(part.findings_);
  facts_reader_.add(part.facts_reader_);
}

/// The lane of samples that are found like those of another scan's lane.
ChunkScan::LaneResult& ChunkScan::lane_like(const LaneResult& other) {
  for (LaneResult& result : lanes_) {
    if (result.lane.kind == other.lane.kind && result.lane.event == other.lane.event &&
        result.lane.origin == other.lane.origin) {
      return result;
    }
  }
  LaneResult result;
  result.lane = other.lane;
  result.lane.events = 0;
  result.lane.unknown_values = 0;
  result.leaf = other.leaf;
  result.is_wanted = other.is_wanted;
  set_sums(result);
  return lanes_.emplace_back(std::move(result));
}

}  // namespace jfrtree::internal
