#include "io/stream_input.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "io/decompressing_input.hpp"
#include "io/descriptor.hpp"

namespace jfrtree::internal {

StreamInput::StreamInput(ReadFunction read, std::string name)
    : read_(std::move(read)), name_(std::move(name)) {}

ByteSpan StreamInput::peek() {
  while (peeked_end_ < peeked_.size()) {
    const std::size_t count = call(std::span(peeked_).subspan(peeked_end_));
    if (count == 0) {
      break;
    }
    peeked_end_ += count;
  }
  return ByteSpan(peeked_).subspan(peeked_begin_, peeked_end_ - peeked_begin_);
}

std::size_t StreamInput::read(std::span<std::byte> buffer) {
  if (peeked_begin_ == peeked_end_) {
    return call(buffer);
  }
  const std::size_t count = std::min(buffer.size(), peeked_end_ - peeked_begin_);
  std::copy_n(peeked_.begin() + static_cast<std::ptrdiff_t>(peeked_begin_), count, buffer.begin());
  peeked_begin_ += count;
  return count;
}

// The end is final: a terminal would ask for more.
std::size_t StreamInput::call(std::span<std::byte> buffer) {
  if (ended_ || buffer.empty()) {
    return 0;
  }
  const std::size_t count = read_(buffer);
  if (count > buffer.size()) {
    throw_io_error(name_,
                   "the read function says that it wrote more bytes than there was room for");
  }
  ended_ = count == 0;
  return count;
}

std::unique_ptr<Input> open_stream(StreamInput::ReadFunction read, std::string name,
                                   const Limits& limits) {
  auto input = std::make_unique<StreamInput>(std::move(read), std::move(name));
  const ByteSpan start = input->peek();
  return decompress_by_magic(std::move(input), start, limits);
}

}  // namespace jfrtree::internal

namespace jfrtree {

std::unique_ptr<Input> stream_input(std::function<std::size_t(std::span<std::byte>)> read,
                                    std::string name, const Limits& limits) {
  return internal::open_stream(std::move(read), std::move(name), limits);
}

}  // namespace jfrtree
