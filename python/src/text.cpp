#include "text.hpp"

namespace jfrtree::python {

py::str to_str(std::string_view text) {
  PyObject* const object =
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogateescape");
  if (object == nullptr) {
    throw py::error_already_set();
  }
  return py::reinterpret_steal<py::str>(object);
}

std::string to_bytes(const py::handle& text) {
  if (PyBytes_Check(text.ptr())) {
    return std::string(py::reinterpret_borrow<py::bytes>(text));
  }
  if (!PyUnicode_Check(text.ptr())) {
    throw py::type_error("expected str, not " + std::string(Py_TYPE(text.ptr())->tp_name));
  }
  PyObject* const bytes = PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogateescape");
  if (bytes == nullptr) {
    throw py::error_already_set();
  }
  return std::string(py::reinterpret_steal<py::bytes>(bytes));
}

std::map<std::string, std::string> to_map(const py::handle& mapping) {
  std::map<std::string, std::string> result;
  for (const auto& [key, value] : py::reinterpret_borrow<py::dict>(mapping)) {
    result.emplace(to_bytes(key), to_bytes(value));
  }
  return result;
}

}  // namespace jfrtree::python
