#include "io/decompressing_input.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include <jfrtree/error.hpp>

namespace jfrtree::internal {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{256} << 10;
constexpr std::uint64_t ratio_checked_from = std::uint64_t{64} << 20;

}  // namespace

std::unique_ptr<Input> decompress_by_magic(std::unique_ptr<Input> input, ByteSpan start,
                                           const Limits& limits) {
  if (start.empty()) {
    throw FormatError(Problem{.code = ErrorCode::empty_input,
                              .file = std::string(input->name()),
                              .message = "the input is empty"});
  }
  const Container container = detect_container(start);
  if (container == Container::plain) {
    return input;
  }
  return std::make_unique<DecompressingInput>(std::move(input), container, limits);
}

DecompressingInput::DecompressingInput(std::unique_ptr<Input> source, Container container,
                                       const Limits& limits)
    : source_(std::move(source)), container_(container), limits_(limits), buffer_(buffer_bytes) {}

std::string_view DecompressingInput::container() const noexcept {
  return container_name(container_);
}

std::size_t DecompressingInput::read(std::span<std::byte> buffer) {
  if (failure_) {
    std::rethrow_exception(failure_);
  }
  std::size_t done = 0;
  try {
    fill(buffer, done);
  } catch (...) {
    failure_ = std::current_exception();
    if (done == 0) {
      throw;
    }
  }
  return done;
}

void DecompressingInput::fill(std::span<std::byte> buffer, std::size_t& done) {
  while (done < buffer.size()) {
    if (pending().empty() && !decoder_holds_output_) {
      // What there is goes out before the source is asked, which may be a pipe that waits.
      if (done > 0) {
        return;
      }
      if (!require(1) && in_frame_) {
        finish_frame();
        return;
      }
    }
    if (!in_frame_ && !begin_frame()) {
      return;
    }
    decode_step(buffer.subspan(done), done);
  }
}

void DecompressingInput::finish_frame() {
  const Decoder::Step step = decoder_->finish();
  if (!step.error.empty()) {
    throw_damaged(step.error);
  }
  if (!step.frame_end) {
    throw_cut_short();
  }
  in_frame_ = false;
}

void DecompressingInput::decode_step(std::span<std::byte> output, std::size_t& done) {
  const std::uint64_t allowed = limits_.decompressed_bytes - produced_;
  std::byte probe{};
  if (allowed == 0) {
    output = {&probe, 1};
  } else if (output.size() > allowed) {
    output = output.first(static_cast<std::size_t>(allowed));
  }
  const Decoder::Step step = decoder_->decode(pending(), output);
  if (allowed == 0 && step.produced > 0) {
    throw_limit("decompressed_bytes", limits_.decompressed_bytes,
                "there are more bytes after decompression than the limit");
  }
  const bool stuck = step.consumed == 0 && step.produced == 0 && !pending().empty();
  pending_begin_ += step.consumed;
  consumed_ += step.consumed;
  produced_ += step.produced;
  done += step.produced;
  decoder_holds_output_ = !step.frame_end && step.produced == output.size();
  if (!step.error.empty()) {
    throw_damaged(step.error);
  }
  if (step.frame_end) {
    in_frame_ = false;
  } else if (stuck) {
    throw_damaged("no more of it can be decoded");
  }
  check_ratio();
}

bool DecompressingInput::begin_frame() {
  for (;;) {
    if (!require(1)) {
      return false;
    }
    static_cast<void>(require(magic_size));
    const ByteSpan start = pending().first(std::min(magic_size, pending().size()));
    const Container found = detect_container(start);
    if (found == Container::skippable) {
      skip_frame();
      continue;
    }
    if (decoder_ && start[0] == std::byte{0}) {
      expect_zeros_only();
      return false;
    }
    if (found == Container::lz4_legacy) {
      throw_damaged("this is the legacy format of LZ4; unpack it with `lz4 -d` first");
    }
    if (found == Container::plain || (decoder_ && found != container_)) {
      throw_trailing_bytes();
    }
    if (decoder_) {
      decoder_->reset();
    } else {
      decoder_ = make_decoder(found);
      container_ = found;
    }
    in_frame_ = true;
    return true;
  }
}

void DecompressingInput::skip_frame() {
  constexpr std::size_t header_size = 8;
  if (!require(header_size)) {
    throw_cut_short();
  }
  std::uint64_t left = header_size;
  for (std::size_t index = 0; index < 4; ++index) {
    left += std::to_integer<std::uint64_t>(pending()[4 + index]) << (8 * index);
  }
  while (left > 0) {
    if (!require(1)) {
      throw_cut_short();
    }
    const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(left, pending().size()));
    pending_begin_ += part;
    consumed_ += part;
    left -= part;
  }
}

// Tapes and block devices pad with zeros.
void DecompressingInput::expect_zeros_only() {
  while (require(1)) {
    for (const std::byte byte : pending()) {
      if (byte != std::byte{0}) {
        throw_damaged("behind its end follow zero bytes and then others");
      }
    }
    pending_begin_ = pending_end_;
  }
}

ByteSpan DecompressingInput::pending() const noexcept {
  return ByteSpan(buffer_).subspan(pending_begin_, pending_end_ - pending_begin_);
}

// Reads until `count` bytes are pending; false when the source ends before.
bool DecompressingInput::require(std::size_t count) {
  while (pending().size() < count && !source_ended_) {
    if (pending_begin_ > 0) {
      const ByteSpan rest = pending();
      std::memmove(buffer_.data(), rest.data(), rest.size());
      pending_end_ = rest.size();
      pending_begin_ = 0;
    }
    const std::size_t count_read = source_->read(std::span(buffer_).subspan(pending_end_));
    pending_end_ += count_read;
    source_ended_ = count_read == 0;
  }
  return pending().size() >= count;
}

void DecompressingInput::check_ratio() const {
  const std::uint64_t ratio = limits_.compression_ratio;
  if (produced_ >= ratio_checked_from && (ratio == 0 || produced_ / ratio > consumed_)) {
    throw_limit("compression_ratio", ratio,
                "decompressed bytes per compressed byte are more than the limit");
  }
}

void DecompressingInput::throw_damaged(std::string_view what) const {
  throw FormatError(Problem{.code = ErrorCode::bad_compression,
                            .file = std::string(name()),
                            .offset = produced_,
                            .message = "cannot decompress the " + std::string(container()) +
                                       " stream: " + std::string(what)});
}

void DecompressingInput::throw_trailing_bytes() const {
  const std::string format(container());
  throw FormatError(Problem{.code = ErrorCode::bad_compression,
                            .file = std::string(name()),
                            .offset = produced_,
                            .message = "behind the end of the " + format +
                                       " stream follow bytes that are not " + format +
                                       "; they were not read, what comes before counts"});
}

void DecompressingInput::throw_cut_short() const {
  throw FormatError(Problem{.code = ErrorCode::bad_compression,
                            .file = std::string(name()),
                            .offset = produced_,
                            .message = "the " + std::string(container()) +
                                       " stream is cut short; copy the file again if it is "
                                       "complete elsewhere"});
}

void DecompressingInput::throw_limit(std::string_view limit, std::uint64_t value,
                                     std::string_view what) const {
  throw LimitError(Problem{.code = ErrorCode::limit_exceeded,
                           .file = std::string(name()),
                           .offset = produced_,
                           .message = std::string(what) + " " + std::string(limit) + " (" +
                                      std::to_string(value) + ") allows; raise it with --limit " +
                                      std::string(limit) + "=NUMBER if you trust the input"});
}

}  // namespace jfrtree::internal
