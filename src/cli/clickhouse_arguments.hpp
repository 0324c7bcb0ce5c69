#pragma once

#include <jfrtree/clickhouse.hpp>

#include "cli/command_line.hpp"
#include "cli/console.hpp"
#include "cli/label_arguments.hpp"
#include "cli/profile_arguments.hpp"
#include "cli/reading_arguments.hpp"

namespace jfrtree::cli {

/// `--model`.
void add_model_option(CommandLine& line, clickhouse::Model& model);

/// The options that say which rows are made of recordings.
struct RowArguments {
  clickhouse::RowRequest request;
  ProfileArguments profile;
  LabelArguments labels;

  /// All but the options of reading and output.
  void add_to(CommandLine& line);
  /// Throws UsageError for options that rows cannot follow.
  void check();

 private:
  void set_bucket(const std::string& text);
};

/// Reports what was read and found, and kinds that were asked for and have no samples.
void report_rows(const SampleRowResult& result, const InputFiles& inputs,
                 const RowArguments& arguments, const Console& console);

}  // namespace jfrtree::cli
