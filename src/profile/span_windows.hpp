#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "io/seeded_map.hpp"

namespace jfrtree::internal {

/// Spans of time by thread, for the question whether a moment lies in one of them. Threads are told
/// apart by their id and the file they are in: ids of two JVMs may be equal.
class SpanWindows {
 public:
  /// A span with start ≤ moment < end.
  void add(std::size_t file, std::int64_t thread, std::int64_t start_ns, std::int64_t end_ns);
  /// Call once after the last `add`.
  void finish();
  [[nodiscard]] bool contains(std::size_t file, std::int64_t thread,
                              std::int64_t moment_ns) const noexcept;

 private:
  using Window = std::pair<std::int64_t, std::int64_t>;

  SeededMap<std::pair<std::uint64_t, std::uint64_t>, std::vector<Window>> windows_;
};

}  // namespace jfrtree::internal
