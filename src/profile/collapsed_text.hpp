#pragma once

#include <string>
#include <string_view>

namespace jfrtree::internal {

/// How a frame stands in a line of collapsed stacks, which ends at a line feed, is split at `;` and
/// is a comment when it begins with `#`. Both directions are exact for every text.
///
///   in the frame              in the line
///   `;`                       U+037E  (Greek question mark, the same look)
///   line feed                 U+2424  (symbol for newline)
///   carriage return           U+240D  (symbol for carriage return)
///   `#`, at the beginning     U+FF03  (full width number sign)
///
/// A frame may hold one of these four characters itself. That is told apart by U+FE0E (variation
/// selector 15, which has no look): behind one of the four, n of them stand for n / 2, and an odd n
/// says that the character was there before.

/// Appends a frame as it stands in a line. Returns false, and appends nothing, when that is the
/// frame itself.
bool append_collapsed_frame(std::string& line, std::string_view frame);

/// Whether something in a line, or in a part of it, may have to be turned back. Fast.
[[nodiscard]] bool may_hold_replacements(std::string_view text) noexcept;

/// Appends the frame that stands so in a line; never longer than `text`.
void append_frame_of_collapsed(std::string& frame, std::string_view text);

}  // namespace jfrtree::internal
