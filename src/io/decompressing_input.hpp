#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <jfrtree/input.hpp>
#include <jfrtree/limits.hpp>

#include "io/bytes.hpp"
#include "io/decoder.hpp"

namespace jfrtree::internal {

/// Returns `input` itself, or a decompressing input on top of it when `start`, the first bytes of
/// it (up to `magic_size`, still to be read), are those of a compressed stream. Throws FormatError
/// when `start` is empty.
[[nodiscard]] std::unique_ptr<Input> decompress_by_magic(std::unique_ptr<Input> input,
                                                         ByteSpan start, const Limits& limits);

/// The contents of all gzip members, zstd frames or LZ4 frames of another input, one after the
/// other, or of the entry of a zip. What was decoded before damage, the end of a cut stream or a
/// limit is given out first; the read after that throws, and so does every later one.
class DecompressingInput final : public Input {
 public:
  DecompressingInput(std::unique_ptr<Input> source, Container container, const Limits& limits);

  [[nodiscard]] std::string_view name() const noexcept override { return source_->name(); }
  [[nodiscard]] std::optional<std::uint64_t> size() const noexcept override { return {}; }
  [[nodiscard]] std::string_view container() const noexcept override;
  std::size_t read(std::span<std::byte> buffer) override;

 private:
  void fill(std::span<std::byte> buffer, std::size_t& done);
  void decode_step(std::span<std::byte> output, std::size_t& done);
  void finish_frame();
  [[nodiscard]] bool begin_frame();
  void skip_frame();
  void expect_zeros_only();

  [[nodiscard]] ByteSpan pending() const noexcept;
  [[nodiscard]] bool require(std::size_t count);
  void check_ratio() const;
  [[noreturn]] void throw_damaged(std::string_view what) const;
  [[noreturn]] void throw_trailing_bytes() const;
  [[noreturn]] void throw_cut_short() const;
  [[noreturn]] void throw_limit(std::string_view limit, std::uint64_t value,
                                std::string_view what) const;

  std::unique_ptr<Input> source_;
  Container container_;
  Limits limits_;
  std::unique_ptr<Decoder> decoder_;  // none before the first frame
  std::vector<std::byte> buffer_;
  std::size_t pending_begin_ = 0;  // what of the buffer was read and not decoded yet
  std::size_t pending_end_ = 0;
  std::uint64_t consumed_ = 0;  // compressed bytes
  std::uint64_t produced_ = 0;  // decompressed bytes
  bool source_ended_ = false;
  bool in_frame_ = false;
  bool decoder_holds_output_ = false;
  std::exception_ptr failure_;
};

}  // namespace jfrtree::internal
