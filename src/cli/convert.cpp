#include <array>
#include <chrono>
#include <utility>

#include <jfrtree/error.hpp>
#include <jfrtree/export.hpp>

#include "cli/binary_formats.hpp"
#include "cli/command.hpp"
#include "cli/compat_arguments.hpp"
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

class ConvertCommand : public Command {
 public:
  std::string_view name() const override { return "convert"; }
  std::string_view summary() const override {
    return "writes profiles as flame graphs, trees or stacks";
  }
  std::string_view synopsis() const override { return "FILE... [-o OUT] [options]"; }
  std::vector<Example> examples() const override;
  std::string more_help() const override;
  void add_options(CommandLine& line) override;
  ExitCode execute(const std::vector<std::string>& files, Console& console) override;

 private:
  ExportOptions export_options(const std::vector<std::string>& files, const ProfileSet& set,
                               std::vector<std::string> labels) const;
  std::string done_text(const std::vector<Profile>& profiles, std::uint64_t bytes) const;

  ReadingArguments reading_;
  ProfileArguments profile_;
  CompatArguments compat_;
  ExportArguments export_;
  LabelArguments labels_;
  Timings timings_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

std::vector<Example> ConvertCommand::examples() const {
  return {
      {"jfrtree convert app.jfr -o app.html", "a page with a flame graph of each profile kind"},
      {"jfrtree convert app.jfr -p alloc --format collapsed | grep OrderService",
       "allocating stacks that go through a class"},
      {"jfrtree convert monday/ -p wall --by-thread -o wall.flamebearer.json",
       "all recordings of a folder as one flame graph, by thread"},
      {"jfrtree convert app.jfr --event jdk.FileRead --value-field bytesRead -o read.html",
       "bytes read from files, by stack"},
  };
}

std::string ConvertCommand::more_help() const {
  return formats_help(format_descriptions()) + "\n" + kinds_help() + "\n" + filters_help();
}

void ConvertCommand::add_options(CommandLine& line) {
  export_.add_format_to(line);
  profile_.add_to(line, ProfileArguments::Kinds::several,
                  "a profile kind (below) or all; default: all, or "
                  "the first one present where the format holds one");
  compat_.add_to(line);
  export_.add_tree_to(line);
  labels_.add_to(line);
  line.begin_group("Report");
  timings_.add_to(line);
  reading_.add_to(line);
}

ExportOptions ConvertCommand::export_options(const std::vector<std::string>& files,
                                             const ProfileSet& set,
                                             std::vector<std::string> labels) const {
  ExportOptions options;
  options.labels = std::move(labels);
  options.sample_type = profile_.sample_type;
  export_.apply_to(options);
  options.raw_frames = compat_.compat != Compat::none;
  std::string title = shown_file_name(files.front());
  if (files.size() > 1) {
    title += " and " + count_text(files.size() - 1) + " more";
  }
  options.title = valid_utf8(export_.title.value_or(title));
  options.notes = page_notes(set);
  const std::vector<std::string> filters = profile_.filters.given_names();
  if (!filters.empty()) {
    options.notes.insert(options.notes.begin(), "filtered by " + join(filters, ", "));
  }
  options.tree_nodes = reading_.limits.tree_nodes;
  options.threads = reading_.thread_count();
  return options;
}

std::string ConvertCommand::done_text(const std::vector<Profile>& profiles,
                                      std::uint64_t bytes) const {
  std::vector<std::string> parts;
  for (const Profile& profile : profiles) {
    parts.push_back(profile_text(profile.kind, profile.count, profile.stacks.size()));
  }
  const auto time = std::chrono::steady_clock::now() - start_;
  return "wrote " + reading_.output + ": " + join(parts, ", ") + ", " + bytes_text(bytes) + " in " +
         duration_text(static_cast<std::uint64_t>(time.count()));
}

ExitCode ConvertCommand::execute(const std::vector<std::string>& files, Console& console) {
  reading_.check(files, console);
  profile_.check();
  const FormatDescription& format = export_.choose_format(reading_.output, format_descriptions());
  export_.check(format, profile_.wants_several(), format_descriptions());
  labels_.check_format(format);
  if (format.format == Format::arrow) {
    refuse_terminal("arrow", reading_.output);
  }
  compat_.check(profile_, std::string(format.name), export_.tree_option() != nullptr);
  profile_.compat = compat_.compat;
  InputFiles inputs = open_input_files(files, reading_);
  labels_.apply_to(inputs);
  std::vector<std::string> labels = label_texts(inputs.sources);
  // Opened before the reading, which may take long, so that a wrong path is known at once.
  OutputFile output(reading_.output);
  ProfileSet set = read_profiles(std::move(inputs), reading_, profile_, console);
  if (!format.holds_several_profiles) {
    report_other_collapsed(set, console);
    set.profiles.erase(set.profiles.begin() + 1, set.profiles.end());
  }
  report_idle_options(profile_.frames, set.profiles, console);
  check_sample_type(profile_.sample_type, set.profiles);
  report_unknown_values(profile_.sample_type, set.profiles, console);
  const std::vector<TreeCut> cuts = write_profiles(output, set.profiles, format.format,
                                                   export_options(files, set, std::move(labels)));
  output.commit();
  report_cuts(cuts, console);
  report_large_numbers(format.format, std::array<const Profile*, 1>{&set.profiles.front()},
                       console);
  if (reading_.output != "-") {
    console.message(done_text(set.profiles, output.bytes_written()));
  }
  timings_.report(set.statistics, reading_.thread_count(), console);
  return reading_.exit_code(set.problems);
}

}  // namespace

std::unique_ptr<Command> make_convert_command() { return std::make_unique<ConvertCommand>(); }

}  // namespace jfrtree::cli
