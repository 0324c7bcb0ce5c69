#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include <pybind11/pybind11.h>

#include <jfrtree/input.hpp>

namespace jfrtree::python {

namespace py = pybind11;

/// The bytes of a Python object, which is kept alive and cannot be resized meanwhile. May be
/// destroyed by any thread, with the GIL or without.
class Buffer {
 public:
  /// Throws BufferError or TypeError for an object that has no contiguous bytes.
  explicit Buffer(const py::handle& object);
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer();

  [[nodiscard]] std::span<const std::byte> bytes() const noexcept;

 private:
  Py_buffer view_{};
};

/// Reads a buffer, which is not copied and lives as long as the input.
[[nodiscard]] std::shared_ptr<Input> buffer_input(std::shared_ptr<const Buffer> buffer,
                                                  const std::string& name, const Limits& limits);

}  // namespace jfrtree::python
