#include "cli/input_files.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include <jfrtree/input.hpp>

#include "cli/standard_input.hpp"

namespace jfrtree::cli {
namespace {

using FileIdentity = std::pair<dev_t, ino_t>;

// Nothing for what is not there, and for devices and pipes: these are not destroyed by writing.
std::optional<FileIdentity> regular_file(const std::string& path, int standard_descriptor) {
  struct stat status {};
  const int result =
      path == "-" ? fstat(standard_descriptor, &status) : stat(path.c_str(), &status);
  if (result != 0 || !S_ISREG(status.st_mode)) {
    return std::nullopt;
  }
  return FileIdentity(status.st_dev, status.st_ino);
}

void check_output(const std::string& output, const std::vector<Source>& sources) {
  const std::optional<FileIdentity> written = regular_file(output, STDOUT_FILENO);
  if (!written) {
    return;
  }
  for (const Source& source : sources) {
    if (regular_file(source.path, STDIN_FILENO) == written) {
      const std::string name = output == "-" ? "standard output" : "'" + output + "'";
      const std::string input =
          source.path == "-" ? "standard input" : "the input '" + source.path + "'";
      throw UsageError("--output: " + name + " is the same file as " + input +
                       ", which would be overwritten; choose another name");
    }
  }
}

}  // namespace

InputFiles open_input_files(const std::vector<std::string>& files,
                            const ReadingArguments& reading) {
  InputFiles inputs;
  inputs.sources = sources_for(files, inputs.found);
  check_output(reading.output, inputs.sources);
  for (const Problem& problem : inputs.found) {
    if (reading.strict && problem.severity == Severity::problem) {
      throw FormatError(problem);
    }
  }
  return inputs;
}

void check_any_exists(const InputFiles& inputs) {
  const auto may_be_there = [](const Source& source) {
    std::error_code error;
    return source.input != nullptr || source.path == "-" ||
           std::filesystem::exists(source.path, error);
  };
  const std::vector<Source>& sources = inputs.sources;
  if (!sources.empty() && std::none_of(sources.begin(), sources.end(), may_be_there)) {
    (void)open_input(sources.front().path);  // says why
  }
}

}  // namespace jfrtree::cli
