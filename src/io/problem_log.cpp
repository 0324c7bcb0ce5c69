#include "io/problem_log.hpp"

#include <algorithm>
#include <utility>

namespace jfrtree::internal {

void ProblemLog::add(ErrorCode code, Severity severity, std::uint64_t offset,
                     std::string_view message, std::uint64_t count) {
  for (Problem& entry : entries_) {
    if (entry.code == code && entry.chunk == chunk_ && entry.file == file_ &&
        entry.message == message) {
      entry.count += count;
      entry.offset = std::min(entry.offset, offset);
      return;
    }
  }
  if (entries_.size() >= max_entries) {
    Problem& last = entries_.back();
    last.count += count;
    if (severity == Severity::problem) last.severity = Severity::problem;
    return;
  }
  entries_.push_back(Problem{code, severity, file_, chunk_, offset, count, std::string(message)});
}

void ProblemLog::append(const ProblemLog& other) {
  entries_.insert(entries_.end(), other.entries_.begin(), other.entries_.end());
}

}  // namespace jfrtree::internal
