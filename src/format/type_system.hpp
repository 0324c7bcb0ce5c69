#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include <jfrtree/limits.hpp>
#include <jfrtree/metadata.hpp>

#include "format/layout.hpp"
#include "format/metadata_parser.hpp"

namespace jfrtree::internal {

/// The types of a chunk and how they are encoded. Immutable, shared between chunks.
struct TypeSystem {
  TypeSystem(ParsedMetadata parsed, bool has_compressed_integers)
      : metadata(std::move(parsed.metadata)),
        undecodable_types(parsed.undecodable_types),
        duplicate_types(parsed.duplicate_types),
        layouts(*metadata, has_compressed_integers) {}

  std::shared_ptr<const Metadata> metadata;
  std::size_t undecodable_types;
  std::size_t duplicate_types;
  Layouts layouts;
};

/// Decoded metadata events by their bytes: all chunks of one JVM usually carry the same ones, and
/// decoding them would cost more than a small chunk. Holds the last few. Thread-safe.
class TypeSystemCache {
 public:
  /// The types of a metadata event's payload (from its start time on). On failure the pointer is
  /// null and `failure` says why.
  [[nodiscard]] std::shared_ptr<const TypeSystem> get(std::span<const std::byte> payload,
                                                      bool has_compressed_integers,
                                                      const Limits& limits,
                                                      ParsedMetadata& failure);

 private:
  struct Entry {
    std::vector<std::byte> bytes;  // behind the metadata id
    bool has_compressed_integers;
    std::shared_ptr<const TypeSystem> types;
  };
  static constexpr std::size_t max_entries = 8;

  std::mutex mutex_;
  std::vector<Entry> entries_;  // the one used last comes last
};

}  // namespace jfrtree::internal
