#include "profile/thread_name.hpp"

namespace jfrtree::internal {

std::string ThreadName::display_name() const {
  if (!is_known) return "unknown thread";
  return name.empty() ? "tid=" + std::to_string(id) : name;
}

ThreadName read_thread_name(const Value& thread) {
  ThreadName result;
  if (thread.is_null()) return result;
  result.is_known = true;
  const bool is_virtual = thread["virtual"].integer() != 0;
  result.name = thread["javaName"].text();
  if (result.name.empty()) {
    result.name = is_virtual ? "virtual-thread" : thread["osName"].text();
  }
  result.id = thread["osThreadId"].integer();
  if (result.id <= 0) result.id = thread["javaThreadId"].integer();
  return result;
}

std::string fold_digits(std::string_view text) {
  std::string folded;
  bool is_in_run = false;
  for (const char letter : text) {
    const bool is_digit = letter >= '0' && letter <= '9';
    if (!is_digit) {
      folded += letter;
    } else if (!is_in_run) {
      folded += '*';
    }
    is_in_run = is_digit;
  }
  return folded;
}

std::string thread_frame_text(const ThreadName& thread, const FrameOptions& options,
                              const Patterns& groups) {
  std::string text = thread.display_name();
  if (!options.fold_thread_names && groups.empty()) {
    const bool has_name = thread.is_known && !thread.name.empty();
    return "[" + text + (has_name ? " tid=" + std::to_string(thread.id) : "") + "]";
  }
  if (auto group = groups.capture(text)) text = std::move(*group);
  if (options.fold_thread_names) text = fold_digits(text);
  return "[" + text + "]";
}

}  // namespace jfrtree::internal
