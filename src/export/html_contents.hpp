#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <jfrtree/diff.hpp>
#include <jfrtree/export.hpp>

namespace jfrtree::internal {

/// What a page of a diff says of its sides.
struct HtmlSides {
  std::array<std::string, 2> names;
  Comparison comparison = Comparison::share;  ///< at first; the reader may choose another
  /// Length of what was recorded, in nanoseconds; where it is known of both, rates are shown.
  std::array<std::optional<std::uint64_t>, 2> span_ns;
};

/// What is in a page.
struct HtmlPage {
  std::span<const HtmlProfile> profiles;
  std::string_view title;
  std::span<const std::string> notes;
  /// Of a diff: columns of the trees and numbers of the methods are those of the left side, then as
  /// many of the right one. Otherwise null.
  const HtmlSides* sides = nullptr;
  std::span<const std::string> labels{};  ///< of the inputs, `key=value`

  [[nodiscard]] std::size_t side_count() const noexcept { return sides == nullptr ? 1 : 2; }
};

void write_html_page(Output& output, const HtmlPage& page);

}  // namespace jfrtree::internal
