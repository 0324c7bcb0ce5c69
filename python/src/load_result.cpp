#include "load_result.hpp"

#include <utility>

#include "bind.hpp"
#include "errors.hpp"
#include "text.hpp"

namespace jfrtree::python {

py::dict to_dict(const SampleRowResult& read, std::vector<Problem> found) {
  found.insert(found.end(), read.problems.begin(), read.problems.end());
  py::dict samples;
  for (const auto& [kind, count] : read.samples) {
    samples[to_str(kind)] = count;
  }
  py::dict result;
  result["samples"] = samples;
  result["start_ns"] = optional_number(read.start_ns);
  result["end_ns"] = optional_number(read.end_ns);
  result["found"] = to_list(found);
  return result;
}

py::dict to_dict(const clickhouse::LoadResult& loaded, std::vector<Problem> found,
                 const std::vector<std::string>& messages) {
  py::dict result = to_dict(loaded.read, std::move(found));
  result["loaded_chunks"] = loaded.loaded_chunks;
  result["skipped_chunks"] = loaded.skipped_chunks;
  result["replaced_chunks"] = loaded.replaced_chunks;
  result["left_chunks"] = loaded.left_chunks;
  result["undone_loads"] = loaded.undone_loads;
  result["sample_rows"] = loaded.sample_rows;
  result["stack_rows"] = loaded.stack_rows;
  result["bytes"] = loaded.bytes;
  result["messages"] = to_list(messages);
  return result;
}

}  // namespace jfrtree::python
