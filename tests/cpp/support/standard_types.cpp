#include "support/standard_types.hpp"

#include "support/standard_type_tables.hpp"

namespace jfrtree::test {

namespace {

std::string replace_all(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

std::uint64_t id_for(Producer producer, const TypeRow& row) {
  return producer == Producer::jdk25 || producer == Producer::async_profiler_4 ? row.newer_id
                                                                               : row.older_id;
}

/// Fields in braces exist in the older layout only, those in angle brackets in the newer one only.
std::string fields_for(Producer producer, std::string_view fields) {
  const bool newer = producer == Producer::jdk25 || producer == Producer::async_profiler_4;
  std::string result;
  char inside = 0;
  for (const char c : fields) {
    if (c == '{' || c == '<') {
      inside = c;
    } else if (c == '}' || c == '>') {
      inside = 0;
    } else if (inside == 0 || inside == (newer ? '<' : '{')) {
      result.push_back(c);
    }
  }
  if (producer == Producer::jdk9) {
    result = replace_all(result, "Package* package; int modifiers; boolean hidden",
                         "Package* package; int modifiers");
    result = replace_all(result, "long until @Timestamp(MILLISECONDS_SINCE_EPOCH);", "");
    result = replace_all(result, "long timeout @Timespan(NANOSECONDS)",
                         "long timeout @Timespan(MILLISECONDS)");
  }
  result = replace_all(result, "long startTime;", "long startTime @Timestamp(TICKS);");
  return replace_all(result, "long duration;", "long duration @Timespan(TICKS);");
}

void declare_all(TypeTable& types, Producer producer, std::span<const TypeRow> rows) {
  for (const TypeRow& row : rows) {
    const std::uint64_t id = id_for(producer, row);
    if (id == absent) continue;
    if (producer == Producer::jdk9 && row.name == "jdk.ObjectAllocationSample") continue;
    types.declare(row.kind, recorded_name(producer, row.name), id,
                  fields_for(producer, row.fields));
  }
}

}  // namespace

bool is_jdk(Producer producer) {
  return producer == Producer::jdk9 || producer == Producer::jdk17 || producer == Producer::jdk25;
}

std::string recorded_name(Producer producer, std::string_view name) {
  if (producer != Producer::jdk9) return std::string(name);
  const auto renamed = [&](std::string_view prefix, std::string_view replacement) {
    return std::string(replacement) + std::string(name.substr(prefix.size()));
  };
  if (name.substr(0, 8) == "jdk.jfr.") return std::string(name);
  if (name.substr(0, 10) == "jdk.types.") return renamed("jdk.types.", "com.oracle.jfr.types.");
  if (name.substr(0, 4) == "jdk.") return renamed("jdk.", "com.oracle.jdk.");
  return std::string(name);
}

TypeTable standard_types(Producer producer) {
  TypeTable types;
  if (is_jdk(producer)) {
    declare_all(types, producer, jdk_types());
    declare_all(types, producer, jdk_events());
  } else {
    declare_all(types, producer, profiler_types());
    declare_all(types, producer,
                producer == Producer::datadog ? datadog_types() : async_profiler_events());
  }
  return types;
}

EnumPool frame_types(Producer producer) {
  EnumPool pool{{0, "Interpreted"}, {1, "JIT compiled"}, {2, "Inlined"}};
  if (producer == Producer::jdk9) return pool;
  pool.emplace_back(3, "Native");
  if (is_jdk(producer)) return pool;
  pool.emplace_back(4, "C++");
  pool.emplace_back(5, "Kernel");
  pool.emplace_back(6, "C1 compiled");
  return pool;
}

EnumPool thread_states(Producer producer) {
  switch (producer) {
    case Producer::async_profiler_2:
      return {{1, "STATE_RUNNABLE"}, {2, "STATE_SLEEPING"}};
    case Producer::async_profiler_4:
      return {{0, "STATE_DEFAULT"}, {1, "STATE_RUNNABLE"}, {2, "STATE_SLEEPING"}};
    case Producer::datadog:
      return {{0, "UNKNOWN"},    {1, "NEW"},     {2, "RUNNABLE"},   {3, "CONTENDED"},
              {4, "PARKED"},     {5, "WAITING"}, {6, "BREAKPOINT"}, {7, "SLEEPING"},
              {8, "TERMINATED"}, {9, "SYSCALL"}};
    case Producer::jdk9:
    case Producer::jdk17:
    case Producer::jdk25:
      break;
  }
  return {{0, "STATE_NEW"},
          {2, "STATE_TERMINATED"},
          {5, "STATE_RUNNABLE"},
          {225, "STATE_SLEEPING"},
          {401, "STATE_IN_OBJECT_WAIT"},
          {417, "STATE_IN_OBJECT_WAIT_TIMED"},
          {657, "STATE_PARKED"},
          {673, "STATE_PARKED_TIMED"},
          {1025, "STATE_BLOCKED_ON_MONITOR_ENTER"}};
}

}  // namespace jfrtree::test
