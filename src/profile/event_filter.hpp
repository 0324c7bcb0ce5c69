#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <jfrtree/metadata.hpp>

#include "format/chunk_contents.hpp"
#include "format/record_walk.hpp"
#include "io/seeded_map.hpp"
#include "profile/filters.hpp"

namespace jfrtree::internal {

/// The fields of an event type that filters look at. Those that no filter asks for, and those that
/// the type lacks, are null.
struct FilterFields {
  struct Place {
    const Field* field = nullptr;
    std::uint16_t slot = 0;
  };
  /// A field by the name of a `--context`, or the two halves of an id.
  struct Context {
    Place whole;
    Place high;
    Place low;

    [[nodiscard]] bool is_there() const noexcept {
      return whole.field != nullptr || (high.field != nullptr && low.field != nullptr);
    }
  };
  static constexpr std::size_t max_slots = 64;

  DecodeProgram program;
  Place start;
  Place duration;
  Place thread;
  Place state;
  std::vector<Context> context;  ///< by number of the name, in the order of `Filters::context`
};

/// The fields of a type; the metadata of the chunk must outlive them.
[[nodiscard]] FilterFields find_filter_fields(const ChunkContents& contents, const Type& type,
                                              const FilterOptions& options);

/// Decides which events of one chunk pass the filters. Each thread and state is looked at once.
class EventFilter {
 public:
  /// References must outlive the filter.
  EventFilter(const ChunkContents& contents, const SourceFilters& filters);

  enum class Verdict : std::uint8_t {
    pass,
    fail,
    unreadable,  ///< a field that is asked for does not fit into the event
  };
  [[nodiscard]] Verdict judge(const FilterFields& fields, const Record& record);

  /// Takes note of what a type of which there are events has.
  void note_type(const Type& type, const FilterFields& fields);
  [[nodiscard]] FilterFindings& findings() noexcept { return findings_; }

 private:
  using Place = FilterFields::Place;
  using Key = std::pair<std::uint64_t, std::uint64_t>;  // type and constant
  struct ThreadAnswer {
    bool is_wanted = false;
    std::int64_t id = 0;
  };
  [[nodiscard]] bool is_in_time(const FilterFields& fields) const noexcept;
  [[nodiscard]] bool is_long_enough(const FilterFields& fields) const noexcept;
  [[nodiscard]] bool has_wanted_state(const FilterFields& fields, const Record& record);
  [[nodiscard]] bool has_wanted_thread(const FilterFields& fields);
  [[nodiscard]] bool has_wanted_context(const FilterFields& fields, const Record& record);
  [[nodiscard]] bool fits(const FilterFields::Context& fields,
                          const std::vector<ContextValue>& values, const Record& record);
  [[nodiscard]] const ThreadAnswer& look_up_thread(const Field& field, std::uint64_t key);
  /// Nothing for null.
  [[nodiscard]] std::optional<std::string> text_of(const Place& place, const Record& record) const;
  [[nodiscard]] std::int64_t start_of(const FilterFields& fields) const noexcept;

  const ChunkContents& contents_;
  const Filters& filters_;
  std::size_t file_;
  std::array<std::uint64_t, FilterFields::max_slots> slots_{};
  SeededMap<std::uint64_t, ThreadAnswer> threads_;
  SeededMap<Key, bool> states_;
  FilterFindings findings_;
};

/// Start and length of an event in ns, by the declaration of a field and the chunk's clock.
[[nodiscard]] std::int64_t time_of(const Field& field, std::uint64_t slot,
                                   const ChunkInfo& chunk) noexcept;
[[nodiscard]] std::uint64_t length_of(const Field& field, std::uint64_t slot,
                                      const ChunkInfo& chunk) noexcept;

}  // namespace jfrtree::internal
