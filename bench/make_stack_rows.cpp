// Writes rows of stacks for `jfrtree clickhouse tree`, the same in every run.
//
// Usage: make_stack_rows COUNT FOLDER
//   FOLDER gets strings.bin, ids.bin, ids32.bin, dictionary.bin and dictionary32.bin.

#include <cstdio>
#include <exception>
#include <fstream>
#include <stdexcept>
#include <string>

#include "stack_rows.hpp"

namespace {

void write_file(const std::string& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: make_stack_rows COUNT FOLDER\n", stderr);
    return 2;
  }
  try {
    const std::string folder = std::string(argv[2]) + "/";
    const auto rows = jfrtree::bench::make_stack_rows(std::stoul(argv[1]));
    write_file(folder + "strings.bin", rows.strings);
    write_file(folder + "ids.bin", rows.ids);
    write_file(folder + "ids32.bin", rows.ids32);
    write_file(folder + "dictionary.bin", rows.dictionary);
    write_file(folder + "dictionary32.bin", rows.dictionary32);
    std::printf("%zu rows, %zu frames\n", rows.rows, rows.frames);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "make_stack_rows: %s\n", error.what());
    return 1;
  }
  return 0;
}
