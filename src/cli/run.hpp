#pragma once

#include <jfrtree/clickhouse_engine.hpp>

namespace jfrtree::cli {

/// The whole program: reads the arguments (`argv[0]` is ignored), writes data to standard output
/// and messages to standard error, returns the exit code. Never throws and never exits.
///
/// While it runs, SIGINT, SIGTERM and SIGPIPE are handled here; their former handlers are put back
/// at the end. One call at a time in a process. `engine`, where one is given, opens the folders of
/// the embedded ClickHouse, for which libchdb.so is needed else.
int run(int argc, char** argv, const clickhouse::EngineFactory& engine = {}) noexcept;

}  // namespace jfrtree::cli
