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

/// Fetches the pages of a block that is to be filled at once. Asking for all of them together costs
/// half of what it costs to meet each when it is written to.
void fetch_pages(void* memory, std::size_t bytes) noexcept;

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

/// Room for `count` more elements. Grows by doubling, as vectors do, but what will be large gets a
/// large block at once: pages that are never used cost nothing, and moving to another block would
/// touch as many new ones as there are elements, while everything else waits.
template <typename T>
void make_room(std::vector<T>& elements, std::size_t count) {
  if (elements.capacity() - elements.size() >= count) return;
  constexpr std::size_t large = (std::size_t{2} << 20) / sizeof(T);
  constexpr std::size_t block = (std::size_t{128} << 20) / sizeof(T);
  std::size_t wanted = std::max(elements.size() + count, 2 * elements.capacity());
  if (wanted > large) wanted = std::max(wanted, block);
  reserve_large(elements, wanted);
}

}  // namespace jfrtree::internal
