#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace jfrtree::internal {

/// Makes the hashes by which stacks are known outside of a process: XXH64 over, for each frame root
/// first, its length in bytes as LEB128 and its bytes. The lengths tell `ab`, `c` from `a`, `bc`.
class StackHasher {
 public:
  void begin() noexcept { bytes_.clear(); }
  void add(std::string_view frame);
  [[nodiscard]] std::uint64_t finish() const noexcept;

 private:
  std::string bytes_;
};

/// The hash of a chunk: XXH64 of its bytes without those from 64 to 67, its state and flags, which
/// may differ between copies of one chunk.
[[nodiscard]] std::uint64_t chunk_hash(std::span<const std::byte> chunk) noexcept;

}  // namespace jfrtree::internal
