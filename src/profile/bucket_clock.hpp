#pragma once

#include <cstdint>

#include <jfrtree/chunk.hpp>
#include <jfrtree/metadata.hpp>

namespace jfrtree::internal {

/// The start of the bucket of time, aligned to the epoch, that holds a point in time.
[[nodiscard]] std::int64_t bucket_start_of(std::int64_t time_ns, std::uint64_t bucket_ns) noexcept;

/// Finds the buckets of the events of one type of one chunk. Most events lie in the bucket of the
/// one before: the clock of a chunk is asked only when that is left.
class BucketClock {
 public:
  /// Start of the bucket of an event, ns since the epoch. `field` is where the time is, as
  /// declared; null: the chunk's start counts. Field, chunk and bucket must be those of the first
  /// call.
  [[nodiscard]] std::int64_t bucket_start(const Field* field, std::uint64_t slot,
                                          const ChunkInfo& chunk,
                                          std::uint64_t bucket_ns) noexcept {
    const auto time = static_cast<std::int64_t>(slot);
    if (field == nullptr) return bucket_start_of(chunk.header.start_ns, bucket_ns);
    if (time < first_ || time > last_) find(*field, time, chunk, bucket_ns);
    return start_;
  }

 private:
  void find(const Field& field, std::int64_t time, const ChunkInfo& chunk,
            std::uint64_t bucket_ns) noexcept;

  // As in the file, both inclusive; no bucket yet.
  std::int64_t first_ = 1;
  std::int64_t last_ = 0;
  std::int64_t start_ = 0;
};

}  // namespace jfrtree::internal
