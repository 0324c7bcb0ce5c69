#include <memory>
#include <utility>

#include <jfrtree/arrow.hpp>
#include <jfrtree/event_writers.hpp>

#include "export/arrow/event_batches.hpp"
#include "export/arrow/file_writer.hpp"

namespace jfrtree {

namespace {

using internal::arrow::EventBatchBuilder;
using internal::arrow::FileWriter;

/// Rows of a batch in a file.
constexpr std::size_t batch_rows = 65'536;

class ArrowEventWriter final : public EventWriter {
 public:
  ArrowEventWriter(Output& output, const std::vector<EventColumn>& columns, bool with_type,
                   std::uint64_t dictionary_bytes)
      : batches_(columns, with_type, batch_rows, dictionary_bytes),
        file_(output, batches_.schema()) {}

  void begin_chunk(std::span<const EventSchema> schemas) override { batches_.begin_chunk(schemas); }
  void row(const EventValues& values) override {
    batches_.append(values);
    if (batches_.is_full()) file_.write_batch(batches_.finish());
  }
  void finish() override {
    if (batches_.rows() > 0) file_.write_batch(batches_.finish());
    file_.finish();
  }

 private:
  EventBatchBuilder batches_;
  FileWriter file_;
};

}  // namespace

void write_arrow(Output& output, const ArrowTable& table) {
  FileWriter file(output, table.data().schema);
  for (const internal::arrow::ColumnPointer& batch : table.data().batches) file.write_batch(batch);
  file.finish();
}

std::unique_ptr<EventWriter> arrow_event_writer(Output& output,
                                                const std::vector<EventColumn>& columns,
                                                bool with_type, const Limits& limits) {
  return std::make_unique<ArrowEventWriter>(output, columns, with_type, limits.frame_bytes);
}

}  // namespace jfrtree
