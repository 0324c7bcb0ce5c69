#include "cli/events_report.hpp"

#include "cli/human.hpp"
#include "cli/json_writer.hpp"
#include "cli/table.hpp"
#include "cli/text.hpp"

namespace jfrtree::cli {
namespace {

std::string type_text(const EventColumn& column) {
  std::string text;
  if (column.type == ColumnType::list) {
    const bool is_plain = column.elements.size() == 1 && column.elements.front().path.empty();
    text = "list of ";
    text += is_plain ? type_text(column.elements.front()) : "structs";
  } else if (column.type == ColumnType::stack) {
    text = "list of frames";
  } else {
    text = column_type_name(column.type);
  }
  if (!column.unit().empty()) {
    text += ", ";
    text += column.unit();
  }
  return text;
}

void write_column(JsonWriter& json, const EventColumn& column) {
  json.begin_object();
  json.key("name").text(column.name);
  json.key("type").text(column_type_name(column.type));
  json.key("unit");
  column.unit().empty() ? json.null() : json.text(column.unit());
  json.key("label").text(column.label);
  if (!column.elements.empty()) {
    json.key("elements").begin_array();
    for (const EventColumn& element : column.elements) {
      write_column(json, element);
    }
    json.end_array();
  }
  json.end_object();
}

}  // namespace

std::string events_text(const EventCatalog& catalog, bool all) {
  std::string text;
  std::size_t without_events = 0;
  for (const EventTypeSummary& type : catalog.types) {
    if (type.count == 0 && !all) {
      ++without_events;
      continue;
    }
    text += printable(type.schema.type) + ": " + counted(type.count, "event", "events");
    if (!type.schema.label.empty()) {
      text += " (" + printable(type.schema.label) + ")";
    }
    text += '\n';
    Table table({Table::Align::left, Table::Align::left, Table::Align::left}, 2);
    for (const EventColumn& column : type.schema.columns) {
      table.add({column.name, type_text(column), column.label});
    }
    text += table.text() + "\n";
  }
  if (without_events != 0) {
    text += counted(without_events, "type is", "types are") + " declared and " +
            (without_events == 1 ? "has" : "have") + " no events, -v shows all\n";
  } else if (catalog.types.empty()) {
    text += "No event types\n";
  }
  return text;
}

std::string events_json(const EventCatalog& catalog) {
  JsonWriter json;
  json.begin_object();
  json.key("types").begin_array();
  for (const EventTypeSummary& type : catalog.types) {
    json.begin_object();
    json.key("name").text(type.schema.type);
    json.key("label").text(type.schema.label);
    json.key("count").number(type.count);
    json.key("columns").begin_array();
    for (const EventColumn& column : type.schema.columns) {
      write_column(json, column);
    }
    json.end_array();
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return json.take();
}

}  // namespace jfrtree::cli
