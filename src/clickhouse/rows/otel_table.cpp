#include <algorithm>
#include <cstdio>

#include <jfrtree/version.hpp>

#include "clickhouse/rows/sample_tables.hpp"
#include "io/xxh64.hpp"

// The table `otel_profiles` of OpenTelemetry's exporter: a row per kind, number, bucket, thread and
// stack, the leaf first.

namespace jfrtree::internal {

namespace {

enum OtelColumn : std::size_t {
  otel_timestamp,
  otel_profile_id,
  otel_sample_type,
  otel_sample_unit,
  otel_service,
  otel_resource,
  otel_scope,
  otel_scope_version,
  otel_profile_attributes,
  otel_sample_attributes,
  otel_stack_hash,
  otel_addresses,
  otel_functions,
  otel_files,
  otel_lines,
  otel_mappings,
  otel_values,
  otel_times,
  otel_duration,
};

/// XXH64 over name, NUL, file, NUL of each frame, the leaf first; files are unknown here.
[[nodiscard]] std::uint64_t otel_hash(const SampleChunk& chunk, const SampleStack& stack) {
  std::string bytes;
  const auto frames = chunk.frames_of(stack);
  for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) {
    bytes += chunk.frame_texts[*frame];
    bytes.append(2, '\0');
  }
  Xxh64 hash;
  hash.add(bytes);
  return hash.finish();
}

[[nodiscard]] std::string hexadecimal(std::uint64_t high, std::uint64_t low) {
  char digits[40];
  std::snprintf(digits, sizeof digits, "%016llx%016llx", static_cast<unsigned long long>(high),
                static_cast<unsigned long long>(low));
  return digits;
}

/// Adds the rows of one chunk.
class OtelRows {
 public:
  OtelRows(const SampleChunk& chunk, std::uint64_t load_id, std::uint64_t bucket_ns,
           RowBlock& block)
      : chunk_(chunk),
        load_id_(std::to_string(load_id)),
        bucket_ns_(bucket_ns),
        block_(block),
        hashes_(chunk.stacks.size(), 0) {
    for (const SampleKind& kind : chunk.kinds) {
      Xxh64 hash;
      hash.add(kind.name);
      profile_ids_.push_back(hexadecimal(chunk.place.hash, hash.finish()));
    }
  }

  void add(const SampleRow& row, const SampleType& type, std::uint64_t number) {
    block_[otel_timestamp].add_number(static_cast<std::uint64_t>(row.bucket_start_ns));
    block_[otel_profile_id].add_text(profile_ids_[row.kind]);
    block_[otel_sample_type].add_text(type.name);
    block_[otel_sample_unit].add_text(type.unit);
    block_[otel_service].add_text(service_of(chunk_));
    add_resource();
    block_[otel_scope].add_text("jfrtree");
    block_[otel_scope_version].add_text(version());
    block_[otel_profile_attributes].add_entry("jfr.kind", chunk_.kinds[row.kind].name);
    block_[otel_profile_attributes].end_list();
    if (!chunk_.threads[row.thread].empty()) {
      block_[otel_sample_attributes].add_entry("thread.name", chunk_.threads[row.thread]);
    }
    block_[otel_sample_attributes].end_list();
    add_stack(row.stack);
    block_[otel_values].add_number(std::min<std::uint64_t>(number, ~std::uint64_t{0} >> 1));
    block_[otel_values].end_list();
    block_[otel_times].end_list();
    block_[otel_duration].add_number(bucket_ns_);
    for (std::size_t column = otel_duration + 1; column < block_.columns().size(); ++column) {
      const CellType cell = block_.columns()[column].name.type;
      if (cell == CellType::int64) {
        block_[column].add_number(0);
      } else {
        block_[column].add_text("");
      }
    }
    block_.end_row();
  }

 private:
  void add_resource() {
    Column& resource = block_[otel_resource];
    for (const auto& [key, value] : chunk_.place.source->labels) {
      if (key != "service") resource.add_entry(key == "host" ? "host.name" : key, value);
    }
    resource.add_entry("jfrtree.load_id", load_id_);
    if (chunk_.process) {
      resource.add_entry("process.pid", std::to_string(chunk_.process->pid));
    }
    resource.end_list();
  }

  void add_stack(std::uint32_t number) {
    const SampleStack& stack = chunk_.stacks[number];
    if (hashes_[number] == 0) hashes_[number] = otel_hash(chunk_, stack);
    block_[otel_stack_hash].add_number(hashes_[number]);
    const auto frames = chunk_.frames_of(stack);
    for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) {
      block_[otel_functions].add_text(chunk_.frame_texts[*frame]);
      block_[otel_addresses].add_number(0);
      block_[otel_lines].add_number(0);
      block_[otel_files].add_text("");
      block_[otel_mappings].add_text("");
    }
    for (const OtelColumn list :
         {otel_functions, otel_addresses, otel_lines, otel_files, otel_mappings}) {
      block_[list].end_list();
    }
  }

  const SampleChunk& chunk_;
  std::string load_id_;
  std::uint64_t bucket_ns_;
  RowBlock& block_;
  std::vector<std::uint64_t> hashes_;  // 0: not known yet
  std::vector<std::string> profile_ids_;
};

}  // namespace

std::vector<ColumnName> otel_columns() {
  using enum CellType;
  return {{"Timestamp", date_time64},
          {"ProfileId", text},
          {"SampleType", low_cardinality},
          {"SampleUnit", low_cardinality},
          {"ServiceName", low_cardinality},
          {"ResourceAttributes", attribute_map},
          {"ScopeName", text},
          {"ScopeVersion", text},
          {"ProfileAttributes", attribute_map},
          {"SampleAttributes", attribute_map},
          {"StackHash", uint64},
          {"Addresses", uint64_array},
          {"FunctionNames", low_cardinality_array},
          {"FileNames", low_cardinality_array},
          {"LineNumbers", int32_array},
          {"MappingFileNames", low_cardinality_array},
          {"Values", int64_array},
          {"TimestampsUnixNano", uint64_array},
          {"DurationNano", uint64},
          {"Period", int64},
          {"PeriodType", low_cardinality},
          {"PeriodUnit", low_cardinality},
          {"TraceId", text},
          {"SpanId", text}};
}

std::uint64_t add_otel_rows(const SampleChunk& chunk, std::uint64_t load_id,
                            std::uint64_t bucket_ns, RowBlock& block, const TakeBlock& take) {
  OtelRows rows(chunk, load_id, bucket_ns, block);
  std::uint64_t count = 0;
  for (const SampleRow& row : chunk.rows) {
    const std::vector<SampleType>& types = chunk.kinds[row.kind].sample_types;
    for (std::size_t type = 0; type < types.size(); ++type) {
      if (type == 1 && !row.has_value) continue;
      rows.add(row, types[type], type == 0 ? row.count : type == 1 ? row.value : row.further);
      ++count;
      if (block.rows() < most_block_rows && block.items() < most_block_items) continue;
      take(block);
      block.clear();
    }
  }
  return count;
}

}  // namespace jfrtree::internal
