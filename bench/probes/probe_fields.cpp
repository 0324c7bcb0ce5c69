// What no reader of allocations can do without: it goes from record to record, reads stack, class
// and size of each allocation in a thread's buffer or outside of it, and passes over every constant
// once. It sums nothing by stack, decodes no stack and writes nothing.
//
// usage: probe_fields RECORDING

#include <algorithm>
#include <cstdint>
#include <exception>
#include <iostream>
#include <map>
#include <optional>
#include <span>
#include <string_view>

#include "format/varint.hpp"
#include "record_types.hpp"
#include "recording_file.hpp"

namespace {

using namespace jfrtree::bench;

constexpr std::uint64_t checkpoint_type = 1;

struct Totals {
  std::uint64_t allocations = 0;
  std::uint64_t bytes = 0;
  std::uint64_t constants = 0;
  std::uint64_t ids = 0;  // keeps the reads of stack and class
};

/// Which of the varints of an event are the ones to read, counted behind its type id.
struct AllocationLayout {
  std::uint64_t type = 0;
  std::uint64_t stack = 0;
  std::uint64_t object_class = 0;
  std::uint64_t size = 0;
};

AllocationLayout allocation_layout(const RecordTypes& types, std::string_view name,
                                   std::string_view size_field) {
  for (const auto& [id, type] : types) {
    if (type.name != name) continue;
    const SkipPlan plan = skip_plan(types, id);
    if (plan.size() != 1 || plan[0].kind != SkipStep::Kind::varints) {
      throw ProbeError("an allocation has other fields than numbers");
    }
    AllocationLayout layout{id, 0, 0, 0};
    for (std::uint64_t i = 0; i < type.fields.size(); ++i) {
      if (type.fields[i].name == "stackTrace") layout.stack = i;
      if (type.fields[i].name == "objectClass") layout.object_class = i;
      if (type.fields[i].name == size_field) layout.size = i;
    }
    if (layout.stack + 1 != layout.object_class || layout.size <= layout.object_class) {
      throw ProbeError("the fields of an allocation stand in an unknown order");
    }
    return layout;
  }
  return {};
}

/// What the metadata of a chunk says. Most chunks say what the chunk before said.
struct ChunkTypes {
  explicit ChunkTypes(const ChunkBytes& chunk)
      : bytes(type_bytes(chunk)),
        types(read_types(chunk)),
        inside(allocation_layout(types, "jdk.ObjectAllocationInNewTLAB", "tlabSize")),
        outside(allocation_layout(types, "jdk.ObjectAllocationOutsideTLAB", "allocationSize")) {}

  const SkipPlan& plan_of(std::uint64_t type) {
    const auto found = plans.find(type);
    if (found != plans.end()) return found->second;
    return plans.emplace(type, skip_plan(types, type)).first->second;
  }

  std::span<const std::uint8_t> bytes;
  RecordTypes types;
  AllocationLayout inside;
  AllocationLayout outside;
  std::map<std::uint64_t, SkipPlan> plans;
};

class Probe {
 public:
  void read(const ChunkBytes& chunk) {
    if (!types_ || !std::ranges::equal(types_->bytes, type_bytes(chunk))) types_.emplace(chunk);
    for (const std::uint8_t* record = chunk.first_record(); record < chunk.end;) {
      const std::uint8_t* position = record;
      const std::uint64_t size = read_number(position, chunk.end);
      const std::uint64_t type = read_number(position, chunk.end);
      if (size == 0 || size > static_cast<std::uint64_t>(chunk.end - record)) {
        throw ProbeError("a record has no true size");
      }
      record += size;
      if (type == 0) continue;
      if (type == types_->inside.type) {
        read_allocation(types_->inside, position, record);
      } else if (type == types_->outside.type) {
        read_allocation(types_->outside, position, record);
      } else if (type == checkpoint_type) {
        skip_constants(position, record);
      }
    }
  }

  [[nodiscard]] const Totals& totals() const noexcept { return totals_; }

 private:
  void read_allocation(const AllocationLayout& layout, const std::uint8_t* position,
                       const std::uint8_t* end) {
    skip(position, end, layout.stack);
    totals_.ids += read_number(position, end);
    totals_.ids += read_number(position, end);
    skip(position, end, layout.size - layout.object_class - 1);
    totals_.bytes += read_number(position, end);
    ++totals_.allocations;
  }

  static void skip(const std::uint8_t*& position, const std::uint8_t* end, std::uint64_t numbers) {
    if (!jfrtree::internal::skip_varints(position, end, numbers)) {
      throw ProbeError("a record ends early");
    }
  }

  void skip_constants(const std::uint8_t* position, const std::uint8_t* end) {
    skip(position, end, 4);  // start, duration, distance to the checkpoint before, flags
    for (std::uint64_t pools = read_number(position, end); pools > 0; --pools) {
      const SkipPlan& plan = types_->plan_of(read_number(position, end));
      const std::uint64_t count = read_number(position, end);
      for (std::uint64_t i = 0; i < count; ++i) {
        skip(position, end, 1);  // the constant's id
        skip_value(plan, position, end);
      }
      totals_.constants += count;
    }
  }

  std::optional<ChunkTypes> types_;
  Totals totals_;
};

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) throw ProbeError("usage: probe_fields RECORDING");
  const RecordingFile file(argv[1]);
  Probe probe;
  for (const ChunkBytes& chunk : file.chunks()) probe.read(chunk);
  const Totals& totals = probe.totals();
  print({{"allocations", totals.allocations},
         {"bytes", totals.bytes},
         {"constants", totals.constants},
         {"ids", totals.ids}});
  return 0;
} catch (const std::exception& error) {
  std::cerr << "probe_fields: " << error.what() << '\n';
  return 1;
}
