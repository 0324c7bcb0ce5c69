#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <jfrtree/event.hpp>
#include <jfrtree/profile.hpp>

#include "format/chunk_contents.hpp"
#include "io/problem_log.hpp"
#include "io/seeded_map.hpp"
#include "profile/pattern.hpp"
#include "profile/text_table.hpp"

namespace jfrtree::internal {

/// Texts of methods, classes and threads of one chunk (semantics §3). Each constant is decoded once
/// and each text stored once, in a table of the chunk.
class FrameNamer {
 public:
  /// A frame that is to be left out.
  static constexpr std::uint32_t hidden = ~std::uint32_t{0};

  FrameNamer(const ChunkContents& contents, const FrameOptions& options);

  /// Text number of a frame, or `hidden`.
  std::uint32_t frame(std::uint64_t method, std::uint64_t line, std::uint64_t frame_type) {
    const std::uint32_t variant = variant_of(line, frame_type);
    CachedFrame& cached = cache_[(method ^ method >> 11 ^ variant) % cache_.size()];
    if (cached.method != method || cached.variant != variant) {
      cached = {method, variant, look_up(method, variant)};
    }
    return cached.text;
  }

  /// Text number of a class as the synthetic leaf, e.g. `byte[]`.
  std::uint32_t class_leaf(std::uint64_t key);
  /// Text number of the thread frame, `[name tid=N]` or as the options say.
  std::uint32_t thread(std::uint64_t key);
  /// Text number of a fixed text.
  std::uint32_t fixed(std::string_view text) { return texts_.add(text); }

  [[nodiscard]] const TextTable& texts() const noexcept { return texts_; }
  /// Whether the texts that were made exceed the limit frame_bytes. From then on frames read `?`.
  [[nodiscard]] bool is_full() const noexcept {
    return named_bytes_ > contents_.limits.frame_bytes;
  }
  /// Whether the chunk has native frames of async-profiler: its frame types include Kernel.
  [[nodiscard]] bool has_native_frames() const noexcept { return has_native_frames_; }
  /// Adds notes about constants that were asked for and are missing.
  void report(ProblemLog& log) const;

 private:
  /// Of an empty place of the cache. Lines from `max_line` on are not shown, so no frame has it.
  static constexpr std::uint32_t no_variant = ~std::uint32_t{0};
  static constexpr std::uint64_t max_line = 0x7FFF'FFFF;
  struct CachedFrame {
    std::uint64_t method = 0;
    std::uint32_t variant = no_variant;
    std::uint32_t text = 0;
  };

  /// Everything but the method that a frame's text depends on: native or not, and the line.
  [[nodiscard]] std::uint32_t variant_of(std::uint64_t line, std::uint64_t frame_type) {
    const std::uint64_t shown_line = options_.lines && line > 0 && line < max_line ? line : 0;
    const bool is_marked = has_native_frames_ && is_native(frame_type);
    return static_cast<std::uint32_t>(shown_line << 1 | (is_marked ? 1 : 0));
  }
  [[nodiscard]] bool is_native(std::uint64_t frame_type);
  [[nodiscard]] std::uint32_t look_up(std::uint64_t method, std::uint64_t variant);
  [[nodiscard]] std::uint32_t name_method(std::uint64_t method, std::uint64_t variant);
  std::uint32_t add(std::string_view text);
  [[nodiscard]] std::string class_text(const Value& type);
  [[nodiscard]] std::string thread_text(std::uint64_t key);

  const ChunkContents& contents_;
  const FrameOptions& options_;
  Patterns thread_groups_;
  const Type* method_type_;
  const Type* class_type_;
  const Type* thread_type_;
  const Type* frame_type_type_;
  bool has_native_frames_ = false;
  TextTable texts_;
  std::array<CachedFrame, 2048> cache_{};
  SeededMap<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> frames_;
  SeededMap<std::uint64_t, std::uint32_t> class_leaves_;
  SeededMap<std::uint64_t, std::uint32_t> threads_;
  SeededMap<std::uint64_t, bool> native_types_;
  std::uint64_t last_frame_type_ = ~std::uint64_t{0};
  bool last_is_native_ = false;
  std::uint64_t named_bytes_ = 0;
  std::uint64_t missing_methods_ = 0;
  std::uint64_t missing_names_ = 0;
  std::uint64_t cut_names_ = 0;
};

/// Texts of all entries of a pool of simple types, e.g. the names of all thread states.
[[nodiscard]] std::vector<std::string> pool_texts(const ChunkContents& contents,
                                                  std::string_view type_name);

}  // namespace jfrtree::internal
