#include "output.hpp"

#include <memory>

namespace jfrtree::python {
namespace {

/// Lets a stop be seen where nothing but writing goes on.
class CheckedOutput final : public Output {
 public:
  CheckedOutput(std::unique_ptr<Output> output, Work& work)
      : output_(std::move(output)), work_(work) {}

  void write(std::string_view bytes) override {
    work_.check();
    output_->write(bytes);
  }
  void commit() override {
    work_.check();
    output_->commit();
  }

 private:
  std::unique_ptr<Output> output_;
  Work& work_;
};

}  // namespace

py::object write_output(const std::optional<std::string>& path,
                        const std::function<void(Output&)>& write) {
  return write_output(path, py::none(), [&](Output& output, Work&) { write(output); });
}

py::object write_output(const std::optional<std::string>& path, const py::object& progress,
                        const std::function<void(Output&, Work&)>& write) {
  std::string bytes;
  Work work;
  run_work(progress, work, [&] {
    CheckedOutput output(path ? open_output(*path, &work.stop()) : string_output(bytes), work);
    write(output, work);
    output.commit();
  });
  return path ? py::object(py::none()) : py::object(py::bytes(bytes));
}

}  // namespace jfrtree::python
