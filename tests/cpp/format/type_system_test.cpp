#include "format/type_system.hpp"

#include <doctest/doctest.h>

#include <string>

#include "format/small_chunk.hpp"

namespace jfrtree::internal {

namespace {

using test::Bytes;
using test::ByteWriter;
using test::TypeKind;

/// The payload of a metadata event that declares one event type of that name.
Bytes payload_of(const std::string& event, std::int64_t start_ticks = 1, std::int64_t id = 1) {
  test::TypeTable types = test::small_types();
  types.declare(TypeKind::event, event, 100, "int n");
  return ByteWriter()
      .long_value(start_ticks)
      .long_value(0)
      .long_value(id)
      .raw(encode_metadata_tree(types.metadata(), test::StringEncoding::utf8,
                                test::IntegerEncoding::compressed))
      .bytes();
}

std::shared_ptr<const TypeSystem> get(TypeSystemCache& cache, const Bytes& payload) {
  ParsedMetadata failure;
  auto types = cache.get(payload, true, {}, failure);
  CHECK((types == nullptr) == !failure.error.empty());
  return types;
}

}  // namespace

TEST_CASE("chunks with the same types share them, whatever their times and metadata ids") {
  TypeSystemCache cache;
  const auto first = get(cache, payload_of("t.A", 1, 1));
  const auto second = get(cache, payload_of("t.A", 123'456'789, 7));
  REQUIRE(first);
  CHECK(first == second);
  CHECK(first->metadata->find("t.A") != nullptr);
}

TEST_CASE("an equal metadata id says nothing: other types are decoded anew") {
  TypeSystemCache cache;
  const auto first = get(cache, payload_of("t.A", 1, 1));
  const auto second = get(cache, payload_of("t.B", 1, 1));
  CHECK(first != second);
  CHECK(second->metadata->find("t.A") == nullptr);
  CHECK(second->metadata->find("t.B") != nullptr);
}

TEST_CASE("the encoding of integers is part of what is compared") {
  TypeSystemCache cache;
  const Bytes payload = payload_of("t.A");
  CHECK(get(cache, payload));
  ParsedMetadata failure;
  CHECK_FALSE(cache.get(payload, false, {}, failure));
  CHECK_FALSE(failure.error.empty());
}

TEST_CASE("what cannot be decoded says why and is tried again") {
  TypeSystemCache cache;
  Bytes cut = payload_of("t.A");
  cut.resize(cut.size() / 2);
  for (int i = 0; i < 2; ++i) CHECK_FALSE(get(cache, cut));
  CHECK_FALSE(get(cache, {}));
  CHECK(get(cache, payload_of("t.A")));
}

TEST_CASE("types stay usable when the cache has forgotten them") {
  TypeSystemCache cache;
  const auto first = get(cache, payload_of("t.A"));
  for (int i = 0; i < 30; ++i) CHECK(get(cache, payload_of("t.Other" + std::to_string(i))));
  CHECK(first->metadata->find("t.A") != nullptr);
  CHECK(get(cache, payload_of("t.A"))->metadata->find("t.A") != nullptr);
}

TEST_CASE("the types used last are kept while others come and go") {
  TypeSystemCache cache;
  const auto first = get(cache, payload_of("t.A"));
  for (int i = 0; i < 30; ++i) {
    CHECK(get(cache, payload_of("t.Other" + std::to_string(i))));
    CHECK(get(cache, payload_of("t.A")) == first);
  }
}

}  // namespace jfrtree::internal
