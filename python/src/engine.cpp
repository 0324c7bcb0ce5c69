#include "engine.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "text.hpp"

namespace jfrtree::python {
namespace {

using clickhouse::DatabaseFault;
using clickhouse::EngineFailure;

std::optional<DatabaseFault> find_fault(const std::string& name) {
  for (const DatabaseFault fault : {DatabaseFault::no_library, DatabaseFault::in_use}) {
    if (clickhouse::fault_name(fault) == name) {
      return fault;
    }
  }
  return std::nullopt;
}

/// What Python raised, as a failure of the engine. With the GIL.
EngineFailure failure_of(const py::error_already_set& error) {
  const py::object value = error.value();
  const std::string fault =
      py::hasattr(value, "fault") ? to_bytes(py::str(value.attr("fault"))) : std::string();
  return EngineFailure(to_bytes(py::str(value)), find_fault(fault));
}

/// Runs a function that calls Python, from any thread.
template <typename Call>
auto with_python(Call&& call) {
  const py::gil_scoped_acquire acquire;
  try {
    return call();
  } catch (const py::error_already_set& error) {
    throw failure_of(error);
  }
}

/// A session of the Python side.
class PythonEngine final : public clickhouse::EmbeddedEngine {
 public:
  explicit PythonEngine(SharedObject session) : session_(std::move(session)) {}
  ~PythonEngine() override {
    try {
      with_python([this] { session_->attr("close")(); });
    } catch (const EngineFailure&) {
      // It is not used any more.
    }
  }

  std::string query(const std::string& sql,
                    const std::map<std::string, std::string>& parameters) override {
    return with_python([&] {
      py::dict values;
      for (const auto& [name, value] : parameters) {
        values[to_str(name)] = to_str(value);
      }
      const py::object bytes = session_->attr("query")(py::bytes(sql), values);
      return std::string(py::reinterpret_borrow<py::bytes>(bytes));
    });
  }

  void insert(const std::string& sql, std::string_view native) override {
    with_python([&] {
      const auto view =
          py::memoryview::from_memory(native.data(), static_cast<py::ssize_t>(native.size()));
      session_->attr("insert")(py::bytes(sql), view);
    });
  }

 private:
  SharedObject session_;
};

}  // namespace

SharedObject share(py::object object) {
  return SharedObject(new py::object(std::move(object)), [](py::object* kept) {
    const py::gil_scoped_acquire acquire;
    delete kept;
  });
}

clickhouse::EngineFactory engine_factory(const py::object& engine) {
  if (engine.is_none()) {
    return {};
  }
  return [engine = share(engine)](const std::string& folder) {
    SharedObject session = with_python([&] { return share((*engine)(to_str(folder))); });
    return std::make_unique<PythonEngine>(std::move(session));
  };
}

}  // namespace jfrtree::python
