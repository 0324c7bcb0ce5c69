#include "profile/span_windows.hpp"

#include <algorithm>

namespace jfrtree::internal {

namespace {

[[nodiscard]] std::pair<std::uint64_t, std::uint64_t> key_of(std::size_t file,
                                                             std::int64_t thread) noexcept {
  return {file, static_cast<std::uint64_t>(thread)};
}

}  // namespace

void SpanWindows::add(std::size_t file, std::int64_t thread, std::int64_t start_ns,
                      std::int64_t end_ns) {
  if (start_ns < end_ns) windows_[key_of(file, thread)].emplace_back(start_ns, end_ns);
}

void SpanWindows::finish() {
  for (auto entry = windows_.begin(); entry != windows_.end(); ++entry) {
    std::vector<Window>& windows = entry.value();
    std::sort(windows.begin(), windows.end());
    std::size_t last = 0;
    for (std::size_t i = 1; i < windows.size(); ++i) {
      if (windows[i].first <= windows[last].second) {
        windows[last].second = std::max(windows[last].second, windows[i].second);
      } else {
        windows[++last] = windows[i];
      }
    }
    windows.resize(last + 1);
  }
}

bool SpanWindows::contains(std::size_t file, std::int64_t thread,
                           std::int64_t moment_ns) const noexcept {
  const auto found = windows_.find(key_of(file, thread));
  if (found == windows_.end()) return false;
  const std::vector<Window>& windows = found->second;
  const auto next = std::upper_bound(
      windows.begin(), windows.end(), moment_ns,
      [](std::int64_t moment, const Window& window) { return moment < window.first; });
  return next != windows.begin() && moment_ns < std::prev(next)->second;
}

}  // namespace jfrtree::internal
