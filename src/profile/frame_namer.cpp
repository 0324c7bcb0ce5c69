#include "profile/frame_namer.hpp"

namespace jfrtree::internal {

bool FrameNamer::is_native(std::uint64_t frame_type) {
  if (frame_type == last_frame_type_) return last_is_native_;
  auto found = native_types_.find(frame_type);
  if (found == native_types_.end()) {
    found = native_types_.emplace(frame_type, names_.is_native_type(frame_type)).first;
  }
  last_frame_type_ = frame_type;
  last_is_native_ = found->second;
  return last_is_native_;
}

std::uint32_t FrameNamer::look_up(std::uint64_t method, std::uint64_t variant) {
  const std::pair<std::uint64_t, std::uint64_t> key(method, variant);
  const auto found = all_methods_.find(key);
  if (found != all_methods_.end()) return found->second;
  const std::uint32_t text = names_.method(method, variant);
  all_methods_.emplace(key, text);
  return text;
}

}  // namespace jfrtree::internal
