#include "export/arrow/table.hpp"

#include <cerrno>
#include <exception>
#include <utility>

namespace jfrtree {

namespace {

using internal::ArrowTableData;

/// A stream over the batches of a table.
struct TableStream {
  std::shared_ptr<const ArrowTableData> data;
  std::size_t next = 0;
};

[[nodiscard]] TableStream& state_of(ArrowArrayStream* stream) noexcept {
  return *static_cast<TableStream*>(stream->private_data);
}

/// Runs what may throw; C code must not see exceptions. Only memory can be short here.
template <typename Work>
[[nodiscard]] int run(Work work) noexcept {
  try {
    work();
    return 0;
  } catch (const std::exception&) {
    return ENOMEM;
  }
}

int get_schema(ArrowArrayStream* stream, ArrowSchema* schema) {
  TableStream& state = state_of(stream);
  return run([&] { internal::arrow::export_field(state.data->schema, schema); });
}

int get_next(ArrowArrayStream* stream, ArrowArray* array) {
  TableStream& state = state_of(stream);
  return run([&] {
    if (state.next == state.data->batches.size()) {
      *array = {};
      return;
    }
    internal::arrow::export_column(state.data->batches[state.next], array);
    ++state.next;
  });
}

const char* get_last_error(ArrowArrayStream* /*stream*/) { return "out of memory"; }

void release(ArrowArrayStream* stream) {
  delete &state_of(stream);
  stream->private_data = nullptr;
  stream->release = nullptr;
}

}  // namespace

std::shared_ptr<internal::arrow::Column> internal::arrow::plain_column(
    std::size_t length, ValidityBuilder& validity, std::vector<Buffer> buffers) {
  auto column = std::make_shared<Column>();
  column->length = static_cast<std::int64_t>(length);
  column->null_count = static_cast<std::int64_t>(validity.null_count());
  column->buffers.reserve(buffers.size() + 1);
  column->buffers.push_back(validity.finish());
  for (Buffer& buffer : buffers) column->buffers.push_back(std::move(buffer));
  return column;
}

ArrowTable::ArrowTable(std::shared_ptr<const ArrowTableData> data) noexcept
    : data_(std::move(data)) {}

std::int64_t ArrowTable::rows() const noexcept {
  std::int64_t rows = 0;
  for (const internal::arrow::ColumnPointer& batch : data_->batches) rows += batch->length;
  return rows;
}

std::size_t ArrowTable::column_count() const noexcept { return data_->schema.children.size(); }

std::string_view ArrowTable::column_name(std::size_t column) const {
  return data_->schema.children.at(column).name;
}

void ArrowTable::export_schema(ArrowSchema* schema) const {
  internal::arrow::export_field(data_->schema, schema);
}

void ArrowTable::export_stream(ArrowArrayStream* stream) const {
  auto state = std::make_unique<TableStream>();
  state->data = data_;
  *stream = {get_schema, get_next, get_last_error, release, state.release()};
}

}  // namespace jfrtree
