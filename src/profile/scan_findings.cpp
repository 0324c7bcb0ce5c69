#include "profile/scan_findings.hpp"

namespace jfrtree::internal {

void ScanFindings::add(const ScanFindings& other) noexcept {
  unknown_types.add(other.unknown_types);
  overruns.add(other.overruns);
  negatives.add(other.negatives);
  chosen_negatives.add(other.chosen_negatives);
  missing_stacks += other.missing_stacks;
  has_overflow = has_overflow || other.has_overflow;
}

void ScanFindings::report(const ChunkInfo& chunk, ProblemLog& log) const {
  const std::uint64_t start = chunk.offset;
  if (unknown_types.count > 0) {
    log.note(ErrorCode::unknown_event_type, start + unknown_types.first,
             "events of types that the metadata does not declare; they were skipped",
             unknown_types.count);
  }
  if (overruns.count > 0) {
    log.problem(ErrorCode::bad_event, start + overruns.first,
                "events whose fields do not fit into their size; they are lost", overruns.count);
  }
  if (negatives.count > 0) {
    log.problem(ErrorCode::value_out_of_range, start + negatives.first,
                "negative sizes, counts or durations; they count as 0", negatives.count);
  }
  if (chosen_negatives.count > 0) {
    log.note(ErrorCode::value_out_of_range, start + chosen_negatives.first,
             "negative numbers in the value field, which often mean unlimited or unknown; they "
             "cannot be summed and count as 0",
             chosen_negatives.count);
  }
  if (missing_stacks > 0) {
    log.note(ErrorCode::missing_constant, start,
             "samples whose stack trace the chunk does not define; their stack reads ?",
             missing_stacks);
  }
  if (has_overflow) {
    log.problem(ErrorCode::value_out_of_range, start,
                "a sum is larger than 64 bits; it stays at the largest number");
  }
}

void report_lost_rest(const ChunkInfo& chunk, std::size_t bytes, std::uint64_t end,
                      ProblemLog& log) {
  if (end >= bytes || chunk.state == ChunkState::truncated) return;
  log.problem(ErrorCode::bad_event, chunk.offset + end,
              "a record whose size cannot be right; the rest of the chunk is lost");
}

}  // namespace jfrtree::internal
