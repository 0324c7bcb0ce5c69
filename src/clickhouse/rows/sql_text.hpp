#pragma once

#include <string>
#include <string_view>
#include <vector>

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

/// The parts between separators: rows of TSV, cells of a row. A separator at the end begins none.
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);

}  // namespace jfrtree::internal
