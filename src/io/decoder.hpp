#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "io/bytes.hpp"

namespace jfrtree::internal {

/// What compressed bytes begin with.
enum class Container : unsigned char { plain, gzip, zstd, lz4, zip, skippable, lz4_legacy };

/// As many bytes of a frame as `detect_container` wants to see.
inline constexpr std::size_t magic_size = 4;

/// Finds out by the first bytes. Skippable frames belong to zstd and LZ4 alike.
[[nodiscard]] Container detect_container(ByteSpan start) noexcept;

/// The name as in `Input::container`.
[[nodiscard]] std::string_view container_name(Container container) noexcept;

/// A compression that is not read here.
struct ForeignCompression {
  std::string_view name;     ///< empty: none
  std::string_view command;  ///< decompresses a file
};

/// Finds one by the first bytes, of which ten are enough.
[[nodiscard]] ForeignCompression foreign_compression(ByteSpan start) noexcept;

/// Decompresses one frame (gzip: member) after the other. A frame is given piece by piece.
class Decoder {
 public:
  Decoder() = default;
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;
  virtual ~Decoder() = default;

  struct Step {
    std::size_t consumed = 0;     ///< bytes taken from the input
    std::size_t produced = 0;     ///< bytes written to the output, also when it failed
    bool frame_end = false;       ///< the frame is complete, and all its bytes were given out
    std::string_view error = {};  ///< what is wrong with the input; empty when nothing is
  };

  /// Makes one step. The input may be empty, to get what did not fit into the output before.
  [[nodiscard]] virtual Step decode(ByteSpan input, std::span<std::byte> output) = 0;

  /// The input ended inside the frame. `frame_end` stays false where that means that it is cut
  /// short.
  [[nodiscard]] virtual Step finish() { return {}; }

  /// Prepares for the next frame.
  virtual void reset() = 0;
};

/// For gzip, zstd, lz4 and zip. Throws std::bad_alloc.
[[nodiscard]] std::unique_ptr<Decoder> make_decoder(Container container);

[[nodiscard]] std::unique_ptr<Decoder> make_gzip_decoder();
[[nodiscard]] std::unique_ptr<Decoder> make_zstd_decoder();
[[nodiscard]] std::unique_ptr<Decoder> make_lz4_decoder();
[[nodiscard]] std::unique_ptr<Decoder> make_zip_decoder();

}  // namespace jfrtree::internal
