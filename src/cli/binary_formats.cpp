#include "cli/binary_formats.hpp"

#include <unistd.h>

#include <jfrtree/error.hpp>

namespace jfrtree::cli {

void refuse_parquet(const std::optional<std::string>& format, const std::string& output) {
  if (format ? *format != "parquet" : !output.ends_with(".parquet")) {
    return;
  }
  throw UsageError(
      std::string(format ? "--format" : "--output") +
      ": parquet needs the Python package, pip install 'jfrtree[arrow]'; write OUT.arrow, then: "
      "python3 -c 'import pyarrow.feather as f, pyarrow.parquet as p; "
      "p.write_table(f.read_table(\"OUT.arrow\"), \"OUT.parquet\")'");
}

void refuse_terminal(const std::string& format, const std::string& output) {
  if (output == "-" && isatty(STDOUT_FILENO) == 1) {
    throw UsageError("--format: " + format +
                     " is binary, nothing for a terminal; name a file with -o, or write to a pipe");
  }
}

}  // namespace jfrtree::cli
