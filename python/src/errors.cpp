#include "errors.hpp"

#include <exception>
#include <string>

#include <jfrtree/clickhouse_database.hpp>
#include <jfrtree/output.hpp>

#include "text.hpp"

namespace jfrtree::python {
namespace {

void set_error(const char* name, const Error& error, std::string_view fault = {}) {
  try {
    const py::object make = py::module_::import("jfrtree._errors").attr("_from_core");
    const py::object exception = make(name, *to_tuple(error.problem()), to_str(fault));
    PyErr_SetObject(py::type::handle_of(exception).ptr(), exception.ptr());
  } catch (py::error_already_set& failure) {
    failure.restore();
  }
}

void translate(std::exception_ptr thrown) {
  if (!thrown) {
    return;
  }
  try {
    std::rethrow_exception(thrown);
  } catch (const FormatError& error) {
    set_error("FormatError", error);
  } catch (const LimitError& error) {
    set_error("LimitError", error);
  } catch (const IoError& error) {
    set_error("IoError", error);
  } catch (const ProfileNotFound& error) {
    set_error("ProfileNotFound", error);
  } catch (const UsageError& error) {
    set_error("UsageError", error);
  } catch (const clickhouse::DatabaseError& error) {
    set_error("DatabaseError", error, clickhouse::fault_name(error.fault()));
  } catch (const Error& error) {
    set_error("Error", error);
  } catch (const ClosedPipe& error) {
    PyErr_SetString(PyExc_BrokenPipeError, error.what());
  } catch (const Interrupted&) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
  }
}

}  // namespace

void register_errors() { py::register_exception_translator(translate); }

py::tuple to_tuple(const Problem& problem) {
  const auto known = [](bool is_known, std::uint64_t number) {
    return optional_number(is_known ? std::optional(number) : std::nullopt);
  };
  return py::make_tuple(
      to_str(error_code_name(problem.code)),
      problem.severity == Severity::note ? "note" : "problem",
      problem.file.empty() ? py::object(py::none()) : py::object(to_str(problem.file)),
      known(problem.chunk != 0, problem.chunk),
      known(problem.offset != no_position, problem.offset), problem.count, to_str(problem.message),
      to_str(to_string(problem)));
}

py::list to_list(std::span<const Problem> problems) {
  py::list list;
  for (const Problem& problem : problems) {
    list.append(to_tuple(problem));
  }
  return list;
}

}  // namespace jfrtree::python
