#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <jfrtree/ids.hpp>
#include <jfrtree/profile.hpp>

#include "format/chunk_contents.hpp"
#include "io/problem_log.hpp"
#include "profile/chunk_scan.hpp"
#include "profile/filters.hpp"
#include "profile/frame_namer.hpp"
#include "profile/kinds.hpp"
#include "profile/stack_decoder.hpp"
#include "profile/stack_filter.hpp"
#include "profile/text_table.hpp"

namespace jfrtree::internal {

/// Makes the stacks of a chunk's samples as a profile shows them: frames, with the synthetic ones
/// around them, as numbers of texts, root first. For one thread.
class StackComposer {
 public:
  /// All references must outlive this object; `texts` is what `names` adds to. With a thread frame
  /// every stack begins with the thread of its group. `filters` may be null where the request has
  /// none on stacks.
  StackComposer(const ChunkContents& contents, const ProfileRequest& request,
                const Filters* filters, const ChunkScan& scan, FrameNames& names,
                const TextTable& texts, bool has_thread_frame);

  /// Goes to a stack of the chunk. True when a stack trace was decoded for it.
  bool decode(std::uint32_t ordinal);

  /// Adds the frames of the stack that was decoded last, with those of a group. False, and nothing
  /// added, when a filter drops it.
  bool add_frames(std::vector<FrameId>& frames, std::uint64_t group, std::optional<LeafRule> rule);

  /// Number of the text of a group's thread frame.
  [[nodiscard]] std::uint32_t thread_text(std::uint64_t group) {
    return namer_.thread(scan_.group(group).second);
  }
  /// Number of `[no stack]`.
  [[nodiscard]] std::uint32_t no_stack_text() { return namer_.fixed("[no stack]"); }

  void report(ProblemLog& log) const { decoder_.report(log); }

 private:
  void add_other_leaf(std::vector<FrameId>& frames, LeafRule rule, std::uint64_t key);
  [[nodiscard]] std::uint64_t class_of_object(std::uint64_t key) const;

  const ChunkContents& contents_;
  const FrameOptions& frame_options_;
  const ChunkScan& scan_;
  bool has_thread_frame_;
  FrameNamer namer_;
  StackDecoder decoder_;
  std::optional<StackFilter> filter_;
  std::vector<FrameId> stack_;
  std::size_t markers_ = 0;        // frames of `stack_` that stand for none
  std::uint64_t leaf_method_ = 0;  // of `stack_`; 0: it has none
};

}  // namespace jfrtree::internal
