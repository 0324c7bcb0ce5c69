#pragma once

#include <string>
#include <vector>

#include <jfrtree/error.hpp>
#include <jfrtree/profile.hpp>

#include "cli/reading_arguments.hpp"

namespace jfrtree::cli {

/// What the FILE arguments of a command stand for.
struct InputFiles {
  std::vector<Source> sources;
  std::vector<Problem> found;  ///< what was passed over in folders
};

/// To be called before the output is opened. Throws UsageError when the output is a file that is to
/// be read, by whatever name: writing would destroy it. Throws FormatError for a problem of a
/// folder with `--strict`.
[[nodiscard]] InputFiles open_input_files(const std::vector<std::string>& files,
                                          const ReadingArguments& reading);

/// Throws IoError when there are inputs and none of them is there: for commands that would make
/// something before they read.
void check_any_exists(const InputFiles& inputs);

}  // namespace jfrtree::cli
