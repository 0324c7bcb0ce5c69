#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace jfrtree {

/// Bounds on what hostile or damaged input may cost. The defaults are far above what real
/// recordings need. A limit that is reached ends in a `LimitError` or a reported problem that names
/// it; nothing is allocated for a size that was only claimed.
struct Limits {
  /// Bytes of one input after decompression.
  std::uint64_t decompressed_bytes = std::uint64_t{1} << 40;
  /// Decompressed bytes per compressed byte, checked once 64 MiB have been produced.
  std::uint64_t compression_ratio = 500;
  /// Bytes of one chunk that is read into memory.
  std::uint64_t chunk_bytes = std::uint64_t{1} << 34;
  /// Entries of all constant pools of one chunk.
  std::uint64_t pool_entries = std::uint64_t{1} << 28;
  /// Bytes of one string.
  std::uint64_t string_bytes = std::uint64_t{1} << 24;
  /// Frames of one stack trace; deeper ones are cut: at the root in recordings, where recorders cut
  /// too, at the leaf in collapsed stacks.
  std::uint64_t stack_frames = std::uint64_t{1} << 18;
  /// Nesting of elements in a metadata event (real ones have 5).
  std::uint64_t metadata_depth = 64;
  /// Strings and elements of one metadata event.
  std::uint64_t metadata_elements = std::uint64_t{1} << 22;
  /// Frames of all unique stacks of all profiles that are read together.
  std::uint64_t profile_frames = std::uint64_t{1} << 27;
  /// Bytes of the texts of all frames that are read together.
  std::uint64_t frame_bytes = std::uint64_t{1} << 27;
  /// Nodes of one call tree.
  std::uint64_t tree_nodes = std::uint64_t{1} << 30;
};

/// One limit as a row, for help texts and for setting it by name.
struct LimitDescription {
  std::string_view name;         ///< e.g. "string_bytes"
  std::string_view description;  ///< one sentence
  std::uint64_t Limits::*member;
};

/// All limits in the order of `Limits`.
[[nodiscard]] std::span<const LimitDescription> limit_descriptions() noexcept;

/// Sets the limit called `name`; false when there is none of that name.
bool set_limit(Limits& limits, std::string_view name, std::uint64_t value) noexcept;

}  // namespace jfrtree
