#pragma once

#include <cstdint>
#include <string>

#include "profile/frame_names.hpp"

namespace jfrtree::internal {

/// Texts of frames as the converter of async-profiler writes them: `pkg/Class.method`, names as
/// recorded, `unknown` and `null` for what is missing, threads with the key of their constant.
class JfrconvNames final : public FrameNames {
 public:
  JfrconvNames(const ChunkContents& contents, TextTable& texts);

 protected:
  [[nodiscard]] std::string method_text(const Value& method, bool is_native) override;
  [[nodiscard]] std::string leaf_text(const Value& type, std::uint64_t key) override;
  [[nodiscard]] std::string thread_text(const Value& thread, std::uint64_t key) override;
};

}  // namespace jfrtree::internal
