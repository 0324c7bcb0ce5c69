#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <pybind11/pybind11.h>

#include <jfrtree/arrow.hpp>

#include "recording.hpp"
#include "run.hpp"

namespace jfrtree::python {

/// One pass over the events of a table. Keeps the recording's inputs; for one thread at a time.
class EventPass {
 public:
  EventPass(std::shared_ptr<const Recording> recording, const EventRequest& request,
            const EventStreamOptions& options);

  void export_schema(ArrowSchema* schema) const { stream_->export_schema(schema); }
  /// The next batch; false at the end. Needs no GIL and must not be waited for by who has it, but
  /// in Python's main thread: there it takes the GIL now and then for signal handlers and
  /// `progress`.
  [[nodiscard]] bool next(ArrowArray* batch, const py::handle& progress);
  /// What was found. After the end.
  [[nodiscard]] std::vector<Problem> problems() const;

 private:
  [[nodiscard]] bool next_of_main_thread(ArrowArray* batch, const py::handle& progress);

  // In this order: the stream's thread ends before what it uses does.
  std::shared_ptr<const Recording> recording_;
  std::vector<Problem> found_;
  Work work_;
  std::unique_ptr<EventStream> stream_;
};

/// The events of some types as a table that is read when somebody asks for it, each time anew.
class EventTable {
 public:
  /// Reads metadata, to know the columns. Throws UsageError for an unknown type or column.
  EventTable(std::shared_ptr<const Recording> recording, EventRequest request,
             const FilterOptions& times, Work& work);

  [[nodiscard]] std::unique_ptr<EventPass> open() const;
  [[nodiscard]] std::uint64_t count_rows(Work& work) const;

 private:
  void check_types(const std::vector<EventSchema>& schemas, Work& work) const;

  std::shared_ptr<const Recording> recording_;
  EventRequest request_;
  EventStreamOptions options_;
};

/// Fills in a C stream over a pass.
void export_stream(std::unique_ptr<EventPass> pass, ArrowArrayStream* stream);

}  // namespace jfrtree::python
