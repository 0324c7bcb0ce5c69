#include "format/input_window.hpp"

#include <algorithm>

namespace jfrtree::internal {

namespace {

/// A rest of a file above this size is mapped instead of copied.
constexpr std::uint64_t max_copied_bytes = std::uint64_t{256} << 20;
/// As many bytes are still read when they may as well be mapped: searching asks for no more.
constexpr std::uint64_t max_searched_bytes = std::uint64_t{2} << 20;
constexpr std::uint64_t smallest_step = std::uint64_t{1} << 20;

}  // namespace

InputWindow::InputWindow(Input& input, ProblemLog& log, StopFlag stop)
    : input_(input), log_(log), stop_(stop) {
  if (const auto size = input.size()) {
    has_size_ = true;
    size_ = *size;
    is_in_memory_ = !input.bytes().empty();
    view_ = input.bytes();
  }
}

std::span<const std::byte> InputWindow::bytes() const noexcept {
  return buffer_ ? std::span<const std::byte>(buffer_->bytes()).subspan(begin_) : view_;
}

std::shared_ptr<const void> InputWindow::owner() const noexcept {
  if (buffer_) return buffer_;
  return mapped_;
}

std::uint64_t InputWindow::ensure(std::uint64_t count) {
  if (is_in_memory_ || mapped_ || map_rest(count)) return view_.size();
  if (!buffer_) buffer_ = free_buffer();
  while (!input_ended_ && bytes().size() < count) read_more(count);
  return bytes().size();
}

bool InputWindow::map_rest(std::uint64_t count) {
  const std::uint64_t left = has_size_ ? size_ - std::min(size_, position_) : 0;
  if (is_unmappable_ || count <= max_searched_bytes || left <= max_copied_bytes) return false;
  mapped_ = input_.map(position_, left);
  is_unmappable_ = mapped_ == nullptr;
  if (is_unmappable_) return false;
  buffer_.reset();
  begin_ = 0;
  view_ = {mapped_.get(), left};
  return true;
}

void InputWindow::stop_mapping() {
  if (!mapped_) return;
  mapped_.reset();
  view_ = {};
  input_ended_ = false;
}

void InputWindow::advance(std::uint64_t count) {
  position_ += count;
  if (buffer_) {
    begin_ += count;
  } else {
    view_ = view_.subspan(count);
  }
}

void InputWindow::start_at(std::uint64_t position) {
  position_ = position;
  if (is_in_memory_) view_ = input_.bytes().subspan(position);
}

std::shared_ptr<PaddedBuffer> InputWindow::free_buffer() {
  for (const auto& buffer : buffers_) {
    if (buffer.use_count() == 1) {
      buffer->clear();
      return buffer;
    }
  }
  buffers_.push_back(std::make_shared<PaddedBuffer>());
  return buffers_.back();
}

void InputWindow::drop_free_buffers() {
  std::erase_if(buffers_, [](const auto& buffer) { return buffer.use_count() == 1; });
}

/// Moves the window into a buffer of its own: chunks may still use the one it lies in.
void InputWindow::renew_buffer() {
  auto next = free_buffer();
  next->append(bytes());
  buffer_ = std::move(next);
  begin_ = 0;
}

void InputWindow::read_more(std::uint64_t count) {
  stop_.check();
  const std::uint64_t have = bytes().size();
  const std::uint64_t wanted =
      std::min<std::uint64_t>(count - have, std::max<std::uint64_t>(smallest_step, have / 2));
  if (begin_ > 0) renew_buffer();
  // In proportion to what there is, so that moving it costs no more than reading.
  const auto room = buffer_->prepare(std::max<std::uint64_t>({wanted, have / 4, 4096}));
  try {
    const std::size_t got = has_size_ ? input_.read_at(position_ + have, room) : input_.read(room);
    buffer_->commit(got);
    input_ended_ = got == 0;
  } catch (const Error& error) {
    log_.problem(error.code(), position_ + have, error.problem().message);
    input_ended_ = has_failed_ = true;
  }
}

}  // namespace jfrtree::internal
