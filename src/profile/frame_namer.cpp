#include "profile/frame_namer.hpp"

namespace jfrtree::internal {

std::uint32_t FrameNamer::frame(std::uint64_t method, std::uint64_t line, std::uint64_t frame_type,
                                std::uint64_t bytecode_index) {
  constexpr std::uint64_t max_index = 0x7FFF'FFFF;
  std::uint64_t variant = variant_of(line, frame_type);
  // Native methods have no bytecode; recorders write 0 for them.
  if (bytecode_index < max_index && !is_native_kind(kinds_[frame_type])) {
    variant |= (bytecode_index + 1) << FrameNames::bytecode_index_shift;
  }
  return look_up(method, variant);
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
