#include "cli/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include <jfrtree/error.hpp>

#include "cli/text.hpp"

namespace jfrtree::cli {
namespace {

// "-o,--output" as "-o, --output".
std::string spaced(const std::string& names) {
  std::string text;
  for (const char character : names) {
    text += character;
    if (character == ',') {
      text += ' ';
    }
  }
  return text;
}

// The long name of "-o,--output", which is how messages call an option.
std::string main_name(const std::string& names) {
  return names.substr(names.find_last_of(',') + 1);
}

}  // namespace

// CLI11 says "--output: 1 required PATH missing" and "strict was given a disallowed flag override".
std::string mismatch_text(const std::string& message) {
  const std::size_t end = message.find_first_of(": ");
  const std::string name = message.substr(0, end);
  const bool is_missing = end != std::string::npos && message[end] == ':';
  return is_missing ? name + ": needs a value" : "--" + name + ": takes no value";
}

// No positional options are declared: CLI11 would split a FILE called "[a,b]" at its comma. What
// belongs to no option is taken from the list of leftovers, which knows options from other words.
class CommandLine::Parser : public CLI::App {
 public:
  Parser() {
    allow_extras();
    set_help_flag("-h,--help", "");
  }

  [[nodiscard]] bool help_was_asked() const { return get_help_ptr()->count() > 0; }
  [[nodiscard]] const missing_t& leftovers() const { return missing_; }

  void add(const std::string& names, bool may_repeat,
           std::function<void(const std::string&)> take) {
    auto callback = [names, may_repeat, take = std::move(take)](const CLI::results_t& values) {
      if (!may_repeat && values.size() > 1) {
        throw UsageError(main_name(names) + ": given " + std::to_string(values.size()) +
                         " times, it is one value");
      }
      for (const std::string& value : values) {
        take(value);
      }
      return true;
    };
    add_option(names, std::move(callback), "")
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->allow_extra_args(false);
  }

  // "--name=" as "--name" and "": CLI11 would take the next argument for the value.
  [[nodiscard]] std::vector<std::string> with_empty_values(
      std::span<const std::string> arguments) const {
    std::vector<std::string> result;
    bool is_value = false;
    for (const std::string& argument : arguments) {
      const bool is_empty = !is_value && argument.ends_with('=') &&
                            takes_value(argument.substr(0, argument.size() - 1));
      is_value = !is_value && takes_value(argument);
      if (is_empty) {
        result.push_back(argument.substr(0, argument.size() - 1));
        result.emplace_back();
      } else {
        result.push_back(argument);
      }
    }
    return result;
  }

 private:
  [[nodiscard]] bool takes_value(const std::string& argument) const {
    const CLI::Option* const option =
        argument.starts_with('-') ? get_option_no_throw(argument) : nullptr;
    return option != nullptr && option->get_items_expected_min() > 0;
  }
};

CommandLine::CommandLine(clickhouse::EngineFactory engine)
    : engine_(std::move(engine)), parser_(std::make_unique<Parser>()) {}
CommandLine::~CommandLine() = default;

void CommandLine::describe(const std::string& names, const std::string& value_name,
                           const std::string& description) {
  options_.push_back({group_, spaced(names), value_name, description});
}

void CommandLine::add_flag(const std::string& names, const std::string& description, bool& target) {
  describe(names, "", description);
  // The callback form, since the plain one would also take `--flag=value`.
  parser_->add_flag_callback(names, [&target] { target = true; })
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
      ->disable_flag_override();
}

void CommandLine::add_switch(const std::string& name, const std::string& description,
                             std::function<void(bool)> take) {
  describe("--" + name + ",--no-" + name, "", description);
  const std::string names = "--" + name + ",!--no-" + name;
  parser_->add_flag_function(names, [take = std::move(take)](std::int64_t sum) { take(sum > 0); })
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
      ->disable_flag_override();
}

void CommandLine::add_value(const std::string& names, const std::string& value_name,
                            const std::string& description,
                            std::function<void(const std::string&)> take) {
  describe(names, value_name, description);
  parser_->add(names, false, std::move(take));
}

void CommandLine::add_values(const std::string& names, const std::string& value_name,
                             const std::string& description,
                             std::function<void(const std::string&)> take) {
  describe(names, value_name, description + " (*)");
  parser_->add(names, true, std::move(take));
}

bool CommandLine::parse(std::span<const std::string> arguments) {
  try {
    return parse_options(arguments);
  } catch (const UsageError& error) {
    throw UsageError(error.what() + file_hint(arguments));
  }
}

// Files may be called like options.
std::string CommandLine::file_hint(std::span<const std::string> arguments) const {
  const std::vector<std::string> names = option_names();
  for (const std::string& argument : arguments) {
    if (argument == "--") {
      break;
    }
    std::error_code error;
    const bool is_file = argument.size() > 1 && argument.starts_with('-') &&
                         std::find(names.begin(), names.end(), argument) == names.end() &&
                         (argument.ends_with(".jfr") || std::filesystem::exists(argument, error));
    if (is_file) {
      return "; a file called " + argument + " is given as ./" + argument + " or behind --";
    }
  }
  return {};
}

bool CommandLine::parse_options(std::span<const std::string> arguments) {
  std::vector<std::string> reversed = parser_->with_empty_values(arguments);
  // CLI11 takes the arguments from the back.
  std::reverse(reversed.begin(), reversed.end());
  try {
    parser_->parse(std::move(reversed));
  } catch (const CLI::CallForHelp&) {
    return false;
  } catch (const UsageError&) {
    if (parser_->help_was_asked()) {
      return false;
    }
    throw;
  } catch (const CLI::ArgumentMismatch& error) {
    if (parser_->help_was_asked()) {
      return false;
    }
    check_extras();
    throw UsageError(mismatch_text(error.what()));
  }
  check_extras();
  return true;
}

std::vector<std::string> CommandLine::option_names() const {
  std::vector<std::string> names;
  for (const OptionHelp& option : options_) {
    for (const std::string& name : CLI::detail::split(option.names, ',')) {
      names.push_back(CLI::detail::trim_copy(name));
    }
  }
  return names;
}

void CommandLine::check_extras() {
  files_.clear();
  for (const auto& [classifier, text] : parser_->leftovers()) {
    if (classifier == CLI::detail::Classifier::NONE) {
      files_.push_back(text);
    } else if (classifier != CLI::detail::Classifier::POSITIONAL_MARK) {
      const std::string name = text.substr(0, text.find('='));
      throw UsageError(name + ": no such option" + did_you_mean(name, option_names()));
    }
  }
}

}  // namespace jfrtree::cli
