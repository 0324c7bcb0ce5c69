#pragma once

#include <cstdint>
#include <string_view>

#include "format/chunk_contents.hpp"
#include "io/seeded_map.hpp"

namespace jfrtree::internal {

/// What executed a frame, by the text of its constant: numbers differ between recorders.
enum class FrameKind : std::uint8_t {
  unknown,  ///< no constant, or a text that is none of those below
  interpreted,
  jit_compiled,
  inlined,
  native,  ///< of the JDK a Java method of native code, of async-profiler a native function
  cpp,
  kernel,
  c1_compiled,
};
/// Bits that a kind needs.
constexpr unsigned frame_kind_bits = 3;

[[nodiscard]] FrameKind frame_kind_of(std::string_view description) noexcept;

/// `_[j]` and the like, as flame graph programs colour frames by; empty for `unknown`.
[[nodiscard]] std::string_view frame_kind_suffix(FrameKind kind) noexcept;

[[nodiscard]] constexpr bool is_native_kind(FrameKind kind) noexcept {
  return kind == FrameKind::native || kind == FrameKind::cpp || kind == FrameKind::kernel;
}

/// The kinds of one chunk's frame types, each looked up once.
class FrameKinds {
 public:
  explicit FrameKinds(const ChunkContents& contents);

  [[nodiscard]] FrameKind operator[](std::uint64_t frame_type) {
    if (frame_type != last_type_) look_up(frame_type);
    return last_kind_;
  }
  /// Whether the chunk has native frames of async-profiler: its frame types include Kernel. In
  /// others "Native" is a Java method.
  [[nodiscard]] bool has_native_frames() const noexcept { return has_native_frames_; }

 private:
  void look_up(std::uint64_t frame_type);

  const ChunkContents& contents_;
  const Type* type_;
  bool has_native_frames_ = false;
  SeededMap<std::uint64_t, FrameKind> kinds_;
  std::uint64_t last_type_ = ~std::uint64_t{0};
  FrameKind last_kind_ = FrameKind::unknown;
};

}  // namespace jfrtree::internal
