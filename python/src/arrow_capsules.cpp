#include "arrow_capsules.hpp"

#include <memory>

namespace jfrtree::python {
namespace {

template <typename Content>
void release_content(PyObject* capsule) {
  auto* const content =
      static_cast<Content*>(PyCapsule_GetPointer(capsule, PyCapsule_GetName(capsule)));
  if (content->release != nullptr) {
    content->release(content);
  }
  delete content;  // NOLINT(*-owning-memory)
}

template <typename Content>
py::capsule make_capsule(const char* name, const std::function<void(Content*)>& fill) {
  auto content = std::make_unique<Content>();
  fill(content.get());
  PyObject* const capsule = PyCapsule_New(content.get(), name, release_content<Content>);
  if (capsule == nullptr) {
    content->release(content.get());
    throw py::error_already_set();
  }
  static_cast<void>(content.release());
  return py::reinterpret_steal<py::capsule>(capsule);
}

}  // namespace

py::capsule schema_capsule(const std::function<void(ArrowSchema*)>& fill) {
  return make_capsule<ArrowSchema>("arrow_schema", fill);
}

py::capsule stream_capsule(const std::function<void(ArrowArrayStream*)>& fill) {
  return make_capsule<ArrowArrayStream>("arrow_array_stream", fill);
}

}  // namespace jfrtree::python
