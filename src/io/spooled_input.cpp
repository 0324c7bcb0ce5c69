#include "io/spooled_input.hpp"

#include <cerrno>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <jfrtree/error.hpp>

namespace jfrtree::internal {

namespace {

[[nodiscard]] Descriptor open_unnamed_file(std::string_view input) {
  std::error_code error;
  const std::string folder = std::filesystem::temp_directory_path(error).string();
  const std::string action = "cannot keep a copy of this input, which has to be read twice, in " +
                             (error ? std::string("the folder TMPDIR") : folder);
  if (error) throw_io_error(input, action, error.value());
  std::string path = folder + "/jfrtree-XXXXXX";
  const int number = ::mkostemp(path.data(), O_CLOEXEC);
  if (number < 0) throw_io_error(input, action, errno);
  ::unlink(path.c_str());  // it lives as long as it is open
  return Descriptor(number);
}

}  // namespace

SpooledInput::SpooledInput(std::shared_ptr<Input> original, StopFlag stop)
    : original_(std::move(original)), stop_(stop), file_(open_unnamed_file(original_->name())) {}

std::size_t SpooledInput::read(std::span<std::byte> buffer) {
  if (position_ >= copied_) return read_on(buffer);
  const std::uint64_t left = copied_ - position_;
  if (buffer.size() > left) buffer = buffer.first(static_cast<std::size_t>(left));
  const std::size_t count = read_all_at(file_, position_, buffer, name());
  position_ += count;
  return count;
}

std::size_t SpooledInput::read_on(std::span<std::byte> buffer) {
  if (error_) std::rethrow_exception(error_);
  if (has_ended_ || buffer.empty()) return 0;
  std::size_t count = 0;
  try {
    count = original_->read(buffer);
  } catch (...) {
    error_ = std::current_exception();
    throw;
  }
  has_ended_ = count == 0;
  if (is_copying_) copy(buffer.first(count));
  position_ += count;
  return count;
}

void SpooledInput::copy(std::span<const std::byte> bytes) {
  try {
    write_all(file_, {reinterpret_cast<const char*>(bytes.data()), bytes.size()}, name(), stop_);
  } catch (const IoError&) {
    copy_error_ = std::current_exception();
    throw;
  }
  copied_ += bytes.size();
}

void SpooledInput::rewind() {
  if (copy_error_) std::rethrow_exception(copy_error_);
  is_copying_ = false;
  position_ = 0;
}

}  // namespace jfrtree::internal
