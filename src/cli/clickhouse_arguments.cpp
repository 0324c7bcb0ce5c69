#include "cli/clickhouse_arguments.hpp"

#include <algorithm>

#include <jfrtree/error.hpp>

#include "cli/human.hpp"
#include "cli/text.hpp"

namespace jfrtree::cli {

void add_model_option(CommandLine& line, clickhouse::Model& model) {
  line.add_value(
      "--model", "MODEL",
      "hashed (default): sums by stack hash and a table of stacks; otel_profiles: the "
      "table of OpenTelemetry's exporter",
      [&model](const std::string& value) {
        const auto found = clickhouse::find_model(value);
        if (!found) {
          throw UsageError("--model: '" + value + "' is neither hashed nor otel_profiles");
        }
        model = *found;
      });
}

void RowArguments::set_bucket(const std::string& text) {
  constexpr std::uint64_t second = 1'000'000'000;
  constexpr std::uint64_t longest = 86'400 * second;
  try {
    request.samples.bucket_ns = text == "0" ? 0 : parse_time_length(text);
  } catch (const UsageError& error) {
    throw UsageError(std::string("--bucket: ") + error.what());
  }
  const std::uint64_t bucket = request.samples.bucket_ns;
  if (bucket == 0 || bucket % second != 0 || bucket > longest) {
    throw UsageError("--bucket: '" + text + "' is not between 1s and 1d in whole seconds");
  }
}

void RowArguments::add_to(CommandLine& line) {
  line.begin_group("Rows");
  add_model_option(line, request.model);
  line.add_value("--bucket", "TIME", "length of the buckets of time; default: 10s",
                 [this](const std::string& value) { set_bucket(value); });
  labels.add_to(line);
  profile.frames.normalize = true;
  profile.add_to(line, ProfileArguments::Kinds::several,
                 "a profile kind (below), may be given several times; default: all");
}

void RowArguments::check() {
  profile.check();
  if (!profile.sample_type.empty()) {
    throw UsageError("--sample-type: rows hold all numbers of a sample");
  }
  if (profile.leak) {
    throw UsageError("--leak: what was not freed is known at the end, it has no rows");
  }
  request.samples.profile = profile.request();
}

void report_rows(const SampleRowResult& result, const InputFiles& inputs,
                 const RowArguments& arguments, const Console& console) {
  std::vector<Problem> problems = inputs.found;
  problems.insert(problems.end(), result.problems.begin(), result.problems.end());
  console.report(problems);
  for (const std::string& kind : arguments.profile.kinds) {
    if (result.samples.count(kind) == 0 && result.skipped_chunks == 0) {
      console.message("note: no samples of the kind " + kind);
    }
  }
  const ReadStatistics& statistics = result.statistics;
  console.detail("read " + bytes_text(statistics.bytes) + " in " +
                 counted(statistics.chunks, "chunk", "chunks") + ": " +
                 counted(statistics.events, "event", "events") + ", " +
                 counted(statistics.samples, "sample", "samples"));
}

}  // namespace jfrtree::cli
