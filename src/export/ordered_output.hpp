#pragma once

#include <condition_variable>
#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include <jfrtree/output.hpp>

namespace jfrtree::internal {

/// Brings the parts of a text that several threads make into their order. Parts are numbered from
/// 0 on, and begun in this order. A part has its turn when all before it have ended: it is written
/// as it comes. Until then its bytes wait, as far as there is room, else who brings them does.
class OrderedOutput {
 public:
  /// The output must outlive this object. It is called from any of the threads, one at a time.
  explicit OrderedOutput(Output& output) : output_(output) {}

  /// Whether a part has its turn, and keeps it until its end.
  [[nodiscard]] bool has_turn(std::size_t part);
  /// Writes when the part has its turn. Throws what the output throws.
  void write(std::size_t part, std::string_view bytes);
  /// The last bytes of a part, which may wait. Throws what the output throws.
  void end(std::size_t part, std::string bytes);
  /// A part will never end: nobody waits any longer, and nothing more is written.
  void fail();

 private:
  void end_turn(std::unique_lock<std::mutex>& lock);

  /// Bytes of ended parts that may wait.
  static constexpr std::size_t most_waiting = std::size_t{4} << 20;

  Output& output_;
  std::mutex mutex_;  // everything below
  std::condition_variable changed_;
  std::size_t turn_ = 0;                      // the part that has it
  std::map<std::size_t, std::string> ended_;  // before their turn
  std::size_t waiting_ = 0;                   // bytes of these
  bool has_failed_ = false;
};

/// One thread's way into an ordered output: part after part. What is destroyed before the end of
/// its part makes the whole fail.
class PartOutput final : public Output {
 public:
  explicit PartOutput(OrderedOutput& output) : output_(output) {}
  PartOutput(const PartOutput&) = delete;
  PartOutput& operator=(const PartOutput&) = delete;
  ~PartOutput() override;

  void begin_part(std::size_t part);
  void write(std::string_view bytes) override;
  void end_part();
  /// Whoever has the output beneath commits it.
  void commit() override {}

 private:
  /// Bytes that are gathered before this thread waits for its turn.
  static constexpr std::size_t most_gathered = std::size_t{1} << 20;

  OrderedOutput& output_;
  std::size_t part_ = 0;
  bool is_open_ = false;
  std::string gathered_;
};

}  // namespace jfrtree::internal
