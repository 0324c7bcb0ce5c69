#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <jfrtree/input.hpp>

#include "io/bytes.hpp"
#include "io/decoder.hpp"

namespace jfrtree::internal {

/// Bytes that come from a function and can be read once. The first few can be looked at before.
class StreamInput final : public Input {
 public:
  using ReadFunction = std::function<std::size_t(std::span<std::byte>)>;

  StreamInput(ReadFunction read, std::string name);

  /// The first bytes, up to `magic_size`, fewer when the stream has no more. They stay to be read.
  [[nodiscard]] ByteSpan peek();

  [[nodiscard]] std::string_view name() const noexcept override { return name_; }
  [[nodiscard]] std::optional<std::uint64_t> size() const noexcept override { return {}; }
  std::size_t read(std::span<std::byte> buffer) override;

 private:
  [[nodiscard]] std::size_t call(std::span<std::byte> buffer);

  ReadFunction read_;
  std::string name_;
  std::array<std::byte, magic_size> peeked_{};
  std::size_t peeked_begin_ = 0;
  std::size_t peeked_end_ = 0;
  bool ended_ = false;
};

/// The stream, decompressed when its first bytes say so. Throws FormatError when it is empty.
[[nodiscard]] std::unique_ptr<Input> open_stream(StreamInput::ReadFunction read, std::string name,
                                                 const Limits& limits);

}  // namespace jfrtree::internal
