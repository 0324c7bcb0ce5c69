#include <unistd.h>
#include <array>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include <jfrtree/clickhouse_tree.hpp>
#include <jfrtree/error.hpp>

#include "cli/command.hpp"
#include "cli/human.hpp"
#include "cli/reading_arguments.hpp"
#include "cli/signals.hpp"
#include "cli/text.hpp"

namespace jfrtree::cli {
namespace {

/// The descriptor on which ClickHouse sends the second input.
constexpr int dictionary_descriptor = 3;

template <typename Value, std::size_t count>
Value choose(const char* option, const std::string& text,
             const std::array<std::pair<const char*, Value>, count>& choices) {
  std::vector<std::string> names;
  for (const auto& [name, value] : choices) {
    if (text == name) {
      return value;
    }
    names.emplace_back(name);
  }
  throw UsageError(std::string(option) + ": '" + text + "' is none of " + join(names, ", "));
}

constexpr std::array<std::pair<const char*, RowFormat>, 3> formats{
    {{"RowBinary", RowFormat::row_binary},
     {"TSV", RowFormat::tab_separated},
     {"TabSeparated", RowFormat::tab_separated}}};
constexpr std::array<std::pair<const char*, TreeShape>, 3> shapes{
    {{"nested-set", TreeShape::nested_set},
     {"flamebearer", TreeShape::flamebearer},
     {"collapsed", TreeShape::collapsed}}};
constexpr std::array<std::pair<const char*, FrameColumn>, 3> frame_columns{
    {{"strings", FrameColumn::strings},
     {"ids", FrameColumn::ids64},
     {"ids32", FrameColumn::ids32}}};

class ClickhouseTreeCommand : public Command {
 public:
  std::string_view name() const override { return "clickhouse tree"; }
  std::string_view summary() const override {
    return "makes a flame graph of rows of stacks, inside ClickHouse";
  }
  std::string_view synopsis() const override { return "[options] < ROWS"; }
  std::string_view inputs() const override {
    return "Rows (stack Array(String), value UInt64) come on standard input, up to its end; the "
           "rows "
           "of their call tree go to standard output: ord UInt64, level UInt32, value UInt64, self "
           "UInt64, label String, in depth-first order, the root first. Made for executable(), "
           "Executable and ExecutablePool tables and executable functions of ClickHouse.";
  }
  std::vector<Example> examples() const override;
  std::string more_help() const override;
  void add_options(CommandLine& line) override;
  ExitCode execute(const std::vector<std::string>& files, Console& console) override;

 private:
  void add_input_options(CommandLine& line);
  void add_tree_options(CommandLine& line);
  void add_protocol_options(CommandLine& line);
  void report(const TreeFilterSummary& summary, std::uint64_t nanoseconds,
              const Console& console) const;

  TreeFilterOptions options_;
  std::string output_format_;
  bool root_first_ = false;
  bool chunk_header_ = false;
  bool pool_ = false;
  bool function_ = false;
  bool stderr_ = false;
};

std::vector<Example> ClickhouseTreeCommand::examples() const {
  return {
      {"clickhouse-client --query 'SELECT frames, count() FROM samples GROUP BY frames FORMAT "
       "RowBinary' | jfrtree clickhouse tree --format flamebearer --output-format TSV",
       "the flame graph of a query, outside of the server"},
      {"SELECT * FROM executable('jfrtree clickhouse tree', RowBinary, 'ord UInt64, level UInt32, "
       "value UInt64, self UInt64, label String', (SELECT frames, sum(value) FROM samples GROUP BY "
       "frames), SETTINGS command_read_timeout = 600000)",
       "inside the server, as SQL; the program lies in the server's folder user_scripts"},
  };
}

std::string ClickhouseTreeCommand::more_help() const {
  return "Standard error stays empty unless something is wrong, or with --stderr.\n"
         "docs/clickhouse-tree.md shows the configuration of the server.\n";
}

void ClickhouseTreeCommand::add_input_options(CommandLine& line) {
  line.begin_group("Rows");
  line.add_value("--input-format", "FORMAT", "RowBinary (default) or TSV",
                 [this](const std::string& value) {
                   options_.input_format = choose("--input-format", value, formats);
                 });
  line.add_value("--output-format", "FORMAT", "the same for the result; default: as the input",
                 [this](const std::string& value) {
                   choose("--output-format", value, formats);
                   output_format_ = value;
                 });
  line.add_value("--frames", "KIND",
                 "strings (default), or ids: stacks are Array(UInt64), and rows (id UInt64, text "
                 "String) come on file descriptor 3, the second query of executable(); ids32: the "
                 "same with UInt32",
                 [this](const std::string& value) {
                   options_.frames = choose("--frames", value, frame_columns);
                 });
  line.add_flag("--root-first", "the first frame of a stack is its root (default)", root_first_);
  line.add_flag("--leaf-first", "the first frame of a stack is its leaf", options_.leaf_first);
  line.add_value("--values", "N",
                 "values of a row: 1 (default), or 2 to compare them: two more columns, valueRight "
                 "UInt64 and selfRight UInt64",
                 [this](const std::string& value) {
                   options_.values =
                       static_cast<std::uint32_t>(parse_number("--values", value, 1, 2));
                 });
}

void ClickhouseTreeCommand::add_tree_options(CommandLine& line) {
  line.begin_group("Tree");
  line.add_value(
      "--format", "FORMAT",
      "nested-set (default); flamebearer: one String; collapsed: a String for each line",
      [this](const std::string& value) { options_.shape = choose("--format", value, shapes); });
  line.add_flag("--reverse", "callers below the methods they call: the tree begins at the leaves",
                options_.reverse);
  line.add_value("--other", "N",
                 "keep the N stacks with the largest values; the others become one frame (other) "
                 "below the root, so that totals stay exact; 0 (default): keep all",
                 [this](const std::string& value) {
                   options_.largest_stacks = parse_number("--other", value, 0, ~std::uint64_t{0});
                 });
  line.add_value("--min-width", "PERCENT", "fold nodes below this share of the total into (other)",
                 [this](const std::string& value) {
                   options_.min_width = parse_decimal("--min-width", value, 0, 100);
                 });
  line.add_value("--max-nodes", "N",
                 "keep about the N largest nodes; 0: all; default: 16384, all with collapsed",
                 [this](const std::string& value) {
                   options_.max_nodes = parse_number("--max-nodes", value, 0, ~std::uint64_t{0});
                 });
  line.add_value("--unit", "UNIT",
                 "of the values, for flamebearer: count (default), nanoseconds, bytes",
                 [this](const std::string& value) { options_.unit = valid_utf8(value); });
}

void ClickhouseTreeCommand::add_protocol_options(CommandLine& line) {
  line.begin_group("How ClickHouse calls it");
  line.add_flag("--chunk-header",
                "a line with the number of rows stands before each block of rows "
                "(send_chunk_header = 1)",
                chunk_header_);
  line.add_flag("--pool",
                "for tables of the engine ExecutablePool: answers block after block, each behind a "
                "line with the number of rows; implies --chunk-header",
                pool_);
  line.add_flag("--function",
                "for functions: each row is a whole profile, (stacks Array(Array(String)), values "
                "Array(UInt64)), and is answered by one row: Array(Tuple(level UInt32, value "
                "UInt64, self UInt64, label String)), or a String",
                function_);
  line.add_value("--limit", "NAME=N", "changes a limit on hostile input (jfrtree help limits)",
                 [this](const std::string& value) { add_limit(options_.limits, value); });
  line.add_flag("--stderr", "say on standard error what was read and written", stderr_);
  line.add_help();
}

void ClickhouseTreeCommand::add_options(CommandLine& line) {
  add_input_options(line);
  add_tree_options(line);
  add_protocol_options(line);
}

void ClickhouseTreeCommand::report(const TreeFilterSummary& summary, std::uint64_t nanoseconds,
                                   const Console& console) const {
  std::string text = counted(summary.rows, "row", "rows") + ", " +
                     counted(summary.frames, "frame", "frames") + " -> " +
                     counted(summary.stacks, "stack", "stacks") + ", " +
                     counted(summary.nodes, "node", "nodes");
  if (summary.trees != 1) {
    text += " in " + counted(summary.trees, "tree", "trees");
  }
  text += ", " + duration_text(nanoseconds);
  if (summary.repaired_texts > 0) {
    text += "; " + counted(summary.repaired_texts, "frame was", "frames were") +
            " no valid UTF-8 and repaired";
  }
  console.message(text);
}

ExitCode ClickhouseTreeCommand::execute(const std::vector<std::string>& files, Console& console) {
  for (const std::string& file : files) {
    // ClickHouse splits a command at each space: two of them make an empty argument.
    if (!file.empty()) {
      throw UsageError(file + ": rows are read from standard input, not from files");
    }
  }
  if (root_first_ && options_.leaf_first) {
    throw UsageError("--root-first and --leaf-first contradict each other");
  }
  if (pool_ && function_) {
    throw UsageError("--pool and --function contradict each other");
  }
  options_.output_format = output_format_.empty()
                               ? options_.input_format
                               : choose("--output-format", output_format_, formats);
  options_.protocol = pool_ ? RowProtocol::pool
                      : function_
                          ? (chunk_header_ ? RowProtocol::function_chunks : RowProtocol::function)
                          : (chunk_header_ ? RowProtocol::chunks : RowProtocol::stream);
  options_.stop = &stop_requested();
  const auto start = std::chrono::steady_clock::now();
  const TreeFilterSummary summary =
      filter_stack_rows(STDIN_FILENO, dictionary_descriptor, STDOUT_FILENO, options_);
  if (stderr_) {
    const auto time = std::chrono::steady_clock::now() - start;
    report(summary, static_cast<std::uint64_t>(time.count()), console);
  }
  return ExitCode::done;
}

}  // namespace

std::unique_ptr<Command> make_clickhouse_tree_command() {
  return std::make_unique<ClickhouseTreeCommand>();
}

}  // namespace jfrtree::cli
