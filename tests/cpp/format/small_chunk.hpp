#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/recording_writer.hpp"
#include "support/type_table.hpp"

namespace jfrtree::test {

/// The primitive types and three annotations, nothing else.
///   boolean 2, byte 3, char 4, short 5, int 6, long 7, float 8, double 9, java.lang.String 10,
///   jdk.jfr.Timestamp 20, jdk.jfr.Timespan 21, jdk.jfr.Unsigned 22
TypeTable small_types();

/// A chunk with only the types that a test declares. Its metadata comes last, so that nothing can
/// depend on metadata that was read before the events.
class SmallChunk {
 public:
  explicit SmallChunk(const HeaderFields& header = {});

  SmallChunk& plain_type(const std::string& name, std::uint64_t id, std::string_view fields);
  SmallChunk& simple_type(const std::string& name, std::uint64_t id, std::string_view fields);
  SmallChunk& event_type(const std::string& name, std::uint64_t id, std::string_view fields);

  /// Fields that are not named are null or 0.
  SmallChunk& event(std::string_view type, const std::vector<NamedValue>& values);
  SmallChunk& raw_event(std::uint64_t type_id, const ByteWriter& payload, RecordSize size = {});

  /// An empty pool of a declared type; entries are added by `Pool::entry`.
  [[nodiscard]] Pool pool(std::string_view type) const { return Pool{types_.id_of(type)}; }
  [[nodiscard]] ByteWriter encode(std::string_view type,
                                  const std::vector<NamedValue>& values) const;
  [[nodiscard]] ByteWriter payload() const { return writer_.payload(); }
  SmallChunk& checkpoint(const Checkpoint& checkpoint);

  [[nodiscard]] TypeTable& types() { return types_; }
  [[nodiscard]] ChunkWriter& writer() { return writer_; }

  /// The chunk with the metadata of its types behind everything else.
  [[nodiscard]] Bytes bytes() const;

 private:
  TypeTable types_ = small_types();
  ChunkWriter writer_;
};

/// The `metadata` element below the root, which holds the classes.
[[nodiscard]] Element& classes_of(Element& root);

/// A chunk of two events `test.Tick` (type 100: startTime, n) with n = 1 and 2.
[[nodiscard]] SmallChunk two_ticks(const HeaderFields& header = {});

}  // namespace jfrtree::test
