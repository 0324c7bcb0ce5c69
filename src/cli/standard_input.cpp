#include "cli/standard_input.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <utility>

#include <jfrtree/error.hpp>

namespace jfrtree::cli {
namespace {

void check_open() {
  const int flags = fcntl(STDIN_FILENO, F_GETFL);  // NOLINT(*-vararg)
  if (flags != -1 && (flags & O_ACCMODE) != O_WRONLY) {
    return;
  }
  Problem problem;
  problem.code = ErrorCode::io_error;
  problem.file = "-";
  problem.message = "cannot read: standard input is closed";
  throw IoError(std::move(problem));
}

}  // namespace

std::vector<Source> sources_for(const std::vector<std::string>& files,
                                std::vector<Problem>& found) {
  std::vector<Source> sources = open_sources(files, &found);
  for (const Source& source : sources) {
    if (source.path == "-") {
      check_open();
    }
  }
  return sources;
}

}  // namespace jfrtree::cli
