#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include <jfrtree/event_rows.hpp>

#include "format/chunk_contents.hpp"
#include "format/text.hpp"
#include "io/problem_log.hpp"
#include "io/seeded_map.hpp"
#include "profile/event_columns.hpp"
#include "profile/frame_namer.hpp"
#include "profile/stack_decoder.hpp"

namespace jfrtree::internal {

/// Decodes the events of one chunk to cells. Each constant is decoded once and kept, until what is
/// kept takes more than `max_cached_bytes`.
class EventDecoder {
 public:
  static constexpr std::size_t max_cached_bytes = std::size_t{64} << 20;
  /// Cells of all lists of one event.
  static constexpr std::size_t max_list_cells = std::size_t{1} << 20;
  /// Bytes of the texts of one list.
  static constexpr std::size_t max_list_bytes = std::size_t{64} << 20;

  /// `caches`: those of all plans. The contents and options must outlive the decoder.
  EventDecoder(const ChunkContents& contents, const FrameOptions& frames, std::uint32_t caches);

  /// Fills the cells of an event, as many as the plan has columns. False when its fields do not fit
  /// into the payload. Cells refer to memory that is valid until the next call.
  bool decode(const StructPlan& plan, std::span<const std::byte> payload, EventCell* cells);

  [[nodiscard]] const TextTable& frame_texts() const noexcept { return texts_; }
  /// Adds notes and problems about constants and texts.
  void report(ProblemLog& log) const;

 private:
  /// Constants of one field, by key.
  struct Cache {
    const PoolIndex* pool = nullptr;
    SeededMap<std::uint64_t, std::uint32_t> cells_by_key;  // position of the first
    std::vector<EventCell> cells;
    std::uint64_t last_key = 0;
    std::uint32_t last_cell = none;
  };
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  void read_struct(const StructPlan& plan, ByteReader& reader, EventCell* cells);
  void read_field(const FieldPlan& field, ByteReader& reader, EventCell* cells);
  void read_value(const FieldPlan& field, ByteReader& reader, EventCell* cells);
  void read_key(const FieldPlan& field, ByteReader& reader, EventCell* cells);
  void read_list(const FieldPlan& field, ByteReader& reader, EventCell* cells);
  [[nodiscard]] EventCell integer_cell(const FieldPlan& field, std::uint64_t bits) const;
  [[nodiscard]] EventCell string_cell(ByteReader& reader);
  [[nodiscard]] EventCell resolve_string(StringValue string);
  [[nodiscard]] EventCell kept_text(std::string text);
  /// Position of a constant's first cell in the cache, or `none`.
  [[nodiscard]] std::uint32_t find_constant(const FieldPlan& field, Cache& cache,
                                            std::uint64_t key);
  void decode_constant(const FieldPlan& field, std::uint64_t key, std::uint64_t offset,
                       EventCell* cells);
  void read_stack(std::uint64_t offset, EventCell* cells);
  void forget_constants();

  const ChunkContents& contents_;
  TextTable texts_;
  FrameNames names_;
  FrameNamer namer_;
  StackDecoder stacks_;
  const PoolIndex* strings_ = nullptr;
  std::vector<Cache> caches_;

  // Of the constants that are kept, and of the event at hand.
  struct Memory {
    std::deque<std::string> texts;
    std::deque<std::vector<EventCell>> lists;
    std::deque<std::vector<std::uint32_t>> stacks;
  };
  Memory constants_;
  Memory row_;
  std::uint32_t constant_depth_ = 0;  // above 0: a constant is being decoded
  std::size_t cached_bytes_ = 0;
  std::size_t list_cells_ = 0;
  std::uint64_t missing_constants_ = 0;
  std::uint64_t bad_constants_ = 0;
  std::uint64_t cut_lists_ = 0;
  std::uint64_t repaired_texts_ = 0;
};

}  // namespace jfrtree::internal
