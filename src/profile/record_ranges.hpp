#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>

#include "format/record_walk.hpp"

namespace jfrtree::internal {

/// Hands out the records of a chunk, range by range, to the threads that scan it.
///
/// Where a record begins is known only from the one before. A thread that is alone scans on, and so
/// finds where the next range begins. As soon as there are more, that is found by a walk over the
/// sizes, which is several times faster than scanning.
class RecordRanges {
 public:
  RecordRanges(std::span<const std::byte> bytes, bool has_compressed_integers) noexcept
      : bytes_(bytes), has_compressed_integers_(has_compressed_integers) {}

  /// Calls `scan(bytes, position, end)` for one range after the other until none is left. It takes
  /// the records of `bytes` from a position on, as long as they begin before `end` and can be read,
  /// and returns where it stopped.
  template <typename Scan>
  void take_part(Scan&& scan) {
    ++threads_;
    std::unique_lock lock(mutex_);
    while (!is_over_) {
      const std::uint64_t begin = next_;
      const std::uint64_t end = begin + range_bytes;
      if (threads_ == 1) {
        set_next(scan(bytes_, begin, end), end);
        lock.unlock();  // another thread may have come
      } else {
        set_next(walk(begin, end), end);
        const auto range = bytes_.first(next_);
        lock.unlock();
        scan(range, begin, end);
      }
      lock.lock();
    }
  }

  /// Where the records end, after the last range: the end of the bytes, or the first record whose
  /// size cannot be right.
  [[nodiscard]] std::uint64_t end() const noexcept { return next_; }

 private:
  static constexpr std::uint64_t range_bytes = std::uint64_t{1} << 19;

  void set_next(std::uint64_t position, std::uint64_t end) noexcept {
    next_ = position < bytes_.size() ? position : bytes_.size();
    is_over_ = position < end || next_ == bytes_.size();
  }

  [[nodiscard]] std::uint64_t walk(std::uint64_t position, std::uint64_t end) const noexcept {
    Record record;
    while (position < end && read_record(bytes_, position, has_compressed_integers_, record)) {
      position += record.size;
    }
    return position;
  }

  std::span<const std::byte> bytes_;
  bool has_compressed_integers_;
  std::atomic<std::size_t> threads_ = 0;
  std::mutex mutex_;  // everything below
  std::uint64_t next_ = chunk_header_bytes;
  bool is_over_ = false;
};

}  // namespace jfrtree::internal
