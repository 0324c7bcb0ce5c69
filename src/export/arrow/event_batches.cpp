#include "export/arrow/event_batches.hpp"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

namespace jfrtree::internal::arrow {

namespace {

[[nodiscard]] EventCell text_cell(std::string_view text) noexcept {
  EventCell cell;
  cell.kind = EventCell::Kind::text;
  cell.characters = text.data();
  cell.size = text.size();
  return cell;
}

[[nodiscard]] EventColumn column_of_types() {
  EventColumn column;
  column.name = "type";
  column.path = {column.name};
  column.is_constant = true;
  return column;
}

}  // namespace

EventBatchBuilder::EventBatchBuilder(const std::vector<EventColumn>& columns, bool with_type,
                                     std::size_t most_rows, std::uint64_t dictionary_bytes)
    : state_{0, dictionary_bytes},
      type_column_(column_of_types()),
      columns_(columns, state_),
      schema_{"", "+s", false},
      most_rows_(static_cast<std::int64_t>(
          std::clamp<std::size_t>(most_rows, 1, std::numeric_limits<std::int32_t>::max()))) {
  schema_.children = columns_.fields();
  if (!with_type) return;
  type_ = make_value_builder(type_column_, state_);
  for (Field& field : schema_.children) {
    if (field.name == type_column_.name) field.name += "#2";
  }
  Field type = type_->field();
  type.name = type_column_.name;
  type.is_nullable = false;
  schema_.children.insert(schema_.children.begin(), std::move(type));
}

void EventBatchBuilder::begin_chunk(std::span<const EventSchema> schemas) {
  schemas_ = schemas;
  columns_.begin_chunk();
}

void EventBatchBuilder::append(const EventValues& values) {
  const EventSchema& schema = schemas_[values.schema];
  if (type_) type_->append(values, text_cell(schema.type), type_column_);
  columns_.append(values, values.cells.data(), schema.columns);
  ++rows_;
}

ColumnPointer EventBatchBuilder::finish() {
  auto batch = std::make_shared<Column>();
  batch->length = std::exchange(rows_, 0);
  batch->buffers = {Buffer{}};
  if (type_) batch->children.push_back(type_->finish());
  for (ColumnPointer& column : columns_.finish(batch->length)) {
    batch->children.push_back(std::move(column));
  }
  state_.bytes = 0;
  return batch;
}

}  // namespace jfrtree::internal::arrow
