#include <jfrtree/event_writers.hpp>

#include <algorithm>
#include <string_view>
#include <utility>

#include "export/event_cells.hpp"
#include "export/json_text.hpp"
#include "io/seeded_map.hpp"

namespace jfrtree {

namespace {

/// Bytes that are gathered before they are handed to the output.
constexpr std::size_t buffer_bytes = std::size_t{1} << 18;

/// Where the columns of an output are found in the rows of one schema.
constexpr std::uint32_t absent = ~std::uint32_t{0};

/// Positions of `columns` in a schema, by name.
[[nodiscard]] std::vector<std::uint32_t> positions_in(const EventSchema& schema,
                                                      const std::vector<EventColumn>& columns) {
  internal::SeededMap<std::string, std::uint32_t> by_name;
  for (std::uint32_t i = 0; i < schema.columns.size(); ++i) {
    by_name.emplace(schema.columns[i].name, i);
  }
  std::vector<std::uint32_t> positions;
  for (const EventColumn& column : columns) {
    const auto found = by_name.find(column.name);
    positions.push_back(found == by_name.end() ? absent : found->second);
  }
  return positions;
}

/// Gathers rows of text in a buffer.
class RowWriter : public EventWriter {
 public:
  explicit RowWriter(Output& output) : output_(output) {}

  void finish() final {
    output_.write(buffer_);
    buffer_.clear();
  }

 protected:
  void end_row(std::string_view line_end) {
    buffer_ += line_end;
    if (buffer_.size() >= buffer_bytes) finish();
  }

  internal::CellText cells_;
  std::string buffer_;

 private:
  Output& output_;
};

class JsonlWriter final : public RowWriter {
 public:
  JsonlWriter(Output& output, std::optional<std::vector<EventColumn>> columns)
      : RowWriter(output), columns_(std::move(columns)) {}

  void begin_chunk(std::span<const EventSchema> schemas) override;
  void row(const EventValues& values) override;

 private:
  struct Part {
    std::string prefix;  ///< what stands in front of the value: `,"name":`
    std::uint32_t position;
  };
  struct Shape {
    const EventSchema* schema;
    std::string begin;  ///< `{"type":"…"`
    std::vector<Part> parts;
  };

  std::optional<std::vector<EventColumn>> columns_;
  std::vector<Shape> shapes_;
};

void JsonlWriter::begin_chunk(std::span<const EventSchema> schemas) {
  cells_.begin_chunk();
  shapes_.clear();
  for (const EventSchema& schema : schemas) {
    Shape shape{&schema, "{\"type\":", {}};
    internal::append_json_string(shape.begin, schema.type);
    const std::vector<EventColumn>& columns = columns_ ? *columns_ : schema.columns;
    const std::vector<std::uint32_t> positions = positions_in(schema, columns);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      Part part{",", positions[i]};
      const std::string& name = columns[i].name;
      internal::append_json_string(part.prefix, name == "type" ? "type#2" : name);
      part.prefix += ':';
      shape.parts.push_back(std::move(part));
    }
    shapes_.push_back(std::move(shape));
  }
}

void JsonlWriter::row(const EventValues& values) {
  const Shape& shape = shapes_[values.schema];
  buffer_ += shape.begin;
  for (const Part& part : shape.parts) {
    buffer_ += part.prefix;
    if (part.position == absent) {
      buffer_ += "null";
    } else {
      cells_.append_json(buffer_, values, values.cells[part.position],
                         shape.schema->columns[part.position]);
    }
  }
  end_row("}\n");
}

class CsvWriter final : public RowWriter {
 public:
  CsvWriter(Output& output, std::vector<EventColumn> columns, bool with_type)
      : RowWriter(output), columns_(std::move(columns)), with_type_(with_type) {
    if (with_type_) buffer_ += "type";
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (i > 0 || with_type_) buffer_ += ',';
      const std::string& name = columns_[i].name;
      internal::append_csv_text(buffer_, with_type_ && name == "type" ? "type#2" : name);
    }
    buffer_ += "\r\n";
  }

  void begin_chunk(std::span<const EventSchema> schemas) override;
  void row(const EventValues& values) override;

 private:
  struct Shape {
    const EventSchema* schema;
    std::string type;  ///< as a field
    std::vector<std::uint32_t> positions;
  };

  std::vector<EventColumn> columns_;
  bool with_type_;
  std::vector<Shape> shapes_;
};

void CsvWriter::begin_chunk(std::span<const EventSchema> schemas) {
  cells_.begin_chunk();
  shapes_.clear();
  for (const EventSchema& schema : schemas) {
    Shape shape{&schema, {}, positions_in(schema, columns_)};
    internal::append_csv_text(shape.type, schema.type);
    shapes_.push_back(std::move(shape));
  }
}

void CsvWriter::row(const EventValues& values) {
  const Shape& shape = shapes_[values.schema];
  const std::size_t start = buffer_.size();
  if (with_type_) buffer_ += shape.type;
  bool is_first = !with_type_;
  for (const std::uint32_t position : shape.positions) {
    if (!is_first) buffer_ += ',';
    is_first = false;
    if (position == absent) continue;
    cells_.append_csv(buffer_, values, values.cells[position], shape.schema->columns[position]);
  }
  // An empty line would be no row at all for most readers.
  if (buffer_.size() == start) buffer_ += "\"\"";
  end_row("\r\n");
}

}  // namespace

std::unique_ptr<EventWriter> jsonl_event_writer(Output& output,
                                                std::optional<std::vector<EventColumn>> columns) {
  return std::make_unique<JsonlWriter>(output, std::move(columns));
}

std::unique_ptr<EventWriter> csv_event_writer(Output& output, std::vector<EventColumn> columns,
                                              bool with_type) {
  return std::make_unique<CsvWriter>(output, std::move(columns), with_type);
}

}  // namespace jfrtree
