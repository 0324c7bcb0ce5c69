#include "format/type_system.hpp"

#include <algorithm>

#include "format/byte_reader.hpp"
#include "io/bytes.hpp"

namespace jfrtree::internal {

namespace {

/// What follows start time, duration and metadata id, which differ in every chunk.
std::span<const std::byte> stable_part(std::span<const std::byte> payload,
                                       bool has_compressed_integers) {
  ByteReader reader(payload, has_compressed_integers);
  reader.skip_integers(3, 8);
  return reader.rest();
}

}  // namespace

std::shared_ptr<const TypeSystem> TypeSystemCache::get(std::span<const std::byte> payload,
                                                       bool has_compressed_integers,
                                                       const Limits& limits,
                                                       ParsedMetadata& failure) {
  const auto bytes = stable_part(payload, has_compressed_integers);
  {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = entries_.size(); i-- > 0;) {
      Entry& entry = entries_[i];
      if (entry.has_compressed_integers == has_compressed_integers &&
          as_text(entry.bytes) == as_text(bytes)) {
        auto types = entry.types;
        std::rotate(entries_.begin() + static_cast<std::ptrdiff_t>(i),
                    entries_.begin() + static_cast<std::ptrdiff_t>(i) + 1, entries_.end());
        return types;
      }
    }
  }
  ParsedMetadata parsed = parse_metadata(payload, has_compressed_integers, limits);
  if (!parsed.metadata) {
    failure = std::move(parsed);
    return nullptr;
  }
  auto types = std::make_shared<const TypeSystem>(std::move(parsed), has_compressed_integers);
  const std::lock_guard lock(mutex_);
  if (entries_.size() == max_entries) entries_.erase(entries_.begin());
  entries_.push_back({{bytes.begin(), bytes.end()}, has_compressed_integers, types});
  return types;
}

}  // namespace jfrtree::internal
