#include <algorithm>
#include <span>
#include <utility>

#include <jfrtree/clickhouse_query.hpp>
#include <jfrtree/error.hpp>

#include "cli/command.hpp"
#include "cli/output_file.hpp"
#include "cli/query_arguments.hpp"
#include "cli/top_arguments.hpp"

namespace jfrtree::cli {
namespace {

class ClickhouseTopCommand : public Command {
 public:
  std::string_view name() const override { return "clickhouse top"; }
  std::string_view summary() const override { return "lists the hottest methods of a database"; }
  std::string_view synopsis() const override { return "[--db DIR|URL] [options]"; }
  std::string_view inputs() const override {
    return "The database holds recordings that jfrtree clickhouse load has loaded.";
  }
  std::vector<Example> examples() const override {
    return {
        {"jfrtree clickhouse top --where service=cart --from -1h",
         "the 20 methods that themselves took most in the last hour"},
        {"jfrtree clickhouse top --db http://localhost:8123 -p alloc --by total --csv -n 0",
         "all methods below which something was allocated, exact numbers"},
    };
  }
  std::string more_help() const override { return query_times_help() + "\n" + kinds_help(); }
  void add_options(CommandLine& line) override;
  ExitCode execute(const std::vector<std::string>& files, Console& console) override;

 private:
  QueryArguments query_;
  TopArguments table_;
};

void ClickhouseTopCommand::add_options(CommandLine& line) {
  query_.add_to(line, QueryArguments::Kinds::one,
                "a profile kind (below), or the name of an event that was loaded; default: the "
                "first one there is");
  table_.add_to(line);
  query_.add_output_to(line);
}

ExitCode ClickhouseTopCommand::execute(const std::vector<std::string>& files, Console& console) {
  query_.check(files, console);
  table_.check(query_.kinds.size() > 1);
  clickhouse::ProfileQuery query = query_.query();
  const auto database = open_stored_database(query_.database);
  clickhouse::check_query_tables(*database);
  if (query.kinds.empty()) {
    query.kinds = clickhouse::query_kinds(*database, query);
    query.kinds.resize(std::min<std::size_t>(query.kinds.size(), 1));
  }
  OutputFile output(query_.output);
  const ProfileSet set = clickhouse::query_profiles(*database, query);
  console.report(set.problems);
  check_sample_type(query_.sample_type, set.profiles);
  report_unknown_values(query_.sample_type, set.profiles, console);
  output.write(table_.text(set.profiles.front(), query_.sample_type));
  output.commit();
  return ExitCode::done;
}

}  // namespace

std::unique_ptr<Command> make_clickhouse_top_command() {
  return std::make_unique<ClickhouseTopCommand>();
}

}  // namespace jfrtree::cli
