#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include <jfrtree/error.hpp>
#include <jfrtree/input.hpp>
#include <jfrtree/limits.hpp>

namespace jfrtree::internal {

/// A line of collapsed stacks: `root;…;leaf N`. The number stands behind the last space.
struct CollapsedLine {
  /// Root first, at least one, valid UTF-8, with the replacements of `write_collapsed` undone.
  /// Views that are valid during the callback only.
  std::vector<std::string_view> frames;
  std::uint64_t count = 0;
};

/// Reads collapsed stacks to the end of the input, a piece at a time: one line is held in memory.
///
/// Empty lines and lines that begin with `#` say nothing; a carriage return before the line feed
/// does not count. Each line that cannot be used is one problem (`bad_collapsed_line` or
/// `limit_exceeded`) at its byte position, repaired bytes are a note (`bad_text`); equal findings
/// have equal messages. Returns the bytes of the input. Lines longer than `Limits::string_bytes`
/// are left out, stacks deeper than `Limits::stack_frames` keep the frames nearest to the root.
/// Throws what the input throws and what the callbacks throw.
std::uint64_t read_collapsed(Input& input, const Limits& limits,
                             const std::function<void(const CollapsedLine&)>& on_line,
                             const std::function<void(const Problem&)>& on_problem);

/// Whether an input that begins with these bytes is to be read as collapsed stacks: one of the
/// lines ends in a number, or the text is comments only, or it begins with a stack longer than
/// these bytes. A few kilobytes are enough; the last line may be cut short.
[[nodiscard]] bool looks_like_collapsed(std::span<const std::byte> first_bytes) noexcept;

}  // namespace jfrtree::internal
