#include "clickhouse/follow/folder_follower.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>
#include <tuple>
#include <utility>

#include "clickhouse/follow/folder_scan.hpp"
#include "format/chunk_header.hpp"
#include "io/bytes.hpp"
#include "io/hash.hpp"

namespace jfrtree::internal {

namespace {

constexpr std::size_t most_active = 16'384;
constexpr std::size_t most_open = 256;
/// Times of files are this coarse on some file systems: what changed just before it was looked at
/// may have changed again with the same time.
constexpr std::chrono::seconds coarse_time(2);

/// What the first chunk of a file is. It stays as it is once that chunk is finished.
[[nodiscard]] std::uint64_t origin_of(const FollowedFile& file) {
  std::array<std::byte, chunk_header_bytes> bytes{};
  const std::size_t count = file.read_at(0, bytes);
  return hash_bytes(as_text(std::span(bytes).first(count)), file.status().identity);
}

[[nodiscard]] std::chrono::nanoseconds age_of(const FileStatus& status) {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto age = std::chrono::duration_cast<std::chrono::nanoseconds>(now) -
                   std::chrono::nanoseconds(status.changed_ns);
  return std::max(age, std::chrono::nanoseconds(0));
}

}  // namespace

FolderFollower::FolderFollower(Options options, FollowerActions actions, StopFlag stop)
    : options_(std::move(options)), actions_(std::move(actions)), stop_(stop) {}

void FolderFollower::tell(const std::string& path, const std::string& message) {
  Problem problem;
  problem.code = ErrorCode::io_error;
  problem.file = path;
  problem.message = message;
  actions_.tell(problem);
}

void FolderFollower::look() {
  ++look_;
  has_unseen_ = false;
  see_folders();
  examine_all();
  forget_absent();
}

void FolderFollower::see_folders() {
  std::set<std::string> unreadable;
  const auto tell_once = [&](const Problem& problem) {
    if (unreadable.insert(problem.file).second && unreadable_.count(problem.file) == 0) {
      actions_.tell(problem);
    }
  };
  FolderVisitor visitor;
  visitor.folder = actions_.watch;
  visitor.problem = tell_once;
  visitor.recording = [this](const std::string& path, const FileStatus& status) {
    stop_.check();
    see(path, status);
  };
  for (const std::string& folder : options_.folders) {
    std::error_code error;
    if (!std::filesystem::exists(folder, error)) {
      Problem note;
      note.code = ErrorCode::left_out;
      note.severity = Severity::note;
      note.file = folder;
      note.message = "the folder is not there any more; it is waited for";
      tell_once(note);
      continue;
    }
    visit_recordings(folder, visitor);
  }
  unreadable_ = std::move(unreadable);
}

void FolderFollower::begin(Active& active, const FileStatus& status, const Done* done) const {
  active.status = status;
  active.changed = Clock::now() - age_of(status);
  if (done == nullptr) return;
  active.origin = done->origin;
  active.position = done->position;
  active.chunks = done->chunks;
}

void FolderFollower::see(const std::string& path, const FileStatus& status) {
  const auto done = done_.find(hash_bytes(path));
  if (done != done_.end()) {
    done.value().look = look_;
    if (done->second.fingerprint == status.fingerprint()) return;
  }
  auto found = active_.find(path);
  if (found != active_.end() && found->second.file &&
      found->second.status.identity != status.identity) {
    // Another file has taken the name; this one is read to its end.
    active_.emplace(path + '\0' + std::to_string(look_), std::move(found->second));
    active_.erase(found);
    found = active_.end();
  }
  if (found == active_.end()) {
    if (active_.size() >= most_active) {
      has_unseen_ = true;
      return;
    }
    found = active_.try_emplace(path).first;
    found->second.path = path;
    begin(found->second, status, done == done_.end() ? nullptr : &done->second);
  } else if (found->second.status != status) {
    found->second.status = status;
    found->second.changed = Clock::now();
    found->second.has_examined = false;
  }
  found->second.look = look_;
}

void FolderFollower::forget_absent() {
  for (auto entry = done_.begin(); entry != done_.end();) {
    entry = entry->second.look == look_ ? std::next(entry) : done_.erase(entry);
  }
}

void FolderFollower::examine_all() {
  is_full_ = false;
  std::vector<std::tuple<std::int64_t, std::string>> order;
  for (const auto& [key, active] : active_) order.emplace_back(active.status.changed_ns, key);
  std::sort(order.begin(), order.end());
  for (const auto& [changed, key] : order) {
    stop_.check();
    const auto found = active_.find(key);
    Active& active = found->second;
    switch (examine(active)) {
      case Outcome::done:
        close(active);
        active_.erase(found);
        break;
      case Outcome::waiting:
        if (open_files_ > most_open) close(active);
        break;
      case Outcome::full:
        active.has_examined = false;
        is_full_ = true;
        return;
    }
  }
}

bool FolderFollower::open(Active& active) {
  if (active.file) return true;
  active.file = FollowedFile::open(active.path);
  if (active.file) ++open_files_;
  return active.file != nullptr;
}

void FolderFollower::close(Active& active) {
  if (active.file) --open_files_;
  active.file.reset();
}

FolderFollower::Outcome FolderFollower::examine(Active& active) {
  const auto now = Clock::now();
  const bool is_absent = active.look != look_;
  const bool is_old = now - active.changed >= options_.settle;
  const bool is_fresh = !active.has_examined || active.examined - active.changed < coarse_time;
  if (!is_absent && !is_old && !is_fresh) return Outcome::waiting;
  active.examined = now;
  try {
    if (is_absent) return examine_absent(active);
    active.has_examined = true;
    return open(active) ? examine_present(active) : Outcome::waiting;
  } catch (const IoError& error) {
    // It may pass: the file is looked at again.
    active.has_examined = false;
    if (!std::exchange(active.has_told, true)) actions_.tell(error.problem());
    close(active);
    return is_absent ? Outcome::done : Outcome::waiting;
  } catch (const Error& error) {
    actions_.tell(error.problem());
    remember(active);
    return Outcome::done;
  }
}

/// Hands out the finished chunks behind those that were handed out. False when there is no room.
bool FolderFollower::hand_out_finished(Active& active) {
  const FinishedChunks chunks =
      find_finished_chunks(*active.file, active.position, active.status.size);
  active.has_begun_next = chunks.has_begun_next;
  if (chunks.count == 0) return true;
  const auto open_part = [file = active.file, from = active.position, to = chunks.end] {
    return part_of_file(file, from, to);
  };
  if (!actions_.take(
          {active.path, open_part, active.position, active.chunks, *chunks.first_start_ns})) {
    return false;
  }
  active.position = chunks.end;
  active.chunks += chunks.count;
  active.origin = origin_of(*active.file);
  return true;
}

/// Hands out what is behind the finished chunks, or all of a compressed file.
FolderFollower::Outcome FolderFollower::hand_out_rest(Active& active) {
  const auto open_rest = [file = active.file, from = active.position, to = active.status.size,
                          limits = options_.limits] {
    return is_compressed(*file) ? decompressed(file, to, limits) : part_of_file(file, from, to);
  };
  if (!actions_.take(
          {active.path, open_rest, active.position, active.chunks, active.status.changed_ns})) {
    return Outcome::full;
  }
  remember(active);
  return Outcome::done;
}

FolderFollower::Outcome FolderFollower::examine_present(Active& active) {
  active.status = active.file->status();
  if (is_compressed(*active.file)) return examine_compressed(active);
  const bool is_same = active.position <= active.status.size &&
                       (active.position == 0 || active.origin == origin_of(*active.file));
  if (!is_same) active.position = active.chunks = 0;
  if (!hand_out_finished(active)) return Outcome::full;
  if (active.position == active.status.size && active.position > 0) {
    remember(active);
    return Outcome::done;
  }
  return is_settled(active) ? hand_out_rest(active) : Outcome::waiting;
}

FolderFollower::Outcome FolderFollower::examine_compressed(Active& active) {
  active.position = active.chunks = 0;
  const bool is_quiet = Clock::now() - active.changed >= options_.poll;
  const FollowedFile::Writers writers = active.file->writers();
  const bool may_be_whole = writers == FollowedFile::Writers::none ||
                            (writers == FollowedFile::Writers::unknown && is_quiet);
  if (!may_be_whole) {
    active.has_examined = false;
    return Outcome::waiting;
  }
  if (is_settled(active)) return hand_out_rest(active);
  bool is_whole = false;
  try {
    is_whole =
        is_whole_stream(*decompressed(active.file, active.status.size, options_.limits), stop_);
  } catch (const Error&) {
    // Its beginning is not there yet.
  }
  return is_whole ? hand_out_rest(active) : Outcome::waiting;
}

/// A file that has left the folder. What was finished counts, and what a JVM that ended has not
/// finished.
FolderFollower::Outcome FolderFollower::examine_absent(Active& active) {
  const char* const lost = "was removed before it could be loaded";
  if (!active.file) {
    tell(active.path, lost);
    return Outcome::done;
  }
  active.status = active.file->status();
  const bool is_deleted = active.file->is_deleted();
  if (is_compressed(*active.file)) {
    if (!is_deleted) return Outcome::done;
    const auto input = decompressed(active.file, active.status.size, options_.limits);
    if (is_whole_stream(*input, stop_)) return hand_out_rest(active);
    tell(active.path, lost);
    return Outcome::done;
  }
  if (!hand_out_finished(active)) return Outcome::full;
  if (active.position == active.status.size || !is_deleted) return Outcome::done;
  if (!active.has_begun_next) {
    tell(active.path, "was removed before it was complete");
    return Outcome::done;
  }
  const FollowedFile::Writers writers = active.file->writers();
  if (writers == FollowedFile::Writers::none || is_settled(active)) return hand_out_rest(active);
  return Outcome::waiting;
}

bool FolderFollower::is_settled(const Active& active) const {
  return Clock::now() - active.changed >= options_.settle &&
         active.file->writers() != FollowedFile::Writers::some;
}

void FolderFollower::remember(const Active& active) {
  Done& done = done_[hash_bytes(active.path)];
  done = {active.status.fingerprint(), active.origin, active.position,
          static_cast<std::uint32_t>(active.chunks), look_};
}

}  // namespace jfrtree::internal
