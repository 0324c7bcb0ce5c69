#include "profile/event_reading.hpp"

#include <jfrtree/event_writers.hpp>
#include <jfrtree/output.hpp>

namespace jfrtree::test {

namespace {

std::vector<Source> sources_of(const std::vector<Bytes>& recordings) {
  std::vector<Source> sources;
  for (const Bytes& bytes : recordings) {
    const std::string name = std::to_string(sources.size() + 1) + ".jfr";
    sources.push_back({name, memory_input(bytes, name)});
  }
  return sources;
}

}  // namespace

EventRequest rows_of(std::vector<std::string> types) {
  EventRequest request;
  request.types = std::move(types);
  return request;
}

WrittenRows read_jsonl(const std::vector<Bytes>& recordings, const EventRequest& request,
                       const ReadOptions& options) {
  WrittenRows written;
  const auto output = string_output(written.text);
  const auto writer = jsonl_event_writer(*output);
  written.result = read_events(sources_of(recordings), request, *writer, options);
  writer->finish();
  return written;
}

WrittenRows read_csv(const std::vector<Bytes>& recordings, const EventRequest& request,
                     bool with_type) {
  std::vector<EventSchema> schemas;
  for (const EventTypeSummary& type : catalog_of(recordings, request.stacks).types) {
    for (const std::string& name : request.types) {
      if (matches_event_type(name, type.schema.type)) schemas.push_back(type.schema);
    }
  }
  WrittenRows written;
  const auto output = string_output(written.text);
  const auto writer =
      csv_event_writer(*output, choose_columns(unite_columns(schemas), request.columns), with_type);
  written.result = read_events(sources_of(recordings), request, *writer);
  writer->finish();
  return written;
}

EventCatalog catalog_of(const std::vector<Bytes>& recordings, bool stacks) {
  return read_event_types(sources_of(recordings), stacks);
}

std::string columns_of(const EventCatalog& catalog, std::string_view type) {
  std::string text;
  for (const EventTypeSummary& summary : catalog.types) {
    if (summary.schema.type != type) continue;
    for (const EventColumn& column : summary.schema.columns) {
      text += (text.empty() ? "" : "; ") + column.name + " ";
      text += column_type_name(column.type);
      if (!column.unit().empty()) text += " [" + std::string(column.unit()) + "]";
    }
  }
  return text;
}

}  // namespace jfrtree::test
