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
#include "profile/frame_kinds.hpp"
#include "profile/text_table.hpp"

namespace jfrtree::internal {

/// Texts of methods, classes and threads of one chunk (semantics §3). Each constant is decoded once
/// and each text stored once, in a table of the chunk.
class FrameNamer {
 public:
  /// A frame that is to be left out.
  static constexpr std::uint32_t hidden = ~std::uint32_t{0};

  /// References must outlive it.
  FrameNamer(const ChunkContents& contents, const FrameOptions& options);
  FrameNamer(const FrameNamer&) = delete;
  FrameNamer& operator=(const FrameNamer&) = delete;
  virtual ~FrameNamer() = default;

  /// Text number of a frame, or `hidden`.
  std::uint32_t frame(std::uint64_t method, std::uint64_t line, std::uint64_t frame_type) {
    const std::uint32_t variant = variant_of(line, frame_type);
    CachedFrame& cached = cache_[(method ^ method >> 11 ^ variant) % cache_.size()];
    if (cached.method != method || cached.variant != variant) {
      cached = {method, variant, look_up(method, variant)};
    }
    return cached.text;
  }

  /// The same with a bytecode index, where the options ask for it.
  std::uint32_t frame(std::uint64_t method, std::uint64_t line, std::uint64_t frame_type,
                      std::uint64_t bytecode_index);
  [[nodiscard]] bool wants_bytecode_index() const noexcept { return options_.bci; }

  /// Text number of a class as the synthetic leaf, e.g. `byte[]`.
  std::uint32_t class_leaf(std::uint64_t key);
  /// Text number of the thread frame, `[name tid=N]`.
  std::uint32_t thread(std::uint64_t key);
  /// Text number of a fixed text.
  std::uint32_t fixed(std::string_view text) { return texts_.add(text); }

  [[nodiscard]] const TextTable& texts() const noexcept { return texts_; }
  /// Whether the texts that were made exceed the limit frame_bytes. From then on frames read `?`.
  [[nodiscard]] bool is_full() const noexcept {
    return named_bytes_ > contents_.limits.frame_bytes;
  }
  /// Whether the chunk has native frames of async-profiler: its frame types include Kernel.
  [[nodiscard]] bool has_native_frames() const noexcept { return kinds_.has_native_frames(); }
  /// Adds notes about constants that were asked for and are missing.
  void report(ProblemLog& log) const;

 protected:
  // How names read. Called once for each.
  /// Text of a method, or of the null value; `is_native`: it is a function, no Java method.
  [[nodiscard]] virtual std::string method_text(const Value& method, bool is_native);
  [[nodiscard]] virtual std::string leaf_text(const Value& type, std::uint64_t key);
  [[nodiscard]] virtual std::string thread_text(const Value& thread, std::uint64_t key);

 private:
  /// Of an empty place of the cache. Lines from `max_line` on are not shown, so no frame has it.
  static constexpr std::uint32_t no_variant = ~std::uint32_t{0};
  static constexpr std::uint64_t max_line = (std::uint64_t{1} << (32 - frame_kind_bits)) - 1;
  static constexpr unsigned bytecode_index_shift = 32;
  struct CachedFrame {
    std::uint64_t method = 0;
    std::uint32_t variant = no_variant;
    std::uint32_t text = 0;
  };

  /// Everything but the method and the bytecode index that a frame's text depends on: line and
  /// kind.
  [[nodiscard]] std::uint32_t variant_of(std::uint64_t line, std::uint64_t frame_type) {
    const std::uint64_t shown_line = options_.lines && line > 0 && line < max_line ? line : 0;
    const std::uint64_t kind = tells_kinds_ ? kind_of(frame_type) : 0;
    return static_cast<std::uint32_t>(shown_line << frame_kind_bits | kind);
  }
  /// The kind as far as it matters: all kinds, or only whether it is native.
  [[nodiscard]] std::uint64_t kind_of(std::uint64_t frame_type) {
    const FrameKind kind = kinds_[frame_type];
    if (options_.frame_types) return static_cast<std::uint64_t>(kind);
    return is_native_kind(kind) ? static_cast<std::uint64_t>(FrameKind::native) : 0;
  }
  [[nodiscard]] std::uint32_t look_up(std::uint64_t method, std::uint64_t variant);
  [[nodiscard]] std::uint32_t name_method(std::uint64_t method, std::uint64_t variant);
  [[nodiscard]] std::string native_text(const Value& method);
  [[nodiscard]] std::string java_text(const Value& method);
  [[nodiscard]] std::string signature_text(const Value& method);
  std::uint32_t add(std::string_view text);
  [[nodiscard]] std::string class_text(const Value& type);

  const ChunkContents& contents_;
  const FrameOptions& options_;
  const Type* method_type_;
  const Type* class_type_;
  const Type* thread_type_;
  FrameKinds kinds_;
  bool tells_kinds_ = false;
  TextTable texts_;
  std::array<CachedFrame, 2048> cache_{};
  SeededMap<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> frames_;
  SeededMap<std::uint64_t, std::uint32_t> class_leaves_;
  SeededMap<std::uint64_t, std::uint32_t> threads_;
  std::uint64_t named_bytes_ = 0;
  std::uint64_t missing_methods_ = 0;
  std::uint64_t missing_names_ = 0;
  std::uint64_t cut_names_ = 0;
};

/// Texts of all entries of a pool of simple types, e.g. the names of all thread states.
[[nodiscard]] std::vector<std::string> pool_texts(const ChunkContents& contents,
                                                  std::string_view type_name);

}  // namespace jfrtree::internal
