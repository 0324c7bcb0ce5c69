#include "clickhouse/rows/sample_tables.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "io/xxh64.hpp"
#include "profile/saturating_add.hpp"

namespace jfrtree {

namespace internal {

namespace {

using clickhouse::Model;
using clickhouse::Table;

constexpr std::int64_t nanoseconds_per_second = 1'000'000'000;
constexpr std::uint64_t seconds_per_hour = 3'600;
constexpr std::uint64_t seconds_per_day = 86'400;

/// Columns of the tables of samples and of bytes, by position.
enum SampleColumn : std::size_t {
  sample_service,
  sample_kind,
  sample_ts,
  sample_stack,
  sample_process,
  sample_thread,
  sample_labels,
  sample_load,
  sample_count,
  sample_value,
  bytes_number = sample_count,
};

enum StackColumn : std::size_t { stack_service, stack_hash_column, stack_frames, stack_seen };

/// Seconds since the epoch as a DateTime holds them; times before and after stay at its bounds.
[[nodiscard]] std::uint64_t date_time(std::int64_t time_ns) {
  const std::int64_t seconds = time_ns / nanoseconds_per_second;
  constexpr std::int64_t last = std::numeric_limits<std::uint32_t>::max();
  return static_cast<std::uint64_t>(std::clamp<std::int64_t>(seconds, 0, last));
}

void flush_if_full(RowBlock& block, const TakeBlock& take) {
  if (block.rows() < most_block_rows && block.items() < most_block_items) return;
  take(block);
  block.clear();
}

/// Writes what the rows of samples, hours and bytes have in common: all but their numbers. The
/// texts of a chunk are few: their places in the dictionaries of the block are kept.
class KeyWriter {
 public:
  KeyWriter(const SampleChunk& chunk, std::uint64_t load_id, RowBlock& block)
      : chunk_(chunk),
        service_text_(service_of(chunk)),
        process_(clickhouse::process_hash(chunk)),
        load_id_(load_id),
        block_(block),
        kinds_(chunk.kinds.size(), not_there),
        threads_(chunk.threads.size(), not_there) {
    for (const auto& label : chunk.place.source->labels) {
      if (label.first != "service") labels_.push_back({&label, not_there, not_there});
    }
  }

  void add(const SampleRow& row) {
    add(row.kind, date_time(row.bucket_start_ns), row.stack);
    block_[sample_process].add_number(process_);
    block_[sample_thread].items.push_back(
        place_of(threads_[row.thread], chunk_.threads[row.thread], sample_thread));
  }

  /// Of all processes and threads.
  void add_hour(std::uint32_t kind, std::uint64_t hour, std::uint32_t stack) {
    add(kind, hour * seconds_per_hour, stack);
    block_[sample_process].add_number(0);
    block_[sample_thread].items.push_back(place_of(no_thread_, "", sample_thread));
  }

 private:
  static constexpr std::uint32_t not_there = ~std::uint32_t{0};

  struct Label {
    const std::pair<const std::string, std::string>* texts;
    std::uint32_t key;
    std::uint32_t value;
  };

  std::uint32_t place_of(std::uint32_t& place, std::string_view text, SampleColumn column) {
    if (place == not_there) place = block_[column].texts.add(text);
    return place;
  }

  void forget_places() {
    service_ = no_thread_ = not_there;
    std::fill(kinds_.begin(), kinds_.end(), not_there);
    std::fill(threads_.begin(), threads_.end(), not_there);
    for (Label& label : labels_) label.key = label.value = not_there;
  }

  void add(std::uint32_t kind, std::uint64_t seconds, std::uint32_t stack) {
    if (block_.rows() == 0) forget_places();
    block_[sample_service].items.push_back(place_of(service_, service_text_, sample_service));
    block_[sample_kind].items.push_back(
        place_of(kinds_[kind], chunk_.kinds[kind].name, sample_kind));
    block_[sample_ts].add_number(seconds);
    block_[sample_stack].add_number(chunk_.stacks[stack].hash);
    Column& labels = block_[sample_labels];
    for (Label& label : labels_) {
      labels.items.push_back(place_of(label.key, label.texts->first, sample_labels));
      labels.values.push_back(place_of(label.value, label.texts->second, sample_labels));
    }
    labels.end_list();
    block_[sample_load].add_number(load_id_);
  }

  const SampleChunk& chunk_;
  std::string_view service_text_;
  std::uint64_t process_;
  std::uint64_t load_id_;
  RowBlock& block_;
  std::uint32_t service_ = not_there;
  std::uint32_t no_thread_ = not_there;
  std::vector<std::uint32_t> kinds_;
  std::vector<std::uint32_t> threads_;
  std::vector<Label> labels_;
};

/// Sums of one kind and hour by stack.
class HourSums {
 public:
  explicit HourSums(std::size_t stacks) : sums_(stacks) {}

  struct Sum {
    std::uint64_t count = 0;
    std::uint64_t value = 0;
    bool is_there = false;
  };

  void add(const SampleRow& row) {
    Sum& sum = sums_[row.stack];
    if (!sum.is_there) stacks_.push_back(row.stack);
    sum.is_there = true;
    add_saturated(sum.count, row.count);
    add_saturated(sum.value, row.value);
  }

  /// Hands out the sums in the order of stacks, and forgets them.
  template <typename Take>
  void take(Take&& take) {
    std::sort(stacks_.begin(), stacks_.end());
    for (const std::uint32_t stack : stacks_) take(stack, std::exchange(sums_[stack], {}));
    stacks_.clear();
  }

 private:
  std::vector<Sum> sums_;  // by stack
  std::vector<std::uint32_t> stacks_;
};

/// The day of each stack of a chunk: of the last bucket that has it. Stacks that no row has: none.
[[nodiscard]] std::vector<std::uint64_t> last_days(const SampleChunk& chunk) {
  std::vector<std::uint64_t> days(chunk.stacks.size(), 0);
  for (const SampleRow& row : chunk.rows) {
    const std::uint64_t day = date_time(row.bucket_start_ns) / seconds_per_day + 1;
    days[row.stack] = std::max(days[row.stack], day);
  }
  return days;
}

}  // namespace

std::vector<ColumnName> otel_columns();

std::vector<ColumnName> table_columns(Model model, Table table) {
  if (model == Model::otel_profiles) return otel_columns();
  if (table == Table::stacks) {
    return {{"service", CellType::low_cardinality},
            {"stack_hash", CellType::uint64},
            {"frames", CellType::low_cardinality_array},
            {"last_seen", CellType::date}};
  }
  std::vector<ColumnName> columns = {{"service", CellType::low_cardinality},
                                     {"kind", CellType::low_cardinality},
                                     {"ts", CellType::date_time},
                                     {"stack_hash", CellType::uint64},
                                     {"process", CellType::uint64},
                                     {"thread", CellType::low_cardinality},
                                     {"labels", CellType::label_map},
                                     {"load_id", CellType::uint64}};
  if (table == Table::bytes) {
    columns.push_back({"bytes", CellType::uint64});
  } else {
    columns.push_back({"count", CellType::uint64});
    columns.push_back({"value", CellType::uint64});
  }
  return columns;
}

std::string column_list(const std::vector<ColumnName>& columns) {
  std::string list = "(";
  for (const ColumnName& column : columns) {
    if (list.size() > 1) list += ", ";
    list += column.name;
  }
  return list + ")";
}

std::string_view service_of(const SampleChunk& chunk) {
  const auto& labels = chunk.place.source->labels;
  const auto found = labels.find("service");
  return found == labels.end() ? std::string_view("default") : std::string_view(found->second);
}

bool KnownStacks::add(std::string_view service, std::uint64_t stack_hash, std::uint64_t day) {
  if (keys_.size() >= most_stacks) keys_.clear();
  return keys_.insert(mix64(stack_hash, hash_bytes(service, day))).second;
}

void add_sample_rows(const SampleChunk& chunk, std::uint64_t load_id, RowBlock& block,
                     const TakeBlock& take) {
  KeyWriter keys(chunk, load_id, block);
  for (const SampleRow& row : chunk.rows) {
    keys.add(row);
    block[sample_count].add_number(row.count);
    block[sample_value].add_number(row.value);
    block.end_row();
    flush_if_full(block, take);
  }
}

void add_hour_rows(const SampleChunk& chunk, std::uint64_t load_id, RowBlock& block,
                   const TakeBlock& take) {
  KeyWriter keys(chunk, load_id, block);
  HourSums sums(chunk.stacks.size());
  for (auto row = chunk.rows.begin(); row != chunk.rows.end();) {
    const std::uint32_t kind = row->kind;
    const std::uint64_t hour = date_time(row->bucket_start_ns) / seconds_per_hour;
    const auto is_of_it = [&](const SampleRow& other) {
      return other.kind == kind && date_time(other.bucket_start_ns) / seconds_per_hour == hour;
    };
    for (; row != chunk.rows.end() && is_of_it(*row); ++row) {
      if (!chunk.kinds[kind].is_snapshot) sums.add(*row);
    }
    sums.take([&](std::uint32_t stack, const HourSums::Sum& sum) {
      keys.add_hour(kind, hour, stack);
      block[sample_count].add_number(sum.count);
      block[sample_value].add_number(sum.value);
      block.end_row();
      flush_if_full(block, take);
    });
  }
}

void add_bytes_rows(const SampleChunk& chunk, std::uint64_t load_id, RowBlock& block,
                    const TakeBlock& take) {
  KeyWriter keys(chunk, load_id, block);
  for (const SampleRow& row : chunk.rows) {
    if (row.further == 0) continue;
    keys.add(row);
    block[bytes_number].add_number(row.further);
    block.end_row();
    flush_if_full(block, take);
  }
}

std::uint64_t add_stack_rows(const SampleChunk& chunk, KnownStacks& known, RowBlock& block,
                             const TakeBlock& take) {
  constexpr std::uint64_t not_there = ~std::uint64_t{0};
  const std::string_view service = service_of(chunk);
  const std::vector<std::uint64_t> days = last_days(chunk);
  // Most frames are in many stacks: their place in the dictionary of the block.
  std::vector<std::uint64_t> places(chunk.frame_texts.size(), not_there);
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < chunk.stacks.size(); ++i) {
    const SampleStack& stack = chunk.stacks[i];
    if (days[i] == 0 || !known.add(service, stack.hash, days[i] - 1)) continue;
    block[stack_service].add_text(service);
    block[stack_hash_column].add_number(stack.hash);
    Column& frames = block[stack_frames];
    for (const std::uint32_t frame : chunk.frames_of(stack)) {
      std::uint64_t& place = places[frame];
      if (place == not_there) place = frames.texts.add(chunk.frame_texts[frame]);
      frames.items.push_back(place);
    }
    frames.end_list();
    block[stack_seen].add_number(days[i] - 1);
    block.end_row();
    ++count;
    flush_if_full(block, take);
    if (block.rows() == 0) std::fill(places.begin(), places.end(), not_there);
  }
  return count;
}

void check_row_request(const clickhouse::RowRequest& request) {
  const std::uint64_t bucket = request.samples.bucket_ns;
  if (bucket == 0 || bucket % nanoseconds_per_second != 0) {
    throw UsageError("the bucket of rows must be a whole number of seconds");
  }
}

}  // namespace internal

std::uint64_t clickhouse::process_hash(const SampleChunk& chunk) {
  const auto& labels = chunk.place.source->labels;
  const auto host = labels.find("host");
  std::string identity = host == labels.end() ? std::string() : host->second;
  identity += '\0';
  identity += chunk.process ? std::to_string(chunk.process->pid) + " " +
                                  std::to_string(chunk.process->start_ms)
                            : chunk.place.source->path;
  internal::Xxh64 hash;
  hash.add(identity);
  return hash.finish();
}

}  // namespace jfrtree
