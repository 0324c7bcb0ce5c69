#include "file_object.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <exception>
#include <span>

#include <jfrtree/input.hpp>

#include "buffer_input.hpp"

namespace jfrtree::python {
namespace {

std::size_t read_some(const py::object& file, std::span<std::byte> target) {
  const py::object piece = file.attr("read")(target.size());
  if (piece.is_none()) {
    throw py::value_error("the file object has no bytes ready: it does not block");
  }
  if (PyObject_CheckBuffer(piece.ptr()) == 0) {
    throw py::type_error("read() of the file object gave " +
                         std::string(Py_TYPE(piece.ptr())->tp_name) +
                         ", not bytes: open the file in binary mode ('rb')");
  }
  const Buffer buffer(piece);
  const std::span<const std::byte> bytes = buffer.bytes();
  if (bytes.size() > target.size()) {
    throw py::value_error("read() of the file object gave more bytes than it was asked for");
  }
  std::copy(bytes.begin(), bytes.end(), target.begin());
  return bytes.size();
}

}  // namespace

Spool spool_file_object(const py::object& file, const std::string& name, const Limits& limits) {
  // Exceptions of Python do not pass through the library: they are kept, and the input ends.
  std::exception_ptr raised;
  const auto read = [&](std::span<std::byte> target) -> std::size_t {
    const py::gil_scoped_acquire acquire;
    try {
      return raised ? 0 : read_some(file, target);
    } catch (...) {
      raised = std::current_exception();
      return 0;
    }
  };
  try {
    const py::gil_scoped_release release;
    const std::unique_ptr<Input> input = stream_input(read, name, limits);
    Spool spool(*input);
    if (!raised) {
      return spool;
    }
  } catch (...) {
    // An input that ended too early is not why.
    if (!raised) {
      throw;
    }
  }
  std::rethrow_exception(raised);
}

}  // namespace jfrtree::python
