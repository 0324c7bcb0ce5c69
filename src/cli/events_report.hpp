#pragma once

#include <string>

#include <jfrtree/event_rows.hpp>

namespace jfrtree::cli {

/// Event types with counts and columns, for a person: those with events, or `all`.
[[nodiscard]] std::string events_text(const EventCatalog& catalog, bool all);

/// The same as one JSON object `{types: [{name, label, count, columns}]}`, all declared types.
[[nodiscard]] std::string events_json(const EventCatalog& catalog);

}  // namespace jfrtree::cli
