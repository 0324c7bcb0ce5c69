#include <algorithm>
#include <string_view>
#include <utility>

#include "export/arrow/value_builders.hpp"
#include "io/seeded_map.hpp"

namespace jfrtree::internal::arrow {

namespace {

/// What a number means, by the annotation that says so in the recording.
[[nodiscard]] std::string_view annotation_of(ContentType content) noexcept {
  switch (content) {
    case ContentType::none:
      return {};
    case ContentType::timestamp_ticks:
    case ContentType::timestamp_seconds:
    case ContentType::timestamp_milliseconds:
    case ContentType::timestamp_nanoseconds:
      return "jdk.jfr.Timestamp";
    case ContentType::timespan_ticks:
    case ContentType::timespan_seconds:
    case ContentType::timespan_milliseconds:
    case ContentType::timespan_microseconds:
    case ContentType::timespan_nanoseconds:
      return "jdk.jfr.Timespan";
    case ContentType::hertz:
      return "jdk.jfr.Frequency";
    case ContentType::percentage:
      return "jdk.jfr.Percentage";
    case ContentType::memory_address:
      return "jdk.jfr.MemoryAddress";
    default:
      return "jdk.jfr.DataAmount";
  }
}

/// The names of columns. Those of a row differ; fields of an element may be called alike, of which
/// the first of a chunk is the first of another.
[[nodiscard]] std::vector<std::string> numbered_names(const std::vector<EventColumn>& columns) {
  std::vector<std::string> names;
  SeededMap<std::string, int> seen;
  for (const EventColumn& column : columns) {
    const int number = ++seen[column.name];
    names.push_back(number == 1 ? column.name : column.name + '\0' + std::to_string(number));
  }
  return names;
}

[[nodiscard]] FieldMetadata metadata_of(const EventColumn& column) {
  FieldMetadata metadata;
  if (!column.label.empty()) metadata.emplace_back("label", column.label);
  if (!column.unit().empty()) metadata.emplace_back("unit", column.unit());
  const std::string_view content = annotation_of(column.content);
  if (!content.empty()) metadata.emplace_back("content_type", content);
  return metadata;
}

/// A struct is there where one of its fields is.
void unite_validity(const Column& child, std::vector<std::uint8_t>& bits) {
  if (child.null_count == 0) {
    std::fill(bits.begin(), bits.end(), std::uint8_t{0xFF});
    return;
  }
  const auto* const valid = reinterpret_cast<const std::uint8_t*>(child.buffers[0].bytes.get());
  for (std::size_t i = 0; i < bits.size(); ++i) {
    bits[i] = static_cast<std::uint8_t>(bits[i] | valid[i]);
  }
}

}  // namespace

ColumnGroup::ColumnGroup(const std::vector<EventColumn>& columns, BatchState& state) {
  std::vector<std::string> names = numbered_names(columns);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    add(columns[i], i);
    leaves_.push_back(
        {std::move(names[i]), make_value_builder(columns[i], state), metadata_of(columns[i])});
  }
}

void ColumnGroup::add(const EventColumn& column, std::size_t leaf) {
  std::vector<Node>* siblings = &nodes_;
  const auto find = [&siblings](std::string_view name) {
    return std::find_if(siblings->begin(), siblings->end(),
                        [name](const Node& node) { return node.name == name; });
  };
  std::string name;
  for (std::size_t depth = 0; depth < column.path.size(); ++depth) {
    name += (name.empty() ? "" : ".") + column.path[depth];
    if (depth + 1 == column.path.size()) break;
    const auto known = find(name);
    // A field may be called like a struct beside it; what is below the struct then stands there by
    // its whole path.
    if (known != siblings->end() && known->children.empty()) continue;
    if (known == siblings->end()) {
      siblings->push_back({std::exchange(name, {}), absent});
      siblings = &siblings->back().children;
    } else {
      name.clear();
      siblings = &known->children;
    }
  }
  if (name.empty()) name = column.name;
  std::string unique = name;
  for (int number = 2; find(unique) != siblings->end(); ++number) {
    unique = name + "#" + std::to_string(number);
  }
  siblings->push_back({std::move(unique), leaf});
}

ColumnGroup::Positions ColumnGroup::find_positions(const std::vector<EventColumn>& columns) const {
  std::vector<std::string> names = numbered_names(columns);
  SeededMap<std::string, std::size_t> by_name;
  for (std::size_t i = 0; i < columns.size(); ++i) by_name.emplace(std::move(names[i]), i);
  Positions positions;
  for (const Leaf& leaf : leaves_) {
    const auto found = by_name.find(leaf.name);
    positions.push_back(found == by_name.end() ? absent : found->second);
  }
  return positions;
}

void ColumnGroup::begin_chunk() {
  positions_.clear();
  last_columns_ = nullptr;
  for (const Leaf& leaf : leaves_) leaf.builder->begin_chunk();
}

void ColumnGroup::append(const EventValues& values, const EventCell* cells,
                         const std::vector<EventColumn>& columns) {
  if (last_columns_ != &columns) {
    const auto [known, is_new] = positions_.try_emplace(&columns);
    if (is_new) known->second = find_positions(columns);
    last_columns_ = &columns;
    last_positions_ = &known->second;
  }
  const std::size_t* position = last_positions_->data();
  for (const Leaf& leaf : leaves_) {
    if (*position == absent) {
      leaf.builder->append_null();
    } else {
      leaf.builder->append(values, cells[*position], columns[*position]);
    }
    ++position;
  }
}

std::vector<Field> ColumnGroup::fields_of(const std::vector<Node>& nodes) const {
  std::vector<Field> fields;
  for (const Node& node : nodes) {
    Field field{node.name, "+s"};
    if (node.children.empty()) {
      field = leaves_[node.leaf].builder->field();
      field.name = node.name;
      field.metadata = leaves_[node.leaf].metadata;
    } else {
      field.children = fields_of(node.children);
    }
    fields.push_back(std::move(field));
  }
  return fields;
}

ColumnPointer make_struct(std::vector<ColumnPointer> children, std::int64_t length) {
  std::vector<std::uint8_t> bits((static_cast<std::size_t>(length) + 7) / 8);
  for (const ColumnPointer& child : children) unite_validity(*child, bits);
  ValidityBuilder validity;
  for (std::size_t i = 0; i < static_cast<std::size_t>(length); ++i) {
    if ((bits[i / 8] >> (i % 8) & 1U) != 0) {
      validity.append_valid();
    } else {
      validity.append_null();
    }
  }
  auto column = std::make_shared<Column>();
  column->length = length;
  column->null_count = static_cast<std::int64_t>(validity.null_count());
  column->buffers = {validity.finish()};
  column->children = std::move(children);
  return column;
}

ColumnPointer ColumnGroup::finish_node(const Node& node, const std::vector<ColumnPointer>& columns,
                                       std::int64_t length) {
  if (node.children.empty()) return columns[node.leaf];
  std::vector<ColumnPointer> children;
  for (const Node& child : node.children) children.push_back(finish_node(child, columns, length));
  return make_struct(std::move(children), length);
}

std::vector<ColumnPointer> ColumnGroup::finish(std::int64_t length) {
  std::vector<ColumnPointer> columns;
  for (const Leaf& leaf : leaves_) columns.push_back(leaf.builder->finish());
  std::vector<ColumnPointer> nested;
  for (const Node& node : nodes_) nested.push_back(finish_node(node, columns, length));
  return nested;
}

}  // namespace jfrtree::internal::arrow
