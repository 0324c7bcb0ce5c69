#include "profile/reading.hpp"

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <utility>

#include <jfrtree/chunk.hpp>
#include <jfrtree/export.hpp>
#include <jfrtree/input.hpp>
#include <jfrtree/output.hpp>

#include "profile/make_profile.hpp"

namespace jfrtree::test {

namespace {

std::vector<Source> sources_of(const std::vector<Bytes>& recordings) {
  std::vector<Source> sources;
  for (const Bytes& recording : recordings) {
    const std::string name = std::to_string(sources.size() + 1) + ".jfr";
    sources.push_back({name, memory_input(recording, name)});
  }
  return sources;
}

}  // namespace

OpenChunk::OpenChunk(Bytes bytes)
    : bytes_(std::move(bytes)), input_(memory_input(bytes_, "test")), reader_(*input_) {
  auto chunk = reader_.next();
  if (!chunk) throw std::runtime_error("the recording has no readable chunk");
  chunk_ = std::make_unique<Chunk>(std::move(*chunk));
}

ProfileSet read(const std::vector<Bytes>& recordings, const ProfileRequest& request,
                const ReadOptions& options) {
  return read_profiles(sources_of(recordings), request, options);
}

RecordingSummary summary_of(const std::vector<Bytes>& recordings, bool quick,
                            const ReadOptions& options) {
  return summarize(sources_of(recordings), quick, options);
}

ProfileSet read_file(const std::filesystem::path& path, const ProfileRequest& request,
                     const ReadOptions& options) {
  const std::vector<std::string> paths{path.string()};
  return read_profiles(paths, request, options);
}

ProfileRequest kinds(std::vector<std::string> names) {
  ProfileRequest request;
  request.kinds = std::move(names);
  return request;
}

ProfileRequest event(std::string name, std::string value_field) {
  ProfileRequest request;
  request.event = std::move(name);
  request.value_field = std::move(value_field);
  return request;
}

std::string lines_of(const Profile& profile) {
  std::string text;
  for (const Stack& stack : stacks_of(profile)) {
    std::string frames;
    for (const std::string& frame : stack.frames) frames += (frames.empty() ? "" : " > ") + frame;
    text += frames + ' ' + std::to_string(stack.count) + ' ' +
            (stack.value ? std::to_string(*stack.value) : "-") + '\n';
  }
  return text;
}

std::string lines_of(const ProfileSet& set, std::string_view kind) {
  const Profile* profile = set.find(kind);
  return profile == nullptr ? "no profile" : lines_of(*profile);
}

std::string kinds_of(const ProfileSet& set) {
  std::string text;
  for (const Profile& profile : set.profiles) text += (text.empty() ? "" : ", ") + profile.kind;
  return text;
}

std::string totals_of(const ProfileSet& set, std::string_view kind) {
  const Profile* profile = set.find(kind);
  if (profile == nullptr) return std::string(kind) + ": no profile";
  return profile->kind + ": " + std::to_string(profile->count) + ", " +
         (profile->value ? std::to_string(*profile->value) : "-") + " (" +
         std::to_string(profile->event_count) + ") " +
         profile->sample_types[profile->default_sample_type].full_name();
}

std::string left_out_of(const std::vector<LeftOut>& left_out) {
  std::string text;
  for (const LeftOut& entry : left_out) {
    text += (text.empty() ? "" : "; ") + entry.kind + ' ' + entry.event + " x" +
            std::to_string(entry.count);
  }
  return text;
}

std::string findings(const std::vector<Problem>& problems) {
  std::string all;
  for (const Problem& problem : problems) {
    std::string text(error_code_name(problem.code));
    if (problem.count != 1) text += " x" + std::to_string(problem.count);
    if (problem.chunk != 0) text += " chunk " + std::to_string(problem.chunk);
    if (problem.offset != no_position) text += " at " + std::to_string(problem.offset);
    const bool is_note = problem.severity == Severity::note;
    all += (all.empty() ? "" : "; ") + (is_note ? '[' + text + ']' : text);
  }
  return all;
}

std::string documents_of(const ProfileSet& set) {
  std::string text;
  const auto output = string_output(text);
  write_stacks(*output, set.profiles);
  for (const Profile& profile : set.profiles) {
    for (std::size_t type = 0; type < profile.sample_types.size(); ++type) {
      write_collapsed(*output, profile, type);
    }
  }
  output->commit();
  return text;
}

Bytes joined(const std::vector<Bytes>& recordings) {
  Bytes all;
  for (const Bytes& recording : recordings) append(all, recording);
  return all;
}

Bytes bytes_of(const std::filesystem::path& path) {
  const auto input = open_input(path.string());
  Bytes bytes;
  Bytes piece(std::size_t{1} << 16);
  while (const std::size_t count = input->read(piece)) {
    bytes.insert(bytes.end(), piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(count));
  }
  return bytes;
}

}  // namespace jfrtree::test
