#pragma once

namespace jfrtree::cli {

/// The whole program: reads the arguments (`argv[0]` is ignored), writes data to standard output
/// and messages to standard error, returns the exit code. Never throws and never exits.
///
/// While it runs, SIGINT, SIGTERM and SIGPIPE are handled here; their former handlers are put back
/// at the end. One call at a time in a process.
int run(int argc, char** argv) noexcept;

}  // namespace jfrtree::cli
