#include "clickhouse/follow/folder_notices.hpp"

#include <array>
#include <cstddef>

#include <poll.h>
#include <unistd.h>

#if __has_include(<sys/inotify.h>)
#include <sys/inotify.h>
#define JFRTREE_HAS_INOTIFY
#endif

namespace jfrtree::internal {

FolderNotices::FolderNotices() {
#ifdef JFRTREE_HAS_INOTIFY
  descriptor_ = Descriptor(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
#endif
}

void FolderNotices::watch(const std::string& folder) noexcept {
#ifdef JFRTREE_HAS_INOTIFY
  if (!descriptor_.is_open()) return;
  // Writing alone is no news: a running JVM does it every second.
  constexpr unsigned events = IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_TO | IN_MOVED_FROM;
  static_cast<void>(::inotify_add_watch(descriptor_.number(), folder.c_str(), events));
#else
  static_cast<void>(folder);
#endif
}

bool FolderNotices::wait(std::chrono::milliseconds time) noexcept {
  const int milliseconds = static_cast<int>(time.count());
  if (!descriptor_.is_open()) {
    static_cast<void>(::poll(nullptr, 0, milliseconds));
    return false;
  }
  struct pollfd waiting {
    descriptor_.number(), POLLIN, 0
  };
  if (::poll(&waiting, 1, milliseconds) <= 0) return false;
  // What has happened is looked for anyway.
  std::array<std::byte, 4096> events{};
  while (::read(descriptor_.number(), events.data(), events.size()) > 0) {
  }
  return true;
}

}  // namespace jfrtree::internal
