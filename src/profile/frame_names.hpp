#pragma once

#include <cstdint>
#include <mutex>
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
#include "profile/pattern.hpp"
#include "profile/text_table.hpp"

namespace jfrtree::internal {

/// Texts of methods, classes and threads of one chunk (semantics §3), for all threads that work on
/// it: each constant is decoded once. Thread-safe but for `report`. How names read can be
/// overridden.
class FrameNames {
 public:
  /// A frame that is to be left out.
  static constexpr std::uint32_t hidden = ~std::uint32_t{0};

  /// Adds the texts to `texts`. All references must outlive this object.
  FrameNames(const ChunkContents& contents, const FrameOptions& options, TextTable& texts);
  FrameNames(const FrameNames&) = delete;
  FrameNames& operator=(const FrameNames&) = delete;
  virtual ~FrameNames() = default;

  static constexpr unsigned bytecode_index_shift = 32;
  /// Text number of a method, or `hidden`. The variant is what else the text depends on: the lowest
  /// bits are the kind of the frame, above it the line to be shown, 0 for none, and from
  /// `bytecode_index_shift` on the bytecode index to be shown + 1.
  [[nodiscard]] std::uint32_t method(std::uint64_t key, std::uint64_t variant);
  /// Text number of a class as the synthetic leaf, e.g. `byte[]`.
  [[nodiscard]] std::uint32_t class_leaf(std::uint64_t key);
  /// Text number of the thread frame, `[name tid=N]` or as the options say.
  [[nodiscard]] std::uint32_t thread(std::uint64_t key);
  /// Text number of a fixed text.
  [[nodiscard]] std::uint32_t fixed(std::string_view text) { return texts_.add_shared(text); }
  [[nodiscard]] const FrameOptions& options() const noexcept { return options_; }
  /// The kinds of frames, to be copied: a look-up changes them.
  [[nodiscard]] const FrameKinds& kinds() const noexcept { return kinds_; }
  /// Whether texts depend on the kind of the frame.
  [[nodiscard]] bool tells_kinds() const noexcept { return tells_kinds_; }
  /// Whether the texts that were made exceed the limit frame_bytes. From then on frames read `?`.
  [[nodiscard]] bool is_full() const noexcept {
    return named_bytes_ > contents_.limits.frame_bytes;
  }
  /// Adds notes about constants that were asked for and are missing.
  void report(ProblemLog& log) const;

 protected:
  // How names read. Called once for each.
  /// Text of a method, or of the null value; `is_native`: it is a function, no Java method.
  [[nodiscard]] virtual std::string method_text(const Value& method, bool is_native);
  [[nodiscard]] virtual std::string leaf_text(const Value& type, std::uint64_t key);
  [[nodiscard]] virtual std::string thread_text(const Value& thread, std::uint64_t key);

 private:
  [[nodiscard]] std::uint32_t name_method(std::uint64_t key, std::uint64_t variant);
  [[nodiscard]] std::uint32_t add(std::string_view text);
  [[nodiscard]] std::string native_text(const Value& method);
  [[nodiscard]] std::string java_text(const Value& method);
  [[nodiscard]] std::string signature_text(const Value& method);
  [[nodiscard]] std::string class_text(const Value& type);

  const ChunkContents& contents_;
  const FrameOptions& options_;
  TextTable& texts_;
  Patterns thread_groups_;
  const Type* method_type_;
  const Type* class_type_;
  const Type* thread_type_;
  FrameKinds kinds_;
  bool tells_kinds_ = false;
  std::mutex mutex_;  // everything below
  SeededMap<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> methods_;
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
