#include "clickhouse/follow/folder_scan.hpp"

#include <filesystem>
#include <system_error>
#include <utility>

#include <sys/stat.h>

#include "profile/repository_folder.hpp"

namespace jfrtree::internal {

namespace {

namespace fs = std::filesystem;

constexpr int most_depth = 16;

[[nodiscard]] bool is_gone(const std::error_code& error) {
  return error == std::errc::no_such_file_or_directory;
}

[[nodiscard]] Problem folder_problem(const std::string& folder, const std::error_code& error) {
  Problem problem;
  problem.code = ErrorCode::io_error;
  problem.file = folder;
  problem.message = "cannot read the folder: " + error.message();
  return problem;
}

}  // namespace

void visit_recordings(const std::string& folder, const FolderVisitor& visitor) {
  std::vector<std::pair<std::string, int>> folders = {{folder, 0}};
  while (!folders.empty()) {
    const auto [path, depth] = std::move(folders.back());
    folders.pop_back();
    visitor.folder(path);
    std::error_code error;
    fs::directory_iterator entries(path, error);
    for (; !error && entries != fs::directory_iterator(); entries.increment(error)) {
      const std::string name = entries->path().filename().string();
      if (name.starts_with('.')) continue;
      std::error_code ignored;
      const bool is_link = entries->is_symlink(ignored);
      if (!is_link && entries->is_directory(ignored)) {
        if (depth < most_depth) folders.emplace_back(entries->path().string(), depth + 1);
        continue;
      }
      if (!is_recording_name(name)) continue;
      struct stat status {};
      const std::string& file = entries->path().native();
      if (::stat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
      visitor.recording(file, FileStatus(status));
    }
    if (error && !is_gone(error)) visitor.problem(folder_problem(path, error));
  }
}

}  // namespace jfrtree::internal
