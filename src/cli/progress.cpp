#include "cli/progress.hpp"

#include <unistd.h>
#include <cstdio>
#include <string>

#include "cli/human.hpp"

namespace jfrtree::cli {

Progress::Progress(std::optional<bool> wanted, bool is_quiet)
    : is_terminal_(isatty(STDERR_FILENO) == 1) {
  using std::chrono::milliseconds;
  is_on_ = wanted.value_or(is_terminal_ && !is_quiet);
  interval_ = is_terminal_ ? milliseconds(100) : milliseconds(1000);
  const bool is_immediate = wanted.has_value() && is_terminal_;
  next_ = Clock::now() + (is_immediate ? milliseconds(0) : milliseconds(1000));
  // Away from a terminal somebody asked for it: the last line comes in any case.
}

std::function<void(std::uint64_t, std::uint64_t)> Progress::callback() {
  if (!is_on_) {
    return {};
  }
  return [this](std::uint64_t done, std::uint64_t total) { update(done, total); };
}

void Progress::update(std::uint64_t done, std::uint64_t total) {
  done_ = done;
  total_ = total;
  const Clock::time_point now = Clock::now();
  if (now >= next_) {
    next_ = now + interval_;
    show();
  }
}

void Progress::show() {
  std::string text = "read " + bytes_text(done_);
  if (total_ != 0) {
    text += " of " + bytes_text(total_) + " (" + percent_text(done_, total_) + ")";
  }
  text = is_terminal_ ? "\r\x1b[K" + text : "jfrtree: " + text + "\n";
  is_line_shown_ = is_terminal_;
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr));
  static_cast<void>(std::fflush(stderr));
}

void Progress::finish() {
  if (is_finished_ || !is_on_) {
    return;
  }
  is_finished_ = true;
  if (!is_terminal_ && done_ != 0) {
    show();
  } else if (is_line_shown_) {
    static_cast<void>(std::fputs("\r\x1b[K", stderr));
    static_cast<void>(std::fflush(stderr));
  }
}

}  // namespace jfrtree::cli
