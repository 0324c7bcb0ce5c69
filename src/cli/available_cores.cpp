#include "cli/available_cores.hpp"

#include <sched.h>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

namespace jfrtree::cli {
namespace {

struct Group {
  bool is_unified = false;  // version 2
  std::string path;         // within its hierarchy, begins with '/'
};

struct Mount {
  std::string root;   // which part of the hierarchy is mounted
  std::string point;  // where
};

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) {
    parts.push_back(part);
  }
  return parts;
}

bool contains(const std::vector<std::string>& texts, const char* text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

// Lines of /proc/self/cgroup: `ID:CONTROLLERS:PATH`, version 2 is `0::PATH`.
std::vector<Group> read_groups(const std::string& root) {
  std::vector<Group> groups;
  std::ifstream file(root + "/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) {
      continue;
    }
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool is_unified = controllers.empty();
    if (is_unified || contains(split(controllers, ','), "cpu")) {
      groups.push_back({is_unified, line.substr(second + 1)});
    }
  }
  return groups;
}

// Lines of /proc/self/mountinfo: `ID PARENT DEVICE ROOT POINT … - TYPE SOURCE OPTIONS`.
std::optional<Mount> find_mount(const std::string& root, bool is_unified) {
  std::ifstream file(root + "/proc/self/mountinfo");
  for (std::string line; std::getline(file, line);) {
    const std::vector<std::string> words = split(line, ' ');
    const auto dash = std::find(words.begin(), words.end(), "-");
    if (words.size() < 5 || words.end() - dash < 4) {
      continue;
    }
    const bool fits = is_unified ? dash[1] == "cgroup2"
                                 : dash[1] == "cgroup" && contains(split(dash[3], ','), "cpu");
    if (fits) {
      return Mount{words[3], words[4]};
    }
  }
  return std::nullopt;
}

std::optional<double> quota_of(const std::string& folder, bool is_unified) {
  double quota = 0;
  double period = 0;
  if (is_unified) {
    // `max 100000` where there is no limit: the number cannot be read then.
    std::ifstream(folder + "/cpu.max") >> quota >> period;
  } else {
    std::ifstream(folder + "/cpu.cfs_quota_us") >> quota;
    std::ifstream(folder + "/cpu.cfs_period_us") >> period;
  }
  if (quota <= 0 || period <= 0) {
    return std::nullopt;
  }
  return quota / period;
}

// Inside a container the mount may show only a part of the hierarchy.
std::string path_below(const Mount& mount, const std::string& path) {
  if (mount.root == "/") {
    return path;
  }
  const bool is_inside = path == mount.root || path.starts_with(mount.root + "/");
  return is_inside ? path.substr(mount.root.size()) : std::string();
}

}  // namespace

std::optional<double> control_group_quota(const std::string& root) {
  std::optional<double> lowest;
  for (const Group& group : read_groups(root)) {
    const std::optional<Mount> mount = find_mount(root, group.is_unified);
    if (!mount) {
      continue;
    }
    std::string path = path_below(*mount, group.path);
    while (true) {
      const auto quota = quota_of(root + mount->point + path, group.is_unified);
      if (quota && (!lowest || *quota < *lowest)) {
        lowest = quota;
      }
      const std::size_t slash = path.find_last_of('/');
      if (slash == std::string::npos) {
        break;
      }
      path.erase(slash);
    }
  }
  return lowest;
}

unsigned available_cores() {
  unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) {
    cores = static_cast<unsigned>(std::max(1, CPU_COUNT(&set)));
  }
  if (const std::optional<double> quota = control_group_quota()) {
    const double allowed = std::max(1.0, std::ceil(*quota));
    cores = allowed < cores ? static_cast<unsigned>(allowed) : cores;
  }
  return cores;
}

}  // namespace jfrtree::cli
