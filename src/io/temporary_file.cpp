#include "io/temporary_file.hpp"

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <random>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace jfrtree::internal {
namespace {

std::string random_name() {
  constexpr std::string_view digits = "0123456789abcdefghijklmnopqrstuvwxyz";
  std::random_device device;
  std::string name = ".jfrtree-";
  for (int count = 0; count < 12; ++count) {
    name += digits[device() % digits.size()];
  }
  return name + ".tmp";
}

}  // namespace

TemporaryFile::TemporaryFile(std::string target, std::optional<unsigned> mode,
                             std::string_view file)
    : target_(std::move(target)) {
  const std::size_t slash = target_.rfind('/');
  const std::string folder =
      slash == std::string::npos ? std::string() : target_.substr(0, slash + 1);
  constexpr unsigned mode_of_new_file = 0666;  // the umask takes away from it
  constexpr int most_tries = 100;
  for (int count = 0; count < most_tries && !descriptor_.is_open(); ++count) {
    path_ = folder + random_name();
    descriptor_ = open_descriptor(path_, O_WRONLY | O_CREAT | O_EXCL, mode_of_new_file);
    if (!descriptor_.is_open() && errno != EEXIST) {
      break;
    }
  }
  if (!descriptor_.is_open()) {
    const int number = errno;
    path_.clear();
    throw_io_error(file, "cannot create a file in " + (folder.empty() ? "." : folder), number);
  }
  if (mode) {
    // Not all file systems have permissions; the file is as usable without.
    static_cast<void>(::fchmod(descriptor_.number(), static_cast<mode_t>(*mode)));
  }
}

TemporaryFile::TemporaryFile(TemporaryFile&& other) noexcept
    : target_(std::move(other.target_)),
      path_(std::exchange(other.path_, std::string())),
      descriptor_(std::move(other.descriptor_)) {}

TemporaryFile::~TemporaryFile() {
  if (!path_.empty()) {
    ::unlink(path_.c_str());
  }
}

void TemporaryFile::rename_to_target(std::string_view file) {
  if (::rename(path_.c_str(), target_.c_str()) != 0) {
    throw_io_error(file, "cannot write", errno);
  }
  path_.clear();
}

}  // namespace jfrtree::internal
