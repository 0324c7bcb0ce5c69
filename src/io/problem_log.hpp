#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <jfrtree/error.hpp>

namespace jfrtree::internal {

/// Collects the problems and notes of one input, or of one chunk. Equal findings (code and message)
/// of a chunk are counted; the first place is kept. Bounded: after `max_entries` different findings
/// the rest is counted under one of them.
class ProblemLog {
 public:
  static constexpr std::size_t max_entries = 256;

  ProblemLog() = default;
  explicit ProblemLog(std::string file, std::uint64_t chunk = 0)
      : file_(std::move(file)), chunk_(chunk) {}

  void set_chunk(std::uint64_t chunk) noexcept { chunk_ = chunk; }

  void problem(ErrorCode code, std::uint64_t offset, std::string_view message,
               std::uint64_t count = 1) {
    add(code, Severity::problem, offset, message, count);
  }
  void note(ErrorCode code, std::uint64_t offset, std::string_view message,
            std::uint64_t count = 1) {
    add(code, Severity::note, offset, message, count);
  }
  void add(ErrorCode code, Severity severity, std::uint64_t offset, std::string_view message,
           std::uint64_t count);
  /// Takes over the entries of another log, keeping their file and chunk.
  void append(const ProblemLog& other);

  [[nodiscard]] const std::vector<Problem>& entries() const noexcept { return entries_; }
  [[nodiscard]] const std::string& file() const noexcept { return file_; }

 private:
  std::string file_;
  std::uint64_t chunk_ = 0;
  std::vector<Problem> entries_;
};

}  // namespace jfrtree::internal
