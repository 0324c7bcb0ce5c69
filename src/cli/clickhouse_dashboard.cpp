#include <jfrtree/clickhouse_dashboard.hpp>
#include <jfrtree/error.hpp>

#include "cli/command.hpp"
#include "cli/output_file.hpp"

namespace jfrtree::cli {
namespace {

class ClickhouseDashboardCommand : public Command {
 public:
  std::string_view name() const override { return "clickhouse dashboard"; }
  std::string_view summary() const override {
    return "prints a Grafana dashboard for stored profiles";
  }
  std::string_view synopsis() const override { return "[options]"; }
  std::string_view inputs() const override {
    return "Nothing is read, and no server is asked: a dashboard goes to the output that Grafana "
           "imports. It shows what the tables of clickhouse schema hold: trend, flame graph, "
           "hottest "
           "methods, recordings, and a comparison with an earlier time.";
  }
  std::vector<Example> examples() const override {
    return {{"jfrtree clickhouse dashboard -o profiles.json", "a file for Grafana's import"},
            {"jfrtree clickhouse dashboard --datasource altinity --database profiles",
             "for Altinity's plugin, with tables in a database of their own"}};
  }

  void add_options(CommandLine& line) override {
    line.begin_group("Dashboard");
    line.add_value(
        "--datasource", "PLUGIN",
        "official (default): grafana-clickhouse-datasource; altinity: "
        "vertamedia-clickhouse-datasource",
        [this](const std::string& value) {
          if (value != "official" && value != "altinity") {
            throw UsageError("--datasource: '" + value + "' is none of official, altinity");
          }
          options_.data_source = value == "official" ? clickhouse::DataSource::official
                                                     : clickhouse::DataSource::altinity;
        });
    line.add_value("--database", "NAME",
                   "the database of the tables; default: that of the data source",
                   [this](const std::string& value) { options_.database = value; });
    line.begin_group("Output");
    line.add_value("-o,--output", "PATH", "where to write; default and -: standard output",
                   [this](const std::string& value) { output_ = value; });
    line.add_help();
  }

  ExitCode execute(const std::vector<std::string>& files, Console& /*console*/) override {
    if (!files.empty()) {
      throw UsageError(files.front() + ": clickhouse dashboard reads no files");
    }
    OutputFile output(output_);
    output.write(clickhouse::dashboard_text(options_));
    output.commit();
    return ExitCode::done;
  }

 private:
  clickhouse::DashboardOptions options_;
  std::string output_ = "-";
};

}  // namespace

std::unique_ptr<Command> make_clickhouse_dashboard_command() {
  return std::make_unique<ClickhouseDashboardCommand>();
}

}  // namespace jfrtree::cli
