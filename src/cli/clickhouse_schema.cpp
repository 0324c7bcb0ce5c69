#include <jfrtree/clickhouse.hpp>

#include "cli/clickhouse_arguments.hpp"
#include "cli/command.hpp"
#include "cli/output_file.hpp"

namespace jfrtree::cli {
namespace {

class ClickhouseSchemaCommand : public Command {
 public:
  std::string_view name() const override { return "clickhouse schema"; }
  std::string_view summary() const override {
    return "prints the tables and views that profiles are stored in";
  }
  std::string_view synopsis() const override { return "[options]"; }
  std::string_view inputs() const override {
    return "Nothing is read, and no server is asked: the statements go to the output. They can be "
           "run again.";
  }
  std::vector<Example> examples() const override {
    return {
        {"jfrtree clickhouse schema | clickhouse-client --multiquery", "makes the tables"},
        {"jfrtree clickhouse schema --database profiles --retention 30",
         "in a database of their own, rows are kept for 30 days"},
        {"jfrtree clickhouse schema --cluster production", "tables on all shards of a cluster"},
    };
  }

  void add_options(CommandLine& line) override {
    line.begin_group("Schema");
    add_model_option(line, options_.model);
    line.add_value("--cluster", "NAME",
                   "tables on each shard of this cluster of the server's configuration, and "
                   "Distributed ones above them",
                   [this](const std::string& value) { options_.cluster = value; });
    line.add_flag("--each-shard",
                  "with --cluster: statements to run on each shard, where the cluster has no "
                  "Keeper, which ON CLUSTER needs",
                  options_.each_shard);
    line.add_value("--database", "NAME", "the database; default: that of the connection",
                   [this](const std::string& value) { options_.database = value; });
    line.add_value("--retention", "DAYS", "rows older than this are deleted by the server",
                   [this](const std::string& value) {
                     options_.retention_days =
                         static_cast<unsigned>(parse_number("--retention", value, 1, 36'500));
                   });
    line.begin_group("Output");
    line.add_value("-o,--output", "PATH", "where to write; default and -: standard output",
                   [this](const std::string& value) { output_ = value; });
    line.add_help();
  }

  ExitCode execute(const std::vector<std::string>& files, Console& /*console*/) override {
    if (!files.empty()) {
      throw UsageError(files.front() + ": clickhouse schema reads no files");
    }
    if (options_.each_shard && options_.cluster.empty()) {
      throw UsageError("--each-shard: needs --cluster");
    }
    OutputFile output(output_);
    output.write(clickhouse::schema_text(options_));
    output.commit();
    return ExitCode::done;
  }

 private:
  clickhouse::SchemaOptions options_;
  std::string output_ = "-";
};

}  // namespace

std::unique_ptr<Command> make_clickhouse_schema_command() {
  return std::make_unique<ClickhouseSchemaCommand>();
}

}  // namespace jfrtree::cli
