// Runs the fuzz target on files, and on all files of folders, without libFuzzer.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_of(const fs::path& path) {
  if (!fs::is_directory(path)) return {path};
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

bool replay(const fs::path& file) {
  const auto size = static_cast<std::size_t>(fs::file_size(file));
  // Exactly as long as the input, so that AddressSanitizer sees the first byte read past its end.
  const auto data = std::make_unique<std::uint8_t[]>(size);
  std::ifstream stream(file, std::ios::binary);
  stream.read(reinterpret_cast<char*>(data.get()), static_cast<std::streamsize>(size));
  if (!stream) {
    std::cerr << "fuzz_replay: cannot read " << file.string() << '\n';
    return false;
  }
  std::cout << file.filename().string() << " (" << size << " bytes)" << std::endl;
  LLVMFuzzerTestOneInput(data.get(), size);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: fuzz_replay FILE_OR_FOLDER...\n";
    return 2;
  }
  std::size_t count = 0;
  for (int i = 1; i < argc; ++i) {
    std::error_code error;
    if (!fs::exists(argv[i], error)) {
      std::cerr << "fuzz_replay: no such file or folder: " << argv[i] << '\n';
      return 1;
    }
    for (const fs::path& file : files_of(argv[i])) {
      if (!replay(file)) return 1;
      ++count;
    }
  }
  std::cout << count << " inputs replayed\n";
  return count == 0 ? 1 : 0;
}
