#include <cerrno>
#include <exception>
#include <string>

#include <jfrtree/error.hpp>

#include "errors.hpp"
#include "event_table.hpp"

namespace jfrtree::python {
namespace {

struct StreamState {
  std::unique_ptr<EventPass> pass;
  std::string error;
};

StreamState& state_of(ArrowArrayStream* stream) {
  return *static_cast<StreamState*>(stream->private_data);
}

/// Lets Python raise KeyboardInterrupt as soon as it runs again: what reads a C stream knows errors
/// alone.
int interrupted(StreamState& state) {
  state.error = "interrupted";
  PyErr_SetInterrupt();
  return EINTR;
}

int failed(StreamState& state, const char* text) {
  state.error = text;
  return EIO;
}

// An exception of Python: of a signal handler, or a warning that is an error.
int raised(StreamState& state, py::error_already_set& error) {
  const py::gil_scoped_acquire acquire;
  return error.matches(PyExc_KeyboardInterrupt) ? interrupted(state) : failed(state, error.what());
}

template <typename Function>
int guarded(ArrowArrayStream* stream, Function function) noexcept {
  StreamState& state = state_of(stream);
  try {
    function(state);
    return 0;
  } catch (py::error_already_set& error) {
    return raised(state, error);
  } catch (const Interrupted&) {
    return interrupted(state);
  } catch (const std::exception& error) {
    return failed(state, error.what());
  } catch (...) {
    return failed(state, "unknown error");
  }
}

// Of other threads than the main one the problems are known to nobody but the reader of a profile:
// they must not wait for the GIL.
void warn(const EventPass& pass) {
  const std::vector<Problem> problems = pass.problems();
  if (is_main_thread() && !problems.empty()) {
    const py::gil_scoped_acquire acquire;
    py::module_::import("jfrtree._warn").attr("warn_rows")(to_list(problems));
  }
}

int get_schema(ArrowArrayStream* stream, ArrowSchema* schema) {
  return guarded(stream, [&](StreamState& state) { state.pass->export_schema(schema); });
}

int get_next(ArrowArrayStream* stream, ArrowArray* batch) {
  return guarded(stream, [&](StreamState& state) {
    if (!state.pass->next(batch, nullptr)) {
      batch->release = nullptr;
      warn(*state.pass);
    }
  });
}

const char* get_last_error(ArrowArrayStream* stream) {
  const std::string& error = state_of(stream).error;
  return error.empty() ? nullptr : error.c_str();
}

void release(ArrowArrayStream* stream) {
  delete &state_of(stream);  // NOLINT(*-owning-memory)
  stream->release = nullptr;
}

}  // namespace

void export_stream(std::unique_ptr<EventPass> pass, ArrowArrayStream* stream) {
  *stream = {get_schema, get_next, get_last_error, release,
             new StreamState{std::move(pass), {}}};  // NOLINT(*-owning-memory)
}

}  // namespace jfrtree::python
