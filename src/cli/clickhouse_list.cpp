#include <algorithm>
#include <set>
#include <utility>

#include <jfrtree/clickhouse_query.hpp>
#include <jfrtree/error.hpp>

#include "cli/command.hpp"
#include "cli/human.hpp"
#include "cli/json_writer.hpp"
#include "cli/output_file.hpp"
#include "cli/query_arguments.hpp"
#include "cli/table.hpp"
#include "cli/text.hpp"

namespace jfrtree::cli {
namespace {

using clickhouse::Catalogue;
using clickhouse::StoredKind;
using clickhouse::StoredLabel;
using clickhouse::StoredRecording;

class ClickhouseListCommand : public Command {
 public:
  std::string_view name() const override { return "clickhouse list"; }
  std::string_view summary() const override {
    return "lists the recordings, services, kinds and labels of a database";
  }
  std::string_view synopsis() const override { return "[--db DIR|URL] [options]"; }
  std::string_view inputs() const override {
    return "The database holds recordings that jfrtree clickhouse load has loaded. No samples are "
           "read for the list.";
  }
  std::vector<Example> examples() const override {
    return {
        {"jfrtree clickhouse list", "what is in the folder jfrtree.chdb"},
        {"jfrtree clickhouse list --db http://localhost:8123 --service cart --json",
         "what a server has of a service, for a script"},
        {"jfrtree clickhouse list --from -1d --recordings 0", "all that is of the last day"},
    };
  }
  std::string more_help() const override { return query_times_help(); }
  void add_options(CommandLine& line) override;
  ExitCode execute(const std::vector<std::string>& files, Console& console) override;

 private:
  DatabaseArguments database_;
  [[nodiscard]] Catalogue catalogue(clickhouse::Database& database) const;

  QueryTimes times_;
  std::string output_ = "-";
  std::vector<std::string> services_;
  std::uint64_t most_recordings_ = clickhouse::CatalogueRequest{}.most_recordings;
  bool json_ = false;
};

void ClickhouseListCommand::add_options(CommandLine& line) {
  database_.add_to(line);
  line.begin_group("List");
  line.add_values("--service", "NAME", "only of this service, may be given several times",
                  [this](const std::string& value) { services_.push_back(value); });
  times_.add_to(line, "", "what has something");
  line.add_value("--recordings", "N",
                 "the N newest recordings; 0: all; default: " + std::to_string(most_recordings_),
                 [this](const std::string& value) {
                   most_recordings_ = parse_number("--recordings", value, 0, 1'000'000'000);
                 });
  line.add_flag("--json", "one JSON object with exact numbers", json_);
  line.begin_group("Output and messages");
  line.add_value("-o,--output", "PATH", "where to write; default and -: standard output",
                 [this](const std::string& value) {
                   if (value.empty()) {
                     throw UsageError("--output: '' is no name of a file");
                   }
                   output_ = value;
                 });
  line.add_help();
}

std::string recordings_text(const Catalogue& catalogue) {
  constexpr auto left = Table::Align::left;
  constexpr auto right = Table::Align::right;
  Table table({left, left, left, left, right, right, left}, 2);
  table.add({"service", "from", "to", "host", "chunks", "samples", "input"});
  for (const StoredRecording& recording : catalogue.recordings) {
    table.add(
        {printable(recording.service), time_text(recording.start_ns), time_text(recording.end_ns),
         recording.host.empty() ? "-" : printable(recording.host), count_text(recording.chunks),
         count_text(recording.samples), printable(recording.source)});
  }
  std::string text = "Recordings:\n" + table.text();
  if (catalogue.has_more_recordings) {
    text += "  and older ones, which --recordings 0 lists as well\n";
  }
  return text;
}

std::string kinds_text(const std::vector<StoredKind>& kinds) {
  constexpr auto left = Table::Align::left;
  Table table({left, left, left, left}, 2);
  table.add({"service", "kind", "from", "to"});
  for (const StoredKind& kind : kinds) {
    table.add({printable(kind.service),
               printable(kind.kind) + (kind.is_snapshot ? " (snapshot)" : ""),
               time_text(kind.first_ns), time_text(kind.last_ns)});
  }
  return "Kinds:\n" + table.text();
}

std::string labels_text(const std::vector<StoredLabel>& labels) {
  constexpr auto left = Table::Align::left;
  Table table({left, left, left, left}, 2);
  table.add({"service", "label", "from", "to"});
  for (const StoredLabel& label : labels) {
    table.add({printable(label.service), printable(label.key + "=" + label.value),
               time_text(label.first_ns), time_text(label.last_ns)});
  }
  return "Labels:\n" + table.text();
}

std::string list_text(const Catalogue& catalogue) {
  if (catalogue.recordings.empty() && catalogue.kinds.empty()) {
    return "Nothing is stored.\n";
  }
  std::string text = recordings_text(catalogue) + "\n" + kinds_text(catalogue.kinds);
  if (!catalogue.labels.empty()) {
    text += "\n" + labels_text(catalogue.labels);
  }
  return text;
}

void append_span(JsonWriter& json, std::int64_t first_ns, std::int64_t last_ns) {
  json.key("first_ns").signed_number(first_ns);
  json.key("last_ns").signed_number(last_ns);
  json.end_object();
}

std::string list_json(const Catalogue& catalogue) {
  JsonWriter json;
  json.begin_object();
  json.key("recordings").begin_array();
  for (const StoredRecording& recording : catalogue.recordings) {
    json.begin_object();
    json.key("service").text(recording.service);
    json.key("source").text(recording.source);
    json.key("host").text(recording.host);
    json.key("process").text(std::to_string(recording.process));
    json.key("producer").text(recording.producer);
    json.key("chunks").number(recording.chunks);
    json.key("start_ns").signed_number(recording.start_ns);
    json.key("end_ns").signed_number(recording.end_ns);
    json.key("events").number(recording.events);
    json.key("samples").number(recording.samples);
    json.end_object();
  }
  json.end_array();
  json.key("has_more_recordings").boolean(catalogue.has_more_recordings);
  json.key("kinds").begin_array();
  for (const StoredKind& kind : catalogue.kinds) {
    json.begin_object();
    json.key("service").text(kind.service);
    json.key("kind").text(kind.kind);
    json.key("is_snapshot").boolean(kind.is_snapshot);
    append_span(json, kind.first_ns, kind.last_ns);
  }
  json.end_array();
  json.key("labels").begin_array();
  for (const StoredLabel& label : catalogue.labels) {
    json.begin_object();
    json.key("service").text(label.service);
    json.key("key").text(label.key);
    json.key("value").text(label.value);
    append_span(json, label.first_ns, label.last_ns);
  }
  json.end_array();
  json.end_object();
  return json.take();
}

Catalogue ClickhouseListCommand::catalogue(clickhouse::Database& database) const {
  clickhouse::CatalogueRequest request;
  request.services = services_;
  request.time = times_.resolve(now_ns());
  request.most_recordings = most_recordings_;
  Catalogue found = clickhouse::query_catalogue(database, request);
  if (services_.empty() || !found.recordings.empty() || !found.kinds.empty()) {
    return found;
  }
  request = {};
  request.with_recordings = false;
  std::set<std::string> stored;
  for (const StoredKind& kind : clickhouse::query_catalogue(database, request).kinds) {
    stored.insert(kind.service);
  }
  std::string names;
  for (const std::string& service : stored) {
    names += (names.empty() ? "" : ", ") + printable(service);
  }
  throw clickhouse::DatabaseError(
      clickhouse::DatabaseFault::query, database.name(),
      "nothing of the service is stored" + (names.empty() ? "" : "; there are: " + names));
}

ExitCode ClickhouseListCommand::execute(const std::vector<std::string>& files, Console&) {
  if (!files.empty()) {
    throw UsageError(files.front() + ": what is listed is in the database, name it by --db");
  }
  const auto database = open_stored_database(database_);
  OutputFile output(output_);
  const Catalogue listed = catalogue(*database);
  output.write(json_ ? list_json(listed) : list_text(listed));
  output.commit();
  return ExitCode::done;
}

}  // namespace

std::unique_ptr<Command> make_clickhouse_list_command() {
  return std::make_unique<ClickhouseListCommand>();
}

}  // namespace jfrtree::cli
