#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <optional>
#include <utility>

#include <jfrtree/error.hpp>
#include <jfrtree/export.hpp>

#include "cli/command.hpp"
#include "cli/compat_arguments.hpp"
#include "cli/help.hpp"
#include "cli/human.hpp"
#include "cli/output_file.hpp"
#include "cli/profile_arguments.hpp"
#include "cli/reading_arguments.hpp"
#include "cli/text.hpp"
#include "cli/timings.hpp"

namespace jfrtree::cli {
namespace {

// Lines about the input that a page shows to its reader.
constexpr std::size_t most_page_notes = 50;

std::vector<std::string> format_names(bool only_several) {
  std::vector<std::string> names;
  for (const FormatDescription& format : format_descriptions()) {
    if (format.holds_several_profiles || !only_several) {
      names.emplace_back(format.name);
    }
  }
  return names;
}

std::vector<std::string> page_notes(const ProfileSet& set) {
  std::vector<std::string> notes;
  for (const Finding& finding : findings_of(set.problems)) {
    notes.push_back(finding_text(finding));
  }
  for (const LeftOut& left_out : set.left_out) {
    notes.push_back(left_out_text(left_out));
  }
  if (notes.size() > most_page_notes) {
    const std::size_t more = notes.size() - most_page_notes;
    notes.resize(most_page_notes);
    notes.push_back("... and " + count_text(more) + " more");
  }
  return notes;
}

/// The last part of a path: where a recording lies does not concern the reader of a page.
std::string file_name(const std::string& path) {
  const std::filesystem::path name = std::filesystem::path(path).filename();
  return name.empty() ? path : name.string();
}

/// Whether a format writes its numbers as JSON numbers, which many readers hold as doubles.
bool writes_json_numbers(Format format) {
  return format == Format::flamebearer || format == Format::nested_set_json ||
         format == Format::tree;
}

/// Whether doubles cannot hold every number of a profile.
bool has_large_numbers(const Profile& profile) {
  constexpr std::uint64_t largest_exact = std::uint64_t{1} << 53;
  return profile.count > largest_exact || profile.value.value_or(0) > largest_exact ||
         std::any_of(profile.further_numbers.begin(), profile.further_numbers.end(),
                     [](std::uint64_t number) { return number > largest_exact; });
}

/// Whether so much was folded that who reads the output has to know.
bool is_worth_telling(const TreeCut& cut) {
  constexpr double least_share = 0.01;
  return cut.folded > 0 &&
         static_cast<double>(cut.folded) >= least_share * static_cast<double>(cut.total);
}

std::string cut_text(const TreeCut& cut) {
  std::vector<std::string> options;
  if (cut.max_nodes != 0) {
    options.push_back("--max-nodes " + std::to_string(cut.max_nodes));
  }
  if (cut.min_width > 0) {
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), cut.min_width).ptr;
    options.push_back("--min-width " + std::string(digits.data(), end));
  }
  return cut.kind + ": " + percent_text(cut.folded, cut.total) + " of " + cut.sample_type.name +
         " is in (other), cut by " + join(options, " and ") + " (0 keeps all)";
}

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
  const FormatDescription& choose_format() const;
  void check(const FormatDescription& format) const;
  ExportOptions export_options(const std::vector<std::string>& files, const ProfileSet& set) const;
  std::string done_text(const std::vector<Profile>& profiles, std::uint64_t bytes) const;

  ReadingArguments reading_;
  ProfileArguments profile_;
  CompatArguments compat_;
  Timings timings_;
  std::optional<std::string> format_;
  std::optional<std::string> title_;
  bool reverse_ = false;
  double min_width_ = 0;
  std::optional<std::uint64_t> max_nodes_;
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
  std::vector<std::pair<std::string, std::string>> formats;
  for (const FormatDescription& format : format_descriptions()) {
    std::string description(format.description);
    if (!format.endings.empty()) {
      description += " (" + join(format.endings, " ") + ")";
    }
    formats.emplace_back(format.name, description);
  }
  return definitions_text("Formats", formats) + "\n" + kinds_help() + "\n" + filters_help();
}

void ConvertCommand::add_options(CommandLine& line) {
  line.begin_group("Format");
  line.add_value("--format", "FORMAT", "output format (below); default: by the ending of OUT",
                 [this](const std::string& value) { format_ = value; });
  line.add_value("--title", "TEXT", "title of the page; only for html",
                 [this](const std::string& value) { title_ = value; });
  profile_.add_to(line, ProfileArguments::Kinds::several,
                  "a profile kind (below), may be given several times, or all; default: all, or "
                  "the first one present where the format holds one");
  compat_.add_to(line);
  line.begin_group("Tree");
  line.add_flag("--reverse", "callers below the methods they call: the tree begins at the leaves",
                reverse_);
  line.add_value("--min-width", "PERCENT", "fold nodes below this share of the total into (other)",
                 [this](const std::string& value) {
                   min_width_ = parse_decimal("--min-width", value, 0, 100);
                 });
  line.add_value(
      "--max-nodes", "N",
      "keep about the N largest nodes; 0: all; default: 1048576 for html, 16384 for other "
      "trees",
      [this](const std::string& value) {
        max_nodes_ = parse_number("--max-nodes", value, 0, ~std::uint64_t{0});
      });
  line.begin_group("Report");
  timings_.add_to(line);
  reading_.add_to(line);
}

const FormatDescription& ConvertCommand::choose_format() const {
  const FormatDescription* format = nullptr;
  const std::vector<std::string> names = format_names(false);
  if (format_) {
    format = find_format(*format_);
    if (format == nullptr) {
      throw UsageError("--format: no format is called '" + *format_ + "', the formats are " +
                       join(names, ", "));
    }
    return *format;
  }
  if (reading_.output == "-") {
    throw UsageError("--format: needed for standard output, the formats are " + join(names, ", "));
  }
  format = find_format_by_path(reading_.output);
  if (format == nullptr) {
    throw UsageError("--output: the ending of '" + reading_.output +
                     "' names no format, choose one with --format: " + join(names, ", "));
  }
  return *format;
}

void ConvertCommand::check(const FormatDescription& format) const {
  const std::string format_name(format.name);
  if (profile_.wants_several() && !format.holds_several_profiles) {
    throw UsageError("--profile: " + format_name +
                     " holds one profile; formats that hold several are " +
                     join(format_names(true), ", "));
  }
  if (title_ && format.format != Format::html) {
    throw UsageError("--title: " + format_name + " has no title, only html has");
  }
  const char* const tree_option = reverse_                     ? "--reverse"
                                  : min_width_ > 0             ? "--min-width"
                                  : max_nodes_.value_or(0) > 0 ? "--max-nodes"
                                                               : nullptr;
  compat_.check(profile_, format_name, tree_option != nullptr);
  if (tree_option != nullptr && format.format == Format::stacks) {
    throw UsageError(std::string(tree_option) + ": stacks holds every stack whole, not a tree");
  }
}

ExportOptions ConvertCommand::export_options(const std::vector<std::string>& files,
                                             const ProfileSet& set) const {
  ExportOptions options;
  options.sample_type = profile_.sample_type;
  options.max_nodes = max_nodes_;
  options.min_width = min_width_;
  options.reverse = reverse_;
  options.raw_frames = compat_.compat != Compat::none;
  std::string title = files.front() == "-" ? "standard input" : file_name(files.front());
  if (files.size() > 1) {
    title += " and " + count_text(files.size() - 1) + " more";
  }
  options.title = valid_utf8(title_.value_or(title));
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
    parts.push_back(profile.kind + " (" + counted(profile.count, "sample", "samples") + ", " +
                    counted(profile.stacks.size(), "stack", "stacks") + ")");
  }
  const auto time = std::chrono::steady_clock::now() - start_;
  return "wrote " + reading_.output + ": " + join(parts, ", ") + ", " + bytes_text(bytes) + " in " +
         duration_text(static_cast<std::uint64_t>(time.count()));
}

ExitCode ConvertCommand::execute(const std::vector<std::string>& files, Console& console) {
  reading_.check(files, console);
  profile_.check();
  const FormatDescription& format = choose_format();
  check(format);
  profile_.compat = compat_.compat;
  InputFiles inputs = open_input_files(files, reading_);
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
  const std::vector<TreeCut> cuts =
      write_profiles(output, set.profiles, format.format, export_options(files, set));
  output.commit();
  for (const TreeCut& cut : cuts) {
    if (is_worth_telling(cut)) {
      console.message(cut_text(cut));
    }
  }
  if (writes_json_numbers(format.format) && has_large_numbers(set.profiles.front())) {
    console.message(
        "numbers above 2^53 were written exactly; readers that hold JSON numbers as "
        "doubles round them");
  }
  if (reading_.output != "-") {
    console.message(done_text(set.profiles, output.bytes_written()));
  }
  timings_.report(set.statistics, reading_.thread_count(), console);
  return reading_.exit_code(set.problems);
}

}  // namespace

std::unique_ptr<Command> make_convert_command() { return std::make_unique<ConvertCommand>(); }

}  // namespace jfrtree::cli
