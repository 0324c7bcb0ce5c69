#include "clickhouse/connection/folder_lock.hpp"

#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

namespace jfrtree::internal {

bool is_open_elsewhere(const std::string& folder) {
  struct stat status {};
  if (::stat((folder + "/status").c_str(), &status) != 0) return false;
  std::ifstream locks("/proc/locks");
  // 1: FLOCK  ADVISORY  WRITE 1234 fe:00:1187 0 EOF
  for (std::string line; std::getline(locks, line);) {
    long process = 0;
    unsigned device_major = 0;
    unsigned device_minor = 0;
    unsigned long file = 0;
    const int count = std::sscanf(line.c_str(), "%*d: %*s %*s WRITE %ld %x:%x:%lu", &process,
                                  &device_major, &device_minor, &file);
    if (count == 4 && device_major == major(status.st_dev) &&
        device_minor == minor(status.st_dev) && file == status.st_ino && process != ::getpid()) {
      return true;
    }
  }
  return false;
}

}  // namespace jfrtree::internal
