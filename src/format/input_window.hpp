#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <jfrtree/input.hpp>

#include "io/bytes.hpp"
#include "io/problem_log.hpp"
#include "io/stop_flag.hpp"

namespace jfrtree::internal {

/// The bytes of an input from a position on, as far as they were asked for. The position only moves
/// forward. Inputs in memory are not copied, large files are mapped once many bytes of them are
/// asked for at a time, everything else is read into a buffer.
class InputWindow {
 public:
  /// The input and the log must outlive the window.
  InputWindow(Input& input, ProblemLog& log, StopFlag stop);

  /// Of the first byte, in the input.
  [[nodiscard]] std::uint64_t position() const noexcept { return position_; }
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept;
  /// Keeps `bytes` alive and unchanged; null for inputs in memory.
  [[nodiscard]] std::shared_ptr<const void> owner() const noexcept;

  /// Makes `count` bytes readable if there are so many; returns how many are. What reading throws,
  /// but for Interrupted, is logged and ends the input.
  std::uint64_t ensure(std::uint64_t count);

  /// Passes over the first `count` of the bytes.
  void advance(std::uint64_t count);

  /// Begins at a position of an input with a size, from which nothing was read yet.
  void start_at(std::uint64_t position);

  /// What comes next is only searched: a mapping would keep all that was passed over in memory.
  void stop_mapping();

  /// Whether every byte that is held costs memory of its own.
  [[nodiscard]] bool is_streamed() const noexcept { return !has_size_ || is_unmappable_; }

  /// Whether the input ended with an error, which was logged.
  [[nodiscard]] bool has_failed() const noexcept { return has_failed_; }

  /// A buffer that no chunk uses any more, or a new one. Empty.
  [[nodiscard]] std::shared_ptr<PaddedBuffer> free_buffer();
  /// Gives back the memory of buffers that no chunk uses.
  void drop_free_buffers();

 private:
  [[nodiscard]] bool map_rest(std::uint64_t count);
  void read_more(std::uint64_t count);
  void renew_buffer();

  Input& input_;
  ProblemLog& log_;
  StopFlag stop_;
  std::uint64_t position_ = 0;
  std::uint64_t size_ = 0;  // of the input, when it has one
  bool has_size_ = false;
  bool is_in_memory_ = false;
  bool is_unmappable_ = false;  // large, and the mapping failed
  bool input_ended_ = false;    // nothing more can be read into the buffer
  bool has_failed_ = false;

  std::vector<std::shared_ptr<PaddedBuffer>> buffers_;
  std::shared_ptr<PaddedBuffer> buffer_;
  std::size_t begin_ = 0;  // of the window in the buffer
  std::shared_ptr<const std::byte> mapped_;
  std::span<const std::byte> view_;  // without a buffer
};

}  // namespace jfrtree::internal
