#include "clickhouse/load/load_notes.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace jfrtree::internal {
namespace {

using clickhouse::RowRequest;

TEST_CASE("notes of a load are read as they were written") {
  LoadNotes notes;
  CHECK(to_text(notes).empty());
  notes.is_unfinished = true;
  CHECK(to_text(notes) == "unfinished");
  notes.has_process = false;
  notes.labels = 0x0a1b2c3d;
  notes.selection = 0xffffffff;
  CHECK(to_text(notes) == "unfinished no_process labels=0a1b2c3d selection=ffffffff");
  const LoadNotes read = load_notes_of(to_text(notes));
  CHECK(read.is_unfinished);
  CHECK_FALSE(read.has_process);
  CHECK(read.labels == 0x0a1b2c3d);
  CHECK(read.selection == 0xffffffff);
}

TEST_CASE("notes of older and newer programs say nothing that is not there") {
  for (const char* const text : {"", "loader host 1 2 3", "labels=xyz", "labels=", "newer=1", " "}) {
    CAPTURE(text);
    const LoadNotes notes = load_notes_of(text);
    CHECK_FALSE(notes.is_unfinished);
    CHECK(notes.has_process);
    CHECK(notes.labels == 0);
    CHECK(notes.selection == 0);
  }
  CHECK(load_notes_of("newer=1 unfinished").is_unfinished);
}

TEST_CASE("labels have one hash as long as none of them changes") {
  std::set<std::uint32_t> hashes;
  for (const std::map<std::string, std::string>& labels :
       std::vector<std::map<std::string, std::string>>{
           {}, {{"a", "b"}}, {{"ab", ""}}, {{"", "ab"}}, {{"a", "b"}, {"c", "d"}}, {{"a", "bc"}}}) {
    CHECK(labels_hash(labels) == labels_hash(labels));
    hashes.insert(labels_hash(labels));
  }
  CHECK(hashes.size() == 6);
  CHECK(hashes.count(0) == 0);
}

TEST_CASE("the hash of a selection changes with each of its parts") {
  using Change = std::function<void(RowRequest&)>;
  const auto frames = [](bool FrameOptions::*option) -> Change {
    return [option](RowRequest& request) {
      bool& value = request.samples.profile.frames.*option;
      value = !value;
    };
  };
  const auto filter = [](auto change) -> Change {
    return [change](RowRequest& request) { change(request.samples.profile.filters); };
  };
  std::vector<Change> changes = {
      [](RowRequest&) {},
      [](RowRequest& request) { request.samples.profile.kinds = {"cpu"}; },
      [](RowRequest& request) { request.samples.profile.event = "jdk.ThreadPark"; },
      [](RowRequest& request) { request.samples.profile.value_field = "timeout"; },
      [](RowRequest& request) { request.samples.bucket_ns = 1'000'000'000; },
      [](RowRequest& request) { request.samples.profile.frames.class_leaf = false; },
      [](RowRequest& request) { request.samples.profile.frames.class_leaf = true; },
      [](RowRequest& request) { request.samples.profile.frames.thread_groups = {"(a)"}; },
      filter([](FilterOptions& filters) { filters.from = {{TimePoint::Base::epoch, 5}}; }),
      filter([](FilterOptions& filters) { filters.to = {{TimePoint::Base::epoch, 5}}; }),
      filter([](FilterOptions& filters) { filters.to = {{TimePoint::Base::recording_end, 5}}; }),
      filter([](FilterOptions& filters) { filters.threads = {"a"}; }),
      filter([](FilterOptions& filters) { filters.thread_ids = {7}; }),
      filter([](FilterOptions& filters) { filters.states = {"a"}; }),
      filter([](FilterOptions& filters) { filters.min_duration_ns = 0; }),
      filter([](FilterOptions& filters) { filters.context = {{"a", "b"}}; }),
      filter([](FilterOptions& filters) { filters.spans = {"a"}; }),
      filter([](FilterOptions& filters) { filters.include = {"a"}; }),
      filter([](FilterOptions& filters) { filters.exclude = {"a"}; }),
      filter([](FilterOptions& filters) { filters.focus = {"a"}; }),
      filter([](FilterOptions& filters) { filters.skip = 1; }),
      filter([](FilterOptions& filters) { filters.depth = 0; })};
  for (bool FrameOptions::*const option :
       {&FrameOptions::truncated_frame, &FrameOptions::by_thread, &FrameOptions::fold_thread_names,
        &FrameOptions::lines, &FrameOptions::bci, &FrameOptions::signatures, &FrameOptions::simple,
        &FrameOptions::slashes, &FrameOptions::modules, &FrameOptions::frame_types,
        &FrameOptions::libraries, &FrameOptions::normalize, &FrameOptions::hide_hidden}) {
    changes.push_back(frames(option));
  }
  std::set<std::uint32_t> hashes;
  for (const Change& change : changes) {
    RowRequest request;
    change(request);
    hashes.insert(selection_hash(request));
  }
  CHECK(hashes.size() == changes.size());
}

TEST_CASE("the order in which kinds are asked for makes no other selection") {
  RowRequest one;
  RowRequest other;
  one.samples.profile.kinds = {"cpu", "alloc"};
  other.samples.profile.kinds = {"alloc", "cpu"};
  CHECK(selection_hash(one) == selection_hash(other));
}

}  // namespace
}  // namespace jfrtree::internal
