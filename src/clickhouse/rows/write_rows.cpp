#include <utility>

#include <jfrtree/clickhouse.hpp>

#include "clickhouse/rows/sample_tables.hpp"

namespace jfrtree::clickhouse {

using internal::RowBlock;

namespace {

/// Bytes that are handed to the output at once.
constexpr std::size_t piece_bytes = std::size_t{1} << 18;

void append_block(const RowBlock& block, RowFormat format, std::string& bytes) {
  switch (format) {
    case RowFormat::native:
      internal::append_native(block, bytes);
      break;
    case RowFormat::row_binary:
      internal::append_row_binary(block, bytes);
      break;
    case RowFormat::tsv:
      internal::append_tsv(block, bytes);
      break;
    case RowFormat::json_each_row:
      internal::append_json_each_row(block, bytes);
      break;
  }
}

/// Writes the rows of chunks, blocks as full as they may be.
class RowWriter final : public SampleRowSink {
 public:
  RowWriter(Output& output, Table table, RowFormat format, const RowRequest& request)
      : output_(output),
        table_(table),
        format_(format),
        model_(request.model),
        bucket_ns_(request.samples.bucket_ns),
        block_(internal::table_columns(request.model, table)) {}

  void chunk(const SampleChunk& chunk) override {
    const auto take = [this](const RowBlock& block) { write(block); };
    if (model_ == Model::otel_profiles) {
      internal::add_otel_rows(chunk, 0, bucket_ns_, block_, take);
    } else if (table_ == Table::stacks) {
      internal::add_stack_rows(chunk, known_, block_, take);
    } else if (table_ == Table::bytes) {
      internal::add_bytes_rows(chunk, 0, block_, take);
    } else {
      internal::add_sample_rows(chunk, 0, block_, take);
    }
  }

  void finish() {
    if (block_.rows() > 0) write(block_);
    output_.write(bytes_);
  }

  RowCounts counts;

 private:
  void write(const RowBlock& block) {
    append_block(block, format_, bytes_);
    counts.rows += block.rows();
    ++counts.blocks;
    if (bytes_.size() < piece_bytes) return;
    output_.write(bytes_);
    bytes_.clear();
  }

  Output& output_;
  Table table_;
  RowFormat format_;
  Model model_;
  std::uint64_t bucket_ns_;
  RowBlock block_;
  internal::KnownStacks known_;
  std::string bytes_;
};

}  // namespace

std::optional<Model> find_model(std::string_view name) noexcept {
  if (name == "hashed") return Model::hashed;
  if (name == "otel_profiles") return Model::otel_profiles;
  return std::nullopt;
}

std::optional<Table> find_table(std::string_view name) noexcept {
  if (name == "samples") return Table::samples;
  if (name == "stacks") return Table::stacks;
  if (name == "bytes") return Table::bytes;
  return std::nullopt;
}

std::optional<RowFormat> find_row_format(std::string_view name) noexcept {
  if (name == "native") return RowFormat::native;
  if (name == "rowbinary") return RowFormat::row_binary;
  if (name == "tsv") return RowFormat::tsv;
  if (name == "jsoneachrow") return RowFormat::json_each_row;
  return std::nullopt;
}

RowCounts write_rows(Output& output, std::vector<Source> sources, Table table, RowFormat format,
                     const RowRequest& request, const ReadOptions& options) {
  internal::check_row_request(request);
  if (request.model == Model::otel_profiles && table != Table::samples) {
    throw UsageError(
        "the model otel_profiles has one table, its samples, with all that others hold");
  }
  RowWriter writer(output, table, format, request);
  SampleRowResult read = read_sample_rows(std::move(sources), request.samples, writer, options);
  writer.finish();
  writer.counts.read = std::move(read);
  return std::move(writer.counts);
}

}  // namespace jfrtree::clickhouse
