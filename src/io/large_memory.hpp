#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace jfrtree::internal {

/// Asks the system for large pages in a block that is to be filled or read in any order: with small
/// ones a good part of the time would go into page faults and address look-ups. Small blocks, and
/// systems that know no such wish, are left alone. The block must lie in memory of its own, such as
/// a large vector's.
void advise_large_pages(void* memory, std::size_t bytes) noexcept;

/// `reserve` for a large block.
template <typename T>
void reserve_large(std::vector<T>& elements, std::size_t count) {
  if (elements.capacity() >= count) return;
  std::vector<T> grown;
  grown.reserve(count);
  advise_large_pages(grown.data(), grown.capacity() * sizeof(T));
  grown.insert(grown.end(), elements.begin(), elements.end());
  elements.swap(grown);
}

/// Room for `count` more elements; grows by doubling, as vectors do.
template <typename T>
void make_room(std::vector<T>& elements, std::size_t count) {
  if (elements.capacity() - elements.size() >= count) return;
  reserve_large(elements, std::max(elements.size() + count, 2 * elements.capacity()));
}

}  // namespace jfrtree::internal
