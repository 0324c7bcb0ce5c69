#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <jfrtree/event_rows.hpp>

#include "export/arrow/table.hpp"

namespace jfrtree::internal::arrow {

/// What the columns of a batch have in common.
struct BatchState {
  std::size_t bytes = 0;             ///< of texts and lists in the batch, about
  std::uint64_t dictionary_bytes{};  ///< the most that the texts of one dictionary may have
};

/// Gathers the values of one column of events.
class ValueBuilder {
 public:
  ValueBuilder() = default;
  ValueBuilder(const ValueBuilder&) = delete;
  ValueBuilder& operator=(const ValueBuilder&) = delete;
  virtual ~ValueBuilder() = default;

  /// Frames mean other texts from now on, and columns lie elsewhere.
  virtual void begin_chunk() {}
  /// A cell of a chunk's column, which may be of another type than the builder's. What that does
  /// not hold is null.
  virtual void append(const EventValues& values, const EventCell& cell,
                      const EventColumn& column) = 0;
  virtual void append_null() = 0;

  /// The type without the name.
  [[nodiscard]] virtual Field field() const = 0;
  /// What was appended since the last time; the dictionaries stay.
  [[nodiscard]] virtual ColumnPointer finish() = 0;
};

/// The builder for a column. `state` must outlive it.
[[nodiscard]] std::unique_ptr<ValueBuilder> make_value_builder(const EventColumn& column,
                                                               BatchState& state);

/// The same for texts, stack traces and lists. Texts of constant pools, and frames, are
/// dictionary<int32, utf8>; other texts are utf8.
[[nodiscard]] std::unique_ptr<ValueBuilder> make_text_builder(const EventColumn& column,
                                                              BatchState& state);
[[nodiscard]] std::unique_ptr<ValueBuilder> make_stack_builder(BatchState& state);
[[nodiscard]] std::unique_ptr<ValueBuilder> make_list_builder(const EventColumn& column,
                                                              BatchState& state);

/// Several columns side by side, nested by their paths: what rows and elements of lists are made
/// of.
class ColumnGroup {
 public:
  ColumnGroup(const std::vector<EventColumn>& columns, BatchState& state);

  void begin_chunk();
  /// `cells`: one for each of the `columns` of the chunk, which are matched by name and must stay
  /// until the next chunk begins.
  void append(const EventValues& values, const EventCell* cells,
              const std::vector<EventColumn>& columns);

  [[nodiscard]] std::vector<Field> fields() const { return fields_of(nodes_); }
  [[nodiscard]] std::vector<ColumnPointer> finish(std::int64_t length);

 private:
  /// A column of the result: one of the columns, or a struct of several.
  struct Node {
    std::string name;
    std::size_t leaf = 0;
    std::vector<Node> children{};
  };
  static constexpr std::size_t absent = ~std::size_t{0};
  struct Leaf {
    std::string name;  ///< of the column among those of a chunk
    std::unique_ptr<ValueBuilder> builder;
    FieldMetadata metadata;
  };
  using Positions = std::vector<std::size_t>;  // by leaf, among a chunk's columns

  void add(const EventColumn& column, std::size_t leaf);
  [[nodiscard]] std::vector<Field> fields_of(const std::vector<Node>& nodes) const;
  [[nodiscard]] static ColumnPointer finish_node(const Node& node,
                                                 const std::vector<ColumnPointer>& columns,
                                                 std::int64_t length);

  [[nodiscard]] Positions find_positions(const std::vector<EventColumn>& columns) const;

  std::vector<Leaf> leaves_;
  std::vector<Node> nodes_;
  std::map<const std::vector<EventColumn>*, Positions> positions_;  // in this chunk
  const std::vector<EventColumn>* last_columns_ = nullptr;
  const Positions* last_positions_ = nullptr;
};

/// A struct of columns. It is there where one of them is.
[[nodiscard]] ColumnPointer make_struct(std::vector<ColumnPointer> children, std::int64_t length);

}  // namespace jfrtree::internal::arrow
