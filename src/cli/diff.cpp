#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include <jfrtree/diff_export.hpp>
#include <jfrtree/error.hpp>

#include "cli/command.hpp"
#include "cli/comparison_arguments.hpp"
#include "cli/export_arguments.hpp"
#include "cli/export_report.hpp"
#include "cli/human.hpp"
#include "cli/label_arguments.hpp"
#include "cli/output_file.hpp"
#include "cli/profile_arguments.hpp"
#include "cli/reading_arguments.hpp"
#include "cli/text.hpp"
#include "cli/timings.hpp"

namespace jfrtree::cli {
namespace {

class DiffCommand : public Command {
 public:
  DiffCommand() { profile_.frames.normalize = true; }

  std::string_view name() const override { return "diff"; }
  std::string_view summary() const override { return "compares the profiles of two inputs"; }
  std::string_view synopsis() const override { return "BASE OTHER [-o OUT] [options]"; }
  std::string_view inputs() const override {
    return "BASE (left) and OTHER (right) are recordings, also compressed by gzip, zstd, LZ4 or "
           "zip, or collapsed stacks; - is standard input; a folder stands for the recordings in "
           "it, or one level down. The output is never one of the inputs.";
  }
  std::vector<Example> examples() const override;
  std::string more_help() const override;
  void add_options(CommandLine& line) override;
  ExitCode execute(const std::vector<std::string>& files, Console& console) override;

 private:
  void check(const std::vector<std::string>& files, const FormatDescription& format) const;
  std::vector<DiffProfile> choose_profiles(const std::vector<std::string>& files,
                                           const std::array<ProfileSet, 2>& sets,
                                           const FormatDescription& format) const;
  void check_profiles(const std::vector<DiffProfile>& diffs, Console& console) const;
  DiffOptions diff_options(const std::vector<std::string>& files,
                           const std::array<ProfileSet, 2>& sets,
                           std::vector<std::string> labels) const;
  std::string done_text(const std::vector<DiffProfile>& diffs, std::uint64_t bytes) const;

  ReadingArguments reading_;
  ProfileArguments profile_;
  ExportArguments export_;
  LabelArguments labels_;
  Timings timings_;
  ComparisonArguments comparison_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

std::vector<Example> DiffCommand::examples() const {
  return {
      {"jfrtree diff before.jfr after.jfr -o diff.html",
       "a page with what changed, by share of each recording's samples"},
      {"jfrtree diff monday/ tuesday/ -p alloc --per-second --format json",
       "methods that allocate more or less in a second, for a script"},
      {"jfrtree diff before.jfr after.jfr --absolute --format collapsed",
       "two numbers a line, as they are"},
  };
}

std::string DiffCommand::more_help() const {
  return formats_help(diff_format_descriptions()) + "\n" + kinds_help() + "\n" + filters_help();
}

void DiffCommand::add_options(CommandLine& line) {
  line.begin_group("Comparison");
  comparison_.add_to(line);
  export_.add_format_to(line);
  profile_.add_to(line, ProfileArguments::Kinds::several,
                  "a profile kind (below) or all; default: all, or "
                  "the first one that both sides have where the format holds one");
  export_.add_tree_to(line);
  labels_.add_to(line);
  line.begin_group("Report");
  timings_.add_to(line);
  reading_.add_to(line);
}

void DiffCommand::check(const std::vector<std::string>& files,
                        const FormatDescription& format) const {
  if (files.size() != 2) {
    throw UsageError("BASE OTHER: two inputs are compared, not " + std::to_string(files.size()) +
                     "; a folder stands for the recordings in it");
  }
  comparison_.check();
  profile_.check();
  export_.check(format, profile_.wants_several(), diff_format_descriptions());
  labels_.check_format(format);
  comparison_.check_format(format);
}

/// Reads one side. An empty file of collapsed stacks is a profile without stacks, as `convert`
/// writes it; as a recording an empty file is an error.
ProfileSet read_side_of(const std::string& file, InputFiles inputs, const ReadingArguments& reading,
                        const ProfileArguments& profile, const Console& console) {
  try {
    return read_side(std::move(inputs), reading, profile, console);
  } catch (const FormatError& error) {
    const FormatDescription* const format = find_format_by_path(file);
    const bool is_collapsed = format != nullptr && format->format == Format::collapsed;
    if (error.code() != ErrorCode::empty_input || !is_collapsed) {
      throw;
    }
  }
  return {};
}

std::string kinds_text(const ProfileSet& set) {
  return set.kinds_present.empty() ? "none" : join(set.kinds_present, ", ");
}

/// Neither side has what was asked for.
[[noreturn]] void throw_absent(const std::string& what, const std::vector<std::string>& files,
                               const std::array<ProfileSet, 2>& sets) {
  Problem problem;
  problem.code = ErrorCode::profile_not_found;
  problem.message = what + ": " + files[0] + " has " + kinds_text(sets[0]) + "; " + files[1] +
                    " has " + kinds_text(sets[1]);
  throw ProfileNotFound(std::move(problem));
}

std::vector<DiffProfile> DiffCommand::choose_profiles(const std::vector<std::string>& files,
                                                      const std::array<ProfileSet, 2>& sets,
                                                      const FormatDescription& format) const {
  std::vector<std::string> wanted = profile_.kinds;
  if (!profile_.event.empty()) {
    wanted.push_back(profile_.event);
  }
  for (const std::string& kind : wanted) {
    if (sets[0].find(kind) == nullptr && sets[1].find(kind) == nullptr) {
      throw_absent("neither input has " + kind + " samples", files, sets);
    }
  }
  std::vector<DiffProfile> diffs = join_profiles(sets[0], sets[1]);
  if (diffs.empty()) {
    throw_absent("neither input has samples of any profile kind", files, sets);
  }
  if (!format.holds_several_profiles) {
    const auto has_both = [](const DiffProfile& diff) {
      return diff.left.event_count > 0 && diff.right.event_count > 0;
    };
    const auto common = std::find_if(diffs.begin(), diffs.end(), has_both);
    DiffProfile chosen = std::move(common == diffs.end() ? diffs.front() : *common);
    diffs.clear();
    diffs.push_back(std::move(chosen));
  }
  return diffs;
}

/// Says of a kind that it is on one side alone.
void report_one_sided(const DiffProfile& diff, const std::vector<std::string>& files,
                      const std::array<ProfileSet, 2>& sets, const Console& console) {
  for (std::size_t side = 0; side < 2; ++side) {
    if (sets[side].find(diff.left.kind) == nullptr) {
      console.message("note: " + files[side] + " has no " + diff.left.kind +
                      " samples, so that side is zeros; it has " + kinds_text(sets[side]));
    }
  }
}

void DiffCommand::check_profiles(const std::vector<DiffProfile>& diffs, Console& console) const {
  std::vector<Profile> heads;
  for (const DiffProfile& diff : diffs) {
    heads.emplace_back();
    heads.back().kind = diff.left.kind;
    heads.back().sample_types = diff.left.sample_types;
  }
  check_sample_type(profile_.sample_type, heads);
  report_idle_options(profile_.frames, heads, console);
  for (const DiffProfile& diff : diffs) {
    const Profile& unknown = diff.left.value ? diff.right : diff.left;
    report_unknown_values(profile_.sample_type, std::span(&unknown, 1), console);
  }
  comparison_.check_rates(diffs, profile_.sample_type);
}

/// What both sides have in common as it is, what one has behind its name.
std::vector<std::string> side_labels(const std::vector<std::string>& files,
                                     const std::array<InputFiles, 2>& inputs) {
  const std::array sides{label_texts(inputs[0].sources), label_texts(inputs[1].sources)};
  std::vector<std::string> labels;
  std::vector<std::string> different;
  for (std::size_t side = 0; side < 2; ++side) {
    for (const std::string& text : sides[side]) {
      const std::vector<std::string>& others = sides[1 - side];
      if (std::find(others.begin(), others.end(), text) == others.end()) {
        different.push_back(shown_file_name(files[side]) + ": " + text);
      } else if (side == 0) {
        labels.push_back(text);
      }
    }
  }
  labels.insert(labels.end(), different.begin(), different.end());
  return labels;
}

DiffOptions DiffCommand::diff_options(const std::vector<std::string>& files,
                                      const std::array<ProfileSet, 2>& sets,
                                      std::vector<std::string> labels) const {
  DiffOptions options;
  options.output.labels = std::move(labels);
  options.comparison = comparison_.comparison();
  options.names = {shown_file_name(files[0]), shown_file_name(files[1])};
  export_.apply_to(options.output);
  options.output.sample_type = profile_.sample_type;
  options.output.title =
      valid_utf8(export_.title.value_or(options.names[0] + " \u2192 " + options.names[1]));
  const std::vector<std::string> filters = profile_.filters.given_names();
  if (!filters.empty()) {
    options.output.notes.push_back("filtered by " + join(filters, ", "));
  }
  for (std::size_t side = 0; side < 2; ++side) {
    for (const std::string& note : page_notes(sets[side])) {
      options.output.notes.push_back(note);
    }
  }
  options.output.tree_nodes = reading_.limits.tree_nodes;
  options.output.threads = reading_.thread_count();
  return options;
}

std::string DiffCommand::done_text(const std::vector<DiffProfile>& diffs,
                                   std::uint64_t bytes) const {
  std::vector<std::string> parts;
  for (const DiffProfile& diff : diffs) {
    parts.push_back(diff.left.kind + " (" + count_text(diff.left.count) + " and " +
                    counted(diff.right.count, "sample", "samples") + ", " +
                    counted(diff.left.stacks.size(), "stack", "stacks") + ")");
  }
  const auto time = std::chrono::steady_clock::now() - start_;
  return "wrote " + reading_.output + ": " + join(parts, ", ") + ", " + bytes_text(bytes) + " in " +
         duration_text(static_cast<std::uint64_t>(time.count()));
}

ExitCode DiffCommand::execute(const std::vector<std::string>& files, Console& console) {
  reading_.check(files, console);
  const FormatDescription& format =
      export_.choose_format(reading_.output, diff_format_descriptions());
  check(files, format);
  std::array inputs{open_input_files({files[0]}, reading_), open_input_files({files[1]}, reading_)};
  for (InputFiles& side : inputs) {
    labels_.apply_to(side);
  }
  std::vector<std::string> labels = side_labels(files, inputs);
  OutputFile output(reading_.output);
  std::array<ProfileSet, 2> sets;
  for (std::size_t side = 0; side < 2; ++side) {
    sets[side] = read_side_of(files[side], std::move(inputs[side]), reading_, profile_, console);
  }
  const std::vector<DiffProfile> diffs = choose_profiles(files, sets, format);
  check_profiles(diffs, console);
  for (const DiffProfile& diff : diffs) {
    report_one_sided(diff, files, sets, console);
  }
  const std::vector<TreeCut> cuts =
      write_diff(output, diffs, format.format, diff_options(files, sets, std::move(labels)));
  output.commit();
  report_cuts(cuts, console);
  report_large_numbers(format.format, std::array{&diffs.front().left, &diffs.front().right},
                       console);
  if (reading_.output != "-") {
    console.message(done_text(diffs, output.bytes_written()));
  }
  ReadStatistics statistics = sets[0].statistics;
  statistics += sets[1].statistics;
  timings_.report(statistics, reading_.thread_count(), console);
  std::vector<Problem> problems = std::move(sets[0].problems);
  problems.insert(problems.end(), sets[1].problems.begin(), sets[1].problems.end());
  return reading_.exit_code(problems);
}

}  // namespace

std::unique_ptr<Command> make_diff_command() { return std::make_unique<DiffCommand>(); }

}  // namespace jfrtree::cli
