#pragma once

#include <string>
#include <vector>

#include <jfrtree/event_rows.hpp>

#include "support/byte_writer.hpp"

namespace jfrtree::test {

/// Rows as the writers write them, of recordings that lie in memory.
struct WrittenRows {
  std::string text;
  EventReadResult result;
};

/// A request for event types by name.
EventRequest rows_of(std::vector<std::string> types);

WrittenRows read_jsonl(const std::vector<Bytes>& recordings, const EventRequest& request,
                       const ReadOptions& options = {});
/// Columns are those of all types of the request.
WrittenRows read_csv(const std::vector<Bytes>& recordings, const EventRequest& request,
                     bool with_type = false);

/// The event types of recordings.
EventCatalog catalog_of(const std::vector<Bytes>& recordings, bool stacks = true);
/// `name type unit` of each column of a type, joined by `; `, units in brackets.
std::string columns_of(const EventCatalog& catalog, std::string_view type);

}  // namespace jfrtree::test
