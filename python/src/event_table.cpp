#include "event_table.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <jfrtree/time_range.hpp>

namespace jfrtree::python {
namespace {

class CountingSink final : public EventSink {
 public:
  void begin_chunk(std::span<const EventSchema>) override {}
  void row(const EventValues&) override { ++rows_; }

  [[nodiscard]] std::uint64_t rows() const noexcept { return rows_; }

 private:
  std::uint64_t rows_ = 0;
};

bool is_several(const std::vector<std::string>& types) {
  return types.size() > 1 || types.front().find('*') != std::string::npos;
}

}  // namespace

EventPass::EventPass(std::shared_ptr<const Recording> recording, const EventRequest& request,
                     const EventStreamOptions& options)
    : recording_(std::move(recording)) {
  std::vector<Source> sources = recording_->open(found_);
  stream_ = std::make_unique<EventStream>(std::move(sources), request,
                                          work_.options(recording_->options()), options);
}

bool EventPass::next(ArrowArray* batch, const py::handle& progress) {
  return is_main_thread() ? next_of_main_thread(batch, progress) : stream_->next(batch);
}

bool EventPass::next_of_main_thread(ArrowArray* batch, const py::handle& progress) {
  const py::gil_scoped_acquire acquire;
  bool has_more = false;
  const auto report = progress ? py::reinterpret_borrow<py::object>(progress) : py::none();
  run_work(report, work_, [&] { has_more = stream_->next(batch); });
  return has_more;
}

std::vector<Problem> EventPass::problems() const {
  std::vector<Problem> all = found_;
  const std::vector<Problem>& read = stream_->result().problems;
  all.insert(all.end(), read.begin(), read.end());
  return all;
}

EventTable::EventTable(std::shared_ptr<const Recording> recording, EventRequest request,
                       const FilterOptions& times, Work& work)
    : recording_(std::move(recording)), request_(std::move(request)) {
  std::vector<Problem> found;
  const ReadOptions read = work.options(recording_->options());
  const std::vector<EventSchema> schemas =
      read_event_schemas(recording_->open(found), request_.types, request_.stacks, read);
  check_types(schemas, work);
  options_.columns = unite_columns(schemas);
  options_.with_type = is_several(request_.types);
  if (times.has_time()) {
    std::vector<Source> sources = recording_->open(found);
    request_.time = resolve_time_range(sources, times, read);
  }
}

// Throws for a type that the recording does not declare.
void EventTable::check_types(const std::vector<EventSchema>& schemas, Work& work) const {
  for (const std::string& type : request_.types) {
    const bool is_there = std::any_of(schemas.begin(), schemas.end(), [&](const auto& schema) {
      return matches_event_type(type, schema.type);
    });
    if (is_there) {
      continue;
    }
    std::vector<Problem> found;
    std::vector<std::string> declared;
    const std::array<std::string, 1> any = {"*"};
    for (const EventSchema& schema : read_event_schemas(recording_->open(found), any, false,
                                                        work.options(recording_->options()))) {
      declared.push_back(schema.type);
    }
    const std::string hint = did_you_mean(type, declared);
    throw UsageError("the recording declares no event type " + type +
                     (hint.empty() ? "; event_types lists those there are" : hint));
  }
}

std::unique_ptr<EventPass> EventTable::open() const {
  return std::make_unique<EventPass>(recording_, request_, options_);
}

std::uint64_t EventTable::count_rows(Work& work) const {
  EventRequest request = request_;
  request.stacks = false;
  request.columns.clear();
  CountingSink sink;
  std::vector<Problem> found;
  static_cast<void>(
      read_events(recording_->open(found), request, sink, work.options(recording_->options())));
  return sink.rows();
}

}  // namespace jfrtree::python
