#pragma once

#include <string>
#include <string_view>

#include <jfrtree/clickhouse_database.hpp>

namespace jfrtree::internal {

/// The bytes in a compressed form, as one frame or member. With `none` the bytes.
[[nodiscard]] std::string compressed(std::string_view bytes, clickhouse::Compression compression);

/// The name for Content-Encoding; empty for `none`.
[[nodiscard]] std::string_view encoding_name(clickhouse::Compression compression) noexcept;

}  // namespace jfrtree::internal
