#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include <jfrtree/clickhouse_query.hpp>
#include <jfrtree/error.hpp>
#include <jfrtree/export.hpp>

#include "cli/available_cores.hpp"
#include "cli/binary_formats.hpp"
#include "cli/command.hpp"
#include "cli/export_arguments.hpp"
#include "cli/export_report.hpp"
#include "cli/human.hpp"
#include "cli/output_file.hpp"
#include "cli/query_arguments.hpp"
#include "cli/text.hpp"

namespace jfrtree::cli {
namespace {

/// Stacks of a statement for Grafana, whose panel shows some ten thousand boxes.
constexpr std::uint64_t sql_stacks = 10'000;

class ClickhouseFlamegraphCommand : public Command {
 public:
  std::string_view name() const override { return "clickhouse flamegraph"; }
  std::string_view summary() const override {
    return "writes profiles of a database in any format, or the SQL for Grafana";
  }
  std::string_view synopsis() const override { return "[-o OUT | --sql] [--db DIR|URL] [options]"; }
  std::string_view inputs() const override {
    return "The database holds recordings that jfrtree clickhouse load has loaded. Loads that did "
           "not come to an end do not count.";
  }
  std::vector<Example> examples() const override;
  std::string more_help() const override {
    return query_times_help() + "\n" + formats_help(format_descriptions()) + "\n" + kinds_help();
  }
  void add_options(CommandLine& line) override;
  ExitCode execute(const std::vector<std::string>& files, Console& console) override;

 private:
  void set_macros(const std::string& value);
  void check_sql() const;
  void write_sql() const;
  ProfileSet read(clickhouse::Database& database, clickhouse::ProfileQuery& query,
                  const FormatDescription& format) const;
  ExportOptions export_options(const clickhouse::ProfileQuery& query, const ProfileSet& set,
                               const std::string& place) const;
  std::string done_text(const std::vector<Profile>& profiles, std::uint64_t bytes) const;

  QueryArguments query_;
  ExportArguments export_;
  bool sql_ = false;
  bool no_settings_ = false;
  clickhouse::TreeSqlOptions sql_options_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

std::vector<Example> ClickhouseFlamegraphCommand::examples() const {
  return {
      {"jfrtree clickhouse flamegraph -o cart.html --from -1h --where service=cart",
       "a page with all profiles of the last hour of a service"},
      {"jfrtree clickhouse flamegraph --db http://localhost:8123 -p alloc --format collapsed "
       "--from 2024-01-31T18:00:00Z --to +10m",
       "allocations of ten minutes, from a server"},
      {"jfrtree clickhouse flamegraph -p cpu --where service=cart --sql --macros official",
       "the query for a flame graph panel of Grafana"},
  };
}

void ClickhouseFlamegraphCommand::set_macros(const std::string& value) {
  if (value == "official") {
    sql_options_.macros = clickhouse::TimeMacros::official;
  } else if (value == "altinity") {
    sql_options_.macros = clickhouse::TimeMacros::altinity;
  } else {
    throw UsageError("--macros: '" + value + "' is neither official nor altinity");
  }
}

void ClickhouseFlamegraphCommand::add_options(CommandLine& line) {
  query_.add_to(line, QueryArguments::Kinds::several,
                "a profile kind (below), or the name of an event that was loaded; may be given "
                "several times, or all; default: all, or the first one there is where the format "
                "holds one");
  line.begin_group("SQL");
  line.add_flag("--sql",
                "write the query that gives the tree as rows level, value, self, label, and run "
                "nothing; of the 10000 largest stacks unless --max-stacks says otherwise",
                sql_);
  line.add_value("--macros", "NAME",
                 "the range of time is that of Grafana: official (its own data source) or altinity",
                 [this](const std::string& value) { set_macros(value); });
  line.add_flag("--no-settings",
                "with --sql: without the settings at its end, which users with readonly = 1 may "
                "not change",
                no_settings_);
  export_.add_format_to(line);
  export_.add_tree_to(line);
  query_.add_output_to(line);
}

void ClickhouseFlamegraphCommand::check_sql() const {
  const bool has_macros = sql_options_.macros != clickhouse::TimeMacros::none;
  if (!sql_) {
    if (has_macros) {
      throw UsageError("--macros: only with --sql");
    }
    if (no_settings_) {
      throw UsageError("--no-settings: only with --sql");
    }
    return;
  }
  if (query_.kinds.size() != 1 || query_.all_kinds) {
    throw UsageError("--sql: the query is for one kind, choose it by --profile");
  }
  if (export_.format || export_.title || export_.reverse || export_.max_nodes) {
    throw UsageError("--sql: the result has one form, without " +
                     std::string(export_.format    ? "--format"
                                 : export_.title   ? "--title"
                                 : export_.reverse ? "--reverse"
                                                   : "--max-nodes"));
  }
  if (has_macros && query_.times.is_given()) {
    throw UsageError("--macros: the range of time is that of Grafana, not of --from and --to");
  }
  const std::string& type = query_.sample_type;
  if (!type.empty() && type != "count" && type != "value") {
    throw UsageError("--sample-type: with --sql count or value");
  }
}

void ClickhouseFlamegraphCommand::write_sql() const {
  clickhouse::ProfileQuery query = query_.query();
  if (!query_.has_max_stacks) {
    query.max_stacks = sql_stacks;
  }
  clickhouse::TreeSqlOptions options = sql_options_;
  options.database = query_.database.options().database;
  options.min_width = export_.min_width;
  options.settings = !no_settings_;
  OutputFile output(query_.output);
  output.write(clickhouse::tree_sql(query, options) + "\n");
  output.commit();
}

ProfileSet ClickhouseFlamegraphCommand::read(clickhouse::Database& database,
                                             clickhouse::ProfileQuery& query,
                                             const FormatDescription& format) const {
  if (!format.holds_several_profiles && query.kinds.empty()) {
    clickhouse::check_query_tables(database);
    query.kinds = clickhouse::query_kinds(database, query);
    // What there is not, the query itself says best.
    query.kinds.resize(std::min<std::size_t>(query.kinds.size(), 1));
  }
  return clickhouse::query_profiles(database, query);
}

ExportOptions ClickhouseFlamegraphCommand::export_options(const clickhouse::ProfileQuery& query,
                                                          const ProfileSet& set,
                                                          const std::string& place) const {
  ExportOptions options;
  options.sample_type = query_.sample_type;
  export_.apply_to(options);
  options.labels = condition_texts(query.where);
  options.notes = page_notes(set);
  const std::vector<std::string> range = query_texts({.time = query.time});
  if (!range.empty()) {
    options.notes.insert(options.notes.begin(), join(range, " "));
  }
  const std::string title = options.labels.empty() ? place : join(options.labels, ", ");
  options.title = valid_utf8(export_.title.value_or(title));
  options.tree_nodes = query_.limits.tree_nodes;
  options.threads = available_cores();
  return options;
}

std::string ClickhouseFlamegraphCommand::done_text(const std::vector<Profile>& profiles,
                                                   std::uint64_t bytes) const {
  std::vector<std::string> parts;
  for (const Profile& profile : profiles) {
    parts.push_back(profile_text(profile.kind, profile.count, profile.stacks.size()));
  }
  const auto time = std::chrono::steady_clock::now() - start_;
  return "wrote " + query_.output + ": " + join(parts, ", ") + ", " + bytes_text(bytes) + " in " +
         duration_text(static_cast<std::uint64_t>(time.count()));
}

ExitCode ClickhouseFlamegraphCommand::execute(const std::vector<std::string>& files,
                                              Console& console) {
  query_.check(files, console);
  check_sql();
  if (sql_) {
    write_sql();
    return ExitCode::done;
  }
  const FormatDescription& format = export_.choose_format(query_.output, format_descriptions());
  export_.check(format, query_.wants_several(), format_descriptions());
  if (format.format == Format::arrow) {
    refuse_terminal("arrow", query_.output);
  }
  clickhouse::ProfileQuery query = query_.query();
  const auto database = open_stored_database(query_.database);
  OutputFile output(query_.output);
  const ProfileSet set = read(*database, query, format);
  console.report(set.problems);
  check_sample_type(query_.sample_type, set.profiles);
  report_unknown_values(query_.sample_type, set.profiles, console);
  const std::vector<TreeCut> cuts = write_profiles(output, set.profiles, format.format,
                                                   export_options(query, set, database->name()));
  output.commit();
  report_cuts(cuts, console);
  report_large_numbers(format.format, std::array<const Profile*, 1>{&set.profiles.front()},
                       console);
  if (query_.output != "-") {
    console.message(done_text(set.profiles, output.bytes_written()));
  }
  return ExitCode::done;
}

}  // namespace

std::unique_ptr<Command> make_clickhouse_flamegraph_command() {
  return std::make_unique<ClickhouseFlamegraphCommand>();
}

}  // namespace jfrtree::cli
