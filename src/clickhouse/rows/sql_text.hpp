#pragma once

#include <string>
#include <string_view>

namespace jfrtree::internal {

/// Appends a text with the escapes of TSV: `\t`, `\n`, `\r`, `\0`, `\b`, `\f`, `\\` and `\'`.
void append_escaped(std::string& to, std::string_view text);

/// Appends a text as a literal of SQL, in single quotes.
void append_sql_text(std::string& to, std::string_view text);
[[nodiscard]] std::string sql_text(std::string_view text);

/// A name of a table or database as SQL takes any, in backquotes.
[[nodiscard]] std::string sql_name(std::string_view name);

/// The text behind the escapes of TSV.
[[nodiscard]] std::string unescaped(std::string_view text);

}  // namespace jfrtree::internal
