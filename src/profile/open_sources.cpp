#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

#include <sys/stat.h>

#include <jfrtree/profile.hpp>

#include "format/chunk_header.hpp"
#include "profile/repository_folder.hpp"

namespace jfrtree {

namespace internal {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void throw_folder(const std::string& folder, const std::string& message) {
  Problem problem;
  problem.code = ErrorCode::io_error;
  problem.file = folder;
  problem.message = message;
  throw IoError(std::move(problem));
}

constexpr std::array<std::string_view, 5> recording_endings = {".jfr", ".jfr.gz", ".jfr.zst",
                                                               ".jfr.lz4", ".jfr.zip"};
constexpr std::string_view endings_text = ".jfr, .jfr.gz, .jfr.zst, .jfr.lz4 or .jfr.zip";

/// What one folder holds. Paths.
struct FolderEntries {
  std::vector<std::string> recordings;
  std::vector<std::string> passed_over;  // they have `.jfr` in their name, as copies in progress do
  std::vector<std::string> folders;
};

enum class NameKind : std::uint8_t { recording, near_recording, other };

[[nodiscard]] NameKind kind_of(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(), [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  });
  const bool is_recording =
      std::any_of(recording_endings.begin(), recording_endings.end(),
                  [&name](std::string_view ending) { return name.ends_with(ending); });
  if (is_recording) return NameKind::recording;
  return name.find(".jfr") != std::string::npos ? NameKind::near_recording : NameKind::other;
}

void add_entry(FolderEntries& entries, const fs::directory_entry& entry) {
  const std::string name = entry.path().filename().string();
  // Hidden files are the business of other programs: `._app.jfr` is no recording.
  if (name.starts_with('.')) return;
  std::error_code error;
  const fs::file_status status = entry.status(error);
  if (fs::is_directory(status)) {
    entries.folders.push_back(entry.path().string());
    return;
  }
  const NameKind kind = kind_of(name);
  if (kind == NameKind::other) return;
  // A link to nothing is reported when its turn comes. A pipe would be waited for.
  const bool is_readable = fs::is_regular_file(status) || !fs::exists(status);
  const bool is_recording = kind == NameKind::recording && is_readable;
  (is_recording ? entries.recordings : entries.passed_over).push_back(entry.path().string());
}

/// Adds what a folder holds. Throws IoError when it cannot be read.
void list_folder(const std::string& folder, FolderEntries& entries) {
  std::error_code error;
  fs::directory_iterator iterator(folder, error);
  for (; !error && iterator != fs::directory_iterator(); iterator.increment(error)) {
    add_entry(entries, *iterator);
  }
  if (error) throw_folder(folder, "cannot read the folder: " + error.message());
}

void list_subfolders(FolderEntries& entries, std::vector<Problem>& found) {
  std::vector<std::string> folders = std::move(entries.folders);
  std::sort(folders.begin(), folders.end());
  for (const std::string& folder : folders) {
    try {
      list_folder(folder, entries);
    } catch (const IoError& error) {
      found.push_back(error.problem());
    }
  }
}

/// A note that part of a folder is left out; the message ends with the name of the first of these.
[[nodiscard]] Problem left_out_note(const std::string& folder, const std::string& message,
                                    const std::vector<std::string>& paths) {
  Problem note;
  note.code = ErrorCode::left_out;
  note.severity = Severity::note;
  note.file = folder;
  note.count = paths.size();
  note.message = message + ", the first is " +
                 fs::path(*std::min_element(paths.begin(), paths.end())).filename().string();
  return note;
}

using FileIdentity = std::pair<dev_t, ino_t>;

/// What is one file under all its names; nothing for what is no regular file.
[[nodiscard]] std::optional<FileIdentity> identity_of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return FileIdentity(status.st_dev, status.st_ino);
}

/// Takes out the further names of files that have several, links before others: `latest.jfr` often
/// is a link to a recording beside it. Returns these names.
[[nodiscard]] std::vector<std::string> take_further_names(std::vector<std::string>& paths) {
  std::vector<std::pair<bool, std::string>> by_kind;
  std::error_code error;
  for (std::string& path : paths) {
    by_kind.emplace_back(fs::is_symlink(fs::path(path), error), std::move(path));
  }
  std::sort(by_kind.begin(), by_kind.end());
  paths.clear();
  std::vector<std::string> further;
  std::set<FileIdentity> seen;
  for (auto& [is_link, path] : by_kind) {
    const auto identity = identity_of(path);
    const bool is_new = !identity || seen.insert(*identity).second;
    (is_new ? paths : further).push_back(std::move(path));
  }
  return further;
}

/// Those of some folders that hold recordings. What cannot be listed was not asked for.
[[nodiscard]] std::vector<std::string> folders_with_recordings(
    const std::vector<std::string>& folders) {
  std::vector<std::string> found;
  for (const std::string& folder : folders) {
    FolderEntries entries;
    try {
      list_folder(folder, entries);
    } catch (const IoError&) {
      continue;
    }
    if (!entries.recordings.empty()) found.push_back(folder);
  }
  return found;
}

[[noreturn]] void throw_no_recordings(const std::string& folder, const FolderEntries& entries,
                                      const std::vector<Problem>& problems) {
  std::string message = "neither the folder nor a folder in it holds a file whose name ends in " +
                        std::string(endings_text);
  if (!entries.passed_over.empty()) {
    message += "; a file of another name is read when it is named itself: " +
               *std::min_element(entries.passed_over.begin(), entries.passed_over.end());
  }
  if (!problems.empty()) message += "; " + to_string(problems.front());
  throw_folder(folder, message);
}

/// A note about files that are among the sources several times; none when `found` is null.
void note_repeated_files(const std::vector<Source>& sources, std::vector<Problem>* found) {
  if (found == nullptr) return;
  Problem note;
  note.code = ErrorCode::repeated_chunk;
  note.severity = Severity::note;
  note.count = 0;
  note.message = "a file that was given more than once is counted each time";
  std::set<FileIdentity> seen;
  for (const Source& source : sources) {
    const auto identity = identity_of(source.path);
    if (!identity || seen.insert(*identity).second) continue;
    if (note.count++ == 0) note.file = source.path;
  }
  if (note.count > 0) found->push_back(std::move(note));
}

}  // namespace

bool is_recording_name(const std::string& name) {
  return !name.starts_with('.') && kind_of(name) == NameKind::recording;
}

std::int64_t first_chunk_start(const std::string& path) {
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

std::vector<std::string> recordings_in_folder(const std::string& folder,
                                              std::vector<Problem>* found) {
  std::vector<Problem> problems;
  FolderEntries entries;
  list_folder(folder, entries);
  if (entries.recordings.empty()) list_subfolders(entries, problems);
  if (entries.recordings.empty()) throw_no_recordings(folder, entries, problems);
  const auto add_note = [&](const std::string& message, const std::vector<std::string>& left_out) {
    if (!left_out.empty()) problems.push_back(left_out_note(folder, message, left_out));
  };
  add_note("files whose names do not end in " + std::string(endings_text) + " were passed over",
           entries.passed_over);
  add_note("folders in it that hold recordings too were passed over, name them to read them",
           folders_with_recordings(entries.folders));
  add_note("files that have several names here are read once; names passed over",
           take_further_names(entries.recordings));
  std::vector<std::tuple<std::int64_t, std::string>> by_start;
  for (const std::string& path : entries.recordings) {
    by_start.emplace_back(first_chunk_start(path), path);
  }
  std::sort(by_start.begin(), by_start.end());
  std::vector<std::string> paths;
  for (auto& [start, path] : by_start) paths.push_back(std::move(path));
  if (found != nullptr) found->insert(found->end(), problems.begin(), problems.end());
  return paths;
}

}  // namespace internal

std::vector<Source> open_sources(std::span<const std::string> paths, std::vector<Problem>* found) {
  std::vector<Source> sources;
  for (const std::string& path : paths) {
    std::error_code error;
    if (path != "-" && std::filesystem::is_directory(path, error)) {
      for (std::string& file : internal::recordings_in_folder(path, found)) {
        sources.push_back({std::move(file), nullptr});
      }
    } else {
      sources.push_back({path, nullptr});
    }
  }
  internal::note_repeated_files(sources, found);
  return sources;
}

}  // namespace jfrtree
