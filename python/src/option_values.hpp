#pragma once

#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <pybind11/pybind11.h>

#include <jfrtree/error.hpp>

#include "text.hpp"

// How values are taken out of the dicts of `options.hpp`.

namespace jfrtree::python {

namespace py = pybind11;

/// The value of a key, or nothing where there is none or it is None.
inline std::optional<py::object> find(const py::dict& options, const char* key) {
  if (!options.contains(key)) {
    return std::nullopt;
  }
  py::object value = options[key];
  return value.is_none() ? std::nullopt : std::optional(std::move(value));
}

/// The value as C++ has it; a TypeError that names the option where that cannot be.
template <typename Type>
Type cast(const py::handle value, const std::string& option) {
  try {
    return value.cast<Type>();
  } catch (const py::cast_error&) {
    throw py::type_error(option + ": " + std::string(py::repr(value)) + " is no " +
                         (std::is_same_v<Type, bool> ? "bool" : "number that fits"));
  }
}

template <typename Type>
void take(const py::dict& options, const char* key, Type& target) {
  if (const auto value = find(options, key)) {
    target = cast<Type>(*value, key);
  }
}

template <typename Type>
void take(const py::dict& options, const char* key, std::optional<Type>& target) {
  if (const auto value = find(options, key)) {
    target = cast<Type>(*value, key);
  }
}

inline void take(const py::dict& options, const char* key, std::string& target) {
  if (const auto value = find(options, key)) {
    target = to_bytes(*value);
  }
}

inline void take(const py::dict& options, const char* key, std::vector<std::string>& target) {
  if (const auto value = find(options, key)) {
    for (const py::handle item : *value) {
      target.push_back(to_bytes(item));
    }
  }
}

/// What the library says of a value does not know the option it was given to.
template <typename Parse>
auto parsed(const char* option, const std::string& text, Parse parse) {
  try {
    return parse(text);
  } catch (const UsageError& error) {
    throw UsageError(std::string(option) + ": " + error.what());
  }
}

}  // namespace jfrtree::python
