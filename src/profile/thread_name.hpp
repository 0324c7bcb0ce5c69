#pragma once

#include <cstdint>
#include <string>

#include <jfrtree/event.hpp>
#include <jfrtree/profile.hpp>

#include "profile/pattern.hpp"

namespace jfrtree::internal {

/// What a chunk says about a thread.
struct ThreadName {
  bool is_known = false;  ///< the chunk has an entry for it
  std::string name;       ///< the Java name, else the system's; empty: none
  std::int64_t id = 0;    ///< the system's id, else the JVM's

  /// The name as filters and groups see it: `tid=N` where there is none, `unknown thread` where
  /// there is no entry.
  [[nodiscard]] std::string display_name() const;
};

/// From a constant of the type java.lang.Thread; null is an unknown thread.
[[nodiscard]] ThreadName read_thread_name(const Value& thread);

/// The text with each run of decimal digits as one `*`.
[[nodiscard]] std::string fold_digits(std::string_view text);

/// The thread frame, `[name tid=N]`, or what the options on thread names make of it.
[[nodiscard]] std::string thread_frame_text(const ThreadName& thread, const FrameOptions& options,
                                            const Patterns& groups);

}  // namespace jfrtree::internal
