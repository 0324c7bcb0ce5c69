#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "format/chunk_contents.hpp"
#include "format/frame_batch.hpp"
#include "io/problem_log.hpp"
#include "profile/frame_namer.hpp"

namespace jfrtree::internal {

/// Decodes stack trace constants of one chunk to text numbers, root first.
class StackDecoder {
 public:
  StackDecoder(const ChunkContents& contents, FrameNamer& namer);

  /// The frames of the constant at a byte offset of the chunk. The recorder writes the leaf first;
  /// the result is root first and valid until the next call. `is_truncated` says whether frames are
  /// missing at the root.
  std::span<const std::uint32_t> decode(std::uint64_t offset, bool& is_truncated);

  /// Key of the method of the leaf, hidden or not, of the stack decoded last; 0: none.
  [[nodiscard]] std::uint64_t leaf_method() const noexcept { return leaf_method_; }

  /// Adds notes about stacks that were cut or could not be decoded.
  void report(ProblemLog& log) const;

 private:
  void decode_frames(ByteReader& reader, bool& is_truncated);
  void decode_usual_frames(ByteReader& reader, std::uint64_t count);
  void add_rows(std::span<const FrameRow> rows, bool has_methods_only);
  void add_text(std::uint32_t text) {
    if (text != FrameNamer::hidden) frames_.push_back(text);
  }

  const ChunkContents& contents_;
  FrameNamer& namer_;
  const Type* stack_type_;
  const Type* frame_type_ = nullptr;
  DecodeProgram frame_program_;  // method, line, frame type, bytecode index if wanted
  bool has_frames_ = false;
  bool is_usual_frame_ = false;
  std::vector<std::uint32_t> frames_;
  std::uint64_t leaf_method_ = 0;
  std::uint64_t cut_stacks_ = 0;
  std::uint64_t bad_stacks_ = 0;
};

}  // namespace jfrtree::internal
