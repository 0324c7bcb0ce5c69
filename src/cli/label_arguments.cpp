#include "cli/label_arguments.hpp"

#include <utility>

#include <jfrtree/error.hpp>

#include "cli/text.hpp"

namespace jfrtree::cli {

void LabelArguments::add_to(CommandLine& line) {
  line.begin_group("Labels");
  line.add_values("--label", "KEY=VALUE", "a label of all inputs, as service=cart",
                  [this](const std::string& value) { add_label(value); });
  line.add_value("--label-from-path", "REGEX",
                 "labels of each input from its path as given: the named groups (?P<key>...) of a "
                 "regular expression; --label counts where both name a key",
                 [this](const std::string& value) {
                   try {
                     pattern.emplace(value);
                   } catch (const UsageError& error) {
                     throw UsageError("--label-from-path: " + std::string(error.what()));
                   }
                 });
}

void LabelArguments::add_label(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) {
    throw UsageError("--label: '" + text + "' is not of the form KEY=VALUE");
  }
  if (equals == 0) {
    throw UsageError("--label: '" + text + "' has no key before its =");
  }
  const std::string value = valid_utf8(text.substr(equals + 1));
  const auto [known, is_new] = labels.emplace(valid_utf8(text.substr(0, equals)), value);
  if (!is_new && known->second != value) {
    throw UsageError("--label: " + known->first + " is given as '" + known->second + "' and as '" +
                     value + "'; an input has one value for each key");
  }
}

const char* LabelArguments::given_option() const noexcept {
  return !labels.empty() ? "--label" : pattern ? "--label-from-path" : nullptr;
}

void LabelArguments::check_format(const FormatDescription& format) const {
  if (given_option() != nullptr && format.format != Format::html) {
    throw UsageError(std::string(given_option()) + ": " + std::string(format.name) +
                     " has no place for labels, only html has");
  }
}

void LabelArguments::apply_to(InputFiles& inputs) const {
  for (Source& source : inputs.sources) {
    source.labels = labels;
    if (!pattern) {
      continue;
    }
    std::optional<Labels> taken = pattern->find_in(source.path);
    if (!taken) {
      Problem note;
      note.code = ErrorCode::bad_argument;
      note.severity = Severity::note;
      note.file = source.path;
      note.message = "--label-from-path is not found in this path, which has no labels by it";
      inputs.found.push_back(std::move(note));
      continue;
    }
    source.labels.merge(*taken);  // keeps what is there
  }
}

}  // namespace jfrtree::cli
