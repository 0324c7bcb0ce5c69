#pragma once

#include <string>

#include <jfrtree/clickhouse_engine.hpp>

namespace jfrtree::internal {

/// The engine of libchdb.so, which is opened now. Throws DatabaseError, which names `place`, where
/// it is not there.
[[nodiscard]] clickhouse::EngineFactory chdb_engine(const std::string& library_path,
                                                    const std::string& place);

}  // namespace jfrtree::internal
