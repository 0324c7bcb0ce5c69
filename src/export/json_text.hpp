#pragma once

#include <string>
#include <string_view>

namespace jfrtree::internal {

/// Appends a JSON string, in quotes, for text that is valid UTF-8. Control characters are escaped,
/// and so are U+2028 and U+2029, which end a line in JavaScript.
void append_json_string(std::string& json, std::string_view text);

}  // namespace jfrtree::internal
