#pragma once

#include <cstdint>

namespace jfrtree {

/// Other programs whose results can be reproduced, so that their users can compare.
enum class Compat : std::uint8_t {
  none,
  /// The converter of async-profiler 4: which samples count, what for, and how frames read.
  jfrconv,
};

}  // namespace jfrtree
