#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include <jfrtree/clickhouse_query.hpp>
#include <jfrtree/diff_export.hpp>
#include <jfrtree/error.hpp>

#include "cli/available_cores.hpp"
#include "cli/command.hpp"
#include "cli/comparison_arguments.hpp"
#include "cli/export_arguments.hpp"
#include "cli/export_report.hpp"
#include "cli/human.hpp"
#include "cli/output_file.hpp"
#include "cli/query_arguments.hpp"
#include "cli/text.hpp"

namespace jfrtree::cli {
namespace {

using Queries = std::array<clickhouse::ProfileQuery, 2>;

class ClickhouseDiffCommand : public Command {
 public:
  std::string_view name() const override { return "clickhouse diff"; }
  std::string_view summary() const override {
    return "compares two ranges of time, or two sets of labels, of a database";
  }
  std::string_view synopsis() const override {
    return "[--other-from T] [--other-where K=V] -o OUT [options]";
  }
  std::string_view inputs() const override {
    return "The left side is what --from, --to and --where choose. The right side is the same with "
           "the range of --other-from and --other-to, where one of these is given, and with the "
           "values of --other-where for the keys given there.";
  }
  std::vector<Example> examples() const override {
    return {
        {"jfrtree clickhouse diff --where service=cart --from -25h --to -24h --other-from -1h -o "
         "day.html",
         "the last hour against the same hour of yesterday"},
        {"jfrtree clickhouse diff -p alloc --where version=1.4 --other-where version=1.5 "
         "--per-second --format json",
         "what allocates more in a second in a new version, for a script"},
    };
  }
  std::string more_help() const override {
    return query_times_help() + "\n" + formats_help(diff_format_descriptions()) + "\n" +
           kinds_help();
  }
  void add_options(CommandLine& line) override;
  ExitCode execute(const std::vector<std::string>& files, Console& console) override;

 private:
  void check(const FormatDescription& format) const;
  Queries queries() const;
  std::vector<DiffProfile> join(const Queries& queries, const std::array<ProfileSet, 2>& sets,
                                const FormatDescription& format, const std::string& database) const;
  void check_profiles(const std::vector<DiffProfile>& diffs, const Console& console) const;
  DiffOptions diff_options(const Queries& queries, const std::array<ProfileSet, 2>& sets) const;

  QueryArguments query_;
  QueryTimes other_times_;
  Conditions other_where_;
  ExportArguments export_;
  ComparisonArguments comparison_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

void ClickhouseDiffCommand::add_options(CommandLine& line) {
  query_.add_to(line, QueryArguments::Kinds::several,
                "a profile kind (below), or the name of an event that was loaded; may be given "
                "several times, or all; default: all, or the first one that both sides have where "
                "the format holds one");
  line.begin_group("Comparison");
  other_times_.add_to(line, "other-", "right side: samples of buckets of time that begin");
  add_where_option(line, "--other-where",
                   "right side: as --where, instead of what that says of KEY", other_where_);
  comparison_.add_to(line);
  export_.add_format_to(line);
  export_.add_tree_to(line);
  query_.add_output_to(line);
}

void ClickhouseDiffCommand::check(const FormatDescription& format) const {
  if (!other_times_.is_given() && other_where_.empty()) {
    throw UsageError(
        "--other-from, --other-to, --other-where: one of them must say what to compare with");
  }
  comparison_.check();
  export_.check(format, query_.wants_several(), diff_format_descriptions());
  comparison_.check_format(format);
}

Queries ClickhouseDiffCommand::queries() const {
  Queries queries{query_.query(), query_.query()};
  queries[0].allow_absent = true;
  queries[1].allow_absent = true;
  if (other_times_.is_given()) {
    try {
      queries[1].time = other_times_.resolve(now_ns());
    } catch (const UsageError& error) {
      std::string text = error.what();
      throw UsageError("--other-" + text.substr(text.find_first_not_of('-')));
    }
  }
  Conditions& where = queries[1].where;
  for (const auto& other : other_where_) {
    std::erase_if(where, [&](const auto& each) { return each.first == other.first; });
  }
  where.insert(where.end(), other_where_.begin(), other_where_.end());
  return queries;
}

std::string side_text(const clickhouse::ProfileQuery& query, const char* otherwise) {
  const std::vector<std::string> texts = query_texts(query);
  return texts.empty() ? otherwise : cli::join(texts, " ");
}

std::string kinds_text(const ProfileSet& set) {
  return set.kinds_present.empty() ? "none" : cli::join(set.kinds_present, ", ");
}

std::vector<DiffProfile> ClickhouseDiffCommand::join(const Queries& queries,
                                                     const std::array<ProfileSet, 2>& sets,
                                                     const FormatDescription& format,
                                                     const std::string& database) const {
  const auto throw_absent = [&](const std::string& what) {
    Problem problem;
    problem.code = ErrorCode::profile_not_found;
    problem.file = database;
    problem.message = what + "; the left one (" + side_text(queries[0], "all") + ") has " +
                      kinds_text(sets[0]) + ", the right one (" + side_text(queries[1], "all") +
                      ") has " + kinds_text(sets[1]) + "; jfrtree clickhouse list shows all";
    throw ProfileNotFound(std::move(problem));
  };
  for (const std::string& kind : query_.kinds) {
    if (sets[0].find(kind) == nullptr && sets[1].find(kind) == nullptr) {
      throw_absent("neither side has " + kind + " samples");
    }
  }
  std::vector<DiffProfile> diffs = join_profiles(sets[0], sets[1]);
  if (diffs.empty()) {
    throw_absent("neither side has samples");
  }
  // One without any is a mistyped label or time rather than a change.
  for (std::size_t side = 0; side < 2; ++side) {
    if (sets[side].kinds_present.empty()) {
      throw_absent(std::string("the ") + (side == 0 ? "left" : "right") + " side has no samples");
    }
  }
  if (!format.holds_several_profiles) {
    const auto common = std::find_if(diffs.begin(), diffs.end(), [](const DiffProfile& diff) {
      return diff.left.event_count > 0 && diff.right.event_count > 0;
    });
    std::swap(diffs.front(), common == diffs.end() ? diffs.front() : *common);
    diffs.erase(diffs.begin() + 1, diffs.end());
  }
  return diffs;
}

void ClickhouseDiffCommand::check_profiles(const std::vector<DiffProfile>& diffs,
                                           const Console& console) const {
  std::vector<Profile> heads;
  for (const DiffProfile& diff : diffs) {
    heads.emplace_back();
    heads.back().kind = diff.left.kind;
    heads.back().sample_types = diff.left.sample_types;
    for (const Profile* const side : {&diff.left, &diff.right}) {
      if (side->event_count == 0) {
        console.message("note: the " + std::string(side == &diff.left ? "left" : "right") +
                        " side has no " + diff.left.kind + " samples, so it is zeros");
      }
    }
  }
  check_sample_type(query_.sample_type, heads);
  comparison_.check_rates(diffs, query_.sample_type);
}

DiffOptions ClickhouseDiffCommand::diff_options(const Queries& queries,
                                                const std::array<ProfileSet, 2>& sets) const {
  DiffOptions options;
  options.comparison = comparison_.comparison();
  options.names = {side_text(queries[0], "left"), side_text(queries[1], "right")};
  export_.apply_to(options.output);
  options.output.sample_type = query_.sample_type;
  options.output.title =
      valid_utf8(export_.title.value_or(options.names[0] + " \u2192 " + options.names[1]));
  for (const ProfileSet& set : sets) {
    for (const std::string& note : page_notes(set)) {
      options.output.notes.push_back(note);
    }
  }
  options.output.tree_nodes = query_.limits.tree_nodes;
  options.output.threads = available_cores();
  return options;
}

ExitCode ClickhouseDiffCommand::execute(const std::vector<std::string>& files, Console& console) {
  query_.check(files, console);
  const FormatDescription& format =
      export_.choose_format(query_.output, diff_format_descriptions());
  check(format);
  other_times_.tell_of_cut_bucket("other-", console);
  const Queries both = queries();
  const auto database = open_stored_database(query_.database);
  OutputFile output(query_.output);
  std::array<ProfileSet, 2> sets;
  for (std::size_t side = 0; side < 2; ++side) {
    sets[side] = clickhouse::query_profiles(*database, both[side]);
    console.report(sets[side].problems);
  }
  const std::vector<DiffProfile> diffs = join(both, sets, format, database->name());
  check_profiles(diffs, console);
  const std::vector<TreeCut> cuts =
      write_diff(output, diffs, format.format, diff_options(both, sets));
  output.commit();
  report_cuts(cuts, console);
  report_large_numbers(format.format, std::array{&diffs.front().left, &diffs.front().right},
                       console);
  if (query_.output != "-") {
    const auto time = std::chrono::steady_clock::now() - start_;
    console.message("wrote " + query_.output + ": " +
                    counted(diffs.size(), "comparison", "comparisons") + ", " +
                    bytes_text(output.bytes_written()) + " in " +
                    duration_text(static_cast<std::uint64_t>(time.count())));
  }
  return ExitCode::done;
}

}  // namespace

std::unique_ptr<Command> make_clickhouse_diff_command() {
  return std::make_unique<ClickhouseDiffCommand>();
}

}  // namespace jfrtree::cli
