#include "format/small_chunk.hpp"

namespace jfrtree::test {

TypeTable small_types() {
  TypeTable types;
  std::uint64_t id = 2;
  for (const char* name :
       {"boolean", "byte", "char", "short", "int", "long", "float", "double", "java.lang.String"}) {
    types.declare(TypeKind::plain, name, id++);
  }
  types.declare(TypeKind::annotation, "jdk.jfr.Timestamp", 20);
  types.declare(TypeKind::annotation, "jdk.jfr.Timespan", 21);
  types.declare(TypeKind::annotation, "jdk.jfr.Unsigned", 22);
  return types;
}

SmallChunk::SmallChunk(const HeaderFields& header) : writer_(header) {}

SmallChunk& SmallChunk::plain_type(const std::string& name, std::uint64_t id,
                                   std::string_view fields) {
  types_.declare(TypeKind::plain, name, id, fields);
  return *this;
}

SmallChunk& SmallChunk::simple_type(const std::string& name, std::uint64_t id,
                                    std::string_view fields) {
  types_.declare(TypeKind::simple, name, id, fields);
  return *this;
}

SmallChunk& SmallChunk::event_type(const std::string& name, std::uint64_t id,
                                   std::string_view fields) {
  types_.declare(TypeKind::event, name, id, fields);
  return *this;
}

ByteWriter SmallChunk::encode(std::string_view type, const std::vector<NamedValue>& values) const {
  return types_.encode(type, values, StringEncoding::utf8, writer_.integers());
}

SmallChunk& SmallChunk::event(std::string_view type, const std::vector<NamedValue>& values) {
  writer_.event(types_.id_of(type), encode(type, values));
  return *this;
}

SmallChunk& SmallChunk::raw_event(std::uint64_t type_id, const ByteWriter& payload,
                                  RecordSize size) {
  writer_.event(type_id, payload, size);
  return *this;
}

SmallChunk& SmallChunk::checkpoint(const Checkpoint& checkpoint) {
  writer_.checkpoint(checkpoint);
  return *this;
}

Bytes SmallChunk::bytes() const {
  ChunkWriter writer = writer_;
  writer.metadata(types_.metadata());
  return writer.bytes();
}

Element& classes_of(Element& root) { return root.children.at(0); }

SmallChunk two_ticks(const HeaderFields& header) {
  SmallChunk chunk(header);
  chunk.event_type("test.Tick", 100, "long startTime @Timestamp(TICKS); int n");
  chunk.event("Tick", {{"startTime", 2000}, {"n", 1}});
  chunk.event("Tick", {{"startTime", 3000}, {"n", 2}});
  return chunk;
}

}  // namespace jfrtree::test
