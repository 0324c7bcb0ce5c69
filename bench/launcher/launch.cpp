// The kernel counts the memory of the process that starts a program as the program's, up to the
// moment of its start. A Python script holds more than a small run of jfrtree; this holds little.

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

namespace {

constexpr int failed = 125;

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fputs(
        "usage: launch FILE PROGRAM [ARGUMENT...]\n"
        "Runs the program and writes to FILE: seconds of processor time, peak memory in KiB.\n"
        "Ends as the program does, with 125 where it could not be run or was killed.\n",
        stderr);
    return 2;
  }
  const pid_t child = ::fork();
  if (child == 0) {
    ::execvp(argv[2], argv + 2);
    std::perror(argv[2]);
    ::_exit(failed);
  }
  int status = 0;
  rusage usage{};
  if (child < 0 || ::wait4(child, &status, 0, &usage) != child) {
    std::perror("launch");
    return failed;
  }
  std::FILE* const file = std::fopen(argv[1], "w");
  if (file == nullptr) {
    std::perror(argv[1]);
    return failed;
  }
  std::fprintf(file, "%.6f %ld\n", seconds(usage.ru_utime) + seconds(usage.ru_stime),
               static_cast<long>(usage.ru_maxrss));
  if (std::fclose(file) != 0) return failed;
  return WIFEXITED(status) ? WEXITSTATUS(status) : failed;
}
