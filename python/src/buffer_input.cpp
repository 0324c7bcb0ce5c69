#include "buffer_input.hpp"

#include <utility>

namespace jfrtree::python {

Buffer::Buffer(const py::handle& object) {
  if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_SIMPLE) != 0) {
    throw py::error_already_set();
  }
}

Buffer::~Buffer() {
  // At the end of the process Python may be gone, and its memory with it.
  if (Py_IsInitialized() != 0) {
    const py::gil_scoped_acquire acquire;
    PyBuffer_Release(&view_);
  }
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
