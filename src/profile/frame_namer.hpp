#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include "io/seeded_map.hpp"
#include "profile/frame_names.hpp"

namespace jfrtree::internal {

/// What a thread has asked of the names of a chunk, for it alone: most frames are found here.
class FrameNamer {
 public:
  static constexpr std::uint32_t hidden = FrameNames::hidden;

  /// The names must outlive the namer.
  explicit FrameNamer(FrameNames& names) : names_(names), kinds_(names.kinds()) {}

  /// Text number of a frame, or `hidden`.
  std::uint32_t frame(std::uint64_t method, std::uint64_t line, std::uint64_t frame_type) {
    const std::uint32_t variant = variant_of(line, frame_type);
    Cached& cached = methods_[(method ^ method >> 11 ^ variant) % methods_.size()];
    if (cached.key != method || cached.variant != variant) {
      cached = {method, variant, look_up(method, variant)};
    }
    return cached.text;
  }

  /// The same where a frame's text depends on its method alone.
  std::uint32_t frame(std::uint64_t method) {
    Cached& cached = methods_[(method ^ method >> 11) % methods_.size()];
    if (cached.key != method || cached.variant != 0) cached = {method, 0, look_up(method, 0)};
    return cached.text;
  }
  [[nodiscard]] bool needs_methods_only() const noexcept {
    return !names_.options().lines && !names_.options().bci && !names_.tells_kinds();
  }

  /// The same with a bytecode index, where the options ask for it.
  std::uint32_t frame(std::uint64_t method, std::uint64_t line, std::uint64_t frame_type,
                      std::uint64_t bytecode_index);
  [[nodiscard]] bool wants_bytecode_index() const noexcept { return names_.options().bci; }

  /// Text number of a class as the synthetic leaf, e.g. `byte[]`.
  std::uint32_t class_leaf(std::uint64_t key) {
    Cached& cached = class_leaves_[key % class_leaves_.size()];
    if (cached.key != key || cached.variant != 0) cached = {key, 0, names_.class_leaf(key)};
    return cached.text;
  }
  /// Text number of the thread frame, `[name tid=N]` or as the options say.
  std::uint32_t thread(std::uint64_t key) {
    Cached& cached = threads_[key % threads_.size()];
    if (cached.key != key || cached.variant != 0) cached = {key, 0, names_.thread(key)};
    return cached.text;
  }
  /// Text number of a fixed text.
  std::uint32_t fixed(std::string_view text) { return names_.fixed(text); }

 private:
  /// Of an empty place. Lines from `max_line` on are not shown, so no frame has it.
  static constexpr std::uint32_t no_variant = ~std::uint32_t{0};
  static constexpr std::uint64_t max_line = (std::uint64_t{1} << (32 - frame_kind_bits)) - 1;
  struct Cached {
    std::uint64_t key = 0;
    std::uint32_t variant = no_variant;
    std::uint32_t text = 0;
  };

  /// Everything but the method and the bytecode index that a frame's text depends on: line and
  /// kind.
  [[nodiscard]] std::uint32_t variant_of(std::uint64_t line, std::uint64_t frame_type) {
    const std::uint64_t shown_line =
        names_.options().lines && line > 0 && line < max_line ? line : 0;
    const std::uint64_t kind = names_.tells_kinds() ? kind_of(frame_type) : 0;
    return static_cast<std::uint32_t>(shown_line << frame_kind_bits | kind);
  }
  /// The kind as far as it matters: all kinds, or only whether it is native.
  [[nodiscard]] std::uint64_t kind_of(std::uint64_t frame_type) {
    const FrameKind kind = kinds_[frame_type];
    if (names_.options().frame_types) return static_cast<std::uint64_t>(kind);
    return is_native_kind(kind) ? static_cast<std::uint64_t>(FrameKind::native) : 0;
  }
  [[nodiscard]] std::uint32_t look_up(std::uint64_t method, std::uint64_t variant);

  FrameNames& names_;
  FrameKinds kinds_;
  std::array<Cached, 2048> methods_{};
  std::array<Cached, 256> class_leaves_{};
  std::array<Cached, 256> threads_{};
  SeededMap<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> all_methods_;
};

}  // namespace jfrtree::internal
