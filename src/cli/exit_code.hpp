#pragma once

namespace jfrtree::cli {

/// What the program returns to the shell. Part of the contract with scripts.
enum class ExitCode : int {
  done = 0,           ///< also with notes, and when the reader of a pipe went away
  error = 1,          ///< nothing usable was written
  usage = 2,          ///< an option or argument is wrong
  problems = 3,       ///< done, but parts of the input could not be used
  interrupted = 130,  ///< by Ctrl-C; a termination signal gives 143
};

}  // namespace jfrtree::cli
