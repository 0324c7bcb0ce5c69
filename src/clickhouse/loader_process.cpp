#include <array>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

#include <unistd.h>

#include "clickhouse/ledger.hpp"

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

}  // namespace

std::string loader_name() {
  const std::string pid = std::to_string(::getpid());
  return std::string(word) + " " + host_name() + " " + pid + " " + start_of(pid);
}

bool is_gone(const std::string& loader) {
  std::istringstream fields(loader);
  std::string first;
  std::string host;
  std::string pid;
  std::string start;
  fields >> first >> host >> pid >> start;
  if (first != word || host != host_name() || pid.empty() || start.empty()) return false;
  if (pid.find_first_not_of("0123456789") != std::string::npos) return false;
  return start_of(pid) != start;
}

}  // namespace jfrtree::internal
