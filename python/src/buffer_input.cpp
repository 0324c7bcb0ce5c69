#include "buffer_input.hpp"

#include <memory>
#include <utility>

namespace jfrtree::python {
namespace {

int release_later(void* pointer) {
  const std::unique_ptr<Py_buffer> view(static_cast<Py_buffer*>(pointer));
  PyBuffer_Release(view.get());
  return 0;
}

}  // namespace

Buffer::Buffer(const py::handle& object) {
  if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_SIMPLE) != 0) {
    throw py::error_already_set();
  }
}

Buffer::~Buffer() {
  // At the end of the process Python may be gone, and its memory with it.
  if (Py_IsInitialized() == 0) {
    return;
  }
  if (PyGILState_Check() == 1) {
    PyBuffer_Release(&view_);
    return;
  }
  // Whoever has the GIL may wait for this thread: Python is asked to do it later, if it can.
  auto later = std::make_unique<Py_buffer>(view_);
  if (Py_AddPendingCall(release_later, later.get()) == 0) {
    static_cast<void>(later.release());
    return;
  }
  const py::gil_scoped_acquire acquire;
  PyBuffer_Release(later.get());
}

std::span<const std::byte> Buffer::bytes() const noexcept {
  return {static_cast<const std::byte*>(view_.buf), static_cast<std::size_t>(view_.len)};
}

std::shared_ptr<Input> buffer_input(std::shared_ptr<const Buffer> buffer, const std::string& name,
                                    const Limits& limits) {
  std::shared_ptr<Input> input = memory_input(buffer->bytes(), name, limits);
  Input* const pointer = input.get();
  auto owners = std::make_shared<std::pair<std::shared_ptr<const Buffer>, std::shared_ptr<Input>>>(
      std::move(buffer), std::move(input));
  return std::shared_ptr<Input>(std::move(owners), pointer);
}

}  // namespace jfrtree::python
