#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <system_error>
#include <tuple>

#include <jfrtree/profile.hpp>

#include "format/chunk_header.hpp"
#include "profile/repository_folder.hpp"

namespace jfrtree {

namespace internal {

namespace {

namespace fs = std::filesystem;

/// Start of a file's first chunk; the end of time where there is none.
[[nodiscard]] std::int64_t first_chunk_start(const std::string& path) {
  std::array<std::byte, chunk_header_bytes> bytes{};
  try {
    const auto input = open_input(path);
    std::size_t done = 0;
    while (done < bytes.size()) {
      const std::size_t got = input->read(std::span(bytes).subspan(done));
      if (got == 0) break;
      done += got;
    }
    if (done == bytes.size() && has_chunk_magic(bytes)) return parse_chunk_header(bytes).start_ns;
  } catch (const Error&) {
    // The file is opened again when its turn comes, and reported then.
  }
  return std::numeric_limits<std::int64_t>::max();
}

[[noreturn]] void throw_folder(const std::string& folder, const std::string& message) {
  Problem problem;
  problem.code = ErrorCode::io_error;
  problem.file = folder;
  problem.message = message;
  throw IoError(std::move(problem));
}

}  // namespace

std::vector<std::string> recordings_in_folder(const std::string& folder) {
  std::error_code error;
  std::vector<std::tuple<std::int64_t, std::string>> found;
  fs::directory_iterator entries(folder, error);
  for (; !error && entries != fs::directory_iterator(); entries.increment(error)) {
    const std::string path = entries->path().string();
    if (entries->path().extension() == ".jfr") found.emplace_back(first_chunk_start(path), path);
  }
  if (error) throw_folder(folder, "cannot read the folder: " + error.message());
  if (found.empty()) throw_folder(folder, "the folder holds no .jfr file");
  std::sort(found.begin(), found.end());
  std::vector<std::string> paths;
  for (const auto& [start, path] : found) paths.push_back(path);
  return paths;
}

}  // namespace internal

std::vector<Source> open_sources(std::span<const std::string> paths) {
  std::vector<Source> sources;
  for (const std::string& path : paths) {
    std::error_code error;
    if (path != "-" && std::filesystem::is_directory(path, error)) {
      for (std::string& file : internal::recordings_in_folder(path)) {
        sources.push_back({std::move(file), nullptr});
      }
    } else {
      sources.push_back({path, nullptr});
    }
  }
  return sources;
}

}  // namespace jfrtree
