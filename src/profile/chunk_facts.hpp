#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <jfrtree/chunk.hpp>

#include "format/chunk_contents.hpp"
#include "format/record_walk.hpp"
#include "io/problem_log.hpp"

namespace jfrtree::internal {

/// Settings in force, by key: `period of jdk.ExecutionSample`, `event`, `interval`, `wall`.
using Settings = std::map<std::string, std::string, std::less<>>;

/// A process: its id and the time its JVM started.
using ProcessId = std::pair<std::int64_t, std::int64_t>;

/// What a chunk says about the recording it belongs to.
struct ChunkFacts {
  std::size_t file = 0;  ///< index of the source
  std::string file_name;
  ChunkInfo info;
  std::optional<ProcessId> process;
  std::string producer;
  bool is_async_profiler = false;  ///< written by async-profiler or a fork of it
  Settings settings;               ///< of events inside this chunk, the last of each
};

/// Reads the events that describe a recording (`jdk.ActiveSetting`, `jdk.ActiveRecording`,
/// `jdk.JVMInformation`) and what it lost (`jdk.CPUTimeSamplesLost`, `jdk.DataLoss`), while a chunk
/// is walked.
class FactsReader {
 public:
  explicit FactsReader(const ChunkContents& contents);

  /// Whether records of this type are to be given to `read`.
  [[nodiscard]] bool wants(TypeId type) const noexcept {
    return type == setting_type_ || type == recording_type_ || type == jvm_type_ ||
           type == lost_samples_type_ || type == data_loss_type_;
  }
  void read(const Record& record);
  [[nodiscard]] bool is_async_profiler() const noexcept { return facts_.is_async_profiler; }

  /// Adds what another reader has read of the same chunk; of what both know the later record
  /// counts.
  void add(const FactsReader& other);

  /// The facts, after the last record. Losses that the recorder reports become notes.
  [[nodiscard]] ChunkFacts finish(ProblemLog& log);

 private:
  /// What a record says, and its offset: 0 means that none does.
  template <typename T>
  struct Said {
    std::uint64_t offset = 0;
    T what{};

    void add(const Said& other) {
      if (other.offset >= offset) *this = other;
    }
  };

  void read_setting(const Record& record);
  [[nodiscard]] std::string text_at(const Record& record, std::uint64_t position) const;

  const ChunkContents& contents_;
  TypeId setting_type_{~std::uint64_t{0}};
  TypeId recording_type_{~std::uint64_t{0}};
  TypeId jvm_type_{~std::uint64_t{0}};
  TypeId lost_samples_type_{~std::uint64_t{0}};
  TypeId data_loss_type_{~std::uint64_t{0}};
  DecodeProgram setting_program_;
  std::uint64_t lost_samples_ = 0;
  std::uint64_t lost_bytes_ = 0;
  ChunkFacts facts_;
  std::map<std::string, Said<std::string>, std::less<>> settings_;
  Said<std::optional<ProcessId>> process_;
  Said<std::string> recorder_;
  Said<std::string> jvm_;
};

/// Length of a period setting in ns: `10 ms`, `20ms`, `1 s`, or plain nanoseconds (`10000000`).
/// Nothing for 0, `everyChunk` and other words: the period is unknown.
[[nodiscard]] std::optional<std::uint64_t> parse_period(std::string_view text) noexcept;

}  // namespace jfrtree::internal
