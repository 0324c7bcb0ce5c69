#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "export/text_writer.hpp"

namespace jfrtree::internal {

/// Writes bytes as base64 (RFC 4648, with padding, without line breaks).
class Base64Writer {
 public:
  /// The writer must outlive this object.
  explicit Base64Writer(TextWriter& writer) : writer_(writer) {}

  void append(std::string_view bytes);

  /// Writes what is left of the last three bytes, and the padding.
  void finish();

 private:
  /// Writes bytes whose number is a multiple of three.
  void append_groups(std::string_view bytes);

  TextWriter& writer_;
  std::array<char, 3> waiting_{};  // fewer than three bytes, not written yet
  std::size_t waiting_count_ = 0;
};

}  // namespace jfrtree::internal
