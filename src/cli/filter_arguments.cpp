#include "cli/filter_arguments.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <jfrtree/error.hpp>

#include "cli/help.hpp"
#include "cli/text.hpp"

namespace jfrtree::cli {
namespace {

constexpr std::uint64_t largest_number = std::numeric_limits<std::uint64_t>::max();

// What the library says of a value does not know the option it was given to.
template <typename Parse>
auto parsed(const char* option, const std::string& value, Parse parse) {
  try {
    return parse(value);
  } catch (const UsageError& error) {
    throw UsageError(std::string(option) + ": " + error.what());
  }
}

// An empty pattern would be found everywhere.
void add_text(CommandLine& line, const char* option, const char* value_name,
              const char* description, std::vector<std::string>& target) {
  line.add_values(option, value_name, description, [option, &target](const std::string& value) {
    if (value.empty()) {
      throw UsageError(std::string(option) + ": needs a value");
    }
    target.push_back(value);
  });
}

std::pair<std::string, std::string> parse_context(const std::string& value) {
  const std::size_t equals = value.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw UsageError("--context: '" + value + "' is not of the form NAME=VALUE, as in spanId=42");
  }
  return {value.substr(0, equals), value.substr(equals + 1)};
}

std::vector<std::pair<std::string, std::string>> time_forms() {
  return {
      {"2024-01-31T18:00:00Z", "a date and time with a zone (Z or an offset as +01:00)"},
      {"1706724000", "since 1970: seconds, or by its length ms, us or ns"},
      {"+30s, -2m", "behind the start or before the end of all inputs; ns, us, ms, s, m, h, d"},
  };
}

}  // namespace

void add_time_options(CommandLine& line, FilterOptions& options, const std::string& what) {
  line.add_values("--from", "TIME", what + " that begin at this time or later (times below)",
                  [&options](const std::string& value) {
                    options.from.push_back(parsed("--from", value, parse_time_point));
                  });
  line.add_values("--to", "TIME", what + " that begin before this time",
                  [&options](const std::string& value) {
                    options.to.push_back(parsed("--to", value, parse_time_point));
                  });
}

void FilterArguments::add_to(CommandLine& line) {
  line.begin_group("Filters");
  add_time_options(line, options, "samples");
  add_text(line, "--thread", "RE", "samples of threads whose name fits a regular expression",
           options.threads);
  line.add_values("--tid", "ID", "samples of the thread that --by-thread shows as tid=ID",
                  [this](const std::string& value) {
                    options.thread_ids.push_back(parse_number("--tid", value, 0, largest_number));
                  });
  add_text(line, "--state", "STATE", "samples in a thread state, as RUNNABLE or SLEEPING",
           options.states);
  line.add_values("--min-duration", "LENGTH", "events that last so long, as 10ms, or longer",
                  [this](const std::string& value) {
                    const std::uint64_t ns = parsed("--min-duration", value, parse_time_length);
                    options.min_duration_ns = std::min(options.min_duration_ns.value_or(ns), ns);
                  });
  line.add_values(
      "--context", "FIELD=VALUE", "samples whose field, as contextId or spanId, has a value",
      [this](const std::string& value) { options.context.push_back(parse_context(value)); });
  add_text(line, "--span", "RE", "samples inside profiler.Span events whose tag fits",
           options.spans);
  add_text(line, "--include", "RE", "stacks with a frame that fits", options.include);
  add_text(line, "--exclude", "RE", "stacks without a frame that fits", options.exclude);
  add_text(line, "--focus", "RE", "stacks with a frame that fits, from the first of these on",
           options.focus);
  line.add_value("--skip", "N", "leave out N frames at the root", [this](const std::string& value) {
    options.skip = parse_number("--skip", value, 0, largest_number);
  });
  line.add_value("--depth", "N", "keep N frames from the root", [this](const std::string& value) {
    options.depth = parse_number("--depth", value, 1, largest_number);
  });
}

std::vector<std::string> FilterArguments::given_names(bool with_cuts) const {
  std::vector<std::string> names;
  const auto add = [&names](bool is_given, const char* name) {
    if (is_given) {
      names.emplace_back(name);
    }
  };
  add(!options.from.empty(), "--from");
  add(!options.to.empty(), "--to");
  add(!options.threads.empty(), "--thread");
  add(!options.thread_ids.empty(), "--tid");
  add(!options.states.empty(), "--state");
  add(options.min_duration_ns.has_value(), "--min-duration");
  add(!options.context.empty(), "--context");
  add(!options.spans.empty(), "--span");
  add(!options.include.empty(), "--include");
  add(!options.exclude.empty(), "--exclude");
  add(!options.focus.empty(), "--focus");
  add(with_cuts && options.skip > 0, "--skip");
  add(with_cuts && options.depth, "--depth");
  return names;
}

void add_thread_options(CommandLine& line, FrameOptions& frames) {
  line.add_flag("--fold-thread-names",
                "as --by-thread, with * for digits in names and without tid=N",
                frames.fold_thread_names);
  add_text(line, "--thread-group", "RE", "as --by-thread, with the part in parentheses as the name",
           frames.thread_groups);
}

std::string filters_help() {
  std::vector<std::pair<std::string, std::string>> forms = time_forms();
  forms.emplace_back("RE",
                     "a regular expression, found anywhere in a name: ^main$ fits main alone");
  return definitions_text("Times and patterns", forms);
}

std::string times_help() { return definitions_text("Times", time_forms()); }

void report_nothing_left(const FilterArguments& filters, const ProfileSet& set,
                         const Console& console) {
  const std::vector<std::string> names = filters.given_names(false);
  const bool has_stacks =
      std::any_of(set.profiles.begin(), set.profiles.end(),
                  [](const Profile& profile) { return !profile.stacks.empty(); });
  if (!has_stacks && !names.empty()) {
    console.message("note: no sample passes " + join(names, ", ") + ": the profile is empty");
  }
}

}  // namespace jfrtree::cli
