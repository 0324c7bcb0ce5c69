#include "fleet.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace jfrtree::bench {
namespace {

constexpr std::int64_t nanoseconds = 1'000'000'000;
constexpr std::int64_t chunk_seconds = 300;
constexpr std::int64_t bucket_seconds = 10;
constexpr std::int64_t hour_seconds = 3'600;
constexpr std::int64_t day_seconds = 86'400;
constexpr std::uint32_t not_there = ~std::uint32_t{0};
constexpr std::uint64_t sampling_period_ns = 20'000'000;

/// Of a zipf distribution with exponent 1: the chance of a place.
[[nodiscard]] double chance(std::uint32_t place, std::uint32_t count) {
  return std::log1p(1.0 / (place + 1.0)) / std::log(count + 1.0);
}

/// Days are busier than nights.
[[nodiscard]] double busyness(std::int64_t second) {
  constexpr double circle = 6.283185307179586;
  return 1 - 0.6 * std::cos(circle * static_cast<double>(second % day_seconds) / day_seconds);
}

}  // namespace

Fleet::Fleet(const FleetOptions& options) : options_(options), random_(options.seed) {
  double shares = 0;
  for (std::uint32_t i = 0; i < options.services; ++i) shares += std::pow(i + 1, -0.8);
  for (std::uint32_t i = 0; i < options.services; ++i) {
    const double share = std::pow(i + 1, -0.8) / shares;
    const auto stacks =
        std::max(100U, static_cast<std::uint32_t>(static_cast<double>(options.stacks) * share / 2));
    services_.push_back({"service-" + std::to_string(i + 1), 20 + 280 * std::pow(i + 1, -0.8),
                         ServiceStacks(i, stacks, random_)});
    const auto jvms = std::max(5U, static_cast<std::uint32_t>(50 * std::pow(i + 1, -0.6)));
    for (std::uint32_t jvm = 0; jvm < jvms; ++jvm) {
      const auto offset =
          static_cast<std::int64_t>(random_() % (chunk_seconds / bucket_seconds)) * bucket_seconds;
      jvms_.push_back({i, jvm, offset});
    }
  }
  recorded_part_ = static_cast<double>(options.rows) / expected_rows();
  if (recorded_part_ > 1) throw std::invalid_argument("more rows than the JVMs have in this time");
}

/// Rows if all JVMs were recorded all the time.
double Fleet::expected_rows() const {
  std::vector<double> rows_of_bucket;
  for (const Service& service : services_) {
    double rows = 0;
    for (std::uint32_t place = 0; place < service.stacks.count(); ++place) {
      rows += 2 * -std::expm1(-service.rate * chance(place, service.stacks.count()));
    }
    rows_of_bucket.push_back(rows);
  }
  double rows = 0;
  for (const Jvm& jvm : jvms_) rows += rows_of_bucket[jvm.service];
  return rows * options_.hours * hour_seconds / bucket_seconds;
}

bool Fleet::next(SampleChunk& chunk) {
  const std::int64_t slots = options_.hours * hour_seconds / chunk_seconds - 1;
  for (; slot_ < slots; ++slot_, jvm_ = 0) {
    while (jvm_ < jvms_.size()) {
      const Jvm& jvm = jvms_[jvm_++];
      if (uniform() >= recorded_part_) continue;
      fill(chunk, jvm, begin + slot_ * chunk_seconds + jvm.offset);
      return true;
    }
  }
  return false;
}

void Fleet::fill(SampleChunk& chunk, const Jvm& jvm, std::int64_t start) {
  const Service& service = services_[jvm.service];
  describe(chunk, jvm, start);
  places_.assign(service.stacks.size(), not_there);
  for (std::uint32_t kind = 0; kind < 2; ++kind) {
    for (std::int64_t i = 0; i < chunk_seconds / bucket_seconds; ++i) {
      add_rows(chunk, service, kind, start + i * bucket_seconds);
    }
  }
  for (const SampleRow& row : chunk.rows) chunk.samples += row.count;
  chunk.events = chunk.samples;
  samples_ += chunk.samples;
}

void Fleet::describe(SampleChunk& chunk, const Jvm& jvm, std::int64_t start) {
  const Service& service = services_[jvm.service];
  // A new version each week, which begins with a new process.
  const std::int64_t week = (start - begin + jvm.service * day_seconds / 8) / (7 * day_seconds);
  source_.path = service.name + "/" + std::to_string(jvm.number) + ".jfr";
  source_.labels = {{"service", service.name},
                    {"region", "region-" + std::to_string(jvm.number % 3)},
                    {"version", "1." + std::to_string(40 + week)}};
  chunk = SampleChunk();
  chunk.place.source = &source_;
  chunk.place.hash = random_();
  chunk.place.info.state = ChunkState::complete;
  chunk.start_ns = start * nanoseconds;
  chunk.end_ns = (start + chunk_seconds) * nanoseconds;
  chunk.producer = "OpenJDK 17";
  chunk.process =
      ProcessIdentity{jvm.service * 1'000 + jvm.number, (begin + week * 7 * day_seconds) * 1'000};
  chunk.kinds.resize(2);
  chunk.kinds[0].name = "cpu";
  chunk.kinds[1].name = "alloc";
  chunk.frame_texts = service.stacks.texts();
  chunk.threads = {""};
}

void Fleet::add_rows(SampleChunk& chunk, const Service& service, std::uint32_t kind,
                     std::int64_t bucket) {
  std::poisson_distribution<int> samples(service.rate * busyness(bucket));
  const double stacks = std::log(service.stacks.count() + 1.0);
  drawn_.clear();
  for (int left = samples(random_); left > 0; --left) {
    const auto place = static_cast<std::uint32_t>(std::exp(uniform() * stacks)) - 1;
    drawn_.push_back(service.stacks.stack(kind, std::min(place, service.stacks.count() - 1)));
  }
  std::sort(drawn_.begin(), drawn_.end());
  for (std::size_t i = 0; i < drawn_.size();) {
    const std::size_t first = i;
    while (i < drawn_.size() && drawn_[i] == drawn_[first]) ++i;
    SampleRow& row = chunk.rows.emplace_back();
    row.bucket_start_ns = bucket * nanoseconds;
    row.kind = kind;
    row.stack = stack_in(chunk, service, drawn_[first]);
    row.count = i - first;
    row.value = value_of(kind, row.count);
    row.has_value = true;
  }
}

std::uint32_t Fleet::stack_in(SampleChunk& chunk, const Service& service, std::uint32_t stack) {
  std::uint32_t& place = places_[stack];
  if (place != not_there) return place;
  place = static_cast<std::uint32_t>(chunk.stacks.size());
  const auto frames = service.stacks.frames(stack);
  SampleStack& added = chunk.stacks.emplace_back();
  added.hash = service.stacks.hash(stack);
  added.first_frame = chunk.frames.size();
  added.frame_count = static_cast<std::uint32_t>(frames.size());
  chunk.frames.insert(chunk.frames.end(), frames.begin(), frames.end());
  return place;
}

/// Time, or bytes: the weights of samples of allocations spread over several powers of ten.
std::uint64_t Fleet::value_of(std::uint32_t kind, std::uint64_t count) {
  if (kind == 0) return count * sampling_period_ns;
  double bytes = 0;
  for (; count > 0; --count)
    bytes += std::exp(11 + 2.4 * (uniform() + uniform() + uniform() - 1.5));
  return static_cast<std::uint64_t>(bytes) / 8 * 8;
}

}  // namespace jfrtree::bench
