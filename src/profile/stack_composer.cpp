#include "profile/stack_composer.hpp"

#include "format/value_reader.hpp"

namespace jfrtree::internal {

StackComposer::StackComposer(const ChunkContents& contents, const ProfileRequest& request,
                             const Filters* filters, const ChunkScan& scan, FrameNames& names,
                             const TextTable& texts, bool has_thread_frame)
    : contents_(contents),
      frame_options_(request.frames),
      scan_(scan),
      has_thread_frame_(has_thread_frame),
      namer_(names),
      decoder_(contents, namer_) {
  if (request.filters.has_stack_filters()) filter_.emplace(*filters, frame_options_, texts);
}

bool StackComposer::decode(std::uint32_t ordinal) {
  stack_.clear();
  markers_ = 0;
  leaf_method_ = 0;
  const bool is_decoded = ordinal < scan_.no_stack();
  if (is_decoded) {
    bool is_truncated = false;
    const auto frames = decoder_.decode(scan_.stack_index()->offset(ordinal), is_truncated);
    if (is_truncated && frame_options_.truncated_frame && !frames.empty()) {
      stack_.push_back(FrameId{namer_.fixed("[truncated]")});
      markers_ = 1;
    }
    for (const std::uint32_t frame : frames) stack_.push_back(FrameId{frame});
    leaf_method_ = decoder_.leaf_method();
  } else if (ordinal == scan_.missing_stack()) {
    stack_.push_back(FrameId{namer_.fixed("?")});
  }
  if (stack_.empty()) {
    stack_.push_back(FrameId{no_stack_text()});
    markers_ = 1;
  }
  return is_decoded;
}

bool StackComposer::add_frames(std::vector<FrameId>& frames, std::uint64_t group,
                               std::optional<LeafRule> rule) {
  const std::size_t first = frames.size();
  const auto [leaf, thread] = scan_.group(group);
  if (has_thread_frame_) frames.push_back(FrameId{namer_.thread(thread)});
  frames.insert(frames.end(), stack_.begin(), stack_.end());
  if (rule == LeafRule::class_name) {
    frames.push_back(FrameId{namer_.class_leaf(leaf)});
  } else if (rule) {
    add_other_leaf(frames, *rule, leaf);
  }
  const std::size_t markers = first + (has_thread_frame_ ? 1 : 0);
  if (filter_ && !filter_->apply(frames, markers, markers + markers_)) {
    frames.resize(first);
    return false;
  }
  return true;
}

void StackComposer::add_other_leaf(std::vector<FrameId>& frames, LeafRule rule, std::uint64_t key) {
  if (rule == LeafRule::old_object) {
    frames.push_back(FrameId{namer_.class_leaf(class_of_object(key))});
  } else if (key != 0 && key != leaf_method_) {
    // No type of a frame: the name of a Java method, without a line.
    const std::uint32_t text = namer_.frame(key, 0, ~std::uint64_t{0});
    if (text != FrameNamer::hidden) frames.push_back(FrameId{text});
  }
}

std::uint64_t StackComposer::class_of_object(std::uint64_t key) const {
  const Type* type = contents_.metadata().find("jdk.types.OldObject");
  if (type == nullptr) return 0;
  const Value object = ValueReader(contents_).constant(*type, ConstantKey{key});
  return raw(object["type"].key().value_or(ConstantKey{0}));
}

}  // namespace jfrtree::internal
