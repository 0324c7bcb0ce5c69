#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <pybind11/pybind11.h>

#include <jfrtree/profile.hpp>
#include <jfrtree/spool.hpp>

#include "buffer_input.hpp"

namespace jfrtree::python {

namespace py = pybind11;

/// Inputs that are read as often as somebody asks, each time anew: nothing of what was read is
/// kept. After the last `add` all members are const and may be called by several threads.
class Recording {
 public:
  explicit Recording(ReadOptions options) : options_(std::move(options)) {}

  using Labels = std::map<std::string, std::string>;

  /// A file or folder; opened when it is read.
  void add_path(const std::string& path, Labels labels);
  /// Bytes of an object, which is kept.
  void add_buffer(const py::handle& object, const std::string& name, Labels labels);
  /// A file object, which is read to its end now.
  void add_file_object(const py::object& file, const std::string& name, Labels labels);

  /// Throws FormatError when there is one input and it is empty or begins as nothing that is read.
  void check_start(const std::atomic<bool>& stop) const;

  /// Sources for one pass; `found` takes what was found on the way to them.
  [[nodiscard]] std::vector<Source> open(std::vector<Problem>& found) const;

  [[nodiscard]] const ReadOptions& options() const noexcept { return options_; }
  [[nodiscard]] std::size_t size() const noexcept { return inputs_.size(); }

 private:
  struct RecordingInput {
    std::string name;  // of a path: the path
    Labels labels;
    std::shared_ptr<const Buffer> buffer;
    std::optional<Spool> spool;
  };

  [[nodiscard]] std::vector<Source> open_one(const RecordingInput& input,
                                             std::vector<Problem>& found) const;

  ReadOptions options_;
  std::vector<RecordingInput> inputs_;
};

}  // namespace jfrtree::python
