#include "shape.hpp"

#include "support/standard_chunk.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace jfrtree::bench {

namespace {

using test::Bytes;
using test::ByteWriter;
using test::NamedValue;
using test::StandardChunk;

struct Number {
  std::string_view name;
  std::uint64_t Shape::*member;
};

constexpr std::array<Number, 10> numbers = {{
    {"events", &Shape::events},
    {"stacks", &Shape::stacks},
    {"depth", &Shape::depth},
    {"children", &Shape::children},
    {"symbols", &Shape::symbols},
    {"threads", &Shape::threads},
    {"chunks", &Shape::chunks},
    {"checkpoints", &Shape::checkpoints},
    {"kinds", &Shape::kinds},
    {"types", &Shape::types},
}};

constexpr std::uint64_t most_kinds = 4;
constexpr std::int64_t chunk_ticks = 1'000'000;

/// How many frames at the leaf tell stacks apart.
std::uint64_t parting_levels(const Shape& shape) {
  std::uint64_t levels = 0;
  for (std::uint64_t reached = 1; reached < shape.stacks; reached *= shape.children) ++levels;
  return levels;
}

/// One chunk: the events that it has, and the constants that they name.
class ChunkMaker {
 public:
  ChunkMaker(const Shape& shape, std::uint64_t number)
      : shape_(shape),
        first_event_(shape.events * number / shape.chunks),
        end_event_(shape.events * (number + 1) / shape.chunks),
        levels_(parting_levels(shape)),
        chunk_(test::Producer::jdk17),
        methods_(shape.symbols, 0),
        stacks_(shape.stacks, 0),
        threads_(shape.threads, 0) {
    const auto start = static_cast<std::int64_t>(number) * chunk_ticks;
    chunk_.ticks_per_second(1'000'000'000).start_ticks(start).duration_nanos(chunk_ticks);
    chunk_.start_nanos(1'700'000'000'000'000'000 + start);
    for (std::uint64_t type = 0; type < shape.types; ++type) {
      chunk_.types().declare(test::TypeKind::event, "bench.Event" + std::to_string(type),
                             first_type_id + type,
                             "long startTime @Timestamp(TICKS); long duration @Timespan(TICKS);"
                             "Thread* eventThread; StackTrace* stackTrace; long number");
    }
  }

  Bytes bytes() {
    add_stacks();
    for (std::uint64_t event = first_event_; event < end_event_; ++event) add_event(event);
    chunk_.raw(events_);
    return chunk_.bytes();
  }

 private:
  static constexpr std::uint64_t first_type_id = 4000;

  [[nodiscard]] std::uint64_t stack_of(std::uint64_t event) const {
    return event / (shape_.threads * shape_.kinds) % shape_.stacks;
  }

  /// Stacks first, so that they can be spread over checkpoints.
  void add_stacks() {
    std::vector<bool> is_used(shape_.stacks, false);
    std::uint64_t used = 0;
    for (std::uint64_t event = first_event_; event < end_event_; ++event) {
      const std::uint64_t stack = stack_of(event);
      if (!is_used[stack]) ++used;
      is_used[stack] = true;
    }
    std::uint64_t added = 0;
    std::uint64_t flushed = 1;  // the last checkpoint is written with the chunk
    for (std::uint64_t stack = 0; stack < shape_.stacks; ++stack) {
      if (!is_used[stack]) continue;
      add_stack(stack);
      if (++added < used && added * shape_.checkpoints / used >= flushed) {
        chunk_.flush();
        ++flushed;
      }
    }
  }

  void add_stack(std::uint64_t stack) {
    const std::uint64_t frame_type = chunk_.frame_type("JIT compiled");
    ByteWriter encoded = chunk_.payload();
    encoded.boolean_value(false).count(shape_.depth);
    std::uint64_t position = stack;  // among all nodes of the level
    for (std::uint64_t level = shape_.depth; level-- > 0;) {
      const bool is_shared = level < shape_.depth - levels_;
      const std::uint64_t symbol = (is_shared ? level : level + position) % shape_.symbols;
      encoded.key(method(symbol)).int_value(1).int_value(0).key(frame_type);
      position /= shape_.children;
    }
    stacks_[stack] = stack + 1;
    chunk_.raw_constant("StackTrace", stack + 1, encoded);
  }

  std::uint64_t method(std::uint64_t symbol) {
    if (methods_[symbol] == 0) {
      const std::string number = std::to_string(symbol);
      methods_[symbol] =
          chunk_.method(test::FrameSpec::of("org/example/shape/Class" + number, "method" + number));
    }
    return methods_[symbol];
  }

  std::uint64_t thread(std::uint64_t number) {
    if (threads_[number] == 0) {
      const auto id = static_cast<std::int64_t>(number + 1);
      threads_[number] = chunk_.thread(
          {.java_name = "worker-" + std::to_string(id), .java_id = id, .os_id = 10'000 + id});
    }
    return threads_[number];
  }

  void add_event(std::uint64_t event) {
    const auto passed = static_cast<std::int64_t>(event - first_event_) % chunk_ticks;
    const NamedValue time{"startTime", chunk_.header().start_ticks + passed};
    const NamedValue stack{"stackTrace", stacks_[stack_of(event)]};
    const std::uint64_t thread_key = thread(event % shape_.threads);
    add_sample(event / shape_.threads % shape_.kinds, time, stack, thread_key);
    if (shape_.types == 0) return;
    write("bench.Event" + std::to_string(event % shape_.types),
          {time, stack, {"eventThread", thread_key}, {"duration", 5}, {"number", 7}});
  }

  void add_sample(std::uint64_t kind, const NamedValue& time, const NamedValue& stack,
                  std::uint64_t thread_key) {
    const NamedValue of_thread{kind == 0 ? "sampledThread" : "eventThread", thread_key};
    const std::uint64_t class_key = kind == 0 ? 0 : chunk_.class_constant("org/example/Object");
    switch (kind) {
      case 0:
        write("jdk.ExecutionSample",
              {time, stack, of_thread, {"state", chunk_.thread_state("STATE_RUNNABLE")}});
        break;
      case 1:
        write("jdk.ObjectAllocationSample",
              {time, stack, of_thread, {"objectClass", class_key}, {"weight", 16}});
        break;
      case 2:
        write("jdk.JavaMonitorEnter",
              {time, stack, of_thread, {"monitorClass", class_key}, {"duration", 20}});
        break;
      default:
        write("jdk.ThreadPark",
              {time, stack, of_thread, {"parkedClass", class_key}, {"duration", 30}});
    }
  }

  /// Events are many, so they are written at once, not kept one by one.
  void write(std::string_view type, const std::vector<NamedValue>& values) {
    const Bytes id = test::varint(chunk_.type_id(type));
    const ByteWriter payload = chunk_.types().encode(type, values, test::StringEncoding::utf8,
                                                     test::IntegerEncoding::compressed);
    const std::size_t size = 1 + id.size() + payload.size();
    if (size > 127) throw std::logic_error("an event is longer than one byte of size can say");
    test::append(events_, test::varint(size));
    test::append(events_, id);
    test::append(events_, payload.bytes());
  }

  const Shape& shape_;
  std::uint64_t first_event_;
  std::uint64_t end_event_;
  std::uint64_t levels_;
  StandardChunk chunk_;
  Bytes events_;
  std::vector<std::uint64_t> methods_;  // keys, 0: not in the chunk yet
  std::vector<std::uint64_t> stacks_;
  std::vector<std::uint64_t> threads_;
};

}  // namespace

bool Shape::set(std::string_view name, std::uint64_t value) {
  const auto found = std::find_if(numbers.begin(), numbers.end(),
                                  [name](const Number& number) { return number.name == name; });
  if (found == numbers.end()) return false;
  this->*found->member = value;
  return true;
}

void Shape::check() const {
  const auto refuse = [](const std::string& reason) { throw std::invalid_argument(reason); };
  for (const Number& number : numbers) {
    if (this->*number.member == 0 && number.name != "types") {
      refuse(std::string(number.name) + ": at least 1");
    }
  }
  if (kinds > most_kinds) refuse("kinds: at most " + std::to_string(most_kinds));
  if (stacks > 1 && children < 2) refuse("children: at least 2 for several stacks");
  if (parting_levels(*this) > depth) refuse("depth: too few frames for so many stacks");
  if (children > symbols) refuse("symbols: fewer than children, siblings would be equal");
  if (checkpoints > stacks) refuse("checkpoints: more than stacks");
  if (events / (threads * kinds) < stacks) refuse("events: too few for all stacks");
}

void make_recording(const Shape& shape, const std::function<void(const Bytes&)>& sink) {
  shape.check();
  for (std::uint64_t number = 0; number < shape.chunks; ++number) {
    sink(ChunkMaker(shape, number).bytes());
  }
}

}  // namespace jfrtree::bench
