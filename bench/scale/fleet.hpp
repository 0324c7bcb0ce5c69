#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <jfrtree/sample_rows.hpp>

#include "service_stacks.hpp"

namespace jfrtree::bench {

struct FleetOptions {
  std::uint64_t rows = 10'000'000;  ///< of samples, about
  std::uint32_t hours = 720;
  std::uint32_t services = 30;
  std::uint64_t stacks = 100'000;  ///< of all services together
  std::uint64_t seed = 20'261'130;
};

/// JVMs of services that differ in size by a power law, recorded for five minutes every now and
/// then: as often as the wanted number of rows allows. The same in every run.
class Fleet {
 public:
  /// Throws std::invalid_argument where so many rows do not fit into the time.
  explicit Fleet(const FleetOptions& options);

  /// The next chunk in order of time, as `read_sample_rows` would hand it out, or false. Valid
  /// until the next call.
  [[nodiscard]] bool next(SampleChunk& chunk);

  /// The part of the time that a JVM is recorded.
  [[nodiscard]] double recorded_part() const noexcept { return recorded_part_; }
  /// Samples before they were summed by bucket.
  [[nodiscard]] std::uint64_t samples() const noexcept { return samples_; }
  /// The first second.
  static constexpr std::int64_t begin = 1'790'812'800;  // 2026-10-01

 private:
  struct Jvm {
    std::uint32_t service = 0;
    std::uint32_t number = 0;  ///< among those of its service
    std::int64_t offset = 0;   ///< seconds by which its chunks begin later
  };
  struct Service {
    std::string name;
    double rate = 0;  ///< samples of a kind, JVM and bucket, on average over the day
    ServiceStacks stacks;
  };

  [[nodiscard]] double expected_rows() const;
  void fill(SampleChunk& chunk, const Jvm& jvm, std::int64_t start);
  void describe(SampleChunk& chunk, const Jvm& jvm, std::int64_t start);
  void add_rows(SampleChunk& chunk, const Service& service, std::uint32_t kind,
                std::int64_t bucket);
  [[nodiscard]] std::uint32_t stack_in(SampleChunk& chunk, const Service& service,
                                       std::uint32_t stack);
  [[nodiscard]] std::uint64_t value_of(std::uint32_t kind, std::uint64_t count);
  [[nodiscard]] double uniform() { return static_cast<double>(random_() >> 11) * 0x1p-53; }

  FleetOptions options_;
  std::mt19937_64 random_;
  std::vector<Service> services_;
  std::vector<Jvm> jvms_;
  double recorded_part_ = 1;
  std::uint64_t samples_ = 0;
  std::int64_t slot_ = 0;
  std::size_t jvm_ = 0;
  Source source_;
  std::vector<std::uint32_t> drawn_;
  std::vector<std::uint32_t> places_;  // of a service's stacks in the chunk
};

}  // namespace jfrtree::bench
