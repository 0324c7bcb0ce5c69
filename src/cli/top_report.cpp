#include "cli/top_report.hpp"

#include <limits>
#include <optional>

#include <jfrtree/call_tree.hpp>

#include "cli/human.hpp"
#include "cli/json_writer.hpp"
#include "cli/profile_arguments.hpp"
#include "cli/table.hpp"
#include "cli/text.hpp"

namespace jfrtree::cli {
namespace {

std::uint64_t total_of(const Profile& profile, std::size_t sample_type) {
  std::uint64_t total = 0;
  for (const StackSum& stack : profile.stacks) {
    const std::uint64_t number = profile.number(stack, sample_type);
    const bool fits = number <= std::numeric_limits<std::uint64_t>::max() - total;
    total = fits ? total + number : std::numeric_limits<std::uint64_t>::max();
  }
  return total;
}

std::optional<std::uint64_t> known(const TopReport& report, std::uint64_t number) {
  return report.is_known ? std::optional(number) : std::nullopt;
}

std::string cell(const TopReport& report, std::uint64_t number) {
  return report.is_known ? number_text(number, report.sample_type.unit) : "unknown";
}

std::string csv_number(const TopReport& report, std::uint64_t number) {
  return report.is_known ? std::to_string(number) : std::string();
}

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    return std::string(text);
  }
  std::string quoted = "\"";
  for (const char character : text) {
    quoted += character;
    if (character == '"') {
      quoted += '"';
    }
  }
  return quoted + '"';
}

}  // namespace

TopReport make_top_report(const Profile& profile, const std::string& sample_type, bool by_total,
                          std::uint64_t rows) {
  const std::size_t type =
      sample_type.empty() ? profile.default_sample_type : profile.find_sample_type(sample_type);
  std::vector<MethodSums> methods = method_sums(profile, type, by_total);
  TopReport report;
  report.kind = profile.kind;
  report.sample_type = profile.sample_types[type];
  report.samples = profile.count;
  report.total = total_of(profile, type);
  report.is_known = type == 0 || has_known_value(profile);
  report.methods = methods.size();
  if (rows != 0 && rows < methods.size()) methods.resize(static_cast<std::size_t>(rows));
  for (const MethodSums& method : methods) {
    report.rows.push_back(
        {profile.frame_table->text(method.frame), method.self[type], method.total[type]});
  }
  return report;
}

std::string top_text(const TopReport& report) {
  std::string text = printable(report.kind) + ": ";
  text += counted(report.samples, "sample", "samples");
  if (report.sample_type.unit != "count") {
    text += ", " + report.sample_type.full_name() + " " + cell(report, report.total);
  }
  text += "\n\n";
  constexpr auto right = Table::Align::right;
  Table table({right, right, right, right, Table::Align::left});
  table.add({"self", "%", "total", "%", "method"});
  for (const TopRow& row : report.rows) {
    table.add({cell(report, row.self), percent_text(row.self, report.total),
               cell(report, row.total), percent_text(row.total, report.total),
               std::string(row.frame)});
  }
  text += table.text();
  if (report.rows.size() < report.methods) {
    text += "\n" + counted(report.methods - report.rows.size(), "method is", "methods are") +
            " not shown; -n 0 shows all\n";
  }
  return text;
}

std::string top_json(const TopReport& report) {
  JsonWriter json;
  json.begin_object();
  json.key("kind").text(report.kind);
  json.key("sample_type").begin_object();
  json.key("name").text(report.sample_type.name);
  json.key("unit").text(report.sample_type.unit);
  json.end_object();
  json.key("total").number_or_null(known(report, report.total));
  json.key("rows").begin_array();
  for (const TopRow& row : report.rows) {
    json.begin_object();
    json.key("frame").text(row.frame);
    json.key("self").number_or_null(known(report, row.self));
    json.key("total").number_or_null(known(report, row.total));
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return json.take();
}

std::string top_csv(const TopReport& report) {
  std::string csv = "frame,self,total\n";
  for (const TopRow& row : report.rows) {
    csv += csv_field(row.frame) + ',' + csv_number(report, row.self) + ',' +
           csv_number(report, row.total) + '\n';
  }
  return csv;
}

}  // namespace jfrtree::cli
