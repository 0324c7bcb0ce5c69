#include "arrow_rows.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "run.hpp"
#include "text.hpp"

namespace jfrtree::python {
namespace {

/// Makes datetime and timedelta objects.
class Times {
 public:
  explicit Times(bool nanoseconds) : nanoseconds_(nanoseconds) {
    const py::module_ datetime = py::module_::import("datetime");
    timedelta_ = datetime.attr("timedelta");
    epoch_ =
        datetime.attr("datetime")(1970, 1, 1, 0, 0, 0, 0, datetime.attr("timezone").attr("utc"));
  }

  [[nodiscard]] py::object length(std::int64_t ns) const {
    if (nanoseconds_) {
      return py::int_(ns);
    }
    // Rounded down, before 1970 too.
    const std::int64_t microseconds = ns / 1000 - (ns % 1000 < 0 ? 1 : 0);
    return timedelta_(0, 0, microseconds);
  }
  [[nodiscard]] py::object point(std::int64_t ns) const {
    return nanoseconds_ ? length(ns) : py::object(epoch_ + length(ns));
  }

 private:
  bool nanoseconds_;
  py::object timedelta_;
  py::object epoch_;
};

/// The values of an array as Python objects; those of a dictionary are made once.
class Column {
 public:
  Column(const ArrowSchema& schema, const ArrowArray& array, const Times& times)
      : format_(schema.format), array_(array), times_(times) {
    if (schema.dictionary != nullptr) {
      const Column texts(*schema.dictionary, *array.dictionary, times);
      for (std::int64_t i = 0; i < array.dictionary->length; ++i) {
        dictionary_.push_back(texts.value(i));
      }
      is_dictionary_ = true;
      return;
    }
    for (std::int64_t i = 0; i < schema.n_children; ++i) {
      names_.push_back(to_str(schema.children[i]->name));
      children_.emplace_back(*schema.children[i], *array.children[i], times);
    }
  }

  [[nodiscard]] py::object value(std::int64_t row) const {
    const std::int64_t index = row + array_.offset;
    if (is_null(index)) {
      return py::none();
    }
    if (is_dictionary_) {
      return dictionary_[static_cast<std::size_t>(integer(index))];
    }
    if (format_ == "+s") {
      return fields(index);
    }
    if (format_ == "+l") {
      const auto* const ends = buffer<std::int32_t>(1);
      return list(ends[index], ends[index + 1]);
    }
    if (format_ == "+L") {
      const auto* const ends = buffer<std::int64_t>(1);
      return list(ends[index], ends[index + 1]);
    }
    return plain(index);
  }

  /// A dict of the children's values.
  [[nodiscard]] py::dict fields(std::int64_t index) const {
    py::dict result;
    for (std::size_t i = 0; i < children_.size(); ++i) {
      result[names_[i]] = children_[i].value(index);
    }
    return result;
  }

 private:
  template <typename Number>
  [[nodiscard]] const Number* buffer(std::size_t number) const {
    return static_cast<const Number*>(array_.buffers[number]);
  }
  [[nodiscard]] bool bit(std::size_t buffer_number, std::int64_t index) const {
    const auto* const bits = buffer<std::uint8_t>(buffer_number);
    return ((bits[index / 8] >> (index % 8)) & 1) != 0;
  }
  [[nodiscard]] bool is_null(std::int64_t index) const {
    return array_.n_buffers > 0 && array_.buffers[0] != nullptr && !bit(0, index);
  }

  [[nodiscard]] py::object list(std::int64_t from, std::int64_t to) const {
    py::list values(static_cast<std::size_t>(to - from));
    for (std::int64_t i = from; i < to; ++i) {
      values[static_cast<std::size_t>(i - from)] = children_.front().value(i);
    }
    return values;
  }

  [[nodiscard]] std::int64_t integer(std::int64_t index) const {
    switch (format_.front()) {
      case 'c':
        return buffer<std::int8_t>(1)[index];
      case 'C':
        return buffer<std::uint8_t>(1)[index];
      case 's':
        return buffer<std::int16_t>(1)[index];
      case 'S':
        return buffer<std::uint16_t>(1)[index];
      case 'i':
        return buffer<std::int32_t>(1)[index];
      case 'I':
        return buffer<std::uint32_t>(1)[index];
      default:
        return buffer<std::int64_t>(1)[index];
    }
  }

  template <typename Offset>
  [[nodiscard]] py::object text(std::int64_t index) const {
    const auto* const ends = buffer<Offset>(1);
    const char* const bytes = buffer<char>(2);
    const auto from = static_cast<std::size_t>(ends[index]);
    const auto to = static_cast<std::size_t>(ends[index + 1]);
    return to_str(to == from ? std::string_view() : std::string_view(bytes + from, to - from));
  }

  [[nodiscard]] py::object plain(std::int64_t index) const {
    if (format_ == "tsn:UTC") {
      return times_.point(integer(index));
    }
    if (format_ == "tDn") {
      return times_.length(integer(index));
    }
    if (format_.size() == 1) {
      switch (format_.front()) {
        case 'n':
          return py::none();
        case 'b':
          return py::bool_(bit(1, index));
        case 'f':
          return py::float_(buffer<float>(1)[index]);
        case 'g':
          return py::float_(buffer<double>(1)[index]);
        case 'u':
          return text<std::int32_t>(index);
        case 'U':
          return text<std::int64_t>(index);
        case 'L':
          return py::int_(buffer<std::uint64_t>(1)[index]);
        case 'c':
        case 'C':
        case 's':
        case 'S':
        case 'i':
        case 'I':
        case 'l':
          return py::int_(integer(index));
        default:
          break;
      }
    }
    throw std::logic_error("no Python value for the Arrow type " + std::string(format_));
  }

  std::string_view format_;
  const ArrowArray& array_;
  const Times& times_;
  bool is_dictionary_ = false;
  std::vector<py::object> dictionary_;
  std::vector<py::str> names_;
  std::vector<Column> children_;
};

template <typename Content>
struct Releaser {
  void operator()(Content* content) const {
    if (content->release != nullptr) {
      content->release(content);
    }
  }
};

template <typename Content>
using Released = std::unique_ptr<Content, Releaser<Content>>;

void check(int code, ArrowArrayStream& stream) {
  if (code != 0) {
    const char* const text = stream.get_last_error(&stream);
    throw std::runtime_error(text != nullptr ? text : "the stream of batches failed");
  }
}

}  // namespace

void append_rows(py::list& rows, const ArrowSchema& schema, const ArrowArray& batch,
                 bool nanoseconds) {
  const Times times(nanoseconds);
  const Column column(schema, batch, times);
  for (std::int64_t row = 0; row < batch.length; ++row) {
    rows.append(column.fields(row));
  }
}

py::list all_rows(ArrowArrayStream& stream, bool nanoseconds) {
  const Released<ArrowArrayStream> end(&stream);
  ArrowSchema schema{};
  check(stream.get_schema(&stream, &schema), stream);
  const Released<ArrowSchema> schema_end(&schema);
  py::list rows;
  while (true) {
    ArrowArray batch{};
    const int code = run(py::none(), [&](Work&) { return stream.get_next(&stream, &batch); });
    check(code, stream);
    const Released<ArrowArray> batch_end(&batch);
    if (batch.release == nullptr) {
      return rows;
    }
    append_rows(rows, schema, batch, nanoseconds);
  }
}

}  // namespace jfrtree::python
