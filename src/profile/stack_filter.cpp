#include "profile/stack_filter.hpp"

#include <algorithm>

namespace jfrtree::internal {

namespace {

/// A text without digits at its end; all of it where there are none.
[[nodiscard]] std::string_view without_digits(std::string_view text) noexcept {
  const std::size_t last = text.find_last_not_of("0123456789");
  return last == std::string_view::npos ? std::string_view() : text.substr(0, last + 1);
}

}  // namespace

std::string_view without_place(std::string_view text, const FrameOptions& options) noexcept {
  const auto cut_number = [&text](char before) {
    const std::string_view rest = without_digits(text);
    const bool has_number = rest.size() < text.size() && rest.size() > 1 && rest.back() == before;
    if (has_number) text = rest.substr(0, rest.size() - 1);
  };
  constexpr std::size_t type_length = 4;  // _[j]
  const bool has_type = options.frame_types && text.size() > type_length && text.ends_with(']') &&
                        text.substr(text.size() - type_length).starts_with("_[");
  if (has_type) text.remove_suffix(type_length);
  if (options.bci) cut_number('@');
  if (options.lines) cut_number(':');
  return text;
}

bool is_marker(std::string_view text) noexcept {
  return text == "[truncated]" || text == "[no stack]";
}

bool is_thread_frame(std::string_view text) noexcept {
  if (!text.starts_with('[') || !text.ends_with(']')) return false;
  const std::string_view inside = text.substr(1, text.size() - 2);
  const std::string_view rest = without_digits(inside);
  return rest.size() < inside.size() && (rest == "tid=" || rest.ends_with(" tid="));
}

std::uint8_t StackFilter::look_at(FrameId frame) {
  const std::uint32_t text = raw(frame);
  if (text >= answers_.size()) answers_.resize(2 * (std::size_t{text} + 1), 0);
  std::uint8_t& answer = answers_[text];
  if (answer != 0) return answer;
  const std::string_view shown = without_place(texts_.shared(text), options_);
  answer = asked;
  if (filters_.include.find_in(shown)) answer |= is_included;
  if (filters_.exclude.find_in(shown)) answer |= is_excluded;
  if (filters_.focus.find_in(shown)) answer |= is_focus;
  return answer;
}

bool StackFilter::apply(std::vector<FrameId>& frames, std::size_t markers, std::size_t begin) {
  const FilterOptions& options = filters_.options();
  const auto at = [&frames](std::size_t position) {
    return frames.begin() + static_cast<std::ptrdiff_t>(position);
  };
  std::uint8_t seen = 0;
  std::size_t focus = frames.size();
  const bool has_patterns =
      !options.include.empty() || !options.exclude.empty() || !options.focus.empty();
  for (std::size_t i = begin; has_patterns && i < frames.size(); ++i) {
    const std::uint8_t answer = look_at(frames[i]);
    seen |= answer;
    if ((answer & is_focus) != 0) focus = std::min(focus, i);
  }
  if (!options.include.empty() && (seen & is_included) == 0) return false;
  if ((seen & is_excluded) != 0) return false;
  if (!options.focus.empty()) {
    if (focus == frames.size()) return false;
    // What is missing above the new root is of no interest any more.
    frames.erase(at(markers), at(focus));
    begin = markers;
  }
  if (begin == frames.size()) return true;
  const std::size_t skipped = std::min<std::uint64_t>(options.skip, frames.size() - begin - 1);
  frames.erase(at(begin), at(begin + skipped));
  if (options.depth && frames.size() - begin > *options.depth) {
    frames.resize(begin + static_cast<std::size_t>(*options.depth));
  }
  return true;
}

}  // namespace jfrtree::internal
