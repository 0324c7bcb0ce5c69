#include <span>
#include <utility>

#include <jfrtree/error.hpp>

#include "cli/command.hpp"
#include "cli/human.hpp"
#include "cli/output_file.hpp"
#include "cli/profile_arguments.hpp"
#include "cli/reading_arguments.hpp"
#include "cli/top_arguments.hpp"

namespace jfrtree::cli {
namespace {

class TopCommand : public Command {
 public:
  std::string_view name() const override { return "top"; }
  std::string_view summary() const override { return "lists the hottest methods of a profile"; }
  std::string_view synopsis() const override { return "FILE... [options]"; }
  std::vector<Example> examples() const override;
  std::string more_help() const override { return kinds_help() + "\n" + filters_help(); }
  void add_options(CommandLine& line) override;
  ExitCode execute(const std::vector<std::string>& files, Console& console) override;

 private:
  void check() const;

  ReadingArguments reading_;
  ProfileArguments profile_;
  TopArguments table_;
};

std::vector<Example> TopCommand::examples() const {
  return {
      {"jfrtree top app.jfr", "the 20 methods that themselves took most"},
      {"jfrtree top app.jfr -p alloc --by total -n 50",
       "the 50 methods below which most was allocated"},
      {"jfrtree top app.jfr -p lock --csv -n 0 -o locks.csv",
       "all methods that waited for a lock, exact numbers"},
  };
}

void TopCommand::add_options(CommandLine& line) {
  table_.add_to(line);
  profile_.add_to(line, ProfileArguments::Kinds::one,
                  "a profile kind (below); default: the first one present");
  reading_.add_to(line);
}

void TopCommand::check() const {
  profile_.check();
  table_.check(profile_.wants_several());
}

ExitCode TopCommand::execute(const std::vector<std::string>& files, Console& console) {
  reading_.check(files, console);
  check();
  InputFiles inputs = open_input_files(files, reading_);
  OutputFile output(reading_.output);
  const ProfileSet set = read_profiles(std::move(inputs), reading_, profile_, console);
  report_other_collapsed(set, console);
  report_idle_options(profile_.frames, std::span(set.profiles).first(1), console);
  check_sample_type(profile_.sample_type, std::span(set.profiles).first(1));
  report_unknown_values(profile_.sample_type, std::span(set.profiles).first(1), console);
  output.write(table_.text(set.profiles.front(), profile_.sample_type));
  output.commit();
  return reading_.exit_code(set.problems);
}

}  // namespace

std::unique_ptr<Command> make_top_command() { return std::make_unique<TopCommand>(); }

}  // namespace jfrtree::cli
