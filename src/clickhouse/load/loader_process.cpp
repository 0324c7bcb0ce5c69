#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <system_error>

#include <sys/mman.h>
#include <unistd.h>

#include "clickhouse/load/ledger.hpp"

// Which process loads, so that others see when it is gone.

namespace jfrtree::internal {

namespace {

constexpr std::string_view word = "loader";

[[nodiscard]] std::string host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return "?";
  std::string text = name.data();
  for (char& letter : text) {
    if (letter == ' ') letter = '_';
  }
  return text.empty() ? "?" : text;
}

/// When a process of this machine started, in the kernel's ticks; empty: it is not there. Numbers
/// of processes are used again, these times are not.
[[nodiscard]] std::string start_of(const std::string& pid) {
  std::ifstream file("/proc/" + pid + "/stat");
  std::string text;
  std::getline(file, text);
  // The name of the program, in parentheses, may hold anything.
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return {};
  std::istringstream fields(text.substr(name_end + 1));
  constexpr int start_field = 20;  // counted from the state, which follows the name
  std::string field;
  for (int i = 0; i < start_field; ++i) fields >> field;
  return field;
}

[[nodiscard]] std::string file_name(const std::string& number) {
  return "jfrtree-loader-" + number;
}

/// Whether a process has the file of a loader open. Nothing: the system does not say.
[[nodiscard]] std::optional<bool> has_file(const std::string& pid, const std::string& number) {
  std::error_code error;
  std::filesystem::directory_iterator files("/proc/" + pid + "/fd", error);
  if (error) return std::nullopt;
  const std::string wanted = "memfd:" + file_name(number) + " ";
  for (; !error && files != std::filesystem::directory_iterator(); files.increment(error)) {
    std::error_code is_closed;
    const std::string target = std::filesystem::read_symlink(files->path(), is_closed).string();
    if ((target + " ").find(wanted) != std::string::npos) return true;
  }
  if (error) return std::nullopt;
  return false;
}

}  // namespace

LoaderMark::LoaderMark() {
  const std::string pid = std::to_string(::getpid());
  std::random_device device;
  const std::string number = std::to_string(std::uint64_t{device()} << 32 | device());
  name_ = std::string(word) + " " + host_name() + " " + pid + " " + start_of(pid);
  file_ = ::memfd_create(file_name(number).c_str(), MFD_CLOEXEC);
  if (file_ >= 0) name_ += " " + number;
}

LoaderMark::~LoaderMark() {
  if (file_ >= 0) ::close(file_);
}

bool is_gone(const std::string& loader) {
  std::istringstream fields(loader);
  std::string first;
  std::string host;
  std::string pid;
  std::string start;
  std::string number;
  fields >> first >> host >> pid >> start >> number;
  if (first != word || host != host_name() || pid.empty() || start.empty()) return false;
  if (pid.find_first_not_of("0123456789") != std::string::npos) return false;
  if (start_of(pid) != start) return true;
  return !number.empty() && has_file(pid, number) == false;
}

}  // namespace jfrtree::internal
