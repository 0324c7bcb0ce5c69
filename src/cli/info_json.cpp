#include "cli/info_report.hpp"
#include "cli/json_writer.hpp"

namespace jfrtree::cli {
namespace {

void write_chunk(JsonWriter& json, const ChunkSummary& chunk) {
  json.begin_object();
  json.key("offset").number(chunk.info.offset);
  json.key("bytes").number(chunk.info.bytes);
  json.key("version").text(chunk.info.version());
  json.key("start_ns").signed_number(chunk.info.header.start_ns);
  json.key("duration_ns").number_or_null(known_duration_ns(chunk.info));
  json.key("finished").boolean(chunk.info.state == ChunkState::complete);
  json.key("ticks_per_second");
  const std::int64_t frequency = chunk.info.header.ticks_per_second;
  frequency > 0 ? json.signed_number(frequency) : json.null();
  json.key("producer").text(chunk.producer);
  json.key("problems").number(chunk.problems);
  json.end_object();
}

void write_file(JsonWriter& json, const FileSummary& file) {
  json.begin_object();
  json.key("path").text(file.path);
  json.key("bytes").number(file.bytes);
  json.key("container").text(file.container);
  json.key("labels").begin_object();
  for (const auto& [key, value] : file.labels) {
    json.key(key).text(value);
  }
  json.end_object();
  json.key("chunks").begin_array();
  for (const ChunkSummary& chunk : file.chunks) {
    write_chunk(json, chunk);
  }
  json.end_array();
  json.end_object();
}

void write_profile(JsonWriter& json, const ProfileSummary& profile) {
  json.begin_object();
  json.key("kind").text(profile.kind);
  json.key("events").texts(profile.events);
  json.key("samples").number(profile.samples);
  json.key("total").number_or_null(profile.total);
  for (std::size_t i = 0; i < profile.further_totals.size(); ++i) {
    json.key(profile.sample_types[i + 2].unit).number(profile.further_totals[i]);
  }
  json.key("sample_types").begin_array();
  for (const SampleType& sample_type : profile.sample_types) {
    json.begin_object();
    json.key("name").text(sample_type.name);
    json.key("unit").text(sample_type.unit);
    json.end_object();
  }
  json.end_array();
  json.key("left_out").begin_array();
  for (const LeftOut& left_out : profile.left_out) {
    json.begin_object();
    json.key("event").text(left_out.event);
    json.key("count").number(left_out.count);
    json.key("reason").text(left_out.reason);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

void write_findings(JsonWriter& json, const std::vector<Problem>& findings) {
  json.begin_array();
  for (const Problem& finding : findings) {
    json.begin_object();
    json.key("code").text(error_code_name(finding.code));
    json.key("file").text(finding.file);
    json.key("chunk");
    finding.chunk != 0 ? json.number(finding.chunk) : json.null();
    json.key("offset");
    finding.offset != no_position ? json.number(finding.offset) : json.null();
    json.key("count").number(finding.count);
    json.key("message").text(finding.message);
    json.end_object();
  }
  json.end_array();
}

void write_settings(JsonWriter& json, const std::vector<RecordingSetting>& settings) {
  json.begin_array();
  for (const RecordingSetting& setting : settings) {
    json.begin_object();
    json.key("event").text(setting.event);
    json.key("name").text(setting.name);
    json.key("value").text(setting.value);
    json.end_object();
  }
  json.end_array();
}

}  // namespace

std::string info_json(const RecordingSummary& summary, bool settings) {
  JsonWriter json;
  json.begin_object();
  json.key("files").begin_array();
  for (const FileSummary& file : summary.files) {
    write_file(json, file);
  }
  json.end_array();
  json.key("start_ns");
  summary.start_ns ? json.signed_number(*summary.start_ns) : json.null();
  json.key("end_ns");
  summary.end_ns ? json.signed_number(*summary.end_ns) : json.null();
  json.key("producer").text(summary.producer);
  json.key("events").begin_object();
  for (const auto& [name, count] : summary.events) {
    json.key(name).number(count);
  }
  json.end_object();
  json.key("profiles").begin_array();
  for (const ProfileSummary& profile : summary.profiles) {
    write_profile(json, profile);
  }
  json.end_array();
  if (settings) {
    json.key("settings");
    write_settings(json, summary.settings);
  }
  json.key("notes");
  write_findings(json, summary.notes);
  json.key("problems");
  write_findings(json, summary.problems);
  json.end_object();
  return json.take();
}

}  // namespace jfrtree::cli
