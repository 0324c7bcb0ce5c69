#include <jfrtree/error.hpp>
#include <jfrtree/frame_options.hpp>

namespace jfrtree {

void check_frame_options(const FrameOptions& options) {
  if (options.simple && options.slashes) {
    throw UsageError(
        "the frame options simple and slashes contradict each other: without packages there is "
        "nothing to write with slashes");
  }
}

}  // namespace jfrtree
